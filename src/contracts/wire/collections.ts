import { type Static, Type } from 'typebox';
import { idPattern } from '../ids.ts';
import { limits } from '../limits.ts';
import { Id, Metadata, Nullable, Tags, Time } from './common.ts';
import { ImageFilters, ImageRecord, imageFilterFields } from './images.ts';
import { ObjectRecord } from './objects.ts';
import {
  commaList,
  listQuery,
  listSchema,
  problemSchema,
  searchText,
  strictObject,
  taggedUnion,
} from './shapes.ts';

const collectionKinds = ['manual', 'smart'] as const;
export type CollectionKind = (typeof collectionKinds)[number];
const collectionStates = ['available', 'trashed'] as const;
export type CollectionState = (typeof collectionStates)[number];
export const resourceTypes = ['image', 'object'] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** The identifier of whatever can be a member. */
export const ResourceId = Type.Union([Id('image'), Id('object')]);

/** What a member is, in a body. */
export const MemberRef = taggedUnion(
  'resource_type',
  [
    strictObject({ resource_type: Type.Literal('image'), resource_id: Id('image') }),
    strictObject({ resource_type: Type.Literal('object'), resource_id: Id('object') }),
  ],
  { title: 'MemberRef' },
);
export type MemberRef = Static<typeof MemberRef>;

export const CollectionRecord = strictObject(
  {
    id: Id('collection'),
    project_id: Id('project'),
    state: Type.Enum([...collectionStates]),
    name: Type.String(),
    description: Nullable(Type.String()),
    kind: Type.Enum([...collectionKinds]),
    query: Nullable(ImageFilters),
    parent_id: Nullable(Id('collection')),
    path: Type.Array(strictObject({ id: Id('collection'), name: Type.String() }), {
      description: 'From the root down to the collection itself.',
    }),
    cover: Nullable(
      Type.String({
        pattern: idPattern('image'),
        description: 'An image; null also while that image is in the trash.',
      }),
    ),
    tags: Tags,
    metadata: Metadata,
    member_count: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'Members that are not in the trash. Of a smart collection it is counted when one is asked for, no part of its version, and null in lists.',
      }),
    ),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Collection' },
);
export type CollectionRecord = Static<typeof CollectionRecord>;

export const CollectionList = listSchema(CollectionRecord);

const Name = Type.String({ minLength: 1, maxLength: limits.title_characters });
const Description = Nullable(Type.String({ maxLength: limits.description_characters }));

export const NewCollection = strictObject(
  {
    name: Name,
    description: Type.Optional(Description),
    kind: Type.Enum([...collectionKinds], { default: 'manual' }),
    query: Type.Optional(ImageFilters),
    parent_id: Type.Optional(Nullable(Id('collection'))),
    cover: Type.Optional(Nullable(Id('image'))),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(Metadata),
    members: Type.Optional(Type.Array(MemberRef, { maxItems: limits.members_per_batch })),
  },
  {
    title: 'NewCollection',
    description: 'A smart collection has a `query` and no `members`, a manual one no `query`.',
  },
);
export type NewCollection = Static<typeof NewCollection>;

/** A patch of filters: null takes one away. */
const ImageFiltersPatch = Type.Unsafe<{ [F in keyof ImageFilters]: ImageFilters[F] | null }>(
  strictObject(
    Object.fromEntries(
      Object.entries(imageFilterFields).map(([name, field]) => [
        name,
        Type.Optional(Nullable(field)),
      ]),
    ),
  ),
);

export const CollectionPatch = strictObject(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    query: Type.Optional(ImageFiltersPatch),
    parent_id: Type.Optional(Nullable(Id('collection'))),
    cover: Type.Optional(Nullable(Id('image'))),
    tags: Type.Optional(Nullable(Tags)),
    metadata: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Merged into what is there (RFC 7396): null takes a member away.',
        }),
      ),
    ),
  },
  { title: 'CollectionPatch' },
);
export type CollectionPatch = Static<typeof CollectionPatch>;

