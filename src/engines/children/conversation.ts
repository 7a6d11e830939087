import { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';
import { usageOf } from '../isolation/usage.ts';
import { crashed, notStarted, packingFailed, readAnswer } from './answers.ts';
import { type Child, clearTimers, kill, newChild, rest, settle, stop } from './child.ts';
import { startClocks } from './clocks.ts';
import { type ChildSettings, startChild } from './running.ts';
import type { Entry } from './task.ts';

export type ConversationOptions = ChildSettings & {
  /**
   * A child is replaced after so many tasks, since WASM memory never shrinks; before that, when it
   * holds more than it should. A new one costs as much CPU as a few hundred pages of text.
   */
  recycleAfter?: number;
  /** What such a child is told to load in advance: the argument of the handler `warmUp`. */
  warmUp?: unknown;
};

/** What children tell the pool they belong to. */
export type Pool = {
  /** A child is gone; false where that is known. */
  forget(child: Child): boolean;
  /** A child came up, or did not. */
  cameUp(): void;
  failedToStart(): void;
  /** A task is to be given to another child, before all that wait. */
  putFirst(entry: Entry): void;
  /** Whether more children belong to projects than may work at once. */
  isFull(): boolean;
  /** There may be a child free for a task that waits. */
  dispatch(): void;
};

/** How a pool's children are started and spoken with. */
export type Conversation = {
  /** Starts a child: for a task, or ahead of any. */
  start(ahead?: boolean): Child;
  /** Gives a child that is up the task in hand: its files first. */
  begin(child: Child): void;
};

/** How long a child may take to start, or to warm up. */
export const startMs = 30_000;
const noFiles: TaskFiles = { reads: [], writes: [] };

/** Starts children of a pool, sends them their tasks and reads their answers. */
export function createConversation(options: ConversationOptions, pool: Pool): Conversation {
  const { memoryBytes, recycleAfter = 2000 } = options;
  let nextTaskId = 1;
  let nextChild = 0;

  function start(ahead = false): Child {
    const running = startChild(options, nextChild++, {
      message: (message) => receive(child, message),
      fault: () => kill(child, crashed()),
      gone: (death) => {
        if (!pool.forget(child)) return;
        if (!child.ready && !child.dying) pool.failedToStart();
        if (ahead && !child.ready) handBack(child);
        // One that never came up says nothing of the file.
        const error = child.ready || child.dying ? death : notStarted();
        if (error.code !== 'memory_exceeded' || !putBack(child)) settle(child, error);
        pool.dispatch();
      },
    });
    const child = newChild(running);
    return child;
  }

  /**
   * Puts the task in hand back, for a new child: what the one at hand still held of tasks before may
   * have been too much, and says nothing of this one. False where it held nothing.
   */
  function putBack(child: Child): boolean {
    if (!child.entry || child.served === 0) return false;
    child.entry.wantsNew = true;
    handBack(child);
    return true;
  }

  /** Leaves the task in hand, if any, to whoever is free next. */
  function handBack(child: Child): void {
    clearTimers(child);
    if (child.entry) pool.putFirst(child.entry);
    child.entry = undefined;
    child.taskId = 0;
  }

  function receive(child: Child, message: object): void {
    if (child.dying) return;
    if (!child.ready && 'ready' in message && child.warmUpId === 0) {
      if (child.entry || options.warmUp === undefined) cameUp(child);
      else warmUp(child);
      return;
    }
    if (child.warmUpId !== 0) {
      const isWarm = 'id' in message && message.id === child.warmUpId && 'value' in message;
      child.warmUpId = 0;
      if (isWarm) cameUp(child);
      else fallBack(child);
      return;
    }
    // Who speaks unasked, or of another task, is not the child that we started.
    if (child.taskId === 0 || !('id' in message) || message.id !== child.taskId) {
      kill(child, crashed());
      return;
    }
    child.taskId = 0;
    clearTimers(child);
    const spent = 'spent' in message && message.spent === true;
    finish(child, readAnswer(message), spent).catch(() => kill(child, crashed()));
  }

  function cameUp(child: Child): void {
    child.ready = true;
    pool.cameUp();
    begin(child);
  }

  /** Has a child that nobody waits for load what tasks will need. */
  function warmUp(child: Child): void {
    child.warmUpId = nextTaskId++;
    child.timers.push(setTimeout(() => fallBack(child), startMs).unref());
    // Nobody's: what it loads is the same for every project.
    child.running.send({
      ...{ id: child.warmUpId, name: 'warmUp', isolation: '' },
      input: options.warmUp,
    });
  }

  /** Ends a child that failed to warm up, and gives a task that waits for it to another. */
  function fallBack(child: Child): void {
    handBack(child);
    pool.failedToStart();
    // Its exit dispatches.
    stop(child);
  }

  function begin(child: Child): void {
    const { entry } = child;
    clearTimers(child);
    if (!entry) {
      rest(child);
      pool.dispatch();
      return;
    }
    const isStill = () => child.entry === entry && !child.dying;
    child.running.box.pack(entry.task.files ?? noFiles).then(
      () => {
        if (isStill()) send(child, entry);
      },
      (error: unknown) => {
        if (!isStill()) return;
        settle(child, packingFailed(error));
        rest(child);
        pool.dispatch();
      },
    );
  }

  /** Sends the task, and starts its clocks. */
  function send(child: Child, entry: Entry): void {
    const { running } = child;
    const { name, input, isolation, affinity } = entry.task;
    child.taskId = nextTaskId++;
    child.affinity = affinity;
    startClocks(child, entry, memoryBytes, putBack);
    running.send({ id: child.taskId, name, input: running.box.inside(input), isolation });
  }

  /** Takes out what the child wrote, and gives its answer. */
  async function finish(
    child: Child,
    answer: { value: unknown } | EngineError,
    spent: boolean,
  ): Promise<void> {
    const { entry, running } = child;
    // Its files go to where somebody waits for them: nobody ends the task meanwhile.
    child.entry = undefined;
    child.finishing = true;
    let outcome = answer;
    if (!(answer instanceof EngineError)) {
      const value = running.box.outside(answer.value);
      outcome = await running.box.unpack().then(() => ({ value }), packingFailed);
    }
    child.entry = entry;
    child.finishing = false;
    settle(child, outcome);
    if (child.dying) return;
    child.served += 1;
    const bytes = running.pid === undefined ? 0 : usageOf(running.pid).largest;
    const share = pool.isFull() ? 0.3 : 0.6;
    if (spent || child.served >= recycleAfter || bytes > memoryBytes * share) stop(child);
    else rest(child);
    pool.dispatch();
  }

  return { start, begin };
}
