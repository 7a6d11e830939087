import { Problem } from '@scriptorium/contracts/problems';
import { type WorkClass, workBounds, workClasses } from '@scriptorium/contracts/work/work';

/** The party that needs a connection: a project (or a placeholder while it is unknown) and one of its keys. */
export interface Party {
  project: string;
  key: string;
  /** Waits regardless of the number of others, without a time limit. */
  hasNoWaitLimit?: boolean;
}

/** Shares the connections of a pool among projects. */
export interface FairQueue {
  /**
   * Runs `work` once it is the party's turn.
   * @throws Problem 429 if the project has too many requests waiting, or the request waited too long for
   *   others of its project; 503 if it waited too long for those of other projects
   */
  run<T>(party: Party, kind: WorkClass, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  kind: WorkClass;
  start: () => void;
}

/** The requests of one project. */
interface Lane {
  running: Record<WorkClass, number>;
  /** Waiting requests, by key; the key whose turn is next comes first. */
  waiting: Map<string, Waiter[]>;
}

const noRequests = (): Record<WorkClass, number> => ({ quick: 0, search: 0, heavy: 0 });
const totalOf = (counts: Record<WorkClass, number>): number =>
  counts.quick + counts.search + counts.heavy;

/**
 * Shares `connections` so that no project starves the others.
 *
 * A project may use as many connections as are still free (a dynamic threshold): half of them if it is
 * alone, and fewer the more others use, so that some stay free even with several busy projects. Searches
 * and heavy work get a smaller share, since computation in Postgres slows down every query, however many
 * connections are free. Waiting requests are served in turn: project by project, and within a project
 * key by key.
 */
export function createFairQueue(
  connections: number,
  { waitScale = 1 }: { waitScale?: number } = {},
): FairQueue {
  const fractionOf = (divisor: number): number => Math.max(1, Math.ceil(connections / divisor));
  const maxPerProject = { search: fractionOf(4), heavy: fractionOf(8) };
  const maxTotal = { searchAndHeavy: fractionOf(2), heavy: fractionOf(4) };
  /** The project whose turn is next comes first. */
  const lanes = new Map<string, Lane>();
  const running = noRequests();

  /** Whether the running requests of a project already use its share. */
  const hasReachedShare = (lane: Lane, kind: WorkClass): boolean => {
    const projectRunning = totalOf(lane.running);
    if (projectRunning > 0 && projectRunning >= connections - totalOf(running)) return true;
    return kind !== 'quick' && lane.running[kind] >= maxPerProject[kind];
  };
  const mayStart = (lane: Lane, kind: WorkClass): boolean => {
    if (totalOf(running) >= connections || hasReachedShare(lane, kind)) return false;
    if (kind === 'heavy' && running.heavy >= maxTotal.heavy) return false;
    return kind === 'quick' || running.search + running.heavy < maxTotal.searchAndHeavy;
  };
  const occupy = (lane: Lane, kind: WorkClass): void => {
    lane.running[kind] += 1;
    running[kind] += 1;
  };

  /** Starts the first waiter of a lane that may start; its key moves to the end of the queue. */
  const startWaiterOf = (lane: Lane): boolean => {
    if (lane.waiting.size === 0) return false;
    const ready = workClasses.filter((kind) => mayStart(lane, kind));
    if (ready.length === 0) return false;
    for (const [key, queue] of lane.waiting) {
      const at = queue.findIndex(({ kind }) => ready.includes(kind));
      if (at < 0) continue;
      const [waiter] = queue.splice(at, 1);
      lane.waiting.delete(key);
      if (queue.length > 0) lane.waiting.set(key, queue);
      occupy(lane, waiter!.kind);
      waiter!.start();
      return true;
    }
    return false;
  };
  const startNext = (): boolean => {
    for (const [project, lane] of lanes) {
      if (!startWaiterOf(lane)) continue;
      lanes.delete(project);
      lanes.set(project, lane);
      return true;
    }
    return false;
  };
  const release = (project: string, lane: Lane, kind: WorkClass): void => {
    lane.running[kind] -= 1;
    running[kind] -= 1;
    while (startNext());
    forgetIdle(project, lane);
  };
  const forgetIdle = (project: string, lane: Lane): void => {
    if (totalOf(lane.running) === 0 && lane.waiting.size === 0) lanes.delete(project);
  };

  const wait = (lane: Lane, party: Party, kind: WorkClass): Promise<void> => {
    const { project, key, hasNoWaitLimit } = party;
    if (!hasNoWaitLimit) rejectTooMany(lane, key, kind);
    return new Promise((resolve, reject) => {
      const { waitSeconds } = workBounds[kind];
      const queue = lane.waiting.get(key) ?? [];
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiter), 1);
        if (queue.length === 0) lane.waiting.delete(key);
        forgetIdle(project, lane);
        reject(hasReachedShare(lane, kind) ? projectBusy(kind) : databaseBusy());
      };
      const timer = hasNoWaitLimit
        ? undefined
        : setTimeout(giveUp, waitSeconds * 1_000 * waitScale);
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiter: Waiter = { kind, start };
      queue.push(waiter);
      lane.waiting.set(key, queue);
    });
  };

  return {
    async run(party, kind, work) {
      const { project } = party;
      const lane: Lane = lanes.get(project) ?? { running: noRequests(), waiting: new Map() };
      lanes.set(project, lane);
      // New requests do not overtake waiting ones of the same project.
      if (mayStart(lane, kind) && !hasWaiting(lane, kind)) occupy(lane, kind);
      else await wait(lane, party, kind);
      try {
        return await work();
      } finally {
        release(project, lane, kind);
      }
    },
  };
}

function hasWaiting(lane: Lane, kind: WorkClass): boolean {
  for (const queue of lane.waiting.values()) {
    if (queue.some((waiter) => waiter.kind === kind)) return true;
  }
  return false;
}

function rejectTooMany(lane: Lane, key: string, kind: WorkClass): void {
  const { maxWaiting } = workBounds[kind];
  const count = (queue: readonly Waiter[]): number =>
    queue.filter((waiter) => waiter.kind === kind).length;
  let total = 0;
  for (const queue of lane.waiting.values()) total += count(queue);
  const ofKey = count(lane.waiting.get(key) ?? []);
  if (total < maxWaiting && ofKey < maxWaiting / 2) return;
  const [holder, max] = total < maxWaiting ? ['key', maxWaiting / 2] : ['project', maxWaiting];
  throw rateLimited(
    `This ${holder} already has ${max} ${requestNouns[kind]} waiting. Retry when one of them has completed.`,
  );
}

const requestNouns: Record<WorkClass, string> = {
  quick: 'requests',
  search: 'searches',
  heavy: 'heavy requests',
};

/** The problem of a request that waited too long for others of its project. */
export function projectBusy(kind: WorkClass): Problem {
  return rateLimited(
    `The request waited ${workBounds[kind].waitSeconds} seconds for other requests of this project. Send fewer ${requestNouns[kind]} at once.`,
  );
}

function rateLimited(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
}

function databaseBusy(): Problem {
  return new Problem('dependency_unavailable', 'The database is busy. Try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });
}
