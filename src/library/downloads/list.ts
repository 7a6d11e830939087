import { limits } from '@scriptorium/contracts/limits';
import type { DownloadRecord } from '@scriptorium/contracts/wire/library/downloads';
import { Conditions } from '../../db/statements/conditions.ts';
import { keysetOf, type Position, type Positioned } from '../../db/statements/keyset.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';

type Row = Omit<DownloadRecord, 'actor' | 'first_at' | 'last_at'> & {
  actor_type: DownloadRecord['actor']['type'];
  actor_id: string;
  actor_name: string | null;
  first_at: Date;
  last_at: Date;
};

/**
 * Downloads with the names of their actors: for keys, and for people whose session had no name, the
 * current name.
 */
const downloadsSql = `(
  SELECT d.project_id, d.object_id, d.delivered_object_id, d.content, d.via, d.count, d.first_at,
    d.last_at, d.actor_type, d.actor_id,
    CASE d.actor_type
      WHEN 'api_key' THEN (
        SELECT k.name FROM api_key k WHERE k.project_id = d.project_id AND k.id = d.actor_id)
      WHEN 'user' THEN coalesce(d.actor_name, (
        SELECT m.name FROM member m WHERE m.project_id = d.project_id AND m.user_id = d.actor_id))
      ELSE d.actor_name END AS actor_name,
    d.object_id || d.delivered_object_id || d.content || d.via || d.actor_id AS id
  FROM object_download d) d`;

const sortKeys = { last_at: { column: 'd.last_at', type: 'timestamptz' } } as const;

/** The downloads of an object after a position, latest first. */
export async function listDownloads(
  tx: Tx,
  object: StoredObject,
  page: { after: Position | null; limit: number },
): Promise<{ row: DownloadRecord; position: string[] }[]> {
  const where = conditionsOf(object);
  const keyset = keysetOf(sortKeys, '-last_at', 'd');
  keyset.startAfter(where, page.after);
  const rows = await query<Row & Positioned>(
    tx,
    `SELECT d.*, ${keyset.position} FROM ${downloadsSql} WHERE ${where.sql()}
     ORDER BY ${keyset.order} LIMIT ${page.limit}`,
    where.values,
  );
  return rows.map((row) => ({ row: presentDownload(row), position: keyset.positionOf(row) }));
}

export async function countDownloads(tx: Tx, object: StoredObject): Promise<number> {
  const where = conditionsOf(object);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM object_download d WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

/** The start of the period for which the downloads of an object are recorded and kept. */
export async function recordedSince(tx: Tx, { createdAt }: StoredObject): Promise<Date> {
  const [row] = await prepared<{ since: Date }>(
    tx,
    `SELECT greatest($1::timestamptz, now() - interval '${limits.event_retention_days} days') AS since`,
    [createdAt],
  );
  return row!.since;
}

function conditionsOf({ projectId, id }: StoredObject): Conditions {
  const where = new Conditions();
  where.add(
    'd.project_id = ? AND (d.object_id = ? OR d.delivered_object_id = ?)',
    projectId,
    id,
    id,
  );
  return where;
}

function presentDownload(row: Row): DownloadRecord {
  const { object_id, delivered_object_id, content, via, count, first_at, last_at } = row;
  return {
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    object_id,
    delivered_object_id,
    content,
    via,
    count,
    first_at: first_at.toISOString(),
    last_at: last_at.toISOString(),
  };
}
