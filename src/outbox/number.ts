import { prepared, send, type Tx } from '../db/transaction.ts';

const batchSize = 1_000;

/** The channel that readers listen on; the payload names the projects with news, or `*` for many. */
export const eventsChannel = 'events';
const payloadLimit = 7_000;

const numberBatch = `
  WITH batch AS MATERIALIZED (
    SELECT id, ordinal, project_id, category FROM event
    WHERE sequence IS NULL AND current_setting('app.numbers', true) = 'true' ORDER BY ordinal LIMIT ${batchSize}
  ), counted AS (
    SELECT project_id, category, count(*) AS n FROM batch GROUP BY project_id, category
  ), counter AS (
    INSERT INTO sequence_counter AS c (project_id, category, last)
    SELECT project_id, category, n FROM counted ORDER BY project_id, category
    ON CONFLICT (project_id, category) DO UPDATE SET last = c.last + excluded.last
    RETURNING c.project_id, c.category, c.last
  ), numbered AS MATERIALIZED (
    SELECT b.id, counter.last - counted.n
      + row_number() OVER (PARTITION BY b.project_id, b.category ORDER BY b.ordinal) AS sequence
    FROM batch b JOIN counted USING (project_id, category) JOIN counter USING (project_id, category)
  ), done AS (
    UPDATE event e SET
      sequence = numbered.sequence,
      -- Where nobody listens there is nothing to fan out, and no second write.
      fanned_out_at = CASE WHEN NOT EXISTS (
        SELECT FROM webhook_endpoint w WHERE w.project_id = e.project_id) THEN now() END,
      published_at = CASE WHEN e.category = 'audit' THEN now() ELSE e.published_at END,
      body = json_build_object(
        'id', e.id, 'type', e.type,
        'timestamp', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'project_id', e.project_id, 'resource_type', e.resource_type, 'resource_id', e.resource_id,
        'category', e.category, 'sequence', numbered.sequence,
        'occurred_at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'actor', json_build_object('type', e.actor_type, 'id', e.actor_id),
        'request_id', e.request_id, 'data', e.data)::text
    FROM numbered WHERE e.id = numbered.id
    RETURNING e.project_id
  ), told AS (
    SELECT count(*) AS n, string_agg(DISTINCT project_id, ' ') AS projects FROM done
  )
  SELECT n, CASE WHEN n > 0 THEN pg_notify('${eventsChannel}',
    CASE WHEN length(projects) > ${payloadLimit} THEN '*' ELSE projects END) END
  FROM told`;

/**
 * Numbers a batch of committed events: gives each the next sequence of its project and category, in
 * the order they were recorded in, and freezes the body that webhooks send. Only one process numbers
 * at a time; one that finds another at it does nothing. The lock is taken in a statement of its own,
 * so that the batch is read from a snapshot newer than the lock; a setting of the transaction says
 * whether it was had, so that both travel together.
 * @returns how many events were numbered
 */
export async function numberEvents(tx: Tx): Promise<number> {
  send(
    tx,
    `SELECT set_config('app.numbers', pg_try_advisory_xact_lock(hashtext('number events'))::text, true)`,
    [],
  );
  const [told] = await prepared<{ n: number }>(tx, numberBatch, []);
  return told!.n;
}
