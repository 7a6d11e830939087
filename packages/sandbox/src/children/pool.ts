import { EngineError } from '../errors.ts';
import { cancelledError, notStartedError } from './answers.ts';
import { type Child, isBusy, kill, stop } from './child.ts';
import { ChildProtocol, type ProtocolOptions, startMs } from './protocol.ts';
import type { ChildTask, QueuedTask, RunOptions } from './task.ts';

type ChildrenOptions = ProtocolOptions & {
  /**
   * Maximum number of children that run tasks at the same time. They start when they are first
   * needed.
   */
  processes: number;
  /**
   * Maximum number of unused children that are kept ready, so that the first task of a project does
   * not wait for a start. They start while the pool is idle. Default: 0.
   */
  spares?: number;
  /** Time after which an idle child of a project ends, in milliseconds. */
  idleMs?: number;
};

export type Children = {
  /**
   * Runs a task and returns the value of its handler.
   * @throws EngineError on failure.
   */
  run(task: ChildTask, options: RunOptions): Promise<unknown>;
  /** Kills all children and rejects further tasks. Resolves when all children have exited. */
  close(): Promise<void>;
  /** Returns the process ids of the running children. */
  pids(): number[];
};

/** Time for which the pool must be idle before a spare starts, in milliseconds. */
const spareDelayMs = 250;
/**
 * Maximum number of times that the pause doubles, once for each consecutive child that fails to
 * start.
 */
const maxDoublings = 8;
const defaultIdleMs = 5 * 60_000;

/**
 * Returns a pool of child processes for work on hostile input. Each child is isolated from the
 * machine as far as `isolation` allows, and from the children of other projects. A child is killed
 * with SIGKILL and replaced if it exceeds its deadline or memory limit, if it crashes, or if its
 * task is aborted. Children have no secrets, end when the parent exits, and do not keep an idle
 * parent running.
 */
export function createChildren(options: ChildrenOptions): Children {
  return new ChildPool(options);
}

class ChildPool implements Children {
  readonly #processes: number;
  readonly #spares: number;
  readonly #idleMs: number;
  /** Includes idle children, so that projects that take turns do not require a start each. */
  readonly #maxAlive: number;
  readonly #protocol: ChildProtocol;
  readonly #children = new Set<Child>();
  /** Exits of children that have ended, until their boxes are removed. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #queue: QueuedTask[] = [];
  /** The projects that have run a task. */
  readonly #owners = new Set<string>();
  readonly #idleCheck: NodeJS.Timeout;
  #closed = false;
  /** Number of consecutive children that failed to start. */
  #failedStarts = 0;
  #calm: NodeJS.Timeout | undefined;

