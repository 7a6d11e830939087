import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids.ts';
import { limits } from '../../limits.ts';
import { Id, Metadata, Nullable, Tags, Time } from '../common.ts';
import {
  commaList,
  idFilter,
  listQuery,
  listSchema,
  problemSchema,
  searchText,
  strictObject,
  taggedUnion,
} from '../shapes.ts';
import { ImageFilterInput, ImageFilters, ImageRecord, imageFilterInput } from './images.ts';
import { ObjectRecord } from './objects.ts';

const collectionKinds = ['manual', 'smart'] as const;
export type CollectionKind = (typeof collectionKinds)[number];
const collectionStates = ['available', 'trashed'] as const;
export type CollectionState = (typeof collectionStates)[number];
export const resourceTypes = ['image', 'object'] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** The identifier of a member. */
export const ResourceId = Type.Union([Id('image'), Id('object')]);

/** A member in a request body. */
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
      description: 'The collections from the root down to this one.',
    }),
    cover: Nullable(
      Type.String({
        pattern: idPattern('image'),
        description: 'The cover image. Null while it is in the trash.',
      }),
    ),
    tags: Tags,
    metadata: Metadata,
    member_count: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The number of members that are not in the trash. For a smart collection it is counted when you get that collection, is null in lists, and does not affect the version.',
      }),
    ),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Collection' },
);
export type CollectionRecord = Static<typeof CollectionRecord>;

/** Number of members that a cover consists of. */
export const coverMembers = 4;

/** A collection in a list, with the fields added by `include`. */
const ListedCollection = strictObject(
  {
    ...CollectionRecord.properties,
    covers: Type.Optional(
      Type.Array(MemberRef, {
        maxItems: coverMembers,
        description:
          'With `include=covers`: what to show as the cover. `cover` alone, if it is set; otherwise up to four of the first members that are images with a `thumb` rendition, or PDFs with pages. For a smart collection without `cover`, up to four of its newest images with a `thumb` rendition, among the newest 2,000 of the project. Members in the trash are left out.',
      }),
    ),
  },
  { title: 'ListedCollection' },
);
export type ListedCollection = Static<typeof ListedCollection>;

export const CollectionList = listSchema(ListedCollection);

const Name = Type.String({ minLength: 1, maxLength: limits.title_characters });
const Description = Nullable(Type.String({ maxLength: limits.description_characters }));

export const NewCollection = strictObject(
  {
    name: Name,
    description: Type.Optional(Description),
    kind: Type.Enum([...collectionKinds], { default: 'manual' }),
    query: Type.Optional(ImageFilterInput),
    parent_id: Type.Optional(Nullable(Id('collection'))),
    cover: Type.Optional(Nullable(Id('image'))),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(Metadata),
    members: Type.Optional(Type.Array(MemberRef, { maxItems: limits.members_per_batch })),
  },
  {
    title: 'NewCollection',
    description:
      'A smart collection has a `query` and no `members`. A manual collection has no `query`.',
  },
);
export type NewCollection = Static<typeof NewCollection>;

/** A patch of filters. Null removes a filter. */
const ImageFiltersPatch = Type.Unsafe<{ [F in keyof ImageFilters]: ImageFilters[F] | null }>(
  strictObject(
    Object.fromEntries(
      Object.entries(imageFilterInput).map(([name, field]) => [
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
          description: 'Merged into the current metadata (RFC 7396). Null removes a member.',
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
  id: idFilter('collection', 'collections'),
  parent_id: Type.Optional(
    Type.Union([Type.Literal('root'), Id('collection')], {
      description:
        'Only direct children of this collection. `root`: only collections without a parent.',
    }),
  ),
  kind: Type.Optional(commaList(Type.Enum([...collectionKinds]))),
  state: commaList(Type.Enum([...collectionStates]), undefined, { default: ['available'] }),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      maxItems: 20,
      description:
        'Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash.',
    }),
  ),
  q: Type.Optional(searchText(limits.title_characters, 'Part of the name. Case is ignored.')),
  resource_type: Type.Optional(
    Type.Enum([...resourceTypes], {
      description:
        'With `resource_id`: only collections that contain this resource, including smart collections.',
    }),
  ),
  resource_id: Type.Optional(ResourceId),
  sort: Type.Enum([...collectionSorts], { default: '-created_at' }),
  include: Type.Optional(
    commaList(
      Type.Enum(['total', 'covers']),
      '`total` adds the number of all matches, which takes extra time. `covers` adds what to show as the cover of each.',
    ),
  ),
});

const memberFields = {
  resource_type: Type.Enum([...resourceTypes]),
  resource_id: ResourceId,
  position: Nullable(
    Type.String({
      description:
        'The sort key of the member. Members are ordered by its bytes. Null in smart collections.',
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
        description: 'The image or object, with `include=resource`.',
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
      '`resource` adds the record of each member and requires `images:read` and `objects:read`. `total` adds the number of members.',
    ),
  ),
});

export const MemberBatch = strictObject({
  add: Type.Array(MemberRef, { maxItems: limits.members_per_batch, default: [] }),
  remove: Type.Array(MemberRef, { maxItems: limits.members_per_batch, default: [] }),
  on_error: Type.Enum(['abort', 'continue'], {
    default: 'abort',
    description: '`abort`: all or nothing. `continue`: apply every change that is possible.',
  }),
});
export type MemberBatch = Static<typeof MemberBatch>;

const MemberResult = strictObject(
  {
    action: Type.Enum(['add', 'remove']),
    index: Type.Integer({ minimum: 0, description: 'The index in the list of this action.' }),
    resource_type: Type.Enum([...resourceTypes]),
    resource_id: ResourceId,
    outcome: Type.Enum(['added', 'already_member', 'removed', 'failed']),
    problem: Nullable(problemSchema),
  },
  { title: 'CollectionMemberResult' },
);

export const MemberBatchResult = strictObject({
  member_count: Type.Integer({ minimum: 0 }),
  version: Type.Integer({
    minimum: 1,
    description: 'The version of the collection after the batch.',
  }),
  results: Type.Array(MemberResult, {
    description: 'One result per input: first `add`, then `remove`.',
  }),
});

export const MemberMove = strictObject(
  { before: Type.Optional(MemberRef), after: Type.Optional(MemberRef) },
  {
    minProperties: 1,
    description: 'The member to move next to. Exactly one of the fields is required.',
  },
);
export type MemberMove = Static<typeof MemberMove>;
