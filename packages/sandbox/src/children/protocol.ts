import { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';
import { crashedError, notStartedError, packingError, readAnswer } from './answers.ts';
import { type Child, clearTimers, createChild, kill, markIdle, settleTask, stop } from './child.ts';
import { type ChildSettings, startChild } from './child-handle.ts';
import { enforceLimits, watchIdle } from './enforce-limits.ts';
import type { QueuedTask } from './task.ts';

export type ProtocolOptions = ChildSettings & {
  /**
   * Number of tasks after which a child is replaced, because WASM memory never shrinks. A child
   * that uses too much memory is replaced earlier. A new child costs as much CPU time as a few
   * hundred pages of text.
   */
  recycleAfter?: number;
  /**
   * The argument of the handler `warmUp`, which loads code and data of a spare child in advance.
   */
  warmUp?: unknown;
};

/** The functions of a pool that the protocol needs. */
type PoolEvents = {
  /** Removes a child that has exited. Returns false if it was already removed. */
  forget(child: Child): boolean;
  started(): void;
  failedToStart(): void;
  /** Puts a task at the front of the queue. */
  enqueueFirst(entry: QueuedTask): void;
  /** Whether projects own more children than may run tasks at the same time. */
  isFull(): boolean;
  /** Assigns queued tasks, because a child may have become free. */
  dispatch(): void;
};

/** Maximum time for a child to start or to warm up, in milliseconds. */
export const startMs = 30_000;
const noFiles: TaskFiles = { reads: [], writes: [] };

/** Starts the children of a pool, sends them tasks and reads their answers. */
export class ChildProtocol {
  readonly #options: ProtocolOptions;
  readonly #pool: PoolEvents;
  #nextTaskId = 1;
  #nextChild = 0;

  constructor(options: ProtocolOptions, pool: PoolEvents) {
    this.#options = options;
    this.#pool = pool;
  }

  /** Starts a child for a task, or as a spare. */
  start(isSpare = false): Child {
    const child: Child = createChild(
      startChild(this.#options, this.#nextChild++, {
        message: (message) => this.#receive(child, message),
        fault: () => kill(child, crashedError()),
        exited: (error) => this.#gone(child, isSpare, error),
      }),
    );
    return child;
  }

  /** Sends the current task to a child that has started, after its files. */
  begin(child: Child): void {
    const { entry } = child;
    clearTimers(child);
    if (!entry) {
      this.#rest(child);
      this.#pool.dispatch();
      return;
    }
    const isCurrent = () => child.entry === entry && !child.dying;
    child.handle.box.pack(entry.task.files ?? noFiles).then(
      () => {
        if (isCurrent()) this.#send(child, entry);
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        settleTask(child, packingError(error));
        this.#rest(child);
        this.#pool.dispatch();
      },
    );
  }

  #gone(child: Child, isSpare: boolean, exitError: EngineError): void {
    if (!this.#pool.forget(child)) return;
    if (!child.ready && !child.dying) this.#pool.failedToStart();
    if (isSpare && !child.ready) this.#handBack(child);
    // The failure of a child that never started is not evidence about the file.
    const error = child.ready || child.dying ? exitError : notStartedError();
    if (error.code !== 'memory_exceeded' || !this.#putBack(child)) settleTask(child, error);
    this.#pool.dispatch();
  }

  /**
   * Requeues the current task for a new child, because memory from earlier tasks may have caused
   * the failure. Returns false if this child has run no earlier task.
   */
  #putBack(child: Child): boolean {
    if (!child.entry || child.served === 0) return false;
    child.entry.wantsNew = true;
    this.#handBack(child);
    return true;
  }

  /** Requeues the current task, if any, for the next free child. */
  #handBack(child: Child): void {
    clearTimers(child);
    if (child.entry) this.#pool.enqueueFirst(child.entry);
    child.entry = undefined;
    child.taskId = 0;
  }

  #receive(child: Child, message: object): void {
    if (child.dying) return;
    if (!child.ready && 'ready' in message && child.warmUpId === 0) {
      if (child.entry || this.#options.warmUp === undefined) this.#started(child);
      else this.#warmUp(child);
      return;
    }
    if (child.warmUpId !== 0) {
      const isWarm = 'id' in message && message.id === child.warmUpId && 'value' in message;
      child.warmUpId = 0;
      if (isWarm) this.#started(child);
      else this.#failWarmUp(child);
      return;
    }
    // A message that does not answer the current task means that a hostile file controls the child.
    if (child.taskId === 0 || !('id' in message) || message.id !== child.taskId) {
      kill(child, crashedError());
      return;
    }
    child.taskId = 0;
    clearTimers(child);
    const isSpent = 'spent' in message && message.spent === true;
    this.#finish(child, readAnswer(message), isSpent).catch(() => kill(child, crashedError()));
  }

  #started(child: Child): void {
    child.ready = true;
    this.#pool.started();
    this.begin(child);
  }

  /** Makes a spare child load the code and data that tasks need. */
  #warmUp(child: Child): void {
    child.warmUpId = this.#nextTaskId++;
    child.timers.push(setTimeout(() => this.#failWarmUp(child), startMs).unref());
    child.handle.send({
      // Without a project, because the loaded data is the same for all projects.
      id: child.warmUpId,
      name: 'warmUp',
      isolation: '',
      input: this.#options.warmUp,
    });
  }

  /** Ends a child whose warm-up failed, and requeues a task that waits for it. */
  #failWarmUp(child: Child): void {
    this.#handBack(child);
    this.#pool.failedToStart();
    // The exit of the child assigns queued tasks.
    stop(child);
  }

  #send(child: Child, entry: QueuedTask): void {
    const { handle } = child;
    const { name, input, isolation, affinity } = entry.task;
    child.taskId = this.#nextTaskId++;
    child.affinity = affinity;
    enforceLimits(child, entry, this.#options.memoryBytes, (busy) => this.#putBack(busy));
    handle.send({ id: child.taskId, name, input: handle.box.toInsidePaths(input), isolation });
  }

  /** Copies the output files of the child, then settles the task with its answer. */
  async #finish(
    child: Child,
    answer: { value: unknown } | EngineError,
    isSpent: boolean,
  ): Promise<void> {
    const { entry, handle } = child;
    // The output files are being copied, so an abort must not end the task in the meantime.
    child.entry = undefined;
    child.finishing = true;
    let outcome = answer;
    if (!(answer instanceof EngineError)) {
      const value = handle.box.toOutsidePaths(answer.value);
      outcome = await handle.box.unpack().then(() => ({ value }), packingError);
    }
    child.entry = entry;
    child.finishing = false;
    settleTask(child, outcome);
    if (child.dying) return;
    child.served += 1;
    if (isSpent || this.#isWorn(child)) stop(child);
    else this.#rest(child);
    this.#pool.dispatch();
  }

  #rest(child: Child): void {
    markIdle(child);
    // A spare has not read a file that could control it.
    if (child.isolation !== undefined) watchIdle(child, this.#options.memoryBytes);
  }

  /** Whether a child must be replaced, because it has run enough tasks or uses too much memory. */
  #isWorn({ handle, served }: Child): boolean {
    const { memoryBytes, recycleAfter = 2000 } = this.#options;
    const share = this.#pool.isFull() ? 0.3 : 0.6;
    return served >= recycleAfter || handle.memory().largest > memoryBytes * share;
  }
}