const collectionSorts = ['-created_at', 'created_at', 'name', '-name'] as const;
export type CollectionSort = (typeof collectionSorts)[number];

export const CollectionQuery = strictObject({
  ...listQuery(),
  parent_id: Type.Optional(
    Type.Union([Type.Literal('root'), Id('collection')], {
      description: 'Those directly in this collection, or in none: `root`.',
    }),
  ),
  kind: Type.Optional(commaList(Type.Enum([...collectionKinds]))),
  state: commaList(Type.Enum([...collectionStates]), undefined, { default: ['available'] }),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      maxItems: 20,
      description:
        'Repeated, all must hold; a comma is OR; a leading `-` is NOT. Case does not matter. A comma, a leading dash or a backslash in a tag itself is written with a backslash before it.',
    }),
  ),
  q: Type.Optional(
    searchText(limits.title_characters, 'A part of the name, in upper or lower case.'),
  ),
  resource_type: Type.Optional(
    Type.Enum([...resourceTypes], {
      description:
        'With `resource_id`: the collections that hold this resource, smart ones included.',
    }),
  ),
  resource_id: Type.Optional(ResourceId),
  sort: Type.Enum([...collectionSorts], { default: '-created_at' }),
});

const memberFields = {
  resource_type: Type.Enum([...resourceTypes]),
  resource_id: ResourceId,
  position: Nullable(
    Type.String({
      description:
        'Members stand in the order of these, compared byte by byte. Null in a smart collection.',
    }),
  ),
  added_at: Nullable(Time),
};

export const MemberRecord = strictObject(memberFields, { title: 'CollectionMember' });
export type MemberRecord = Static<typeof MemberRecord>;

export const ListedMember = strictObject(
  {
    ...memberFields,
    resource: Type.Optional(
      Type.Union([ImageRecord, ObjectRecord, Type.Null()], {
        description: 'With `include=resource`: the image or the object.',
      }),
    ),
  },
  { title: 'ListedCollectionMember' },
);
export type ListedMember = Static<typeof ListedMember>;

export const MemberList = listSchema(ListedMember);

const { limit, cursor } = listQuery();
export const MemberQuery = strictObject({
  limit,
  cursor,
  include: Type.Optional(
    commaList(
      Type.Enum(['resource', 'total']),
      '`resource` gives each member’s record, and needs `images:read` and `objects:read`; `total` counts all.',
    ),
  ),
});

export const MemberBatch = strictObject({
  add: Type.Array(MemberRef, { maxItems: limits.members_per_batch, default: [] }),
  remove: Type.Array(MemberRef, { maxItems: limits.members_per_batch, default: [] }),
  on_error: Type.Enum(['abort', 'continue'], {
    default: 'abort',
    description: '`abort` does all or nothing; `continue` does what can be done.',
  }),
});
export type MemberBatch = Static<typeof MemberBatch>;

const MemberResult = strictObject(
  {
    action: Type.Enum(['add', 'remove']),
    index: Type.Integer({ minimum: 0, description: 'Which of the list sent under `action`.' }),
    resource_type: Type.Enum([...resourceTypes]),
    resource_id: ResourceId,
    outcome: Type.Enum(['added', 'already_member', 'removed', 'failed']),
    problem: Nullable(problemSchema),
  },
  { title: 'CollectionMemberResult' },
);

export const MemberBatchResult = strictObject({
  member_count: Type.Integer({ minimum: 0 }),
  version: Type.Integer({ minimum: 1, description: 'Of the collection, after the batch.' }),
  results: Type.Array(MemberResult, { description: 'One for each input: first add, then remove.' }),
});

export const MemberMove = strictObject(
  { before: Type.Optional(MemberRef), after: Type.Optional(MemberRef) },
  { minProperties: 1, description: 'Exactly one of the two: the member to stand next to.' },
);
export type MemberMove = Static<typeof MemberMove>;
