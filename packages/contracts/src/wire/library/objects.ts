import { type Static, Type } from 'typebox';
import { limits } from '../../limits.ts';
import { outputKinds } from '../../operations.ts';
import { Id, Metadata, Nullable, Tags, Time } from '../common.ts';
import { commaList, idFilter, listQuery, listSchema, searchText, strictObject } from '../shapes.ts';
import { bboxFilter } from './places.ts';

const strictOptions = { additionalProperties: false };

export const objectStates = ['processing', 'available', 'rejected', 'failed', 'trashed'] as const;

export const ObjectRecord = Type.Object(
  {
    id: Id('object'),
    project_id: Id('project'),
    state: Type.Enum([...objectStates]),
    filename: Type.String(),
    mime: Type.String({
      description: 'The media type detected from the bytes, regardless of the declared type.',
    }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    pages: Nullable(
      Type.Integer({
        minimum: 1,
        description:
          'The pages of a document: also the sheets of a workbook and the slides of a presentation. Counted in the background after the upload; null while unknown, and for files without pages.',
      }),
    ),
    labels: Type.Array(Type.Object({ label: Type.String(), score: Type.Number() }, strictOptions), {
      description:
        'The labels of the latest `classify`, most likely first. Policies use the first, and any other with a score of at least 0.2.',
    }),
    tags: Tags,
    metadata: Metadata,
    derived_from: Nullable(Id('object')),
    source: Type.Object(
      { kind: Type.Enum(['upload', 'job']), job_id: Nullable(Id('job')) },
      strictOptions,
    ),
    rejection: Nullable(Type.Record(Type.String(), Type.Unknown())),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { ...strictOptions, title: 'Object' },
);
export type ObjectRecord = Static<typeof ObjectRecord>;

/** The response to an upload: the object, and whether it is new. */
export const UploadRecord = Type.Object(
  {
    ...ObjectRecord.properties,
    image_id: Nullable(Id('image')),
    deduplicated: Type.Boolean({
      description: 'Whether an available object with the same bytes and filename already existed.',
    }),
    warnings: Type.Array(Type.Enum(['tags_ignored']), {
      description:
        '`tags_ignored`: the object already existed, and the tags and metadata of the request were not merged into it.',
    }),
  },
  { ...strictOptions, title: 'Upload' },
);
export type UploadRecord = Static<typeof UploadRecord>;

export const ArchiveRequest = Type.Object(
  {
    ids: Type.Array(Id('object'), {
      minItems: 1,
      maxItems: limits.archive_objects,
      uniqueItems: true,
    }),
    on_error: Type.Enum(['abort', 'continue'], {
      default: 'abort',
      description:
        '`continue` leaves out objects that cannot be delivered and lists them in the manifest. `abort` rejects the request.',
    }),
  },
  strictOptions,
);

/** The result of emptying the trash. */
export const TrashEmptied = Type.Object(
  {
    purged: Type.Integer({ minimum: 0, description: 'Objects that were purged.' }),
    held: Type.Integer({ minimum: 0, description: 'Objects that a policy keeps in the trash.' }),
    remaining: Type.Integer({
      minimum: 0,
      description: 'Objects that are processed in the background: purged, or kept by a policy.',
    }),
  },
  { ...strictOptions, title: 'TrashEmptied' },
);
export type TrashEmptied = Static<typeof TrashEmptied>;

/** An object in a list, with the fields added by `include`. */
export const ListedObject = Type.Object(
  {
    ...ObjectRecord.properties,
    derived_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'With `include=derived_count`: how many objects outside the trash are derived from it.',
      }),
    ),
  },
  { ...strictOptions, title: 'ListedObject' },
);
export type ListedObject = Static<typeof ListedObject>;

/** The values of a facet. */
export const FacetValues = Type.Array(
  strictObject({ value: Type.String(), count: Type.Integer({ minimum: 0 }) }),
);
export type FacetValues = Static<typeof FacetValues>;

export const ObjectFacets = strictObject(
  { tag: FacetValues, mime: FacetValues },
  {
    title: 'ObjectFacets',
    description:
      'Exact counts of all matches, most frequent first. A facet ignores its own filter: with `mime=application/pdf`, the `mime` facet still counts other types.',
  },
);
export type ObjectFacets = Static<typeof ObjectFacets>;

/** The number of objects or images of a month. */
const MonthCount = strictObject(
  {
    month: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}$',
      description: 'In UTC, such as `2026-11`.',
    }),
    count: Type.Integer({ minimum: 1 }),
  },
  { title: 'MonthCount' },
);
export type MonthCount = Static<typeof MonthCount>;

