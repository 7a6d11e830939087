import { newId } from '@scriptorium/contracts/ids';
import { send, type Tx } from '../../db/transaction.ts';
import type { Owed } from './subscribers.ts';

/**
 * Inserts the deliveries that are owed. For a disabled endpoint the delivery is `skipped`, with the
 * reason, so that it can still be seen.
 */
export function storeDeliveries(tx: Tx, owed: readonly Owed[]): void {
  if (owed.length === 0) return;
  send(
    tx,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[],
         $7::boolean[]) AS d (id, event_id, event_type, project_id, endpoint_id, ordinal, skipped)
     ), made AS (
       INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, state, reason, finished_at)
       SELECT id, event_id, event_type, project_id, endpoint_id, CASE WHEN skipped THEN 'skipped' ELSE 'pending' END,
         CASE WHEN skipped THEN 'endpoint_disabled' END, CASE WHEN skipped THEN now() END
       FROM given
     )
     -- Due from now, not from the start of the transaction: that may precede the numbering of another relay.
     INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, ordinal, due_at)
     SELECT id, event_id, project_id, endpoint_id, ordinal, statement_timestamp() FROM given WHERE NOT skipped`,
    deliveryColumns(owed),
  );
}

/** New deliveries as columns: id, event, its type, project, endpoint, ordinal, and whether it is skipped. */
export function deliveryColumns(owed: readonly Owed[]): unknown[][] {
  return [
    owed.map(() => newId('delivery')),
    owed.map(({ event }) => event.id),
    owed.map(({ event }) => event.type),
    owed.map(({ event }) => event.project_id),
    owed.map(({ subscriber }) => subscriber.id),
    owed.map(({ event }) => event.ordinal),
    owed.map(({ subscriber }) => subscriber.state === 'disabled'),
  ];
}
