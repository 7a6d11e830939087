import { type Static, Type } from 'typebox';
import { downloadContents, downloadWays } from '../downloads.ts';
import { audit, changes, domain, failure, none, strict } from './event-type.ts';

const objectFacts = Type.Object(
  {
    filename: Type.String(),
    mime: Type.String(),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String(),
    derived_from: Type.Union([Type.String(), Type.Null()]),
  },
  strict,
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
  strict,
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
  strict,
);
const collectionExample: Static<typeof collectionFacts> = {
  name: 'Harbour',
  kind: 'manual',
  parent_id: null,
};
const memberFacts = Type.Object(
  { resource_type: Type.Enum(['image', 'object']), resource_id: Type.String() },
  strict,
);
const memberExample: Static<typeof memberFacts> = {
  resource_type: 'image',
  resource_id: 'img_01m7gtek0sx6hv4x5fqk2v9d3e',
};

/** Objects, images and collections of the library. */
export const damEvents = {
  'dam.object.created': domain('object', 'An object was stored.', objectFacts, objectExample),
  'dam.object.available': domain(
    'object',
    'An object became available.',
    objectFacts,
    objectExample,
  ),
  'dam.object.updated': domain('object', 'Fields of an object changed.', changes, {
    changed: ['tags'],
  }),
  'dam.object.trashed': domain('object', 'An object was moved to the trash.', none, {}),
  'dam.object.restored': domain('object', 'An object was restored from the trash.', none, {}),
  'dam.object.purged': domain(
    'object',
    'An object and its bytes were permanently deleted. Objects derived from it remain.',
    Type.Object({ outputs: Type.Array(Type.String()) }, strict),
    { outputs: [] },
  ),
  'dam.object.rejected': domain(
    'object',
    'A policy rejected an upload after a worker had inspected it.',
    Type.Object({ policy_id: Type.String(), rule_type: Type.String() }, strict),
    { policy_id: 'pol_01m7gtek0sx6hv4x5fqk2v9d3e', rule_type: 'max_pixels' },
  ),
  'dam.object.failed': domain(
    'object',
    'An upload could not be inspected, and a policy depends on the result.',
    Type.Object({ error: failure }, strict),
    { error: { code: 'damaged', message: 'The file cannot be opened.', retryable: false } },
  ),
  'dam.object.url_signed': audit(
    'object',
    'A signed URL was created for an object.',
    Type.Object(
      {
        // The content that the policies deliver: the object, or its redaction.
        delivered_object_id: Type.String(),
        ttl_seconds: Type.Integer({ minimum: 1 }),
        expires_at: Type.String(),
      },
      strict,
    ),
    {
      delivered_object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
      ttl_seconds: 3_600,
      expires_at: '2026-03-02T11:15:00.000Z',
    },
  ),
  'dam.object.downloaded': audit(
    'object',
    'A key, a person or a signed URL downloaded an object, or a picture of it that is large enough to be a copy. Recorded within seconds, then at most once an hour for the same actor, object, content and method: `count` is the number of requests since the last event, each range among them.',
    Type.Object(
      {
        // The delivered file: the object, or its redaction.
        delivered_object_id: Type.String(),
        content: Type.Enum([...downloadContents]),
        via: Type.Enum([...downloadWays]),
        count: Type.Integer({ minimum: 1 }),
        first_at: Type.String(),
        last_at: Type.String(),
      },
      strict,
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
  'dam.trash.emptied': domain(
    'project',
    'The trash was emptied. `purged` objects are gone, a policy keeps `held`, and `remaining` are processed in the background.',
    Type.Object(
      {
        purged: Type.Integer({ minimum: 0 }),
        held: Type.Integer({ minimum: 0 }),
        remaining: Type.Integer({ minimum: 0 }),
      },
      strict,
    ),
    { purged: 12, held: 1, remaining: 0 },
  ),
  'dam.image.created': domain('image', 'An image was created.', imageFacts, imageExample),
  'dam.image.updated': domain(
    'image',
    'Fields of an image changed, by a request or by the worker that processed it.',
    changes,
    { changed: ['title'] },
  ),
  'dam.image.tags_changed': domain(
    'image',
    'Tags of an image changed.',
    Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()) }, strict),
    { added: ['harbour'], removed: [] },
  ),
  'dam.image.trashed': domain('image', 'An image was moved to the trash.', none, {}),
  'dam.image.restored': domain('image', 'An image was restored from the trash.', none, {}),
  'dam.image.purged': domain(
    'image',
    'An image and its renditions were permanently deleted.',
    none,
    {},
  ),
  'dam.collection.created': domain(
    'collection',
    'A collection was created.',
    collectionFacts,
    collectionExample,
  ),
  'dam.collection.updated': domain('collection', 'Fields of a collection changed.', changes, {
    changed: ['name'],
  }),
  'dam.collection.trashed': domain(
    'collection',
    'A collection was moved to the trash. Its members are not affected.',
    none,
    {},
  ),
  'dam.collection.restored': domain(
    'collection',
    'A collection was restored from the trash.',
    none,
    {},
  ),
  'dam.collection.purged': domain('collection', 'A collection was permanently deleted.', none, {}),
  'dam.collection_member.added': domain(
    'collection',
    'A member was added to a collection.',
    memberFacts,
    memberExample,
  ),
  'dam.collection_member.removed': domain(
    'collection',
    'A member was removed from a collection.',
    Type.Object(
      {
        ...memberFacts.properties,
        reason: Type.Enum(['removed', 'purged']),
      },
      strict,
    ),
    { ...memberExample, reason: 'removed' },
  ),
  'dam.collection_member.reordered': domain(
    'collection',
    'A member of a collection was moved to another position.',
    memberFacts,
    memberExample,
  ),
} as const;
