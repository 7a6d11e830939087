import { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';
import { mostDiskBytes } from '../isolation/limits.ts';
import { isCrowded, isTooMuch, usageIsKnown, usageOf } from '../isolation/usage.ts';
import { cancelled, crashed, notStarted, packingFailed, readAnswer } from './answers.ts';
import { type ChildSettings, type Running, startChild } from './running.ts';

/** One piece of work for a child. */
export type Task = {
  /** Which handler of the child's module runs it. */
  name: string;
  /** Its argument; must survive JSON. Paths in it are those of `files`. */
  input: unknown;
  /** Its owner (a project): a child that has served one never serves another. */
  isolation: string;
  /** Tasks with the same affinity (a source) prefer the child that served it last. */
  affinity?: string;
  /** All that the child sees of our files, beside what every child sees. */
  files?: TaskFiles;
};

export type RunOptions = {
  /** Milliseconds from the moment a child takes the task; waiting for a free child does not count. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
};

type ChildrenOptions = ChildSettings & {
  /** How many children may work at once; they start when first needed. */
  processes: number;
  /**
   * A child is replaced after so many tasks, since WASM memory never shrinks; before that, when it
   * holds more than it should. A new one costs as much CPU as a few hundred pages of text.
   */
  recycleAfter?: number;
  /**
   * How many children that have served nobody are kept ready, so that a project's first task does not
   * wait for one to start. They start when nothing else is to be done. None unless given.
   */
  spares?: number;
  /** What such a child is told to load in advance: the argument of the handler `warmUp`. */
  warmUp?: unknown;
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

type Entry = {
  task: Task;
  options: RunOptions;
  resolve: (value: unknown) => void;
  reject: (error: EngineError) => void;
  onAbort: () => void;
  /** Wants a child that has served nobody: its own took too much memory, maybe not for this task. */
  wantsNew: boolean;
};

type Child = {
  running: Running;
  ready: boolean;
  /** Killed, its exit not seen yet: messages it sent before no longer count. */
  dying: boolean;
  served: number;
  /** Whose tasks it serves; undefined until the first. */
  isolation: string | undefined;
  affinity: string | undefined;
  entry: Entry | undefined;
  /** It has answered, and its files are taken out. */
  finishing: boolean;
  /** The task it was sent and has not answered; 0 when there is none. */
  taskId: number;
  /** The warm-up that it was sent and has not answered; 0 when there is none. */
  warmUpId: number;
  /** When it last came to rest, on the monotonic clock. */
  restedAt: number;
  timers: NodeJS.Timeout[];
};

const startMs = 30_000;
const memoryPollMs = 100;
const diskPollMs = 1_000;
/** Nothing was to be done for so long: time to start a spare. */
const calmMs = 250;
/** A spare that did not come up is tried again after so many times as long, doubled each time. */
const mostDoublings = 8;
const usualIdleMs = 5 * 60_000;
const noFiles: TaskFiles = { reads: [], writes: [] };

/**
 * A pool of child processes for work on hostile input, each apart from the machine as far as
 * `isolation` goes, and from all that another owner's children see. A child that passes its deadline
 * or its memory cap, that crashes, or whose task is aborted, is killed with SIGKILL and replaced.
 * Children see no secrets, end when the parent does, and do not keep an idle parent alive.
 */
export function createChildren(options: ChildrenOptions): Children {
  const { processes, memoryBytes, recycleAfter = 2000, spares = 0 } = options;
  const { idleMs = usualIdleMs } = options;
  /** As many idle ones are kept as may work, so that projects in turn do not cost a start each. */
  const most = 2 * processes + 1;
  const children = new Set<Child>();
  /** Of children that are gone, until their boxes are too. */
  const leaving = new Set<Promise<void>>();
  const queue: Entry[] = [];
  const owners = new Set<string>();
  let closed = false;
  let nextTaskId = 1;
  let nextChild = 0;
  /** How many children in a row did not come up. */
  let unborn = 0;
  let calm: NodeJS.Timeout | undefined;
  const lookout = setInterval(endUnused, idleMs / 4).unref();
  settleDown();

  /** Starts a child: for a task, or ahead of any. */
  function start(ahead = false): Child {
    const running = startChild(options, nextChild++, {
      message: (message) => receive(child, message),
      fault: () => kill(child, crashed()),
      gone: (death) => {
        if (!children.delete(child)) return;
        leaving.add(running.exited);
        void running.exited.then(() => leaving.delete(running.exited));
        if (!child.ready && !child.dying) unborn += 1;
        if (ahead && !child.ready) handBack(child);
        // One that never came up says nothing of the file.
        const error = child.ready || child.dying ? death : notStarted();
        if (error.code !== 'memory_exceeded' || !putBack(child)) settle(child, error);
        dispatch();
      },
    });
    const child: Child = {
      running,
      ...{ ready: false, dying: false, served: 0, taskId: 0, warmUpId: 0, restedAt: 0 },
      ...{ finishing: false, timers: [] },
      ...{ isolation: undefined, affinity: undefined, entry: undefined },
    };
    children.add(child);
    return child;
  }

  function stop(child: Child): void {
    child.dying = true;
    child.ready = false;
    child.running.stop();
  }

  function clearTimers(child: Child): void {
    for (const timer of child.timers.splice(0)) clearTimeout(timer);
  }

  /** Ends the task in hand, if any: with an error, or with a value. */
  function settle(child: Child, outcome: { value: unknown } | EngineError): void {
    const { entry } = child;
    clearTimers(child);
    child.entry = undefined;
    child.taskId = 0;
    if (!entry) return;
    entry.options.signal?.removeEventListener('abort', entry.onAbort);
    if (outcome instanceof EngineError) entry.reject(outcome);
    else entry.resolve(outcome.value);
  }

  /** Fails the task in hand and kills the child; its exit then makes room for another. */
  function kill(child: Child, error: EngineError): void {
    settle(child, error);
    stop(child);
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
    if (child.entry) queue.unshift(child.entry);
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
    unborn = 0;
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
    unborn += 1;
    // Its exit dispatches.
    stop(child);
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
    const owned = [...children].filter(({ isolation }) => isolation !== undefined).length;
    const share = owned > processes ? 0.3 : 0.6;
    if (spent || child.served >= recycleAfter || bytes > memoryBytes * share) stop(child);
    else rest(child);
    dispatch();
  }

  /** Lets the parent end while this child idles. */
  function rest(child: Child): void {
    child.restedAt = performance.now();
    child.running.rest();
  }

  /** Gives the task to a child that is up: its files first. */
  function begin(child: Child): void {
    const { entry } = child;
    clearTimers(child);
    if (!entry) {
      rest(child);
      dispatch();
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
        dispatch();
      },
    );
  }

  /** Sends the task, and starts its clocks. */
  function send(child: Child, entry: Entry): void {
    const { running } = child;
    const { name, input, isolation, affinity } = entry.task;
    child.taskId = nextTaskId++;
    child.affinity = affinity;
    const seconds = Math.round(entry.options.deadlineMs / 100) / 10;
    const late = `The work took longer than ${seconds} seconds.`;
    child.timers.push(
      setTimeout(
        () => kill(child, new EngineError('deadline_exceeded', late)),
        entry.options.deadlineMs,
      ),
    );
    if (usageIsKnown) child.timers.push(setInterval(() => watchMemory(child), memoryPollMs));
    child.timers.push(setInterval(() => void watchDisk(child, entry), diskPollMs));
    running.send({ id: child.taskId, name, input: running.box.inside(input), isolation });
  }

  function watchMemory(child: Child): void {
    const usage = usageOf(child.running.pid ?? 0);
    if (isCrowded(usage)) {
      kill(child, crashed());
    } else if (isTooMuch(usage, memoryBytes)) {
      if (putBack(child)) stop(child);
      else {
        kill(
          child,
          new EngineError('memory_exceeded', 'The file needs more memory than is allowed.'),
        );
      }
    }
  }

  async function watchDisk(child: Child, entry: Entry): Promise<void> {
    if (!(await child.running.box.isOverfull(mostDiskBytes)) || child.entry !== entry) return;
    kill(child, new EngineError('too_large', 'The file needs more disk space than is allowed.'));
  }

  function assign(child: Child, entry: Entry): void {
    child.entry = entry;
    child.isolation = entry.task.isolation;
    child.running.hold();
    if (child.ready) begin(child);
    else child.timers.push(setTimeout(() => kill(child, notStarted()), startMs));
  }

  /** A child of the task's owner, or one that has served nobody; undefined where it has to wait. */
  function choose(entry: Entry): Child | undefined {
    const { affinity, isolation } = entry.task;
    const alive = [...children].filter(({ dying }) => !dying);
    const idle = alive.filter((child) => child.ready && !child.entry && !child.finishing);
    if (alive.filter((child) => child.entry || child.finishing).length >= processes) {
      return undefined;
    }
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
      const isBusy = [...children].some(({ entry, finishing }) => entry || finishing);
      if (closed || isBusy || queue.length > 0 || !lacksSpares(spares)) return;
      start(true).running.rest();
    }, pause).unref();
  }

  /** Ends the children of projects that have gone quiet: a spare serves them when they come back. */
  function endUnused(): void {
    const now = performance.now();
    for (const child of children) {
      const isIdle = child.ready && !child.entry && !child.finishing && !child.dying;
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
