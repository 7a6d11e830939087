import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { outputKinds } from '../operations.ts';
import { Id, Metadata, Nullable, Tags, Time } from './common.ts';
import { commaList, listQuery, listSchema, searchText, strictObject } from './shapes.ts';

const closed = { additionalProperties: false };

export const objectStates = ['processing', 'available', 'rejected', 'failed', 'trashed'] as const;

export const ObjectRecord = Type.Object(
  {
    id: Id('object'),
    project_id: Id('project'),
    state: Type.Enum([...objectStates]),
    filename: Type.String(),
    mime: Type.String({ description: 'What the bytes are, whatever they were declared as.' }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    pages: Nullable(Type.Integer({ minimum: 1 })),
    labels: Type.Array(Type.Object({ label: Type.String(), score: Type.Number() }, closed), {
      description:
        'What the newest `classify` took it for, the likeliest first. Policies go by the first and by those with a score of at least 0.2.',
    }),
    tags: Tags,
    metadata: Metadata,
    derived_from: Nullable(Id('object')),
    source: Type.Object(
      { kind: Type.Enum(['upload', 'job']), job_id: Nullable(Id('job')) },
      closed,
    ),
    rejection: Nullable(Type.Record(Type.String(), Type.Unknown())),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { ...closed, title: 'Object' },
);
export type ObjectRecord = Static<typeof ObjectRecord>;

/** An object and how it came to be the answer to an upload. */
export const UploadRecord = Type.Object(
  {
    ...ObjectRecord.properties,
    image_id: Nullable(Id('image')),
    deduplicated: Type.Boolean({
      description: 'True when an available object with these bytes and this name was there.',
    }),
    warnings: Type.Array(Type.Enum(['tags_ignored']), {
      description:
        '`tags_ignored`: the object was there, and the tags and metadata sent were not merged into it.',
    }),
  },
  { ...closed, title: 'Upload' },
);
export type UploadRecord = Static<typeof UploadRecord>;

export const ArchiveWish = Type.Object(
  {
    ids: Type.Array(Id('object'), {
      minItems: 1,
      maxItems: limits.archive_objects,
      uniqueItems: true,
    }),
    on_error: Type.Enum(['abort', 'continue'], {
      default: 'abort',
      description:
        '`continue` leaves out what cannot be delivered and lists it in the manifest; `abort` refuses the whole.',
    }),
  },
  closed,
);

/** What emptying the trash came to. */
export const TrashEmptied = Type.Object(
  {
    purged: Type.Integer({ minimum: 0, description: 'Objects that are gone.' }),
    held: Type.Integer({ minimum: 0, description: 'Objects that a policy keeps in the trash.' }),
    remaining: Type.Integer({
      minimum: 0,
      description: 'Objects that are looked at in the background: purged, or kept by a policy.',
    }),
  },
  { ...closed, title: 'TrashEmptied' },
);
export type TrashEmptied = Static<typeof TrashEmptied>;

export const ObjectList = listSchema(ObjectRecord);

export const ObjectPatch = Type.Object(
  {
    filename: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    tags: Type.Optional(Nullable(Tags)),
    metadata: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Merged into what is there (RFC 7396): null takes a member away.',
        }),
      ),
    ),
  },
  closed,
);
export type ObjectPatch = Static<typeof ObjectPatch>;

export const SignedUrlWish = Type.Object(
  {
    ttl_seconds: Type.Integer({
      minimum: limits.signed_url_min_seconds,
      maximum: limits.signed_url_max_seconds,
      default: 3600,
    }),
    disposition: Type.Enum(['attachment', 'inline'], {
      default: 'attachment',
      description:
        '`inline` lets a browser show pictures, PDF, plain text, sound and film; anything else comes as an attachment all the same.',
    }),
  },
  closed,
);

export const SignedUrl = Type.Object(
  {
    url: Type.String({
      description:
        'To be kept like a secret. Absolute where the service knows its own address: its setting, else the Host of this request; otherwise a path.',
    }),
    expires_at: Time,
    ttl_seconds: Type.Integer({ description: 'For how long it was made.' }),
    warnings: Type.Array(Type.Enum(['ttl_shortened']), {
      description:
        '`ttl_shortened`: a policy allows less time than was asked for, or the API key ends before.',
    }),
  },
  { ...closed, title: 'SignedUrl' },
);

export type SignedUrl = Static<typeof SignedUrl>;

const objectSorts = [
  '-created_at',
  'created_at',
  '-filename',
  'filename',
  '-bytes',
  'bytes',
] as const;
export type ObjectSort = (typeof objectSorts)[number];

const mimePattern = '^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/(\\*|[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*)$';

export const ObjectQuery = strictObject({
  ...listQuery(),
  q: Type.Optional(
    searchText(
      500,
      'Searches the filename, tags, strings of the metadata and the text that jobs have read of its pages: of each page the fullest reading. Text that a policy does not let the caller read, from this address and now, is not searched; where a redaction is required, what it left is. Words are AND, `"a phrase"`, `-not`, `OR`; the last word matches as a prefix.',
    ),
  ),
  state: Type.Optional(
    commaList(Type.Enum([...objectStates]), 'Without it, all but what is in the trash.'),
  ),
  mime: Type.Optional(
    commaList(
      Type.String({ pattern: mimePattern, maxLength: 127 }),
      'Any of these types; `image/*` is all images.',
    ),
  ),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      maxItems: 20,
      description:
        'Repeated, all must hold; a comma is OR; a leading `-` is NOT. Case does not matter. A comma, a leading dash or a backslash in a tag itself is written with a backslash before it.',
    }),
  ),
  derived_from: Type.Optional(Id('object')),
  source: Type.Optional(
    Type.Enum(['upload', 'job'], { description: 'Uploaded, or made by a job.' }),
  ),
  kind: Type.Optional(
    commaList(
      Type.Enum([...outputKinds]),
      'Outputs of jobs of any of these kinds; `searchable_pdf` is what `ocr` made to be searched.',
    ),
  ),
  created_after: Type.Optional(Time),
  created_before: Type.Optional(Time),
  sort: Type.Enum([...objectSorts], { default: '-created_at' }),
});
