import {
  type CollectionKind,
  type CollectionSort,
  type CollectionState,
  coverMembers,
  type MemberRef,
} from '@scriptorium/contracts/wire/library/collections';
import { Conditions } from '../../db/statements/conditions.ts';
import {
  keysetOf,
  type Position,
  type Positioned,
  type SortKeys,
} from '../../db/statements/keyset.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { type TagFilter, tagsOverlap } from '../tag-filter.ts';
import { type CollectionWithPath, collectionColumns } from './load.ts';

/** The filters of a list of collections. */
export interface CollectionListFilters {
  ids?: readonly string[] | undefined;
  state: readonly CollectionState[];
  kind?: readonly CollectionKind[] | undefined;
  /** Collections directly in this one; null for the top level. */
  parentId?: string | null | undefined;
  /** All of these must match. */
  tags?: readonly TagFilter[] | undefined;
  /** Part of the name. */
  q?: string | undefined;
  /** Manual collections that contain one of these, or one of the smart collections that match. */
  containing?: { refs: readonly MemberRef[]; smartIds: readonly string[] } | undefined;
}

interface ListedCollection extends CollectionWithPath, Positioned {
  /** Undefined if not requested. */
  covers?: MemberRef[];
}

/**
 * The number of members that are searched for pictures, from the first on. It bounds the time for a
 * collection.
 */
const maxMembersSearched = 50;

/** The pictures for the cover of `collection c`. */
const coversSql = `CASE
  WHEN c.cover_image_id IS NOT NULL AND NOT c.cover_hidden THEN
    jsonb_build_array(
      jsonb_build_object('resource_type', 'image', 'resource_id', c.cover_image_id))
  ELSE (
    SELECT coalesce(jsonb_agg(
      jsonb_build_object('resource_type', p.resource_type, 'resource_id', p.resource_id)
      ORDER BY p.position), '[]')
    FROM (
      SELECT min(m.position) AS position,
        CASE WHEN i.id IS NULL THEN m.resource_type ELSE 'image' END AS resource_type,
        coalesce(i.id, m.resource_id) AS resource_id
      FROM (
        SELECT resource_type, resource_id, position FROM collection_member
        WHERE project_id = c.project_id AND collection_id = c.id AND hidden = false
        ORDER BY position LIMIT ${maxMembersSearched}) m
      LEFT JOIN object o ON m.resource_type = 'object' AND o.project_id = c.project_id
        AND o.id = m.resource_id
      LEFT JOIN image i ON i.project_id = c.project_id AND i.object_id = o.id
      WHERE o.mime = 'application/pdf' AND o.pages IS NOT NULL
        OR EXISTS (SELECT FROM rendition r WHERE r.project_id = c.project_id
          AND r.image_id = coalesce(i.id, m.resource_id) AND r.name = 'thumb')
      GROUP BY 2, 3 ORDER BY 1 LIMIT ${coverMembers}) p)
  END AS covers`;

const sortKeys: SortKeys<'created_at' | 'name'> = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  name: { column: 'name', type: 'text' },
};

/** Matching collections, sorted, at most `limit`, after a position. */
export async function listCollections(
  tx: Tx,
  projectId: string,
  filters: CollectionListFilters,
  page: { sort: CollectionSort; after: Position | null; limit: number; includeCovers?: boolean },
): Promise<ListedCollection[]> {
  const keyset = keysetOf(sortKeys, page.sort);
  const where = conditionsOf(projectId, filters);
  keyset.startAfter(where, page.after);
  // Paths and covers are read only for this page.
  return query<ListedCollection>(
    tx,
    `SELECT ${collectionColumns}, ${keyset.position}${page.includeCovers ? `, ${coversSql}` : ''} FROM (
       SELECT * FROM collection WHERE ${where.sql()} ORDER BY ${keyset.order} LIMIT ${page.limit}) c
     ORDER BY ${keyset.order}`,
    where.values,
  );
}

/** The exact number of matching collections. */
export async function countCollections(
  tx: Tx,
  projectId: string,
  filters: CollectionListFilters,
): Promise<number> {
  const where = conditionsOf(projectId, filters);
  const [row] = await query<{ total: number }>(
    tx,
    `SELECT count(*) AS total FROM collection WHERE ${where.sql()}`,
    where.values,
  );
  return row?.total ?? 0;
}

function conditionsOf(projectId: string, filters: CollectionListFilters): Conditions {
  const where = new Conditions();
  where.add('project_id = ?', projectId);
  where.add('state = ANY(?::text[])', filters.state);
  if (filters.ids) where.add('id = ANY(?::text[])', filters.ids);
  if (filters.kind) where.add('kind = ANY(?::text[])', filters.kind);
  if (filters.parentId === null) where.add('parent_id IS NULL');
  else if (filters.parentId !== undefined) where.add('parent_id = ?', filters.parentId);
  for (const { not, anyOf } of filters.tags ?? []) {
    where.add(`${not ? 'NOT ' : ''}${tagsOverlap('tags', '?')}`, anyOf);
  }
  if (filters.q !== undefined) {
    where.add('strpos(lower(name), lower(?)) > 0', filters.q.normalize('NFC'));
  }
  if (filters.containing) {
    const { refs, smartIds } = filters.containing;
    // An array, so that a few identifiers are looked up instead of testing every collection.
    where.add(
      `id = ANY(ARRAY(
         SELECT m.collection_id FROM unnest(?::text[], ?::text[]) AS r (type, id)
         JOIN collection_member m ON m.project_id = ? AND m.resource_type = r.type
           AND m.resource_id = r.id AND m.hidden = false) || ?::text[])`,
      refs.map((ref) => ref.resource_type),
      refs.map((ref) => ref.resource_id),
      projectId,
      smartIds,
    );
  }
  return where;
}
