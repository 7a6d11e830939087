import type { ReplayRecord } from '@scriptorium/contracts/wire/replays';
import { Conditions } from '../../db/statements/conditions.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { Replay, type ReplayOutcomes } from '../../entities/webhooks/replay.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';

/** A replay to an endpoint of the project, or null. */
export async function findReplay(
  tx: Tx,
  projectId: string,
  endpointId: string,
  id: string,
): Promise<ReplayRecord | null> {
  const where = new Conditions();
  where.add('r.project_id = ? AND r.endpoint_id = ? AND r.id = ?', projectId, endpointId, id);
  where.add(
    'EXISTS (SELECT FROM webhook_endpoint e WHERE e.project_id = ? AND e.id = ?)',
    projectId,
    endpointId,
  );
  return (await readReplays(tx, where, 1))[0] ?? null;
}

/** Replays to an endpoint, newest first, optionally only those before an identifier. */
export async function listReplays(
  tx: Tx,
  endpoint: WebhookEndpoint,
  page: { before?: string | null | undefined; limit: number },
): Promise<ReplayRecord[]> {
  const where = new Conditions();
  where.add('r.project_id = ? AND r.endpoint_id = ?', endpoint.projectId, endpoint.id);
  if (page.before) where.add('r.id < ?', page.before);
  return readReplays(tx, where, page.limit);
}

/** The number of replays to an endpoint so far. */
export function countReplays(tx: Tx, endpoint: WebhookEndpoint): Promise<number> {
  return tx.countBy(Replay, { projectId: endpoint.projectId, endpointId: endpoint.id });
}

/** A replay, locked until the transaction ends; null if it was deleted. */
export function lockReplay(tx: Tx, projectId: string, id: string): Promise<Replay | null> {
  return tx.findOne(Replay, { where: { projectId, id }, lock: { mode: 'pessimistic_write' } });
}

interface ReplayRow {
  id: string;
  project_id: string;
  endpoint_id: string;
  state: Replay['state'];
  reason: string | null;
  selection: Replay['selection'];
  since: Date;
  until: Date;
  event_types: string[] | null;
  matched: number;
  queued: number;
  outcomes: ReplayOutcomes;
  created_at: Date;
  finished_at: Date | null;
}

// Waiting and failed deliveries are counted by their own indexes; all others have succeeded.
const outcomesSql = `SELECT jsonb_build_object(
    'pending', due.n,
    'succeeded', r.queued - due.n - failed.exhausted - failed.skipped - failed.cancelled,
    'exhausted', failed.exhausted, 'skipped', failed.skipped, 'cancelled', failed.cancelled) AS outcomes
  FROM (SELECT count(*) AS n FROM due_delivery d WHERE d.replay_id = r.id) due, (
    SELECT count(*) FILTER (WHERE d.failed_as = 'exhausted') AS exhausted,
      count(*) FILTER (WHERE d.failed_as = 'skipped') AS skipped,
      count(*) FILTER (WHERE d.failed_as = 'cancelled') AS cancelled
    FROM delivery d WHERE d.replay_id = r.id AND d.failed_as IS NOT NULL) failed
  WHERE r.outcomes IS NULL`;

/** Counts the outcomes of a replay's deliveries so far. */
export async function readOutcomes(tx: Tx, replay: Replay): Promise<ReplayOutcomes> {
  const [row] = await prepared<{ outcomes: ReplayOutcomes }>(
    tx,
    `SELECT coalesce(r.outcomes, now_.outcomes) AS outcomes
     FROM replay r LEFT JOIN LATERAL (${outcomesSql}) now_ ON true WHERE r.project_id = $1 AND r.id = $2`,
    [replay.projectId, replay.id],
  );
  return row!.outcomes;
}

async function readReplays(tx: Tx, where: Conditions, limit: number): Promise<ReplayRecord[]> {
  const rows = await query<ReplayRow>(
    tx,
    `SELECT r.id, r.project_id, r.endpoint_id, r.state, r.reason, r.selection, r.since, r.until,
       r.event_types, r.matched, r.queued, r.created_at, r.finished_at,
       coalesce(r.outcomes, now_.outcomes) AS outcomes
     FROM replay r LEFT JOIN LATERAL (${outcomesSql}) now_ ON true
     WHERE ${where.sql()} ORDER BY r.id DESC LIMIT ${limit}`,
    where.values,
  );
  return rows.map(
    (row): ReplayRecord => ({
      id: row.id,
      project_id: row.project_id,
      webhook_id: row.endpoint_id,
      state: row.state,
      reason: row.reason,
      only: row.selection,
      since: row.since.toISOString(),
      until: row.until.toISOString(),
      event_types: row.event_types,
      matched: row.matched,
      queued: row.queued,
      ...row.outcomes,
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    }),
  );
}
