import { pagedMimes } from '@scriptorium/contracts/documents/sources';
import type { FileType, RedactionCoverage, Trait } from '@scriptorium/contracts/rules';
import { imageMimes } from '@scriptorium/contracts/wire/library/images';
import { prepared, type Tx } from '../../db/transaction.ts';
import {
  type Fact,
  type Facts,
  type Hold,
  known,
  knownUnlessNull,
  notApplicable,
  type Redactions,
} from '../decision/fact-table.ts';
import { collectionsSql, coverSql } from './scope-sql.ts';

/** The facts of an object itself, independent of the request. */
export type ObjectFacts = Omit<Facts, 'address' | 'time' | 'signing'>;

/** An object's facts, and the sticky rules that apply to it. */
interface LoadedFacts {
  objectId: string;
  facts: ObjectFacts;
  holds: Hold[];
}

interface Row {
  id: string;
  mime: string;
  traits: Trait[] | null;
  source_types: FileType[];
  bytes: number;
  pages: number | null;
  pixels: number | null;
  age_days: number;
  tags: string[];
  labels: string[];
  unclassified: boolean;
  collections: string[] | null;
  holds: Hold[];
  covers: RedactionCoverage[];
  unreviewed: string[];
  outputs: Redactions['outputs'];
}

/**
 * An object inherits the types (for conditions only), tags, labels, collections, holds and
 * redactions of its sources. An output is therefore subject to every policy of its source.
 */
const factsSql = `
  SELECT o.id, o.mime, o.traits, typed.source_types, o.bytes, o.pages, i.width::bigint * i.height AS pixels,
    (extract(epoch FROM now() - o.created_at) / 86400)::double precision AS age_days,
    coalesce(own.tags, '{}') AS tags, coalesce(own.labels, '{}') AS labels,
    EXISTS (SELECT FROM inherited_fact f WHERE f.project_id = o.project_id
      AND f.object_id = ANY(line.ids) AND f.unclassified) AS unclassified,
    ${collectionsSql('o.project_id', 'line.ids')} || own.collections AS collections,
    held.holds, redacted.covers, coalesce(unreviewed.ops, '{}') AS unreviewed,
    redactions.outputs
  FROM object o
  LEFT JOIN image i ON i.project_id = o.project_id AND i.object_id = o.id
  CROSS JOIN LATERAL (SELECT CASE WHEN o.derived_from IS NULL THEN ARRAY[o.id]
    ELSE (SELECT array_agg(l.id) FROM object_line(o.project_id, o.id) l) END AS ids) line
  CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT f.tag) FILTER (WHERE f.tag IS NOT NULL) AS tags,
      array_agg(DISTINCT f.label) FILTER (WHERE f.label IS NOT NULL) AS labels,
      array_agg(DISTINCT f.collection) FILTER (WHERE f.collection IS NOT NULL) AS collections
    FROM (
      SELECT unnest(a.tags) AS tag, NULL AS label, NULL AS collection FROM object a
      WHERE a.project_id = o.project_id AND a.id = ANY(line.ids)
      UNION ALL
      SELECT NULL, l, NULL FROM object a, labels_that_count(a.labels, a.labels_partial) l
      WHERE a.project_id = o.project_id AND a.id = ANY(line.ids)
      UNION ALL
      SELECT unnest(f.tags), NULL, NULL FROM inherited_fact f
      WHERE f.project_id = o.project_id AND f.object_id = ANY(line.ids)
      UNION ALL
      SELECT NULL, unnest(f.labels), NULL FROM inherited_fact f
      WHERE f.project_id = o.project_id AND f.object_id = ANY(line.ids)
      UNION ALL
      SELECT NULL, NULL, unnest(f.collection_ids) FROM inherited_fact f
      WHERE f.project_id = o.project_id AND f.object_id = ANY(line.ids)) f) own
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(DISTINCT t.type), '[]') AS source_types FROM (
      SELECT jsonb_build_object('mime', a.mime, 'traits', a.traits) AS type FROM object a
      WHERE a.project_id = o.project_id AND a.id = ANY(line.ids) AND a.id <> o.id
      UNION ALL
      SELECT jsonb_array_elements(f.types) FROM inherited_fact f
      WHERE f.project_id = o.project_id AND f.object_id = ANY(line.ids)) t) typed
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(DISTINCT
      jsonb_build_object('policyId', h.policy_id, 'ruleType', h.rule_type)), '[]') AS holds
    FROM object_hold h WHERE h.project_id = o.project_id AND h.object_id = ANY(line.ids)) held
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(DISTINCT r.cover), '[]') AS covers
    FROM (
      SELECT ${coverSql('a')} AS cover FROM redaction_fact a
      WHERE a.project_id = o.project_id AND a.object_id = ANY(line.ids) AND a.verified
      UNION ALL
      SELECT jsonb_array_elements(f.redactions) FROM inherited_fact f
      WHERE f.project_id = o.project_id AND f.object_id = ANY(line.ids)) r) redacted
  CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT u.op) AS ops FROM (
      SELECT u.op FROM object a, unreviewed_operations(a.project_id, a.id, a.source_job_id) u
      WHERE a.project_id = o.project_id AND a.id = ANY(line.ids) AND a.source_job_id IS NOT NULL
      UNION ALL
      SELECT unnest(f.unreviewed) FROM inherited_fact f
      WHERE f.project_id = o.project_id AND f.object_id = ANY(line.ids)) u) unreviewed
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(
      ${coverSql('r')} || jsonb_build_object('objectId', r.object_id, 'allPages', r.all_pages)
      ORDER BY r.created_at DESC, r.object_id DESC), '[]') AS outputs
    FROM redaction_fact r
    JOIN object made ON made.project_id = r.project_id AND made.id = r.object_id
    WHERE r.project_id = o.project_id AND r.source_object_id = o.id AND r.verified
      AND made.state = 'available') redactions
  WHERE o.project_id = $1 AND o.id = ANY($2)
  ORDER BY o.id`;

