import { type Static, Type } from 'typebox';
import { downloadContents, downloadMethods } from '../downloads.ts';
import {
  auditEvent,
  changedFields,
  domainEvent,
  failureSchema,
  noData,
  strictOptions,
} from './event-type.ts';

const objectFacts = Type.Object(
  {
    filename: Type.String(),
    mime: Type.String(),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String(),
    derived_from: Type.Union([Type.String(), Type.Null()]),
  },
  strictOptions,
);
const objectExample = {
  filename: 'scan.pdf',
  mime: 'application/pdf',
  bytes: 48211,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  derived_from: null,
};
const imageFacts = Type.Object(
  { object_id: Type.String(), filename: Type.String(), mime: Type.String() },
  strictOptions,
);
const imageExample = {
  object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
  filename: 'harbour.jpg',
  mime: 'image/jpeg',
};
const collectionFacts = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['manual', 'smart']),
    parent_id: Type.Union([Type.String(), Type.Null()]),
  },
  strictOptions,
);
const collectionExample: Static<typeof collectionFacts> = {
  name: 'Harbour',
  kind: 'manual',
  parent_id: null,
};
const memberFacts = Type.Object(
  { resource_type: Type.Enum(['image', 'object']), resource_id: Type.String() },
  strictOptions,
);
const memberExample: Static<typeof memberFacts> = {
  resource_type: 'image',
  resource_id: 'img_01m7gtek0sx6hv4x5fqk2v9d3e',
};

/** Objects, images and collections of the library. */
export const damEvents = {
  'dam.object.created': domainEvent('object', 'An object was stored.', objectFacts, objectExample),
  'dam.object.available': domainEvent(
    'object',
    'An object became available.',
    objectFacts,
    objectExample,
  ),
  'dam.object.updated': domainEvent('object', 'Fields of an object changed.', changedFields, {
    changed: ['tags'],
  }),
  'dam.object.trashed': domainEvent('object', 'An object was moved to the trash.', noData, {}),
  'dam.object.restored': domainEvent(
    'object',
    'An object was restored from the trash.',
    noData,
    {},
  ),
  'dam.object.purged': domainEvent(
    'object',
    'An object and its bytes were permanently deleted. Objects derived from it remain.',
    Type.Object({ outputs: Type.Array(Type.String()) }, strictOptions),
    { outputs: [] },
  ),
  'dam.object.rejected': domainEvent(
    'object',
    'A policy rejected an upload after a worker had inspected it.',
    Type.Object({ policy_id: Type.String(), rule_type: Type.String() }, strictOptions),
    { policy_id: 'pol_01m7gtek0sx6hv4x5fqk2v9d3e', rule_type: 'max_pixels' },
  ),
  'dam.object.failed': domainEvent(
    'object',
    'An upload could not be inspected, and a policy depends on the result.',
    Type.Object({ error: failureSchema }, strictOptions),
    { error: { code: 'damaged', message: 'The file cannot be opened.', retryable: false } },
  ),
  'dam.object.url_signed': auditEvent(
    'object',
    'A signed URL was created for an object.',
    Type.Object(
      {
        // The content that the policies deliver: the object, or its redaction.
        delivered_object_id: Type.String(),
        ttl_seconds: Type.Integer({ minimum: 1 }),
        expires_at: Type.String(),
      },
      strictOptions,
    ),
    {
      delivered_object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
      ttl_seconds: 3_600,
      expires_at: '2026-03-02T11:15:00.000Z',
    },
  ),
  'dam.object.downloaded': auditEvent(
    'object',
    'A key, a person or a signed URL downloaded an object, or a picture of it that is large enough to be a copy. Recorded within seconds, then at most once an hour for the same actor, object, content and method: `count` is the number of requests since the last event, including range requests.',
    Type.Object(
      {
        // The delivered file: the object, or its redaction.
        delivered_object_id: Type.String(),
        content: Type.Enum([...downloadContents]),
        via: Type.Enum([...downloadMethods]),
        count: Type.Integer({ minimum: 1 }),
        first_at: Type.String(),
        last_at: Type.String(),
      },
      strictOptions,
    ),
    {
      delivered_object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
      content: 'original',
      via: 'signed_url',
      count: 3,
      first_at: '2026-03-01T09:12:04.120Z',
      last_at: '2026-03-01T09:12:07.480Z',
    },
  ),
  'dam.trash.emptied': domainEvent(
    'project',
    'The trash was emptied. `purged` objects were permanently deleted, `held` objects are kept by a policy, and `remaining` objects are processed in the background.',
    Type.Object(
      {
        purged: Type.Integer({ minimum: 0 }),
        held: Type.Integer({ minimum: 0 }),
        remaining: Type.Integer({ minimum: 0 }),
      },
      strictOptions,
    ),
    { purged: 12, held: 1, remaining: 0 },
  ),
  'dam.image.created': domainEvent('image', 'An image was created.', imageFacts, imageExample),
  'dam.image.updated': domainEvent(
    'image',
    'Fields of an image changed, by a request or by the worker that processed it.',
    changedFields,
    { changed: ['title'] },
  ),
  'dam.image.tags_changed': domainEvent(
    'image',
    'Tags of an image changed.',
    Type.Object(
      { added: Type.Array(Type.String()), removed: Type.Array(Type.String()) },
      strictOptions,
    ),
    { added: ['harbour'], removed: [] },
  ),
  'dam.image.trashed': domainEvent('image', 'An image was moved to the trash.', noData, {}),
  'dam.image.restored': domainEvent('image', 'An image was restored from the trash.', noData, {}),
  'dam.image.purged': domainEvent(
    'image',
    'An image and its renditions were permanently deleted.',
    noData,
    {},
  ),
  'dam.collection.created': domainEvent(
    'collection',
    'A collection was created.',
    collectionFacts,
    collectionExample,
  ),
  'dam.collection.updated': domainEvent(
    'collection',
    'Fields of a collection changed.',
    changedFields,
    {
      changed: ['name'],
    },
  ),
  'dam.collection.trashed': domainEvent(
    'collection',
    'A collection was moved to the trash. Its members are not affected.',
    noData,
    {},
  ),
  'dam.collection.restored': domainEvent(
    'collection',
    'A collection was restored from the trash.',
    noData,
    {},
  ),
  'dam.collection.purged': domainEvent(
    'collection',
    'A collection was permanently deleted.',
    noData,
    {},
  ),
  'dam.collection_member.added': domainEvent(
    'collection',
    'A member was added to a collection.',
    memberFacts,
    memberExample,
  ),
  'dam.collection_member.removed': domainEvent(
    'collection',
    'A member was removed from a collection.',
    Type.Object(
      {
        ...memberFacts.properties,
        reason: Type.Enum(['removed', 'purged']),
      },
      strictOptions,
    ),
    { ...memberExample, reason: 'removed' },
  ),
  'dam.collection_member.reordered': domainEvent(
    'collection',
    'A member of a collection was moved to another position.',
    memberFacts,
    memberExample,
  ),
} as const;
