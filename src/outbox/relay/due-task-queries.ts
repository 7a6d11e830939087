import type { QueueName } from '@scriptorium/contracts/work/queues';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { QueueHints } from '../../queues/hints.ts';
import { hintsPerSlot, liveSlotsSql } from '../pause.ts';

/** A task that was handed over. */
export interface HandedTask {
  id: string;
  project_id: string;
  kind: string;
  request_id: string | null;
  trace_parent: string | null;
  due_at: Date;
  /** When it was handed over, in milliseconds since 1970. */
  handed_ms: number;
}

/**
 * Reads tasks along the index that has them in the required order, and by no other plan. The table
 * fills and empties within seconds: with outdated statistics the planner would consider any index
 * as good, and read and sort all of it.
 */
export function readInIndexOrder(tx: Tx): void {
  send(tx, `SELECT ${sortSettings('off')}`, []);
}

/** Settings as columns: `on` allows sorting; `off` reads along an index in the required order. */
export function sortSettings(value: 'on' | 'off'): string {
  return ['enable_bitmapscan', 'enable_sort', 'enable_incremental_sort']
    .map((name) => `set_config('${name}', '${value}', true)`)
    .join(', ');
}

/**
 * Number of due tasks that are read for each requested one before the query visits every project.
 */
const lookAhead = 4;

/**
 * A project's due tasks as a range of "task_turn": with a single value, the planner would choose
 * another index.
 */
const projectRangeSql = (project: string): string =>
  `queue = $1 AND state = 'pending' AND project_id >= ${project}
     AND (project_id, due_at) <= (${project}, now()) AND handed_at IS NULL
   ORDER BY project_id, due_at`;

// Due tasks, round robin by project. If there are few, all are read along "task_next". If there are
// many, the recursive query hops from project to project along "task_turn", so that a project with
// a hundred thousand due tasks costs no more to pass than one with a single task; of each it reads
// its share and a few more, and the rest is left for the next round.
const dueTasks = `
  WITH RECURSIVE room AS (
    -- Tasks taken by workers that died count as taken for a while, so the number of live slots
    -- limits them.
    SELECT least($2, greatest(0, slots * ${hintsPerSlot} - $3 - least($4, slots)))::integer AS n
    FROM ${liveSlotsSql('$1')} AS live (slots)
  ), next AS (
    SELECT id, project_id, due_at FROM task
    WHERE queue = $1 AND state = 'pending' AND due_at <= now() AND handed_at IS NULL
    ORDER BY due_at LIMIT (SELECT n FROM room) * ${lookAhead}
  ), many AS (
    SELECT n > 0 AND (SELECT count(*) FROM next) = n * ${lookAhead} AS so FROM room
  ), waiting AS (
    (SELECT project_id FROM task WHERE (SELECT so FROM many) AND queue = $1 AND state = 'pending'
     ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT t.project_id FROM task t
      WHERE t.queue = $1 AND t.state = 'pending' AND t.project_id > w.project_id
      ORDER BY t.project_id LIMIT 1)
    FROM waiting w WHERE w.project_id IS NOT NULL
  ), ready AS (
    SELECT w.project_id FROM waiting w, LATERAL (
      SELECT FROM task WHERE ${projectRangeSql('w.project_id')} LIMIT 1) t
    WHERE w.project_id IS NOT NULL
  ), share AS (
    SELECT ceil((SELECT n FROM room) * 2.0 / greatest(count(*), 1))::integer AS each FROM ready
  ), due AS (
    SELECT id FROM (
      SELECT id, due_at, row_number() OVER (PARTITION BY project_id ORDER BY due_at) AS turn
      FROM next WHERE NOT (SELECT so FROM many)
      UNION ALL
      SELECT t.id, t.due_at, row_number() OVER (PARTITION BY project_id ORDER BY t.due_at) AS turn
      FROM ready r, LATERAL (
        SELECT id, due_at FROM task WHERE ${projectRangeSql('r.project_id')}
        LIMIT (SELECT each FROM share)) t
    ) candidate ORDER BY turn, due_at LIMIT (SELECT n FROM room)
  ), locked AS (
    -- By key alone: with its state in the condition, the planner would read every due task again.
    SELECT id, state = 'pending' AND handed_at IS NULL AS free FROM task
    WHERE id = ANY(ARRAY(SELECT id FROM due)) FOR UPDATE SKIP LOCKED
  )
  UPDATE task SET handed_at = now() WHERE id = ANY(ARRAY(SELECT id FROM locked WHERE free))
  RETURNING id, (extract(epoch FROM handed_at) * 1000)::bigint AS handed_ms, due_at,
    project_id, kind, request_id, trace_parent`;

/**
 * Chooses due tasks without a hint, round robin by project, and marks them as handed over. Skips
 * locked tasks.
 * @param limits.max the maximum number
 * @param limits.waiting how many hints of the queue wait, which reduces the capacity of live workers
 * @param limits.active how many hints workers have taken
 * @returns the tasks in the order of their hints
 */
export async function takeDueTasks(
  tx: Tx,
  queue: QueueName,
  limits: { max: number } & QueueHints,
): Promise<HandedTask[]> {
  readInIndexOrder(tx);
  return sortByTurn(
    await prepared<HandedTask>(tx, dueTasks, [queue, limits.max, limits.waiting, limits.active]),
  );
}

/**
 * Sorts tasks in the order of their hints: the first of every project, then the second, and so on.
 */
function sortByTurn(rows: readonly HandedTask[]): HandedTask[] {
  const turns = new Map<string, number>();
  return [...rows]
    .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
    .map((row) => {
      const turn = turns.get(row.project_id) ?? 0;
      turns.set(row.project_id, turn + 1);
      return { row, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ row }) => row);
}

/** Takes back tasks whose hints could not be added. */
export async function releaseTasks(tx: Tx, ids: string[]): Promise<void> {
  await prepared(tx, `UPDATE task SET handed_at = NULL WHERE id = ANY($1) AND state = 'pending'`, [
    ids,
  ]);
}
