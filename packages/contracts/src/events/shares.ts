import { type Static, Type } from 'typebox';
import { auditEvent, changedFields, domainEvent, strictOptions } from './event-type.ts';

const shareFacts = Type.Object(
  {
    kind: Type.Enum(['view', 'upload']),
    object_id: Type.Union([Type.String(), Type.Null()]),
    collection_id: Type.Union([Type.String(), Type.Null()]),
    allow_download: Type.Boolean(),
    has_password: Type.Boolean(),
    expires_at: Type.Union([Type.String(), Type.Null()]),
  },
  strictOptions,
);
const shareExample: Static<typeof shareFacts> = {
  kind: 'view',
  object_id: null,
  collection_id: 'col_01m7gtek0sx6hv4x5fqk2v9d3e',
  allow_download: true,
  has_password: false,
  expires_at: '2026-03-31T22:00:00.000Z',
};

/** Links for people without a key. Never includes the links themselves. */
export const shareEvents = {
  'dam.share.created': domainEvent(
    'share',
    'A link to an object or a collection, or one for uploads, was created.',
    shareFacts,
    shareExample,
  ),
  'dam.share.updated': domainEvent('share', 'Fields of a share changed.', changedFields, {
    changed: ['expires_at'],
  }),
  'dam.share.revoked': domainEvent(
    'share',
    'A share was revoked. Its link stopped working.',
    shareFacts,
    shareExample,
  ),
  'dam.share.downloaded': auditEvent(
    'object',
    'A visitor of a shared link began to download an object, alone or in an archive. The actor is the share.',
    Type.Object(
      {
        share_id: Type.String(),
        // The delivered file: the object, or its redaction.
        delivered_object_id: Type.String(),
        archive: Type.Boolean(),
      },
      strictOptions,
    ),
    {
      share_id: 'shr_01m7gtek0sx6hv4x5fqk2v9d3e',
      delivered_object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
      archive: false,
    },
  ),
} as const;
