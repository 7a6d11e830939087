import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import type { Conditions } from '../../../db/statements/conditions.ts';
import type { ObjectState } from '../../../entities/library/stored-object.ts';
import { type FilterFault, termFaults } from '../../filter-faults.ts';
import { parseTagFilters, type TagFilter, tagsOverlap } from '../../tag-filter.ts';
import { bboxCondition, bboxFault, parseBbox } from '../places.ts';
import { parseQuery, toTsquery } from './query-language.ts';

/** The filters of a search, in which a smart collection is replaced by its filters. */
export interface SearchFilters extends ImageFilters {
  smart?: ImageFilters | undefined;
  /** Any of these states, instead of `state`. */
  states?: readonly ObjectState[] | undefined;
  /** Only these images. */
  imageIds?: readonly string[] | undefined;
  /** The images of these objects. */
  objectIds?: readonly string[] | undefined;
}

const ranges = [
  ['min_width', 'max_width', 'width', 'integer'],
  ['min_height', 'max_height', 'height', 'integer'],
  ['min_bytes', 'max_bytes', 'bytes', 'bigint'],
] as const;

const timeRanges = [
  ['created_after', 'created_before', 'created_at'],
  ['captured_after', 'captured_before', 'captured_at'],
] as const;

/** The faults of filters that schemas do not find; empty if the filters can be used. */
export function imageFilterFaults(filters: ImageFilters): FilterFault[] {
  const faults = termFaults(filters);
  for (const [minimum, maximum] of ranges) {
    const [from, to] = [filters[minimum], filters[maximum]];
    if (from === undefined || to === undefined || from <= to) continue;
    const detail = `${minimum} must be at most ${maximum}.`;
    faults.push({ field: minimum, code: 'empty_range', detail });
    faults.push({ field: maximum, code: 'empty_range', detail });
  }
  if (filters.bbox !== undefined && !parseBbox(filters.bbox)) {
    faults.push({ field: 'bbox', ...bboxFault });
  }
  for (const [after, before] of timeRanges) {
    const [from, to] = [filters[after], filters[before]];
    if (from === undefined || to === undefined || new Date(from) < new Date(to)) continue;
    const detail = `${after} must be before ${before}.`;
    faults.push({ field: after, code: 'empty_range', detail });
    faults.push({ field: before, code: 'empty_range', detail });
  }
  return faults;
}

/**
 * Adds the conditions of valid filters on a row of `image_search`; `alias` is the view's name in
 * the statement. Without a state, images in the trash are excluded.
 */
export function addImageConditions(
  filters: SearchFilters,
  where: Conditions,
  alias = 'image_search',
): void {
  addStateCondition(filters, where, alias);
  addFixedConditions(filters, where, alias);
  for (const tags of parseTagFilters(filters.tag)) addTagCondition(tags, where, alias);
  if (filters.mime) where.add(`${alias}.mime = ANY(?::text[])`, filters.mime);
  if (filters.orientation) {
    where.add(`${alias}.orientation = ANY(?::text[])`, filters.orientation);
  }
}

/** The condition of one `tag` filter. */
export function addTagCondition({ not, anyOf }: TagFilter, where: Conditions, alias: string): void {
  where.add(`${not ? 'NOT ' : ''}${tagsOverlap(`${alias}.tags`, '?')}`, anyOf);
}

/** The condition on the state, which every search has. */
export function addStateCondition(filters: SearchFilters, where: Conditions, alias: string): void {
  if (filters.states) {
    if (!filters.states.includes('trashed')) where.add(`NOT ${alias}.trashed`);
    where.add(`${alias}.state = ANY(?::text[])`, filters.states);
    return;
  }
  where.add(`${filters.state === 'trashed' ? '' : 'NOT '}${alias}.trashed`);
}

/** The other conditions, except those for which a facet offers alternatives. */
export function addFixedConditions(filters: SearchFilters, where: Conditions, alias: string): void {
  if (filters.state !== undefined && filters.state !== 'trashed') {
    where.add(`${alias}.state = ?`, filters.state);
  }
  if (filters.q !== undefined) {
    const query = parseQuery(filters.q);
    where.add(`${alias}.document @@ to_tsquery('library', ?)`, query ? toTsquery(query) : '');
  }
  if (filters.untagged !== undefined) {
    where.add(`${filters.untagged ? '' : 'NOT '}${alias}.untagged`);
  }
  if (filters.collection_id !== undefined) {
    where.add(
      `${alias}.image_id IN (SELECT m.resource_id FROM collection_member m
         WHERE m.project_id = current_setting('app.project_id', true) AND m.collection_id = ?
           AND m.resource_type = 'image' AND m.hidden = false)
       AND EXISTS (SELECT FROM collection
         WHERE project_id = current_setting('app.project_id', true) AND id = ?
           AND state = 'available')`,
      filters.collection_id,
      filters.collection_id,
    );
  }
  if (filters.bbox !== undefined) {
    where.add(
      `${alias}.image_id IN (SELECT image_id FROM image_place
         WHERE project_id = current_setting('app.project_id', true)
           AND ${bboxCondition(filters.bbox, (value) => where.bind(value))})`,
    );
  }
  if (filters.imageIds !== undefined) {
    where.add(`${alias}.image_id = ANY(?::text[])`, filters.imageIds);
  }
  if (filters.objectIds !== undefined) {
    where.add(
      `${alias}.image_id IN (SELECT i.id FROM image i
         WHERE i.project_id = current_setting('app.project_id', true)
           AND i.object_id = ANY(?::text[]))`,
      filters.objectIds,
    );
  }
  if (filters.smart) addImageConditions(filters.smart, where, alias);
  for (const [minimum, maximum, column, type] of ranges) {
    const [from, to] = [filters[minimum], filters[maximum]];
    if (from !== undefined) where.add(`${alias}.${column} >= ?::${type}`, from);
    if (to !== undefined) where.add(`${alias}.${column} <= ?::${type}`, to);
  }
  if (filters.min_rating !== undefined) {
    where.add(`${alias}.rating >= ?::integer`, filters.min_rating);
  }
  for (const [after, before, column] of timeRanges) {
    const [from, to] = [filters[after], filters[before]];
    if (from !== undefined) where.add(`${alias}.${column} > ${timestampSql}`, epochMs(from));
    if (to !== undefined) where.add(`${alias}.${column} < ${timestampSql}`, epochMs(to));
  }
}

// As seconds since the epoch: Postgres cannot parse every year and time zone that JavaScript
// writes.
const timestampSql = 'to_timestamp(?::double precision / 1000)';

function epochMs(time: string): number {
  return new Date(time).getTime();
}
