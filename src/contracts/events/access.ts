import { Type } from 'typebox';
import { audit, changes, none, strict } from './event-type.ts';

const keyFacts = Type.Object(
  { name: Type.String(), prefix: Type.String(), scopes: Type.Array(Type.String()) },
  strict,
);
const keyExample = { name: 'Importer', prefix: 'sk_4f7Qa1Zx', scopes: ['objects:write'] };

/** Keys, and what was refused to them. */
export const accessEvents = {
  'access.api_key.created': audit('api_key', 'A key was issued.', keyFacts, keyExample),
  'access.api_key.rolled': audit(
    'api_key',
    'A key was replaced by a new one.',
    Type.Object(
      {
        new_key_id: Type.String(),
        overlap_seconds: Type.Integer({ minimum: 0 }),
        // Events from before it was recorded go without.
        ends_at: Type.Optional(Type.String()),
      },
      strict,
    ),
    {
      new_key_id: 'key_01m7gtek0sx6hv4x5fqk2v9d3e',
      overlap_seconds: 3600,
      ends_at: '2026-03-02T10:15:00.000Z',
    },
  ),
  'access.api_key.updated': audit('api_key', 'Fields of a key changed.', changes, {
    changed: ['name'],
  }),
  'access.api_key.revoked': audit('api_key', 'A key stopped working.', none, {}),
  'access.request.denied': audit(
    'api_key',
    'A key was refused something; at most once per key, code and minute.',
    Type.Object({ code: Type.String(), operation: Type.String() }, strict),
    { code: 'insufficient_scope', operation: 'createJob' },
  ),
} as const;
