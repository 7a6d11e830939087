import { EngineError } from '../errors.ts';
import { cancelled, notStarted } from './answers.ts';
import { type Child, isBusy, kill, stop } from './child.ts';
import { ChildProtocol, type ProtocolOptions, startMs } from './protocol.ts';
import type { ChildTask, QueuedTask, RunOptions } from './task.ts';

type ChildrenOptions = ProtocolOptions & {
  /** Maximum number of children that work at once; they start when first needed. */
  processes: number;
  /**
   * Maximum number of unused children that are kept ready, so that a project's first task does not
   * wait for a start. They start while the pool is idle. None by default.
   */
  spares?: number;
  /** Milliseconds after which an idle child of a project ends. */
  idleMs?: number;
};

export type Children = {
  /** Runs a task and returns the value of its handler. Throws EngineError. */
  run(task: ChildTask, options: RunOptions): Promise<unknown>;
  /** Kills every child and refuses further work; resolves when all are gone. */
  close(): Promise<void>;
  /** The process ids of the children that are alive. */
  pids(): number[];
};

/** Time that the pool must be idle before a spare starts, in milliseconds. */
const calmMs = 250;
/** The pause doubles, up to this many times, with every child in a row that fails to start. */
const maxDoublings = 8;
const defaultIdleMs = 5 * 60_000;

/**
 * Returns a pool of child processes for work on hostile input. Each is isolated from the machine as
 * far as `isolation` allows, and from the children of other projects. A child that exceeds its
 * deadline or its memory cap, that crashes, or whose task is aborted, is killed with SIGKILL and
 * replaced. Children hold no secrets, end when the parent does, and do not keep an idle parent
 * alive.
 */
export function createChildren(options: ChildrenOptions): Children {
  return new ChildPool(options);
}

class ChildPool implements Children {
  readonly #processes: number;
  readonly #spares: number;
  readonly #idleMs: number;
  /** Idle children are kept too, so that projects in turn do not cost a start each. */
  readonly #maxAlive: number;
  readonly #protocol: ChildProtocol;
  readonly #children = new Set<Child>();
  /** Exits of children that are gone, until their boxes are removed. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #queue: QueuedTask[] = [];
  /** The projects that have had a task. */
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
      putFirst: (entry) => void this.#queue.unshift(entry),
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
        reject(cancelled());
        return;
      }
      const entry: QueuedTask = {
        ...{ task, options, resolve, reject, wantsNew: false },
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
    for (const entry of this.#queue.splice(0)) refuse(entry, cancelled());
    const exits = [...this.#children].map((child) => {
      child.running.hold();
      kill(child, cancelled());
      return child.running.exited;
    });
    await Promise.all([...exits, ...this.#leaving]);
  }

  pids(): number[] {
    return [...this.#children].flatMap((child) => child.running.pid ?? []);
  }

  #abort(entry: QueuedTask): void {
    const waiting = this.#queue.indexOf(entry);
    if (waiting >= 0) {
      this.#queue.splice(waiting, 1);
      entry.reject(cancelled());
    }
    for (const child of this.#children) if (child.entry === entry) kill(child, cancelled());
  }

  #forget(child: Child): boolean {
    if (!this.#children.delete(child)) return false;
    const { exited } = child.running;
    this.#leaving.add(exited);
    void exited.then(() => this.#leaving.delete(exited));
    return true;
  }

  /**
   * Starts a child, or returns why it could not be started: its box has no space, or no
   * process available.
   */
  #start(isSpare = false): Child | EngineError {
    try {
      const child = this.#protocol.start(isSpare);
      this.#children.add(child);
      return child;
    } catch {
      this.#failedStarts += 1;
      return notStarted();
    }
  }

  /** Returns false if it could not be started. */
  #startSpare(): boolean {
    const spare = this.#start(true);
    if (spare instanceof EngineError) return false;
    spare.running.rest();
    return true;
  }

  #dispatch(): void {
    while (!this.#closed && this.#queue[0]) {
      const child = this.#choose(this.#queue[0]);
      if (!child) break;
      const entry = this.#queue.shift();
      if (!entry) break;
      if (child instanceof EngineError) refuse(entry, child);
      else this.#assign(child, entry);
    }
    this.#keepSpare();
  }

  /**
   * A child of the task's project, or an unused one; an error if a new one could not be started;
   * undefined if the task must wait.
   */
  #choose({ task, wantsNew }: QueuedTask): Child | EngineError | undefined {
    const { affinity, isolation } = task;
    const alive = this.#alive();
    if (alive.filter(isBusy).length >= this.#processes) return undefined;
    const idle = alive.filter((child) => child.ready && !isBusy(child));
    const own = idle.filter((child) => child.isolation === isolation);
    const unused = alive.filter((child) => child.isolation === undefined);
    const spare = unused.find(({ ready }) => ready) ?? unused[0];
    const known = wantsNew
      ? undefined
      : (own.find((child) => affinity !== undefined && child.affinity === affinity) ?? own[0]);
    if (known) return known;
    // The last child's slot is for a spare, however many projects take turns.
    const owned = alive.length - unused.length;
    if (owned >= this.#maxAlive - 1) stopLongestIdle(idle);
    return spare ?? this.#start();
  }

  #assign(child: Child, entry: QueuedTask): void {
    this.#owners.add(entry.task.isolation);
    child.entry = entry;
    child.isolation = entry.task.isolation;
    child.running.hold();
    if (child.ready) this.#protocol.begin(child);
    else child.timers.push(setTimeout(() => kill(child, notStarted()), startMs));
  }

  #alive(): Child[] {
    return [...this.#children].filter(({ dying }) => !dying);
  }

  /** Where projects take turns, keeps one unused child ready at all times. */
  #keepSpare(): void {
    const isShared = this.#owners.size >= 2 && this.#failedStarts === 0;
    if (!this.#closed && isShared && this.#lacksSpares(1)) this.#startSpare();
    this.#scheduleSpare();
  }

  #lacksSpares(wanted: number): boolean {
    const unused = this.#alive().filter(({ isolation }) => isolation === undefined);
    // Children that are being stopped still use memory; their exit starts the spare.
    return this.#children.size < this.#maxAlive && unused.length < wanted;
  }

  /** Starts a spare once the pool is idle; its start schedules the next. */
  #scheduleSpare(): void {
    clearTimeout(this.#calm);
    if (this.#closed || this.#spares === 0) return;
    const pause = calmMs * 2 ** Math.min(this.#failedStarts, maxDoublings);
    this.#calm = setTimeout(() => {
      const isIdle = this.#queue.length === 0 && ![...this.#children].some(isBusy);
      if (this.#closed || !isIdle || !this.#lacksSpares(this.#spares)) return;
      // No exit follows that would try again.
      if (!this.#startSpare()) this.#scheduleSpare();
    }, pause).unref();
  }

  /** Ends children of projects that have been idle for long; a spare serves their next task. */
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

/** Rejects a task that no child has begun. */
function refuse(entry: QueuedTask, error: EngineError): void {
  entry.options.signal?.removeEventListener('abort', entry.onAbort);
  entry.reject(error);
}

function stopLongestIdle(idle: readonly Child[]): void {
  const owned = idle.filter(({ isolation }) => isolation !== undefined);
  const [first] = owned.sort((a, b) => a.restedAt - b.restedAt);
  if (first) stop(first);
}
