import type { Queue } from 'bullmq';
import { type QueueName, queueNames } from '../../contracts/queues.ts';
import type { Database } from '../../db/database.ts';
import { inOnePacket } from '../../db/one-packet.ts';
import { inTransaction, prepared, type Tx } from '../../db/transaction.ts';
import { countOut, type Hint, type OutHints, type Queues } from '../../queues/hints.ts';
import { isPaused } from '../pause.ts';
import { type HandedTask, inOrder, releaseTasks, takeDueTasks } from './due-tasks.ts';
import {
  claimEndpoints,
  type HandedEndpoint,
  markHanded,
  releaseEndpoints,
} from './hand-over-endpoints.ts';
import { hintsPerSlot, slotsOf } from './room.ts';

const batchSize = 250;
const addsInFlight = 4;
/** Of a larger batch only so many hints stay for operators to see once they are done with: keeping costs Redis more. */
const keptOfBatch = 10;

/** The queues that work is handed to: all but the relay's own. */
export type WorkQueue = Exclude<QueueName, 'relay'>;
export const workQueues = queueNames.filter((name): name is WorkQueue => name !== 'relay');

/** A hint, and the row that it was made for: a task, or an endpoint. */
interface Handed {
  hint: Hint;
  jobId: string;
  id: string;
  /** Null for an endpoint: each of its deliveries goes back to a request of its own. */
  task: HandedTask | null;
}

/**
 * Hands due work of a queue to its workers as hints, round robin by project, up to four hints for
 * each live slot; the rest waits in Postgres, where it is counted and ordered. A hint of the
 * webhooks' queue stands for an endpoint that has something due, each other one for a task.
 * @param tell is told of tasks once their hints are there
 * @returns how many hints were given, and whether more than these were waiting for workers before
 */
export async function handOver(
  database: Database,
  queues: Queues,
  queueName: WorkQueue,
  tell: (tasks: HandedTask[]) => void = () => undefined,
): Promise<{ hints: number; early: boolean }> {
  const { next, waited } =
    queueName === 'webhooks' ? endpointsOf(database) : tasksOf(database, queues, queueName);
  let handed = 0;
  const adding = new Set<Promise<void>>();
  let failure: unknown;
  while (!failure) {
    const { batch, isLast } = await next();
    if (batch.length === 0) break;
    handed += batch.length;
    const add = addHints(database, queues[queueName], batch)
      .then(() => tell(batch.flatMap(({ task }) => task ?? [])))
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => adding.delete(add));
    adding.add(add);
    if (adding.size >= addsInFlight) await Promise.race(adding);
    if (isLast) break;
  }
  await Promise.all(adding);
  if (failure) throw failure;
  return { hints: handed, early: handed < waited() };
}

/** What is handed over in one go. */
interface HandingOver {
  next(): Promise<{ batch: Handed[]; isLast: boolean }>;
  /** How many hints were waiting for workers before it. */
  waited(): number;
}

/**
 * Tasks, as many as there is room for. Their hints are counted where they are, in Redis: one that was
 * lost takes nobody's place.
 */
function tasksOf(database: Database, queues: Queues, queue: WorkQueue): HandingOver {
  let found: OutHints | undefined;
  let added = 0;
  return {
    waited: () => found?.waiting ?? 0,
    async next() {
      found ??= await countOut(queues[queue]);
      const { waiting, active } = found;
      const tasks = await inOnePacket(database, (tx) =>
        takeDueTasks(tx, queue, { most: batchSize, waiting: waiting + added, active }),
      );
      added += tasks.length;
      // Fewer than asked for: there is no room, or no more just now.
      return { batch: tasks.map(hintOfTask), isLast: tasks.length < batchSize };
    },
  };
}

/** Endpoints, as many as there is room for. */
function endpointsOf(database: Database): HandingOver {
  let room: number | undefined;
  return {
    waited: () => 0,
    next: () =>
      inTransaction(database, async (tx) => {
        room ??= await roomForEndpoints(tx);
        const asked = Math.min(room, batchSize);
        if (asked === 0) return { batch: [], isLast: true };
        const endpoints = await claimEndpoints(tx, asked);
        room -= endpoints.length;
        return { batch: endpoints.map(hintOfEndpoint), isLast: endpoints.length < asked };
      }),
  };
}

/** The queues that have work to hand over: tasks that are due, or deliveries, due or not. */
export async function waitingQueues(tx: Tx): Promise<WorkQueue[]> {
  inOrder(tx);
  const rows = await prepared<{ queue: WorkQueue }>(
    tx,
    `SELECT q.queue FROM unnest($1::text[]) AS q (queue) WHERE NOT ${isPaused('q.queue')} AND CASE WHEN q.queue = 'webhooks'
       THEN EXISTS (SELECT FROM due_delivery WHERE lease_until IS NULL)
       ELSE (SELECT true FROM task t
         WHERE t.queue = q.queue AND t.state = 'pending' AND t.due_at <= now() AND t.handed_at IS NULL
         ORDER BY t.due_at LIMIT 1) END`,
    [workQueues],
  );
  return rows.map(({ queue }) => queue);
}

/**
 * Hands endpoints over that something became due for, without looking for what else is due.
 * @param tell tells workers of those that are marked now
 */
export async function handOverEndpoints(
  database: Database,
  endpointIds: readonly string[],
  tell: (handed: readonly HandedEndpoint[]) => Promise<void>,
): Promise<void> {
  const handed = await inOnePacket(database, (tx) => markHanded(tx, endpointIds));
  if (handed.length > 0) await tell(handed);
}

/** Gives the hints of endpoints that are marked as handed over. */
export async function giveHints(
  database: Database,
  queues: Queues,
  handed: readonly HandedEndpoint[],
): Promise<void> {
  if (handed.length > 0) await addHints(database, queues.webhooks, handed.map(hintOfEndpoint));
}

/** Adds hints; those that cannot be added are taken back. */
async function addHints(database: Database, queue: Queue, batch: Handed[]): Promise<void> {
  try {
    await queue.addBulk(
      batch.map(({ hint, jobId }, at) => ({
        name: queue.name,
        data: hint,
        opts: at < keptOfBatch ? { jobId } : { jobId, removeOnComplete: true },
      })),
    );
  } catch (error) {
    const release = queue.name === 'webhooks' ? releaseEndpoints : releaseTasks;
    const ids = batch.map(({ id }) => id);
    // What cannot be taken back either is found by the sweeper.
    await inTransaction(database, (tx) => release(tx, ids)).catch(() => undefined);
    throw error;
  }
}

/** How many more endpoints may be handed over; none while their queue is paused. */
async function roomForEndpoints(tx: Tx): Promise<number> {
  const [row] = await prepared<{ room: number }>(
    tx,
    `SELECT greatest(0, ${slotsOf("'webhooks'")} * ${hintsPerSlot}
       - (SELECT count(*) FROM webhook_flow WHERE handed_at IS NOT NULL))::integer AS room`,
    [],
  );
  return row!.room;
}

function hintOfTask(task: HandedTask): Handed {
  return {
    hint: { task_id: task.id },
    jobId: taskHintId(task.id, task.handed_ms),
    id: task.id,
    task,
  };
}

/** The identifier of the hint that a hand-over made: the sweeper asks Redis whether it is there. */
export function taskHintId(taskId: string, handedMs: number): string {
  return `${taskId}-${handedMs}`;
}

function hintOfEndpoint({ endpoint_id, handed_ms }: HandedEndpoint): Handed {
  return {
    hint: { endpoint_id },
    jobId: `${endpoint_id}-${handed_ms}`,
    id: endpoint_id,
    task: null,
  };
}
