import type { Origin } from '@scriptorium/contracts/origin';
import { type ImageFilters, imageMimes } from '@scriptorium/contracts/wire/library/images';
import { postgresTime } from '../../db/postgres-time.ts';
import { Conditions } from '../../db/statements/conditions.ts';
import type { Tx } from '../../db/transaction.ts';
import type { ObjectState } from '../../entities/library/stored-object.ts';
import type { Policy } from '../../policies/decision/decide.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { textRestriction } from '../../policies/text-restriction.ts';
import { bboxCondition } from '../images/places.ts';
import { addFixedConditions } from '../images/search/filters.ts';
import { type TagFilter, tagsOverlap } from '../tag-filter.ts';
import { nameCondition, searchCondition } from './search.ts';

/** The filters of a list of objects. */
export interface ObjectFilters {
  id?: readonly string[] | undefined;
  /** By default, all states outside the trash. */
  state?: readonly ObjectState[] | undefined;
  /** Any of these; `image/*` matches all images. */
  mime?: readonly string[] | undefined;
  /** Words in the details or in the recognised text, in the language of searches. */
  q?: string | undefined;
  /** All of these must match. */
  tags?: readonly TagFilter[] | undefined;
  /** Made from this object. */
  derivedFrom?: string | undefined;
  source?: 'upload' | 'job' | undefined;
  /** Outputs of jobs of any of these kinds. */
  kind?: readonly string[] | undefined;
  /** Only pictures, or only other files. */
  pictures?: boolean | undefined;
  /** Leaves out objects derived from one that these filters match. */
  originals?: boolean | undefined;
  /** Images taken in this bounding box (`parseBbox`). */
  bbox?: string | undefined;
  /** Only images that match these, without a search text. */
  ofImage?: Omit<ImageFilters, 'q'> | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

/** Who searches: policies may hide text from an address, and a key may lack the right to read images. */
export interface SearchCaller extends Pick<Origin, 'projectId' | 'address'> {
  /** Whether `q` also searches the words of images. */
  readsImages: boolean;
}

/** A search for objects, with the data that its statements share. */
export interface ObjectSearch {
  caller: SearchCaller;
  filters: ObjectFilters;
  /** The policies on reading; empty for a search without words. */
  policies: readonly Policy[];
  /** Null if the time of reading is unknown. */
  at: Date | null;
}

/** Prepares the statements of a search: its policies are loaded once for all of them. */
export async function prepareSearch(
  tx: Tx,
  caller: SearchCaller,
  filters: ObjectFilters,
): Promise<ObjectSearch> {
  const policies = filters.q === undefined ? [] : await loadPolicies(tx, caller.projectId, 'read');
  return { caller, filters, policies, at: new Date(postgresTime()) };
}

/** How the matches of a search are read. */
interface MatchOptions {
  /**
   * Finds words and tags by their indexes before it reads objects. Otherwise, Postgres chooses, and
   * may read the objects in the order of the list, which is faster for frequent words only: it
   * underestimates the cost of comparing long texts with a query. Ignored if policies hide text.
   */
  wordsFirst?: boolean;
  /** Only objects with all words of `q` in the title, filename and tags. */
  inNames?: boolean;
}

/**
 * The matching objects, as the part of a statement after FROM. It ends with its conditions, so that
 * others can be appended. `values` receives the values of its placeholders.
 */
export function matchingObjectsSql(
  search: ObjectSearch,
  values: unknown[],
  { wordsFirst = false, inNames = false }: MatchOptions = {},
): string {
  const { filters } = search;
  const conditions = conditionsOf(search, values, inNames);
  const { onObjects, onWords, restricted } = conditions;
  const matchesSql =
    wordsFirst && !restricted && onWords.length > 0
      ? `object JOIN (SELECT id FROM object_search WHERE ${onWords.join(' AND ')} OFFSET 0) found
           USING (id) WHERE ${onObjects.join(' AND ')}`
      : plainMatchesSql(filters, conditions);
  if (!filters.originals) return matchesSql;
  // A source matches wherever its words are.
  const sources = inNames ? conditionsOf(search, values, false) : conditions;
  // OFFSET makes Postgres look up sources one by one. Without it, Postgres would read the whole library
  // for one page.
  return `${matchesSql} AND (derived_from IS NULL OR NOT EXISTS (
    SELECT FROM (SELECT id FROM ${plainMatchesSql(filters, sources)}) source
    WHERE source.id = object.derived_from OFFSET 0))`;
}

function plainMatchesSql(
  filters: ObjectFilters,
  { onObjects, onWords }: Pick<MatchConditions, 'onObjects' | 'onWords'>,
): string {
  return `${relationOf(filters)} WHERE ${[...onObjects, ...onWords].join(' AND ')}`;
}

/**
 * The relation to read. Row-level security prevents the use of indexes on words and tags, so these
 * filters query the view. It shows rows of the transaction's project only; a second condition on
 * the project would prevent the use of its indexes.
 */
function relationOf(filters: ObjectFilters): string {
  return filters.q === undefined && !filters.tags?.length
    ? 'object'
    : 'object JOIN object_search USING (id)';
}

/** The conditions on the table `object`, and on the view `object_search`. */
interface MatchConditions {
  onObjects: string[];
  onWords: string[];
  /** Whether those on words also depend on the table. */
  restricted: boolean;
}

function conditionsOf(
  { caller: { projectId, address, readsImages }, filters, policies, at }: ObjectSearch,
  values: unknown[],
  inNames: boolean,
): MatchConditions {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const project = bind(projectId);
  const conditions = [`project_id = ${project}`];
  conditions.push(
    filters.state ? `state = ANY(${bind(filters.state)}::text[])` : `state <> 'trashed'`,
  );
  if (filters.id) conditions.push(`id = ANY(${bind(filters.id)}::text[])`);
  if (filters.mime?.length) {
    const mimes = filters.mime.map((mime) => mime.toLowerCase());
    const exactTypes = mimes.filter((mime) => !mime.endsWith('/*'));
    const families = mimes.filter((mime) => mime.endsWith('/*')).map((mime) => mime.slice(0, -2));
    const alternatives = [
      exactTypes.length > 0 && `mime = ANY(${bind(exactTypes)}::text[])`,
      families.length > 0 && `split_part(mime, '/', 1) = ANY(${bind(families)}::text[])`,
    ];
    // Without families, an index finds the exact types.
    conditions.push(`(${alternatives.filter(Boolean).join(' OR ')})`);
  }
  if (filters.pictures !== undefined) {
    conditions.push(`${filters.pictures ? '' : 'NOT '}mime = ANY(${bind(imageMimes)}::text[])`);
  }
  const onWords: string[] = [];
  let restricted = false;
  if (filters.q !== undefined) {
    const restriction = textRestriction(policies, { address, at }, bind);
    restricted = restriction !== null;
    const inName = inNames ? nameCondition(filters.q, readsImages, bind) : null;
    if (inName) onWords.push(inName.sql);
    if (!inName?.suffices || restricted) {
      onWords.push(searchCondition(filters.q, restriction, readsImages, bind));
    }
  }
  for (const { not, anyOf } of filters.tags ?? []) {
    onWords.push(`${not ? 'NOT ' : ''}${tagsOverlap('tagged', bind(anyOf))}`);
  }
  if (filters.derivedFrom) conditions.push(`derived_from = ${bind(filters.derivedFrom)}`);
  if (filters.source) conditions.push(`source_kind = ${bind(filters.source)}`);
  if (filters.kind?.length) {
    conditions.push(
      `id IN (SELECT object_id FROM job_output WHERE project_id = ${project} AND kind = ANY(${bind(filters.kind)}::text[]))`,
    );
  }
  if (filters.bbox !== undefined) {
    conditions.push(
      `id IN (SELECT i.object_id FROM image_place p
         JOIN image i ON i.project_id = p.project_id AND i.id = p.image_id
         WHERE p.project_id = ${project} AND ${bboxCondition(filters.bbox, bind)})`,
    );
  }
  if (filters.ofImage && Object.keys(filters.ofImage).length > 0) {
    const where = new Conditions(values);
    addFixedConditions(filters.ofImage, where, 'image_search');
    if (filters.ofImage.orientation) {
      where.add('image_search.orientation = ANY(?::text[])', filters.ofImage.orientation);
    }
    conditions.push(
      `id IN (SELECT i.object_id FROM image_search
         JOIN image i ON i.project_id = ${project} AND i.id = image_search.image_id
         WHERE ${where.sql()})`,
    );
  }
  // As seconds since the epoch: Postgres cannot parse every year and time zone that JavaScript
  // writes.
  const time = (date: Date): string =>
    `to_timestamp(${bind(date.getTime())}::double precision / 1000)`;
  if (filters.createdAfter) conditions.push(`created_at > ${time(filters.createdAfter)}`);
  if (filters.createdBefore) conditions.push(`created_at < ${time(filters.createdBefore)}`);
  return { onObjects: conditions, onWords, restricted };
}