/** The facts of objects in one query, ordered by id; missing objects are left out. */
export async function loadFacts(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): Promise<LoadedFacts[]> {
  const rows = await prepared<Row>(tx, factsSql, [projectId, objectIds]);
  return rows.map((row) => ({
    objectId: row.id,
    holds: row.holds,
    facts: {
      mime: known(row.mime),
      traits: knownUnlessNull(row.traits),
      sourceTypes: known(row.source_types),
      bytes: known(row.bytes),
      pixels: pixelsOf(row.mime, row.pixels),
      pages: pagesOf(row.mime, row.pages),
      labels: labelsOf(row),
      tags: known(row.tags),
      collections: known(row.collections ?? []),
      ageDays: known(row.age_days),
      redactions: known<Redactions>({
        covers: row.covers,
        outputs: row.outputs,
      }),
      unreviewed: known(row.unreviewed),
    },
  }));
}

/**
 * The facts of objects that are shown through other objects, such as redactions: those of the shown
 * object, which also inherits from the original. Otherwise a redaction made from another object with the
 * same bytes would not be in the scope of the original's policies. Missing objects are omitted.
 * @param shownObjectIds the object shown in place of each, if any
 */
export async function loadShownFacts(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
  shownObjectIds: ReadonlyMap<string, string> = new Map(),
): Promise<LoadedFacts[]> {
  const loaded = await loadFacts(tx, projectId, [
    ...new Set([...objectIds, ...shownObjectIds.values()]),
  ]);
  const byId = new Map(loaded.map((one) => [one.objectId, one]));
  return objectIds.flatMap((objectId): LoadedFacts[] => {
    const object = byId.get(objectId);
    const shownObject = byId.get(shownObjectIds.get(objectId) ?? objectId);
    if (!object || !shownObject) return [];
    return [object === shownObject ? object : inheritFacts(shownObject, object)];
  });
}

function inheritFacts(shownObject: LoadedFacts, object: LoadedFacts): LoadedFacts {
  const mergeLists = (name: 'tags' | 'labels' | 'collections' | 'unreviewed'): Fact<string[]> => {
    const facts = [shownObject.facts[name], object.facts[name]];
    const list = [...new Set(facts.flatMap(knownItems))];
    return facts.every(({ state }) => state === 'known')
      ? known(list)
      : { state: 'unknown', atLeast: list };
  };
  const facts = {
    ...shownObject.facts,
    sourceTypes: known([...knownItems(shownObject.facts.sourceTypes), ...typesOf(object.facts)]),
    tags: mergeLists('tags'),
    labels: mergeLists('labels'),
    collections: mergeLists('collections'),
    unreviewed: mergeLists('unreviewed'),
  };
  return { objectId: object.objectId, facts, holds: [...shownObject.holds, ...object.holds] };
}

/** Unknown if the object or one of its sources was not classified. */
function labelsOf({ labels, unclassified }: Row): Fact<string[]> {
  return labels.length === 0 || unclassified
    ? { state: 'unknown', atLeast: labels }
    : known(labels);
}

/** The types of an object and of its sources. */
export function typesOf({ mime, traits, sourceTypes }: ObjectFacts): FileType[] {
  const ownTypes =
    mime.state === 'known'
      ? [{ mime: mime.value, traits: traits.state === 'known' ? traits.value : null }]
      : [];
  return [...ownTypes, ...knownItems(sourceTypes)];
}

/** The known items of a list. */
export function knownItems<T>(fact: Fact<readonly T[]>): readonly T[] {
  if (fact.state === 'known') return fact.value;
  return fact.state === 'unknown' ? (fact.atLeast ?? []) : [];
}

/** Only images have pixels. */
export function pixelsOf(mime: string, pixels: number | null): Fact<number> {
  return imageMimes.some((one) => one === mime) ? knownUnlessNull(pixels) : notApplicable;
}

/** Only sources of document jobs have pages; a picture other than a TIFF has one page. */
export function pagesOf(mime: string, pages: number | null): Fact<number> {
  if (!pagedMimes.some((one) => one === mime)) return notApplicable;
  return mime === 'application/pdf' || mime === 'image/tiff'
    ? knownUnlessNull(pages)
    : known(pages ?? 1);
}
