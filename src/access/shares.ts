import { Problem } from '../contracts/problems.ts';
import { type WorkClass, workBounds, workClasses } from '../contracts/work.ts';

/** Who wants a connection: a project (or whatever stands for one not known yet), and a key of it. */
export interface Party {
  project: string;
  key: string;
  /** Waits however many others do, and as long as it takes. */
  patient?: boolean;
}

/** Deals out the connections of a pool among projects. */
export interface Shares {
  /**
   * Runs `work` once it is the party's turn.
   * @throws Problem 429 when the project has too many requests waiting, or waited for itself too
   *   long; 503 when it waited too long for others
   */
  during<T>(party: Party, kind: WorkClass, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  kind: WorkClass;
  start: () => void;
}

/** The requests of one project. */
interface Lane {
  running: Record<WorkClass, number>;
  /** Those that wait, by key; the key whose turn is next comes first. */
  waiting: Map<string, Waiter[]>;
}

const none = (): Record<WorkClass, number> => ({ quick: 0, search: 0, heavy: 0 });
const sum = (counts: Record<WorkClass, number>): number =>
  counts.quick + counts.search + counts.heavy;

/**
 * Deals out `connections` so that no project keeps others from theirs.
 *
 * A project may hold as many as are free (a dynamic threshold): half when it is alone, less the more
 * others hold, so that several greedy ones still leave some. Of searches and heavy
 * work a project holds an even smaller part, since what Postgres computes slows down everybody,
 * however many connections are free. What waits is served in turn: project by project, and within a
 * project key by key.
 */
export function createShares(
  connections: number,
  { waitScale = 1 }: { waitScale?: number } = {},
): Shares {
  const part = (divisor: number): number => Math.max(1, Math.ceil(connections / divisor));
  const mostOfProject = { search: part(4), heavy: part(8) };
  const mostInAll = { searchAndHeavy: part(2), heavy: part(4) };
  /** The project whose turn is next comes first. */
  const lanes = new Map<string, Lane>();
  const running = none();

  /** Whether a project is held back by what it has running itself. */
  const hasItsShare = (lane: Lane, kind: WorkClass): boolean => {
    const own = sum(lane.running);
    if (own > 0 && own >= connections - sum(running)) return true;
    return kind !== 'quick' && lane.running[kind] >= mostOfProject[kind];
  };
  const mayStart = (lane: Lane, kind: WorkClass): boolean => {
    if (sum(running) >= connections || hasItsShare(lane, kind)) return false;
    if (kind === 'heavy' && running.heavy >= mostInAll.heavy) return false;
    return kind === 'quick' || running.search + running.heavy < mostInAll.searchAndHeavy;
  };
  const occupy = (lane: Lane, kind: WorkClass): void => {
    lane.running[kind] += 1;
    running[kind] += 1;
  };

  /** Starts the first waiter of a lane that may start; its key goes to the end of the turn. */
  const startOne = (lane: Lane): boolean => {
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
      if (!startOne(lane)) continue;
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
    if (sum(lane.running) === 0 && lane.waiting.size === 0) lanes.delete(project);
  };

  const wait = (lane: Lane, party: Party, kind: WorkClass): Promise<void> => {
    const { project, key, patient } = party;
    if (!patient) refuseTooMany(lane, key, kind);
    return new Promise((resolve, reject) => {
      const { waitSeconds } = workBounds[kind];
      const queue = lane.waiting.get(key) ?? [];
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiter), 1);
        if (queue.length === 0) lane.waiting.delete(key);
        forgetIdle(project, lane);
        reject(hasItsShare(lane, kind) ? waitedForItself(kind) : waitedForOthers());
      };
      const timer = patient ? undefined : setTimeout(giveUp, waitSeconds * 1_000 * waitScale);
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
    async during(party, kind, work) {
      const { project } = party;
      const lane: Lane = lanes.get(project) ?? { running: none(), waiting: new Map() };
      lanes.set(project, lane);
      // Who comes new does not overtake those of the same project that wait.
      if (mayStart(lane, kind) && !waits(lane, kind)) occupy(lane, kind);
      else await wait(lane, party, kind);
      try {
        return await work();
      } finally {
        release(project, lane, kind);
      }
    },
  };
}

function waits(lane: Lane, kind: WorkClass): boolean {
  for (const queue of lane.waiting.values()) {
    if (queue.some((waiter) => waiter.kind === kind)) return true;
  }
  return false;
}

function refuseTooMany(lane: Lane, key: string, kind: WorkClass): void {
  const { waiting } = workBounds[kind];
  const count = (queue: readonly Waiter[]): number =>
    queue.filter((waiter) => waiter.kind === kind).length;
  let all = 0;
  for (const queue of lane.waiting.values()) all += count(queue);
  const own = count(lane.waiting.get(key) ?? []);
  if (all < waiting && own < waiting / 2) return;
  const [who, most] = all < waiting ? ['key', waiting / 2] : ['project', waiting];
  throw tooMany(
    `This ${who} has ${most} ${nameOf[kind]} waiting already. Send the next one when an earlier one has been answered.`,
  );
}

const nameOf: Record<WorkClass, string> = {
  quick: 'requests',
  search: 'searches',
  heavy: 'heavy requests',
};

/** A request that waited too long behind others of its project: 429. */
export function waitedForItself(kind: WorkClass): Problem {
  return tooMany(
    `The request waited ${workBounds[kind].waitSeconds} seconds behind others of this project. Send fewer ${nameOf[kind]} at once.`,
  );
}

function tooMany(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
}

function waitedForOthers(): Problem {
  return new Problem('dependency_unavailable', 'The database is busy. Try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });
}