  constructor(options: ChildrenOptions) {
    const { processes, spares = 0, idleMs = defaultIdleMs } = options;
    this.#processes = processes;
    this.#spares = spares;
    this.#idleMs = idleMs;
    this.#maxAlive = 2 * processes + 1;
    this.#protocol = new ChildProtocol(options, {
      forget: (child) => this.#forget(child),
      started: () => {
        this.#failedStarts = 0;
      },
      failedToStart: () => {
        this.#failedStarts += 1;
      },
      enqueueFirst: (entry) => void this.#queue.unshift(entry),
      isFull: () =>
        [...this.#children].filter(({ isolation }) => isolation !== undefined).length > processes,
      dispatch: () => this.#dispatch(),
    });
    this.#idleCheck = setInterval(() => this.#endIdle(), idleMs / 4).unref();
    this.#scheduleSpare();
  }

  run(task: ChildTask, options: RunOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed || options.signal?.aborted) {
        reject(cancelledError());
        return;
      }
      const entry: QueuedTask = {
        task,
        options,
        resolve,
        reject,
        wantsNew: false,
        onAbort: () => this.#abort(entry),
      };
      options.signal?.addEventListener('abort', entry.onAbort, { once: true });
      this.#queue.push(entry);
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#calm);
    clearInterval(this.#idleCheck);
    for (const entry of this.#queue.splice(0)) rejectTask(entry, cancelledError());
    const exits = [...this.#children].map((child) => {
      child.handle.ref();
      kill(child, cancelledError());
      return child.handle.exited;
    });
    await Promise.all([...exits, ...this.#leaving]);
  }

  pids(): number[] {
    return [...this.#children].flatMap((child) => child.handle.pid ?? []);
  }

  #abort(entry: QueuedTask): void {
    const index = this.#queue.indexOf(entry);
    if (index >= 0) {
      this.#queue.splice(index, 1);
      entry.reject(cancelledError());
    }
    for (const child of this.#children) if (child.entry === entry) kill(child, cancelledError());
  }

  #forget(child: Child): boolean {
    if (!this.#children.delete(child)) return false;
    const { exited } = child.handle;
    this.#leaving.add(exited);
    void exited.then(() => this.#leaving.delete(exited));
    return true;
  }

  /**
   * Starts a child. Returns an error if the disk has no space for its box or the system cannot
   * create a process.
   */
  #start(isSpare = false): Child | EngineError {
    try {
      const child = this.#protocol.start(isSpare);
      this.#children.add(child);
      return child;
    } catch {
      this.#failedStarts += 1;
      return notStartedError();
    }
  }

  /** Starts a spare child. Returns false if it could not be started. */
  #startSpare(): boolean {
    const spare = this.#start(true);
    if (spare instanceof EngineError) return false;
    spare.handle.unref();
    return true;
  }

  #dispatch(): void {
    while (!this.#closed && this.#queue[0]) {
      const child = this.#choose(this.#queue[0]);
      if (!child) break;
      const entry = this.#queue.shift();
      if (!entry) break;
      if (child instanceof EngineError) rejectTask(entry, child);
      else this.#assign(child, entry);
    }
    this.#keepSpare();
  }

  /**
   * Returns a child for a task: a child of its project or an unused child. Returns an error if a
   * new child could not be started; undefined if the task must wait.
   */
  #choose({ task, wantsNew }: QueuedTask): Child | EngineError | undefined {
    const { affinity, isolation } = task;
    const alive = this.#alive();
    if (alive.filter(isBusy).length >= this.#processes) return undefined;
    const idle = alive.filter((child) => child.ready && !isBusy(child));
    const ofProject = idle.filter((child) => child.isolation === isolation);
    const unused = alive.filter((child) => child.isolation === undefined);
    const spare = unused.find(({ ready }) => ready) ?? unused[0];
    const reusable = wantsNew
      ? undefined
      : (ofProject.find((child) => affinity !== undefined && child.affinity === affinity) ??
        ofProject[0]);
    if (reusable) return reusable;
    // The place of the last child is reserved for a spare, however many projects take turns.
    const ownedCount = alive.length - unused.length;
    if (ownedCount >= this.#maxAlive - 1) stopLongestIdle(idle);
    return spare ?? this.#start();
  }

  #assign(child: Child, entry: QueuedTask): void {
    this.#owners.add(entry.task.isolation);
    child.entry = entry;
    child.isolation = entry.task.isolation;
    child.handle.ref();
    if (child.ready) this.#protocol.begin(child);
    else child.timers.push(setTimeout(() => kill(child, notStartedError()), startMs));
  }

  #alive(): Child[] {
    return [...this.#children].filter(({ dying }) => !dying);
  }

  /** Keeps one unused child ready at all times if several projects take turns. */
  #keepSpare(): void {
    const isShared = this.#owners.size >= 2 && this.#failedStarts === 0;
    if (!this.#closed && isShared && this.#lacksSpares(1)) this.#startSpare();
    this.#scheduleSpare();
  }

  #lacksSpares(count: number): boolean {
    const unused = this.#alive().filter(({ isolation }) => isolation === undefined);
    // Children that are being stopped still use memory. Their exit starts the spare.
    return this.#children.size < this.#maxAlive && unused.length < count;
  }

  /** Starts a spare once the pool is idle. Its start schedules the next spare. */
  #scheduleSpare(): void {
    clearTimeout(this.#calm);
    if (this.#closed || this.#spares === 0) return;
    const pause = spareDelayMs * 2 ** Math.min(this.#failedStarts, maxDoublings);
    this.#calm = setTimeout(() => {
      const isIdle = this.#queue.length === 0 && ![...this.#children].some(isBusy);
      if (this.#closed || !isIdle || !this.#lacksSpares(this.#spares)) return;
      // No exit follows that would schedule another attempt.
      if (!this.#startSpare()) this.#scheduleSpare();
    }, pause).unref();
  }

  /**
   * Ends children of projects that have been idle for a long time. A spare runs their next task.
   */
  #endIdle(): void {
    const now = performance.now();
    for (const child of this.#children) {
      const isIdle = child.ready && !isBusy(child) && !child.dying;
      if (isIdle && child.isolation !== undefined && now - child.restedAt > this.#idleMs) {
        stop(child);
      }
    }
  }
}

/** Rejects a task that no child has started. */
function rejectTask(entry: QueuedTask, error: EngineError): void {
  entry.options.signal?.removeEventListener('abort', entry.onAbort);
  entry.reject(error);
}

function stopLongestIdle(idle: readonly Child[]): void {
  const owned = idle.filter(({ isolation }) => isolation !== undefined);
  const [longestIdle] = owned.sort((a, b) => a.restedAt - b.restedAt);
  if (longestIdle) stop(longestIdle);
}
