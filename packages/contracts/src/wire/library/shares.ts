import { type Static, Type } from 'typebox';
import { limits } from '../../limits.ts';
import { ActorRecord, Id, Nullable, Time } from '../common.ts';
import { commaList, listQuery, listSchema, strictObject } from '../shapes.ts';
import { mimeFilterPattern } from './objects.ts';

const shareKinds = ['view', 'upload'] as const;
export type ShareKind = (typeof shareKinds)[number];

const shareStates = ['active', 'expired', 'used_up', 'revoked'] as const;
export type ShareState = (typeof shareStates)[number];

const max = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], { description });

/** The fields that can be set at creation and changed later. */
const settings = {
  title: Type.Union(
    [Type.String({ minLength: 1, maxLength: limits.share_title_characters }), Type.Null()],
    { description: 'Shown to visitors. Without it, they see the name of the target.' },
  ),
  message: Type.Union(
    [Type.String({ minLength: 1, maxLength: limits.share_message_characters }), Type.Null()],
    { description: 'Shown to visitors as plain text.' },
  ),
  expires_at: Type.Union([Time, Type.Null()], {
    description: `When the link stops working. Null: never. At most ${limits.share_max_days} days ahead.`,
  }),
  allow_download: Type.Boolean({
    description: '`view` only: whether visitors can download files, or only see previews.',
  }),
  max_views: max('`view` only: how many visits the link allows. A visit lasts some hours.'),
  max_downloads: max('`view` only: how many downloads of files or archives the link allows.'),
  accept: Type.Array(Type.String({ pattern: mimeFilterPattern, maxLength: 127 }), {
    maxItems: limits.share_accept_patterns,
    uniqueItems: true,
    description:
      '`upload` only: the media types that are accepted, such as `image/*`, compared with the type detected from the bytes. Empty: all.',
  }),
  max_bytes: Type.Union(
    [Type.Integer({ minimum: 1, maximum: limits.direct_upload_bytes }), Type.Null()],
    {
      description: `\`upload\` only: the maximum size of a file. Null: ${limits.direct_upload_bytes} bytes.`,
    },
  ),
  max_files: max('`upload` only: how many files can be uploaded in total.'),
};

const password = Type.Union(
  [
    Type.String({
      minLength: limits.share_password_min_characters,
      maxLength: limits.share_password_max_characters,
    }),
    Type.Null(),
  ],
  {
    description:
      'The password that visitors must enter. It is stored as a hash and never returned.',
  },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ShareRecord = strictObject(
  {
    id: Id('share'),
    project_id: Id('project'),
    kind: Type.Enum([...shareKinds]),
    state: Type.Enum([...shareStates], {
      description:
        '`used_up`: a limit was reached. An `active` link also does not work while its target is in the trash, or once its creator has lost access.',
    }),
    object_id: Nullable(Id('object')),
    collection_id: Nullable(Id('collection')),
    url: Type.Union([Type.String(), Type.Null()], {
      description:
        'The link. Treat it as a secret. Null for a caller that lacks a scope that the link grants to its visitors.',
    }),
    ...settings,
    has_password: Type.Boolean(),
    views: count('Visits.'),
    downloads: count('Downloads of files and archives. A resumed download counts once.'),
    uploads: count('Uploaded files.'),
    last_used_at: Nullable(Time),
    created_by: ActorRecord,
    revoked_at: Nullable(Time),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Share' },
);
export type ShareRecord = Static<typeof ShareRecord>;
export const ShareList = listSchema(ShareRecord);

const optional = {
  title: Type.Optional(settings.title),
  message: Type.Optional(settings.message),
  expires_at: Type.Optional(settings.expires_at),
  password: Type.Optional(password),
  allow_download: Type.Optional(settings.allow_download),
  max_views: Type.Optional(settings.max_views),
  max_downloads: Type.Optional(settings.max_downloads),
  accept: Type.Optional(settings.accept),
  max_bytes: Type.Optional(settings.max_bytes),
  max_files: Type.Optional(settings.max_files),
};

export const ShareCreate = strictObject(
  {
    kind: Type.Enum([...shareKinds], {
      default: 'view',
      description:
        '`view` shows an object or a collection. `upload` lets visitors add files, to a collection if `collection_id` is sent.',
    }),
    object_id: Type.Optional(Id('object')),
    collection_id: Type.Optional(Id('collection')),
    ...optional,
  },
  { title: 'ShareCreate' },
);
export type ShareCreate = Static<typeof ShareCreate>;

export const SharePatch = strictObject(optional, { title: 'SharePatch', minProperties: 1 });
export type SharePatch = Static<typeof SharePatch>;

export const ShareQuery = strictObject({
  ...listQuery(),
  state: Type.Optional(commaList(Type.Enum([...shareStates]))),
  kind: Type.Optional(commaList(Type.Enum([...shareKinds]))),
  object_id: Type.Optional(commaList(Id('object'), 'The shared objects.')),
  collection_id: Type.Optional(
    commaList(Id('collection'), 'The shared collections, and those that uploads are added to.'),
  ),
});
