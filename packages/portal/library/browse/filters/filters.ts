import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ImageFilters, ImageSort } from '@scriptorium/contracts/wire/library/images';
import type { QueryValue } from '../../../api/request.ts';
import { kindTypes, openDocument, openXml, showOf } from './kinds.ts';
import { parseTagTerm, writeTagTerm } from './tag-terms.ts';

/** The API list that is shown: images have separate filters. */
export type Kind = 'images' | 'objects';

/** Changes to the query of the address. */
export type Changes = Record<string, string | readonly string[] | undefined>;

const lists = ['mime', 'orientation'] as const;
const numbers = [
  'min_width',
  'max_width',
  'min_height',
  'max_height',
  'min_bytes',
  'max_bytes',
  'min_rating',
] as const;
const texts = [
  'q',
  'created_after',
  'created_before',
  'captured_after',
  'captured_before',
  'collection_id',
  'bbox',
  'state',
] as const;
const ofImages = [...texts, 'tag', 'untagged', ...lists, ...numbers];
const ofObjects = [
  'q',
  'tag',
  'mime',
  'state',
  'created_after',
  'created_before',
  'derived_from',
  'originals',
  'bbox',
];

export function kindOf(address: URLSearchParams): Kind {
  return showOf(address) === 'images' ? 'images' : 'objects';
}

function filterNames(kind: Kind): readonly string[] {
  return kind === 'images' ? ofImages : ofObjects;
}

/**
 * Filters and order in the address, as query parameters of the API: the names are the same. Derived
 * objects are excluded by default, because they can be found from their source.
 */
export function queryOf(address: URLSearchParams): Record<string, QueryValue> {
  const kind = kindOf(address);
  const names = [...filterNames(kind), 'sort'];
  const given = Object.fromEntries(
    names.flatMap((name) => {
      const values = address.getAll(name);
      return values.length > 0 ? [[name, values] as const] : [];
    }),
  );
  return kind === 'images'
    ? given
    : { mime: kindTypes(address), ...given, originals: address.get('originals') ?? 'true' };
}

/** Whether the list may be empty because of filters. */
export function isFiltered(address: URLSearchParams): boolean {
  const kind = kindOf(address);
  if (kind === 'objects' && showOf(address) !== '') return true;
  return filterNames(kind).some((name) => address.has(name));
}

export function withoutFilters(address: URLSearchParams): Changes {
  const kind = kindOf(address);
  return {
    ...Object.fromEntries(filterNames(kind).map((name) => [name, undefined])),
    ...(kind === 'objects' ? { show: undefined } : {}),
  };
}

/** Returns the filters in the form that a bulk edit accepts. */
export function imageFiltersOf(address: URLSearchParams, correctedQuery?: string): ImageFilters {
  const filters: Record<string, unknown> = {};
  for (const name of texts) if (address.has(name)) filters[name] = address.get(name);
  for (const name of lists) if (address.has(name)) filters[name] = address.get(name)!.split(',');
  for (const name of numbers) if (address.has(name)) filters[name] = Number(address.get(name));
  if (address.has('tag')) filters.tag = address.getAll('tag');
  if (address.has('untagged')) filters.untagged = address.get('untagged') === 'true';
  if (correctedQuery !== undefined) filters.q = correctedQuery;
  return filters;
}

export const imageSortOptions: readonly (readonly [ImageSort | '', string])[] = [
  ['', 'Best match'],
  ['-created_at', 'Newest first'],
  ['created_at', 'Oldest first'],
  ['-updated_at', 'Last updated'],
  ['-captured_at', 'Date taken, newest'],
  ['captured_at', 'Date taken, oldest'],
  ['filename', 'Name, A to Z'],
  ['-filename', 'Name, Z to A'],
  ['-bytes', 'Largest first'],
  ['bytes', 'Smallest first'],
];
export const objectSortOptions: readonly (readonly [string, string])[] = [
  ...imageSortOptions.filter(
    ([sort]) => !['', '-updated_at', '-captured_at', 'captured_at'].includes(sort),
  ),
  ['mime', 'Type'],
];

/** Returns the default order of a list; '' for the best match. */
export function defaultSort(kind: Kind, address: URLSearchParams): ImageSort | '' {
  return kind === 'images' && address.has('q') ? '' : '-created_at';
}

