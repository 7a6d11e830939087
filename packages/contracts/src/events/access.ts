import { Type } from 'typebox';
import { auditEvent, changedFields, noData, strictOptions } from './event-type.ts';

const keyFacts = Type.Object(
  { name: Type.String(), prefix: Type.String(), scopes: Type.Array(Type.String()) },
  strictOptions,
);
const keyExample = { name: 'Importer', prefix: 'sk_4f7Qa1Zx', scopes: ['objects:write'] };

/** API keys, and requests that were denied. */
export const accessEvents = {
  'access.api_key.created': auditEvent('api_key', 'An API key was created.', keyFacts, keyExample),
  'access.api_key.rolled': auditEvent(
    'api_key',
    'An API key was replaced with a new one.',
    Type.Object(
      {
        new_key_id: Type.String(),
        overlap_seconds: Type.Integer({ minimum: 0 }),
        ends_at: Type.String(),
      },
      strictOptions,
    ),
    {
      new_key_id: 'key_01m7gtek0sx6hv4x5fqk2v9d3e',
      overlap_seconds: 3600,
      ends_at: '2026-03-02T10:15:00.000Z',
    },
  ),
  'access.api_key.updated': auditEvent('api_key', 'Fields of an API key changed.', changedFields, {
    changed: ['name'],
  }),
  'access.api_key.revoked': auditEvent('api_key', 'An API key was revoked.', noData, {}),
  'access.project.updated': auditEvent(
    'project',
    'Settings of the project changed.',
    changedFields,
    {
      changed: ['embeddings'],
    },
  ),
  'access.project.deletion_requested': auditEvent(
    'project',
    'The deletion of the project was requested. It is the last event of the project, and is deleted with it.',
    Type.Object({ deletion_id: Type.String() }, strictOptions),
    { deletion_id: 'del_01m7gtek0sx6hv4x5fqk2v9d3e' },
  ),
  'access.request.denied': auditEvent(
    'api_key',
    'A request was denied. Recorded at most once per key, code and minute.',
    Type.Object({ code: Type.String(), operation: Type.String() }, strictOptions),
    { code: 'insufficient_scope', operation: 'createJob' },
  ),
} as const;
