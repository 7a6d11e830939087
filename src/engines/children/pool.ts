import { cancelled, notStarted } from './answers.ts';
import { type Child, isBusy, kill, stop } from './child.ts';
import { type ConversationOptions, createConversation, startMs } from './conversation.ts';
import type { Entry, RunOptions, Task } from './task.ts';

type ChildrenOptions = ConversationOptions & {
  /** How many children may work at once; they start when first needed. */
  processes: number;
  /**
   * How many children that have served nobody are kept ready, so that a project's first task does not
   * wait for one to start. They start when nothing else is to be done. None unless given.
   */
  spares?: number;
  /** Milliseconds after which a project's child that nobody has used ends. */
  idleMs?: number;
};

export type Children = {
  /** Runs one task and gives what its handler returned. Throws EngineError. */
  run(task: Task, options: RunOptions): Promise<unknown>;
  /** Kills every child and refuses further work; resolves when all are gone. */
  close(): Promise<void>;
  /** Ids of the children alive now. */
  pids(): number[];
};

/** Nothing was to be done for so long: time to start a spare. */
const calmMs = 250;
/** A spare that did not come up is tried again after so many times as long, doubled each time. */
const mostDoublings = 8;
const usualIdleMs = 5 * 60_000;

/**
 * A pool of child processes for work on hostile input, each apart from the machine as far as
 * `isolation` goes, and from all that another owner's children see. A child that passes its deadline
 * or its memory cap, that crashes, or whose task is aborted, is killed with SIGKILL and replaced.
 * Children see no secrets, end when the parent does, and do not keep an idle parent alive.
 */
export function createChildren(options: ChildrenOptions): Children {
  const { processes, spares = 0, idleMs = usualIdleMs } = options;
  /** As many idle ones are kept as may work, so that projects in turn do not cost a start each. */
  const most = 2 * processes + 1;
  const children = new Set<Child>();
  /** Of children that are gone, until their boxes are too. */
  const leaving = new Set<Promise<void>>();
  const queue: Entry[] = [];
  const owners = new Set<string>();
  let closed = false;
  /** How many children in a row did not come up. */
  let unborn = 0;
  let calm: NodeJS.Timeout | undefined;
  const conversation = createConversation(options, {
    forget(child) {
      if (!children.delete(child)) return false;
      const { exited } = child.running;
      leaving.add(exited);
      void exited.then(() => leaving.delete(exited));
      return true;
    },
    cameUp() {
      unborn = 0;
    },
    failedToStart() {
      unborn += 1;
    },
    putFirst: (entry) => void queue.unshift(entry),
    isFull: () =>
      [...children].filter(({ isolation }) => isolation !== undefined).length > processes,
    dispatch,
  });
  const lookout = setInterval(endUnused, idleMs / 4).unref();
  settleDown();

  function start(ahead = false): Child {
    const child = conversation.start(ahead);
    children.add(child);
    return child;
  }

  function assign(child: Child, entry: Entry): void {
    child.entry = entry;
    child.isolation = entry.task.isolation;
    child.running.hold();
    if (child.ready) conversation.begin(child);
    else child.timers.push(setTimeout(() => kill(child, notStarted()), startMs));
  }

  /** A child of the task's owner, or one that has served nobody; undefined where it has to wait. */
  function choose(entry: Entry): Child | undefined {
    const { affinity, isolation } = entry.task;
    const alive = [...children].filter(({ dying }) => !dying);
    const idle = alive.filter((child) => child.ready && !isBusy(child));
    if (alive.filter(isBusy).length >= processes) return undefined;
    const own = idle.filter((child) => child.isolation === isolation);
    const unused = alive.filter((child) => child.isolation === undefined);
    const spare = unused.find(({ ready }) => ready) ?? unused[0];
    const known = entry.wantsNew
      ? undefined
      : (own.find((child) => affinity !== undefined && child.affinity === affinity) ?? own[0]);
    if (known ?? spare) return known ?? spare;
    if (alive.length >= most) longestIdle(idle);
    return start();
  }

  /** Ends the child that nobody has wanted for longest. */
  function longestIdle(idle: readonly Child[]): void {
    const [first] = [...idle].sort((a, b) => a.restedAt - b.restedAt);
    if (first) stop(first);
  }

  function dispatch(): void {
    while (!closed && queue[0]) {
      const child = choose(queue[0]);
      if (!child) break;
      const entry = queue.shift();
      if (entry) {
        owners.add(entry.task.isolation);
        assign(child, entry);
      }
    }
    keepSpare();
  }

  /** Where projects take turns, one that has served nobody is up before it is wanted. */
  function keepSpare(): void {
    if (!closed && owners.size >= 2 && unborn === 0 && lacksSpares(1)) start(true).running.rest();
    settleDown();
  }

  function lacksSpares(wanted: number): boolean {
    const alive = [...children].filter(({ dying }) => !dying);
    const unused = alive.filter(({ isolation }) => isolation === undefined);
    return alive.length < most && unused.length < wanted;
  }

  /** Starts spares once nothing else is to be done, one after the other. */
  function settleDown(): void {
    clearTimeout(calm);
    if (closed || spares === 0) return;
    const pause = calmMs * 2 ** Math.min(unborn, mostDoublings);
    calm = setTimeout(() => {
      const works = [...children].some(isBusy);
      if (closed || works || queue.length > 0 || !lacksSpares(spares)) return;
      start(true).running.rest();
    }, pause).unref();
  }

  /** Ends the children of projects that have gone quiet: a spare serves them when they come back. */
  function endUnused(): void {
    const now = performance.now();
    for (const child of children) {
      const isIdle = child.ready && !isBusy(child) && !child.dying;
      if (isIdle && child.isolation !== undefined && now - child.restedAt > idleMs) stop(child);
    }
  }

  function run(task: Task, runOptions: RunOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (closed || runOptions.signal?.aborted) {
        reject(cancelled());
        return;
      }
      const entry: Entry = {
        task,
        options: runOptions,
        resolve,
        reject,
        wantsNew: false,
        onAbort: () => {
          const waiting = queue.indexOf(entry);
          if (waiting >= 0) {
            queue.splice(waiting, 1);
            reject(cancelled());
          }
          for (const child of children) if (child.entry === entry) kill(child, cancelled());
        },
      };
      runOptions.signal?.addEventListener('abort', entry.onAbort, { once: true });
      queue.push(entry);
      dispatch();
    });
  }

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(calm);
    clearInterval(lookout);
    for (const entry of queue.splice(0)) {
      entry.options.signal?.removeEventListener('abort', entry.onAbort);
      entry.reject(cancelled());
    }
    const exits = [...children].map((child) => {
      child.running.hold();
      kill(child, cancelled());
      return child.running.exited;
    });
    await Promise.all([...exits, ...leaving]);
  }

  const pids = (): number[] => [...children].flatMap((child) => child.running.pid ?? []);
  return { run, close, pids };
}