/** Returns the short name of a media type: `image/svg+xml` as SVG. */
export function mimeName(mime: string): string {
  return (
    officeNames[mime] ??
    mime
      .replace(/^[^/]*\//, '')
      .replace(/\+xml$/, '')
      .toUpperCase()
  );
}

const officeNames: Record<string, string> = {
  [`${openXml}wordprocessingml.document`]: 'DOCX',
  [`${openXml}spreadsheetml.sheet`]: 'XLSX',
  [`${openXml}presentationml.presentation`]: 'PPTX',
  [`${openDocument}text`]: 'ODT',
  [`${openDocument}spreadsheet`]: 'ODS',
  [`${openDocument}presentation`]: 'ODP',
  'application/epub+zip': 'EPUB',
  'message/rfc822': 'E-mail',
  'text/tab-separated-values': 'TSV',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
  'image/*': 'All images',
  'application/octet-stream': 'File',
};

/** An active filter: its label, and the change that removes it. */
export interface Chip {
  label: string;
  without: Changes;
}

/** Names of the resources that filters refer to. */
export interface FilterNames {
  collection?: string | undefined;
  source?: string | undefined;
}

export function chipsOf(address: URLSearchParams, known: FilterNames = {}): Chip[] {
  const names = filterNames(kindOf(address));
  const chips: Chip[] = [];
  const one = (name: string, say: (value: string) => string): void => {
    const value = address.get(name);
    if (value === null || !names.includes(name)) return;
    chips.push({ label: say(value), without: { [name]: undefined } });
  };
  const list = (name: string, say: (value: string) => string): void => {
    const values = address.get(name)?.split(',') ?? [];
    if (!names.includes(name)) return;
    for (const value of values) {
      const rest = values.filter((other) => other !== value).join(',');
      chips.push({ label: say(value), without: { [name]: rest } });
    }
  };
  one('q', (value) => `Search: ${value}`);
  const terms = address.getAll('tag');
  for (const [at, text] of terms.entries()) {
    const { not, anyOf } = parseTagTerm(text);
    const rest = terms.filter((_, other) => other !== at);
    chips.push({
      label: `${not ? 'Not tagged' : 'Tagged'} ${anyOf.join(' or ')}`,
      without: { tag: rest },
    });
  }
  one('untagged', (value) => (value === 'true' ? 'Untagged' : 'Tagged'));
  list('mime', mimeName);
  list('orientation', (value) => value[0]!.toUpperCase() + value.slice(1));
  one('collection_id', (value) => `In ${known.collection ?? value}`);
  one('derived_from', (value) => `Made from ${known.source ?? value}`);
  one('originals', () => 'With derived objects');
  one('bbox', () => 'In an area of the map');
  one('state', (value) => `State: ${value}`);
  one('min_rating', (value) => `${pluralise(Number(value), 'star')} or more`);
  one('min_width', (value) => `At least ${value} px wide`);
  one('max_width', (value) => `At most ${value} px wide`);
  one('min_height', (value) => `At least ${value} px tall`);
  one('max_height', (value) => `At most ${value} px tall`);
  one('min_bytes', (value) => `At least ${formatBytes(Number(value))}`);
  one('max_bytes', (value) => `At most ${formatBytes(Number(value))}`);
  one('created_after', (value) => `Added from ${dayFrom(value)}`);
  one('created_before', (value) => `Added until ${dayUntil(value)}`);
  one('captured_after', (value) => `Taken from ${dayFrom(value)}`);
  one('captured_before', (value) => `Taken until ${dayUntil(value)}`);
  return chips;
}

/** Returns the query string that lists one tag. */
export function addressOfTag(tag: string): string {
  return `?${new URLSearchParams({ tag: writeTagTerm({ not: false, anyOf: [tag] }) })}`;
}

/** Returns the instant just before a local day begins, for an exclusive "after". */
export function fromDay(day: string): string {
  return day && new Date(new Date(`${day}T00:00`).getTime() - 1).toISOString();
}

/** Returns the instant a local day ends, for an exclusive "before". */
export function untilDay(day: string): string {
  if (!day) return '';
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + 1);
  return date.toISOString();
}

/** Returns the inverse of `fromDay`. */
export function dayFrom(moment: string | null): string {
  return moment ? dayOf(new Date(moment).getTime() + 1) : '';
}

/** Returns the inverse of `untilDay`. */
export function dayUntil(moment: string | null): string {
  return moment ? dayOf(new Date(moment).getTime() - 1) : '';
}

function dayOf(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(time)) return '';
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
