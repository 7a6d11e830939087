import type { ImagePatch, ImageRecord } from '../../../contracts/wire/images.ts';
import type { ObjectPatch, ObjectRecord } from '../../../contracts/wire/objects.ts';
import { type MetadataRow, metadataPatch, rowsOf } from './metadata.ts';

/** What people may say about an image or an object, as it is in the form. */
export interface Draft {
  title: string;
  description: string;
  alt_text: string;
  rating: string;
  filename: string;
  tags: string[];
  metadata: MetadataRow[];
}

export type Described =
  | { kind: 'image'; record: ImageRecord }
  | { kind: 'object'; record: ObjectRecord };

export const fieldNames: Record<keyof Draft, string> = {
  title: 'Title',
  description: 'Description',
  alt_text: 'Alternative text',
  rating: 'Rating',
  filename: 'File name',
  tags: 'Tags',
  metadata: 'Metadata',
};

export function fieldsOf({ kind }: Described): (keyof Draft)[] {
  return kind === 'image'
    ? ['title', 'description', 'alt_text', 'rating', 'tags', 'metadata']
    : ['filename', 'tags', 'metadata'];
}

export function draftOf({ kind, record }: Described): Draft {
  const common = {
    filename: record.filename,
    tags: [...record.tags],
    metadata: rowsOf(record.metadata),
  };
  if (kind === 'object') return { title: '', description: '', alt_text: '', rating: '', ...common };
  return {
    title: record.title ?? '',
    description: record.description ?? '',
    alt_text: record.alt_text ?? '',
    rating: record.rating === null ? '' : String(record.rating),
    ...common,
  };
}

export function isSame(a: Draft, b: Draft, field: keyof Draft): boolean {
  return JSON.stringify(a[field]) === JSON.stringify(b[field]);
}

/** The fields that differ. */
export function changedFields(of: Described, before: Draft, now: Draft): (keyof Draft)[] {
  return fieldsOf(of).filter((field) => !isSame(before, now, field));
}

/** A change of these fields, and of no others: what somebody else did to those stays. */
export function patchOf(
  of: Described,
  draft: Draft,
  fields: readonly (keyof Draft)[],
): ImagePatch & ObjectPatch {
  const patch: ImagePatch & ObjectPatch = {};
  for (const field of fields) {
    if (field === 'tags') patch.tags = draft.tags;
    else if (field === 'rating') patch.rating = draft.rating ? Number(draft.rating) : null;
    else if (field === 'filename') patch.filename = draft.filename;
    else if (field === 'metadata') {
      const metadata = metadataPatch(of.record.metadata, draft.metadata);
      if (metadata) patch.metadata = metadata;
    } else patch[field] = draft[field].trim() || null;
  }
  return patch;
}

/** A field as a conflict shows it. */
export function sayField(draft: Draft, field: keyof Draft): string {
  if (field === 'tags') return draft.tags.join(', ') || 'none';
  if (field === 'metadata') {
    return draft.metadata.map(({ name, text }) => `${name}: ${text}`).join('; ') || 'none';
  }
  return draft[field] || 'empty';
}