export const Months = Type.Array(MonthCount, {
  description:
    'With `include=months`: all matches by the month in which they were added, or by that of `months_by`, newest first. Months without matches are omitted.',
});

export const Stops = strictObject(
  {
    every: Type.Integer({
      minimum: 200,
      description: 'The number of matches from one stop to the next: 200 or a multiple of 200.',
    }),
    cursors: Type.Array(Type.String(), {
      maxItems: 1000,
      description:
        'The first starts the page after `every` matches, the second after twice as many. A cursor at the end of the list starts an empty page.',
    }),
  },
  {
    title: 'Stops',
    description:
      'With `include=stops`: cursors to later positions in the list, in order. Use them like `next_cursor`.',
  },
);

export const ObjectList = strictObject({
  ...listSchema(ListedObject).properties,
  facets: Type.Optional(ObjectFacets),
  months: Type.Optional(Months),
  stops: Type.Optional(Stops),
});

export const ObjectPatch = Type.Object(
  {
    filename: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    tags: Type.Optional(Nullable(Tags)),
    metadata: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Merged into the current metadata (RFC 7396). Null removes a member.',
        }),
      ),
    ),
  },
  strictOptions,
);
export type ObjectPatch = Static<typeof ObjectPatch>;

export const SignedUrlRequest = Type.Object(
  {
    ttl_seconds: Type.Integer({
      minimum: limits.signed_url_min_seconds,
      maximum: limits.signed_url_max_seconds,
      default: 3600,
    }),
    disposition: Type.Enum(['attachment', 'inline'], {
      default: 'attachment',
      description:
        '`inline` lets a browser display images, PDF, plain text, audio and video. Other types are always attachments.',
    }),
  },
  strictOptions,
);

export const SignedUrl = Type.Object(
  {
    url: Type.String({
      description:
        'Treat it as a secret. Absolute if the service knows its public address, from its configuration or the Host header; otherwise a path.',
    }),
    expires_at: Time,
    ttl_seconds: Type.Integer({ description: 'The lifetime of the URL in seconds.' }),
    warnings: Type.Array(Type.Enum(['ttl_shortened']), {
      description:
        '`ttl_shortened`: a policy allows a shorter lifetime than requested, or the API key expires earlier.',
    }),
  },
  { ...strictOptions, title: 'SignedUrl' },
);

export type SignedUrl = Static<typeof SignedUrl>;

const objectSorts = [
  '-created_at',
  'created_at',
  '-filename',
  'filename',
  '-bytes',
  'bytes',
  '-mime',
  'mime',
] as const;
export type ObjectSort = (typeof objectSorts)[number];

export const mimeFilterPattern =
  '^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/(\\*|[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*)$';

export const ObjectQuery = strictObject({
  ...listQuery(),
  id: idFilter('object', 'objects'),
  q: Type.Optional(
    searchText(
      500,
      'Full-text search in the filename, tags, metadata strings, with the `images:read` scope also the title, description, alternative text, creator, copyright, camera, and city and country of images, and text: the text that the file contains (read in the background after the upload) and the text that jobs have recognised, using the most complete text of each page. Text that a policy does not let this caller read now is excluded; where a policy requires redaction, the redacted text is searched. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix.',
    ),
  ),
  state: Type.Optional(
    commaList(Type.Enum([...objectStates]), 'Default: all states except `trashed`.'),
  ),
  mime: Type.Optional(
    commaList(
      Type.String({ pattern: mimeFilterPattern, maxLength: 127 }),
      'Any of these media types. `image/*` matches all images.',
    ),
  ),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      maxItems: 20,
      description:
        'Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash.',
    }),
  ),
  derived_from: Type.Optional(Id('object')),
  source: Type.Optional(
    Type.Enum(['upload', 'job'], { description: 'Uploaded, or produced by a job.' }),
  ),
  kind: Type.Optional(
    commaList(
      Type.Enum([...outputKinds]),
      'Outputs of jobs of any of these kinds, such as `searchable_pdf`.',
    ),
  ),
  originals: Type.Optional(
    Type.Boolean({
      description:
        'Leaves out objects derived from an object that the same filters match: a redaction is not listed beside its source, but is if the source is in the trash. Default: false.',
    }),
  ),
  bbox: Type.Optional(bboxFilter(' Requires the `images:read` scope.')),
  created_after: Type.Optional(Time),
  created_before: Type.Optional(Time),
  sort: Type.Enum([...objectSorts], { default: '-created_at' }),
  include: Type.Optional(
    commaList(
      Type.Enum(['total', 'facets', 'months', 'stops', 'derived_count']),
      '`total`, `facets` and `months` count all matches, and `stops` reads them, which takes extra time. `derived_count` counts the objects derived from each object.',
    ),
  ),
});
