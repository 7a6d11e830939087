import { send, type Tx } from '../../db/transaction.ts';
import type { Sent } from '../delivery/settling/verdict.ts';
import { cellOf, responseMs } from './cells.ts';

/**
 * Counts attempts, in the transaction that stores them: a row for each endpoint, whatever the number
 * of attempts. Rows are only added here, so transactions that settle attempts at the same endpoint
 * never wait for each other; `foldTallies` adds them up.
 */
export function tallyAttempts(tx: Tx, sent: readonly Sent[]): void {
  const byEndpoint = new Map<string, { projectId: string; cells: number[]; ms: number }>();
  for (const { delivery, result } of sent) {
    const { id, projectId } = delivery.endpoint;
    const tally = byEndpoint.get(id) ?? { projectId, cells: [], ms: 0 };
    tally.cells.push(cellOf(result));
    tally.ms += responseMs(result);
    byEndpoint.set(id, tally);
  }
  if (byEndpoint.size === 0) return;
  const tallies = [...byEndpoint.values()];
  send(
    tx,
    `INSERT INTO webhook_tally (project_id, endpoint_id, cells, response_ms)
     SELECT project_id, endpoint_id, cells::smallint[], response_ms
     FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[])
       AS t (project_id, endpoint_id, cells, response_ms)`,
    [
      tallies.map(({ projectId }) => projectId),
      [...byEndpoint.keys()],
      tallies.map(({ cells }) => `{${cells.join()}}`),
      tallies.map(({ ms }) => ms),
    ],
  );
}
