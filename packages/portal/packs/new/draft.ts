import { profileNames } from '@scriptorium/contracts/documents/profiles';
import type { PackContent } from '@scriptorium/contracts/packs';
import type { PackFilter, PackRecord } from '@scriptorium/contracts/wire/packs';
import type { BodyOf } from '../../api/request.ts';

export type SourceKind = 'collection' | 'objects' | 'filter';

/** A pack as edited in the form. */
export interface PackDraft {
  name: string;
  kind: SourceKind;
  collectionId: string;
  objectIds: readonly string[];
  filter: Partial<PackFilter>;
  redact: string;
  requireReview: boolean;
  /** As typed; empty means the default. */
  chunkTokens: string;
  overlapTokens: string;
  include: readonly PackContent[];
  abortOnError: boolean;
}

export const emptyDraft: PackDraft = {
  name: '',
  kind: 'collection',
  collectionId: '',
  objectIds: [],
  filter: {},
  redact: '',
  requireReview: false,
  chunkTokens: '',
  overlapTokens: '',
  include: ['markdown', 'chunks'],
  abortOnError: false,
};

/**
 * Returns a draft with the source and options of a pack; for a list of objects, with `objectIds`.
 */
export function draftOf(pack: PackRecord, objectIds: readonly string[]): PackDraft {
  const { source, options } = pack;
  return {
    name: pack.name,
    kind: source.collection_id ? 'collection' : source.filter ? 'filter' : 'objects',
    collectionId: source.collection_id ?? '',
    objectIds,
    filter: source.filter ?? {},
    redact: options.redact ?? '',
    requireReview: options.review === 'required',
    chunkTokens: String(options.chunk_tokens),
    overlapTokens: String(options.overlap_tokens),
    include: options.include,
    abortOnError: options.on_error === 'abort',
  };
}

/** Returns the body of the request. Options with their default value are not sent. */
export function bodyOf(draft: PackDraft, refreshes: string | null): BodyOf<'createPack'> {
  const { name, kind, collectionId, objectIds, filter, redact, include } = draft;
  const source = {
    collection: { collection_id: collectionId || 'col_…' },
    objects: { object_ids: [...objectIds] },
    filter: { filter },
  }[kind];
  const isDefault = include.join() === emptyDraft.include.join();
  const profile = profileNames.find((one) => one === redact);
  const options: BodyOf<'createPack'>['options'] = {
    ...(profile ? { redact: profile } : {}),
    ...(profile && draft.requireReview ? { review: 'required' } : {}),
    ...(draft.chunkTokens ? { chunk_tokens: Number(draft.chunkTokens) } : {}),
    ...(draft.overlapTokens ? { overlap_tokens: Number(draft.overlapTokens) } : {}),
    ...(isDefault ? {} : { include: [...include] }),
    ...(draft.abortOnError ? { on_error: 'abort' } : {}),
  };
  return {
    name: name.trim(),
    source,
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(refreshes ? { refreshes } : {}),
  };
}

/** Returns what the user must enter before the pack can be built; undefined if nothing. */
export function missingMessageOf(draft: PackDraft): string | undefined {
  if (draft.name.trim() === '') return 'Enter a name.';
  if (draft.kind === 'collection' && draft.collectionId === '') return 'Select a collection.';
  if (draft.kind === 'objects' && draft.objectIds.length === 0) return 'Select an object.';
  return draft.include.length === 0 ? 'Select what the pack contains.' : undefined;
}
