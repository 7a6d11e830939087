import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { chunkIdPattern, packChanges, packDocumentStates, packStates } from '../packs.ts';
import { Failure, Id, Nullable, Time } from './common.ts';
import { ObjectQuery } from './library/objects.ts';
import { packOptions } from './pack-options.ts';
import { filterFields, partial, strictObject } from './shapes.ts';

const { q, mime, tag, derived_from, kind, created_after, created_before } = ObjectQuery.properties;

/** A filter of objects, the same as in the list of objects. */
export const PackFilter = strictObject({
  ...filterFields({ q, mime, tag, derived_from, kind, created_after, created_before }),
  source: Type.Enum(['upload', 'job'], {
    default: 'upload',
    description: 'Uploaded objects, or those that jobs produced.',
  }),
});
export type PackFilter = Static<typeof PackFilter>;

export const NewPack = strictObject(
  {
    name: Type.String({ minLength: 1, maxLength: limits.title_characters }),
    source: strictObject(
      {
        collection_id: Type.Optional(Id('collection')),
        object_ids: Type.Optional(
          Type.Array(Id('object'), {
            minItems: 1,
            maxItems: limits.pack_documents,
            uniqueItems: true,
          }),
        ),
        filter: Type.Optional(PackFilter),
      },
      { description: 'Exactly one of the fields. The documents are determined once, at creation.' },
    ),
    options: Type.Optional(partial(packOptions)),
    refreshes: Type.Optional(Id('pack')),
  },
  { title: 'NewPack' },
);
export type NewPack = Static<typeof NewPack>;

const count = Type.Integer({ minimum: 0 });

export const PackRecord = strictObject(
  {
    id: Id('pack'),
    project_id: Id('project'),
    name: Type.String(),
    state: Type.Enum([...packStates]),
    source: strictObject({
      collection_id: Nullable(Id('collection')),
      filter: Nullable(Type.Record(Type.String(), Type.Unknown())),
      object_count: Nullable(Type.Integer({ description: 'For a list of objects: its length.' })),
    }),
    options: packOptions,
    refreshes: Nullable(Id('pack')),
    retry_of: Nullable(Id('pack')),
    progress: strictObject({
      percent: Type.Integer({ minimum: 0, maximum: 100, description: 'Never decreases.' }),
      documents_total: count,
      documents_completed: count,
      documents_failed: count,
      documents_withheld: count,
      documents_reused: Type.Integer({
        minimum: 0,
        description: 'Documents whose text an earlier job had already produced.',
      }),
      pages_total: count,
      pages_completed: count,
    }),
    output: Nullable(
      strictObject({
        object_id: Id('object'),
        mime: Type.String(),
        bytes: count,
        sha256: Type.String(),
      }),
    ),
    error: Nullable(Failure),
    created_at: Time,
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Pack' },
);
export type PackRecord = Static<typeof PackRecord>;

export const PackDocumentRecord = strictObject(
  {
    position: Type.Integer({ minimum: 1, description: 'The number in the names of its files.' }),
    object_id: Id('object'),
    filename: Type.String(),
    sha256: Type.String(),
    mime: Type.String(),
    state: Type.Enum([...packDocumentStates]),
    job_id: Nullable(Id('job')),
    reused: Type.Boolean(),
    pages: Nullable(count),
    chunks: Nullable(count),
    tokens: Nullable(count),
    redaction: Nullable(
      strictObject({
        profile: Type.String(),
        verified: Type.Boolean(),
        reviewed: Type.Boolean(),
      }),
    ),
    error: Nullable(Failure),
    finished_at: Nullable(Time),
  },
  { title: 'PackDocument' },
);
export type PackDocumentRecord = Static<typeof PackDocumentRecord>;

export const PackChangeRecord = strictObject(
  {
    change: Type.Enum([...packChanges], {
      description: 'A document has changed if its filename is the same and its content is not.',
    }),
    filename: Type.String(),
    object_id: Id('object'),
    sha256: Type.String(),
    before: Nullable(
      strictObject(
        { object_id: Id('object'), sha256: Type.String() },
        { description: 'For a changed document: its version in the previous pack.' },
      ),
    ),
  },
  { title: 'PackChange' },
);
export type PackChangeRecord = Static<typeof PackChangeRecord>;

/** `id` in a citation's path. */
export const ChunkId = Type.String({
  title: 'chunk',
  pattern: chunkIdPattern,
  description: 'The `id` of a chunk.',
});

export const PageBox = strictObject({
  page: Type.Integer({ minimum: 1 }),
  box: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description: 'Left, top, right, bottom in points of the displayed page.',
  }),
});

export const CitationRecord = strictObject(
  {
    id: ChunkId,
    object_id: Id('object'),
    shown_object_id: Type.String({
      description: 'The object whose pages show the text: the redaction, or `object_id`.',
    }),
    filename: Type.String({ description: 'Of the object that shows the text.' }),
    sha256: Type.String(),
    headings: Type.Array(Type.String()),
    pages: Type.Array(Type.Integer(), {
      minItems: 2,
      maxItems: 2,
      description: 'The first and the last page.',
    }),
    boxes: Type.Array(PageBox),
    text: Type.String(),
    images: Type.Array(
      strictObject({
        page: Type.Integer({ minimum: 1 }),
        object_id: Id('object'),
        boxes: Type.String({ description: 'The parameter `boxes` of the picture.' }),
        url: Type.String({ description: 'A picture of the page with the boxes marked.' }),
      }),
      { description: 'Empty for files without pages.' },
    ),
  },
  { title: 'Citation' },
);
export type CitationRecord = Static<typeof CitationRecord>;

/** The sort keys of packs. */
export const packSorts = ['created_at', 'name', 'state'] as const;
export type PackSort = (typeof packSorts)[number];
