import type { DownloadedContent, DownloadMethod } from '@scriptorium/contracts/downloads';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { columnsOf } from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';

/** The downloaded content, and how it was downloaded. */
export interface Download {
  objectId: string;
  deliveredObjectId: string;
  content: DownloadedContent;
  via: DownloadMethod;
}

/** Downloads of one actor since they were last stored. */
export interface CountedDownload extends Download {
  origin: Origin;
  count: number;
  /** The ages of the first and the last of them. */
  firstMsAgo: number;
  lastMsAgo: number;
}

/** Identifies the downloads of a project that are counted together. */
export function downloadKey(download: Download, { actor }: Pick<Origin, 'actor'>): string {
  const { objectId, deliveredObjectId, content, via } = download;
  return [objectId, deliveredObjectId, content, via, actor.type, actor.id].join(' ');
}

/** The columns that identify a row, as a list and for comparison. */
const keyColumns = 'object_id, delivered_object_id, content, via, actor_type, actor_id';

/**
 * SQL, because values are added to existing rows. In the order of their key, so that two processes
 * that count the same downloads do not deadlock.
 */
const addSql = `
  INSERT INTO object_download AS d (project_id, ${keyColumns}, actor_name, address, request_id, count,
    first_at, last_at, pending, pending_since)
  SELECT $1, n.object_id, n.delivered_object_id, n.content, n.via, n.actor_type, n.actor_id,
    n.actor_name, n.address, n.request_id, n.count, statement_timestamp() - n.first_ago * interval '1 ms',
    statement_timestamp() - n.last_ago * interval '1 ms', CASE WHEN $2 THEN n.count ELSE 0 END,
    statement_timestamp() - n.first_ago * interval '1 ms'
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::bigint[], $13::float8[], $14::float8[])
    AS n (${keyColumns}, actor_name, address, request_id, count, first_ago, last_ago)
  ORDER BY n.object_id COLLATE "C", n.delivered_object_id COLLATE "C", n.content COLLATE "C",
    n.via COLLATE "C", n.actor_type COLLATE "C", n.actor_id COLLATE "C"
  ON CONFLICT (project_id, ${keyColumns}) DO UPDATE SET
    actor_name = coalesce(excluded.actor_name, d.actor_name), address = excluded.address,
    request_id = excluded.request_id, count = d.count + excluded.count,
    first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at),
    pending = d.pending + excluded.pending,
    pending_since = CASE WHEN d.pending = 0 THEN excluded.pending_since ELSE d.pending_since END`;

/**
 * Sends downloads to add to the counters of a project.
 * @param downloads at most one for each row
 * @param isPending whether an event must still report them
 */
export function addDownloads(
  tx: Tx,
  projectId: string,
  downloads: readonly CountedDownload[],
  isPending: boolean,
): void {
  const rows = downloads.map((download) => {
    const { actor, address, requestId } = download.origin;
    return [
      download.objectId,
      download.deliveredObjectId,
      download.content,
      download.via,
      actor.type,
      actor.id ?? '',
      actor.name ?? null,
      address,
      requestId,
      download.count,
      download.firstMsAgo,
      download.lastMsAgo,
    ];
  });
  send(tx, addSql, [projectId, isPending, ...columnsOf(rows, 12)]);
}

interface DueRow {
  object_id: string;
  delivered_object_id: string;
  content: DownloadedContent;
  via: DownloadMethod;
  actor_type: Origin['actor']['type'];
  actor_id: string;
  actor_name: string | null;
  address: string | null;
  request_id: string | null;
  pending: number;
  pending_since: Date;
  last_at: Date;
}

const batchSize = 1_000;

/** Skips rows that another transaction is reporting or changing. */
const takeDueSql = `
  WITH due AS (
    SELECT ${keyColumns}, pending, pending_since FROM object_download
    WHERE project_id = $1 AND pending > 0 AND reported_at <= now() - interval '1 hour'
    ORDER BY reported_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
  UPDATE object_download d SET pending = 0, reported_at = now() FROM due
  WHERE d.project_id = $1 AND (d.object_id, d.delivered_object_id, d.content, d.via, d.actor_type,
    d.actor_id) = (due.object_id, due.delivered_object_id, due.content, due.via, due.actor_type,
    due.actor_id)
  RETURNING d.object_id, d.delivered_object_id, d.content, d.via, d.actor_type, d.actor_id,
    coalesce(d.actor_name, (SELECT m.name FROM member m
      WHERE m.project_id = d.project_id AND m.user_id = d.actor_id)) AS actor_name,
    d.address, d.request_id, due.pending, due.pending_since, d.last_at`;

/**
 * Records a batch of downloads that no event has reported, unless an event reported the same ones
 * within the last hour.
 * @returns whether there may be more
 */
export async function reportDownloads(tx: Tx, projectId: string): Promise<boolean> {
  const due = await prepared<DueRow>(tx, takeDueSql, [projectId]);
  for (const row of due) {
    const origin: Origin = {
      projectId,
      actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
      address: row.address,
      requestId: row.request_id,
    };
    await record(tx, origin, {
      type: 'dam.object.downloaded',
      resourceId: row.object_id,
      data: {
        delivered_object_id: row.delivered_object_id,
        content: row.content,
        via: row.via,
        count: row.pending,
        first_at: row.pending_since.toISOString(),
        last_at: row.last_at.toISOString(),
      },
    });
  }
  return due.length === batchSize;
}

/** The condition on counters `t` that have expired: events have reported their downloads. */
export const expiredDownloadsCondition = `t.pending = 0
  AND t.last_at < now() - interval '${limits.event_retention_days} days'`;
