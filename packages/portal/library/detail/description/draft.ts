import type { ImagePatch, ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectPatch, ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { type MetadataRow, metadataPatch, rowsOf } from '../../../kit/fields/metadata.ts';

/** The editable properties of an image or object, as the form holds them. */
export interface DescriptionDraft {
  title: string;
  description: string;
  alt_text: string;
  rating: string;
  filename: string;
  tags: string[];
  metadata: MetadataRow[];
}

export type EditableResource =
  | { kind: 'image'; record: ImageRecord }
  | { kind: 'object'; record: ObjectRecord };

export const fieldNames: Record<keyof DescriptionDraft, string> = {
  title: 'Title',
  description: 'Description',
  alt_text: 'Alternative text',
  rating: 'Rating',
  filename: 'File name',
  tags: 'Tags',
  metadata: 'Metadata',
};

function fieldsOf({ kind }: EditableResource): (keyof DescriptionDraft)[] {
  return kind === 'image'
    ? ['title', 'description', 'alt_text', 'rating', 'tags', 'metadata']
    : ['filename', 'tags', 'metadata'];
}

export function descriptionDraftOf({ kind, record }: EditableResource): DescriptionDraft {
  const commonFields = {
    filename: record.filename,
    tags: [...record.tags],
    metadata: rowsOf(record.metadata),
  };
  if (kind === 'object')
    return { title: '', description: '', alt_text: '', rating: '', ...commonFields };
  return {
    title: record.title ?? '',
    description: record.description ?? '',
    alt_text: record.alt_text ?? '',
    rating: record.rating === null ? '' : String(record.rating),
    ...commonFields,
  };
}

export function isSame(
  a: DescriptionDraft,
  b: DescriptionDraft,
  field: keyof DescriptionDraft,
): boolean {
  return JSON.stringify(a[field]) === JSON.stringify(b[field]);
}

/** Returns the fields that differ. */
export function changedFields(
  resource: EditableResource,
  before: DescriptionDraft,
  now: DescriptionDraft,
): (keyof DescriptionDraft)[] {
  return fieldsOf(resource).filter((field) => !isSame(before, now, field));
}

/** Returns a patch of these fields only, so that concurrent changes to other fields are kept. */
export function descriptionPatch(
  resource: EditableResource,
  draft: DescriptionDraft,
  fields: readonly (keyof DescriptionDraft)[],
): ImagePatch & ObjectPatch {
  const patch: ImagePatch & ObjectPatch = {};
  for (const field of fields) {
    if (field === 'tags') patch.tags = draft.tags;
    else if (field === 'rating') patch.rating = draft.rating ? Number(draft.rating) : null;
    else if (field === 'filename') patch.filename = draft.filename;
    else if (field === 'metadata') {
      const metadata = metadataPatch(resource.record.metadata, draft.metadata);
      if (metadata) patch.metadata = metadata;
    } else patch[field] = draft[field].trim() || null;
  }
  return patch;
}

/** Returns a field's value as text, for the comparison in a conflict. */
export function formatField(draft: DescriptionDraft, field: keyof DescriptionDraft): string {
  if (field === 'tags') return draft.tags.join(', ') || 'None';
  if (field === 'metadata') {
    return draft.metadata.map(({ name, text }) => `${name}: ${text}`).join('; ') || 'None';
  }
  return draft[field] || 'Empty';
}
