import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ImageFilters, ImageSort } from '@scriptorium/contracts/wire/library/images';
import type { QueryValue } from '../../../api/request.ts';
import { fileKindOf, mimeFilterOf } from './file-kinds.ts';
import { mimeName } from './mime-names.ts';
import { parseTagTerm, writeTagTerm } from './tag-terms.ts';

/** The API list that is shown. Images have filters that other objects do not have. */
export type ListKind = 'images' | 'objects';

/** Changes to the query of the address. */
export type QueryChanges = Record<string, string | readonly string[] | undefined>;

const listFilters = ['mime', 'orientation'] as const;
const numberFilters = [
  'min_width',
  'max_width',
  'min_height',
  'max_height',
  'min_bytes',
  'max_bytes',
  'min_rating',
] as const;
const textFilters = [
  'q',
  'created_after',
  'created_before',
  'captured_after',
  'captured_before',
  'collection_id',
  'bbox',
  'state',
] as const;
const imageFilterNames = [...textFilters, 'tag', 'untagged', ...listFilters, ...numberFilters];
const objectFilterNames = [
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

export function listKindOf(address: URLSearchParams): ListKind {
  return fileKindOf(address) === 'images' ? 'images' : 'objects';
}

function filterNames(kind: ListKind): readonly string[] {
  return kind === 'images' ? imageFilterNames : objectFilterNames;
}

/**
 * Filters and order in the address, as query parameters of the API: the names are the same. Derived
 * objects are excluded by default, because they can be found from their source.
 */
export function queryOf(address: URLSearchParams): Record<string, QueryValue> {
  const kind = listKindOf(address);
  const names = [...filterNames(kind), 'sort'];
  const params = Object.fromEntries(
    names.flatMap((name) => {
      const values = address.getAll(name);
      return values.length > 0 ? [[name, values] as const] : [];
    }),
  );
  return kind === 'images'
    ? params
    : { mime: mimeFilterOf(address), ...params, originals: address.get('originals') ?? 'true' };
}

/** Whether the list may be empty because of filters. */
export function isFiltered(address: URLSearchParams): boolean {
  const kind = listKindOf(address);
  if (kind === 'objects' && fileKindOf(address) !== '') return true;
  return filterNames(kind).some((name) => address.has(name));
}

export function withoutFilters(address: URLSearchParams): QueryChanges {
  const kind = listKindOf(address);
  return {
    ...Object.fromEntries(filterNames(kind).map((name) => [name, undefined])),
    ...(kind === 'objects' ? { show: undefined } : {}),
  };
}

/** Returns the filters in the form that a bulk edit accepts. */
export function imageFiltersOf(address: URLSearchParams, correctedQuery?: string): ImageFilters {
  const filters: Record<string, unknown> = {};
  for (const name of textFilters) if (address.has(name)) filters[name] = address.get(name);
  for (const name of listFilters)
    if (address.has(name)) filters[name] = address.get(name)!.split(',');
  for (const name of numberFilters)
    if (address.has(name)) filters[name] = Number(address.get(name));
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
    ([sort]) => !['-updated_at', '-captured_at', 'captured_at'].includes(sort),
  ),
  ['mime', 'Type'],
];

/** Returns the default order of a list; '' for the best match. */
export function defaultSort(address: URLSearchParams): ImageSort | '' {
  return address.has('q') ? '' : '-created_at';
}

/** An active filter: its label, and the change that removes it. */
export interface Chip {
  label: string;
  removal: QueryChanges;
}

/** Names of the resources that filters refer to. */
export interface ResourceNames {
  collection?: string | undefined;
  source?: string | undefined;
  /** Where the area of the map is; undefined if it is too large for one place. */
  place?: string | undefined;
}

export function chipsOf(address: URLSearchParams, resourceNames: ResourceNames = {}): Chip[] {
  const names = filterNames(listKindOf(address));
  const chips: Chip[] = [];
  const addSingle = (name: string, labelOf: (value: string) => string): void => {
    const value = address.get(name);
    if (value === null || !names.includes(name)) return;
    chips.push({ label: labelOf(value), removal: { [name]: undefined } });
  };
  const addEach = (name: string, labelOf: (value: string) => string): void => {
    const values = address.get(name)?.split(',') ?? [];
    if (!names.includes(name)) return;
    for (const value of values) {
      const others = values.filter((other) => other !== value).join(',');
      chips.push({ label: labelOf(value), removal: { [name]: others } });
    }
  };
  addSingle('q', (value) => `Search: ${value}`);
  const terms = address.getAll('tag');
  for (const [at, text] of terms.entries()) {
    const { not, anyOf } = parseTagTerm(text);
    const otherTerms = terms.filter((_, other) => other !== at);
    chips.push({
      label: `${not ? 'Not tagged' : 'Tagged'} ${anyOf.join(' or ')}`,
      removal: { tag: otherTerms },
    });
  }
  addSingle('untagged', (value) => (value === 'true' ? 'Untagged' : 'Tagged'));
  addEach('mime', (mime) => mimeName(mime));
  addEach('orientation', (value) => value[0]!.toUpperCase() + value.slice(1));
  addSingle('collection_id', (value) => `In ${resourceNames.collection ?? value}`);
  addSingle('derived_from', (value) => `Made from ${resourceNames.source ?? value}`);
  addSingle('originals', () => 'With derived objects');
  addSingle('bbox', () =>
    resourceNames.place ? `Near ${resourceNames.place}` : 'In an area of the map',
  );
  addSingle('state', (value) => `State: ${value}`);
  addSingle('min_rating', (value) => `${pluralise(Number(value), 'star')} or more`);
  addSingle('min_width', (value) => `At least ${value} px wide`);
  addSingle('max_width', (value) => `At most ${value} px wide`);
  addSingle('min_height', (value) => `At least ${value} px tall`);
  addSingle('max_height', (value) => `At most ${value} px tall`);
  addSingle('min_bytes', (value) => `At least ${formatBytes(Number(value))}`);
  addSingle('max_bytes', (value) => `At most ${formatBytes(Number(value))}`);
  addSingle('created_after', (value) => `Added from ${dayOfStart(value)}`);
  addSingle('created_before', (value) => `Added until ${dayOfEnd(value)}`);
  addSingle('captured_after', (value) => `Taken from ${dayOfStart(value)}`);
  addSingle('captured_before', (value) => `Taken until ${dayOfEnd(value)}`);
  return chips;
}

/** Returns the query string that lists the items with a tag. */
export function tagQueryString(tag: string): string {
  return `?${new URLSearchParams({ tag: writeTagTerm({ not: false, anyOf: [tag] }) })}`;
}

/** Returns the instant just before a local day begins, for an exclusive "after". */
export function exclusiveStart(day: string): string {
  return day && new Date(new Date(`${day}T00:00`).getTime() - 1).toISOString();
}

/** Returns the instant at which a local day ends, for an exclusive "before". */
export function exclusiveEnd(day: string): string {
  if (!day) return '';
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + 1);
  return date.toISOString();
}

/** Returns the day of an instant from `exclusiveStart`. */
export function dayOfStart(moment: string | null): string {
  return moment ? formatDay(new Date(moment).getTime() + 1) : '';
}

/** Returns the day of an instant from `exclusiveEnd`. */
export function dayOfEnd(moment: string | null): string {
  return moment ? formatDay(new Date(moment).getTime() - 1) : '';
}

function formatDay(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(time)) return '';
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
