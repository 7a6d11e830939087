import type { Changes } from './filters.ts';

/** The views of the library: everything, or files of one kind. */
export const shows = [
  ['', 'All'],
  ['images', 'Images'],
  ['pdf', 'PDFs'],
  ['office', 'Office'],
  ['text', 'Text'],
] as const;
export type Show = (typeof shows)[number][0];

export const openXml = 'application/vnd.openxmlformats-officedocument.';
export const openDocument = 'application/vnd.oasis.opendocument.';

/** The media types of a kind, in the form of the objects' `mime` filter. */
const typesOf: Record<Exclude<Show, ''>, readonly string[]> = {
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
const onlyOfImages =
  /^(orientation|untagged|collection_id|captured_(after|before)|(min|max)_(width|height|bytes|rating))$/;
const imageSorts = ['relevance', '-updated_at', 'updated_at', '-captured_at', 'captured_at'];

export function showOf(address: URLSearchParams): Show {
  const show = address.get('show');
  return shows.find(([one]) => one === show)?.[0] ?? '';
}

/** Returns the types that a list of objects is limited to by its kind; undefined for everything. */
export function kindTypes(address: URLSearchParams): string | undefined {
  const show = showOf(address);
  return show === '' ? undefined : typesOf[show].join(',');
}

/** Whether files of a media type are shown. */
export function isShown(show: Show, mime: string | undefined): boolean {
  if (show === '') return true;
  if (mime === undefined) return false;
  return typesOf[show].some((type) =>
    type.endsWith('/*') ? mime.startsWith(type.slice(0, -1)) : type === mime,
  );
}

/**
 * Returns the changes that preserve the meaning of an old address: images were the default, with
 * separate filters, and `show=objects` meant everything. Callers without the right to read objects
 * see images.
 */
export function redirectOf(address: URLSearchParams, maySeeObjects: boolean): Changes | null {
  if (!maySeeObjects) return address.get('show') === 'images' ? null : { show: 'images' };
  if (address.get('show') === 'objects') return { show: undefined };
  const meantImages =
    [...address.keys()].some((name) => onlyOfImages.test(name)) ||
    imageSorts.includes(address.get('sort') ?? '');
  return !address.has('show') && meantImages ? { show: 'images' } : null;
}

/** Returns the address after changes to it. */
export function changedAddress(address: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const item of [value ?? []].flat()) if (item !== '') next.append(name, item);
  }
  return next;
}
