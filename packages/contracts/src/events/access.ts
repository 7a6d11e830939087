import { Type } from 'typebox';
import { audit, changes, none, strict } from './event-type.ts';

const keyFacts = Type.Object(
  { name: Type.String(), prefix: Type.String(), scopes: Type.Array(Type.String()) },
  strict,
);
const keyExample = { name: 'Importer', prefix: 'sk_4f7Qa1Zx', scopes: ['objects:write'] };

/** API keys, and requests that were denied. */
export const accessEvents = {
  'access.api_key.created': audit('api_key', 'An API key was created.', keyFacts, keyExample),
  'access.api_key.rolled': audit(
    'api_key',
    'An API key was replaced by a new one.',
    Type.Object(
      {
        new_key_id: Type.String(),
        overlap_seconds: Type.Integer({ minimum: 0 }),
        ends_at: Type.String(),
      },
      strict,
    ),
    {
      new_key_id: 'key_01m7gtek0sx6hv4x5fqk2v9d3e',
      overlap_seconds: 3600,
      ends_at: '2026-03-02T10:15:00.000Z',
    },
  ),
  'access.api_key.updated': audit('api_key', 'Fields of an API key changed.', changes, {
    changed: ['name'],
  }),
  'access.api_key.revoked': audit('api_key', 'An API key was revoked.', none, {}),
  'access.request.denied': audit(
    'api_key',
    'A request was denied. Recorded at most once per key, code and minute.',
    Type.Object({ code: Type.String(), operation: Type.String() }, strict),
    { code: 'insufficient_scope', operation: 'createJob' },
  ),
} as const;
