import type { QueryChanges } from './filters.ts';

/** The views of the library: everything, or files of one kind. */
export const fileKinds = [
  ['', 'All'],
  ['images', 'Images'],
  ['pdf', 'PDFs'],
  ['office', 'Office'],
  ['text', 'Text'],
] as const;
export type FileKind = (typeof fileKinds)[number][0];

export const openXml = 'application/vnd.openxmlformats-officedocument.';
export const openDocument = 'application/vnd.oasis.opendocument.';

/** The media types of each kind, as in the `mime` filter of objects. */
const mediaTypes: Record<Exclude<FileKind, ''>, readonly string[]> = {
  images: ['image/*'],
  pdf: ['application/pdf'],
  office: [
    `${openXml}wordprocessingml.document`,
    `${openXml}spreadsheetml.sheet`,
    `${openXml}presentationml.presentation`,
    `${openDocument}text`,
    `${openDocument}spreadsheet`,
    `${openDocument}presentation`,
    'application/rtf',
  ],
  text: ['text/*', 'message/rfc822', 'application/json', 'application/epub+zip'],
};

/** The parameters that only images have. */
const imageOnlyParams =
  /^(orientation|untagged|collection_id|captured_(after|before)|(min|max)_(width|height|bytes|rating))$/;
const imageSorts = ['relevance', '-updated_at', 'updated_at', '-captured_at', 'captured_at'];

export function fileKindOf(address: URLSearchParams): FileKind {
  const show = address.get('show');
  return fileKinds.find(([one]) => one === show)?.[0] ?? '';
}

/** Returns the `mime` filter for the kind in the address; undefined for all kinds. */
export function mimeFilterOf(address: URLSearchParams): string | undefined {
  const show = fileKindOf(address);
  return show === '' ? undefined : mediaTypes[show].join(',');
}

/** Whether a media type belongs to a kind. */
export function isOfKind(fileKind: FileKind, mime: string | undefined): boolean {
  if (fileKind === '') return true;
  if (mime === undefined) return false;
  return mediaTypes[fileKind].some((type) =>
    type.endsWith('/*') ? mime.startsWith(type.slice(0, -1)) : type === mime,
  );
}

/**
 * Returns the changes that preserve the meaning of an old address: images were the default, with
 * separate filters, and `show=objects` meant everything. Callers without the right to read objects
 * see images.
 */
export function redirectOf(address: URLSearchParams, maySeeObjects: boolean): QueryChanges | null {
  if (!maySeeObjects) return address.get('show') === 'images' ? null : { show: 'images' };
  if (address.get('show') === 'objects') return { show: undefined };
  const meansImages =
    [...address.keys()].some((name) => imageOnlyParams.test(name)) ||
    imageSorts.includes(address.get('sort') ?? '');
  return !address.has('show') && meansImages ? { show: 'images' } : null;
}

/** Returns the address after changes to it. */
export function applyChanges(address: URLSearchParams, changes: QueryChanges): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const item of [value ?? []].flat()) if (item !== '') next.append(name, item);
  }
  return next;
}
