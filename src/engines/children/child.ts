import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EngineError, isEngineErrorCode } from '../errors.ts';

/** One piece of work for a child. */
export type Task = {
  /** Which handler of the child's module runs it. */
  name: string;
  /** Its argument; must survive JSON. */
  input: unknown;
  /** Tasks of different owners (projects) never share learned or cached state. */
  isolation?: string;
  /** Tasks with the same affinity (a source) prefer the child that served it last. */
  affinity?: string;
};

export type RunOptions = {
  /** Milliseconds from the moment a child takes the task; waiting for a free child does not count. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
};

type ChildrenOptions = {
  /** The module to fork: it calls `serveTasks`. `.ts` runs under tsx, `.js` as it is. */
  module: URL;
  /** How many children may live at once; they start when first needed. */
  processes: number;
  /** Resident memory of one child, in bytes, past which it is killed. */
  memoryBytes: number;
  /**
   * A child is replaced after so many tasks, since WASM memory never shrinks; before that, when it
   * holds more than it should. A new one costs as much CPU as a few hundred pages of text.
   */
  recycleAfter?: number;
  /** Folder for temporary files, passed on as TMPDIR. */
  tmpDir?: string;
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
  process: ChildProcess;
  exited: Promise<void>;
  ready: boolean;
  /** Killed, its exit not seen yet: messages it sent before no longer count. */
  dying: boolean;
  served: number;
  isolation: string | undefined;
  affinity: string | undefined;
  entry: Entry | undefined;
  taskId: number;
  timers: NodeJS.Timeout[];
};

const startMs = 30_000;
const memoryPollMs = 100;
/** What a child may inherit. Never a secret: documents are hostile, and so may be their readers. */
const inheritedVariables = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot', 'TEMP'];

function childEnvironment(tmpDir: string | undefined): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const name of inheritedVariables) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  if (tmpDir !== undefined) env.TMPDIR = tmpDir;
  // One core a child: the pool is the parallelism. Fewer malloc arenas keep the resident set small.
  return { ...env, VIPS_CONCURRENCY: '1', OMP_THREAD_LIMIT: '1', MALLOC_ARENA_MAX: '2' };
}

/** Resident set of a process in bytes, or undefined where /proc does not say. */
function residentBytes(pid: number): number | undefined {
  try {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return match ? Number(match[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** Kills a child and whatever it started, also after its own end. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left of it.
  }
}

function cancelled(): EngineError {
  return new EngineError('cancelled', 'The work was cancelled.');
}

function deathOf(code: number | null, signal: NodeJS.Signals | null): EngineError {
  // V8 aborts when its heap is full; SIGUSR2 is the child's own memory watch (see child-main).
  if (signal === 'SIGABRT' || signal === 'SIGUSR2' || code === 134) return memoryExceeded();
  return new EngineError('crashed', 'The engine stopped unexpectedly on this file.');
}

function memoryExceeded(): EngineError {
  return new EngineError('memory_exceeded', 'The file needs more memory than is allowed.');
}

/**
 * A pool of child processes for work on hostile input. A child that passes its deadline or its
 * memory cap, that crashes, or whose task is aborted, is killed with SIGKILL and replaced. Children
 * see no secrets, end when the parent does, and do not keep an idle parent alive.
 */
export function createChildren(options: ChildrenOptions): Children {
  const { module, processes, memoryBytes, recycleAfter = 2000 } = options;
  const children = new Set<Child>();
  const queue: Entry[] = [];
  let closed = false;
  let nextTaskId = 1;
  const procStatus = existsSync('/proc/self/status');

  function start(): Child {
    const heapMb = Math.max(64, Math.floor(memoryBytes / 2 ** 20));
    const execArgv = [`--max-old-space-size=${heapMb}`];
    if (module.pathname.endsWith('.ts'))
      execArgv.push('--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href);
    const forked = fork(fileURLToPath(module), [], {
      execArgv,
      env: {
        ...childEnvironment(options.tmpDir),
        // Given, since by the time a child looks its parent may be gone already.
        ENGINE_PARENT_PID: String(process.pid),
        ...(procStatus ? {} : { ENGINE_MEMORY_BYTES: String(memoryBytes) }),
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
    });
    const child: Child = {
      process: forked,
      exited: Promise.resolve(),
      ready: false,
      dying: false,
      served: 0,
      isolation: undefined,
      affinity: undefined,
      entry: undefined,
      taskId: 0,
      timers: [],
    };
    child.exited = new Promise((resolve) => {
      const gone = (error: EngineError): void => {
        if (children.delete(child)) {
          killGroup(forked);
          if (error.code !== 'memory_exceeded' || !putBack(child)) settle(child, () => error);
          resolve();
          dispatch();
        }
      };
      forked.once('error', () => gone(deathOf(null, null)));
      forked.once('exit', (code, signal) => gone(deathOf(code, signal)));
    });
    forked.on('message', (message: unknown) => receive(child, message));
    children.add(child);
    return child;
  }

  function stop(child: Child): void {
    child.dying = true;
    child.ready = false;
    killGroup(child.process);
    child.process.kill('SIGKILL');
  }

  /** Ends the task in hand, if any, with what `outcome` gives: an error to reject with, or a value. */
  function settle(child: Child, outcome: () => unknown): void {
    const { entry } = child;
    for (const timer of child.timers.splice(0)) clearTimeout(timer);
    child.entry = undefined;
    if (!entry) return;
    entry.options.signal?.removeEventListener('abort', entry.onAbort);
    const value = outcome();
    if (value instanceof EngineError) entry.reject(value);
    else entry.resolve(value);
  }

  /** Fails the task in hand and kills the child; its exit then makes room for another. */
  function kill(child: Child, error: EngineError): void {
    settle(child, () => error);
    stop(child);
  }

  /**
   * Puts the task in hand back, for a new child: what the one at hand still held of tasks before may
   * have been too much, and says nothing of this one. False where it held nothing.
   */
  function putBack(child: Child): boolean {
    const { entry } = child;
    if (!entry || child.served === 0) return false;
    for (const timer of child.timers.splice(0)) clearTimeout(timer);
    child.entry = undefined;
    entry.wantsNew = true;
    queue.unshift(entry);
    return true;
  }

  function receive(child: Child, message: unknown): void {
    if (child.dying || typeof message !== 'object' || message === null) return;
    if ('ready' in message) {
      child.ready = true;
      begin(child);
      return;
    }
    if (!('id' in message) || message.id !== child.taskId || !child.entry) return;
    const spent = 'spent' in message && message.spent === true;
    settle(child, () => {
      if ('value' in message) return message.value;
      const code = 'code' in message && isEngineErrorCode(message.code) ? message.code : 'crashed';
      const text = 'message' in message ? String(message.message) : '';
      return new EngineError(code, text || 'The engine failed on this file.');
    });
    child.served += 1;
    const rss = child.process.pid === undefined ? undefined : residentBytes(child.process.pid);
    if (spent || child.served >= recycleAfter || (rss ?? 0) > memoryBytes * 0.6) {
      stop(child);
    } else {
      rest(child);
    }
    dispatch();
  }

  /** Lets the parent end while this child idles. */
  function rest(child: Child): void {
    child.process.unref();
    child.process.channel?.unref();
  }

  /** Sends the task to a child that is up, and starts its clocks. */
  function begin(child: Child): void {
    const { entry } = child;
    for (const timer of child.timers.splice(0)) clearTimeout(timer);
    if (!entry) {
      rest(child);
      dispatch();
      return;
    }
    child.taskId = nextTaskId++;
    child.isolation = entry.task.isolation;
    child.affinity = entry.task.affinity;
    child.timers.push(
      setTimeout(() => {
        const seconds = Math.round(entry.options.deadlineMs / 100) / 10;
        kill(
          child,
          new EngineError('deadline_exceeded', `The work took longer than ${seconds} seconds.`),
        );
      }, entry.options.deadlineMs),
    );
    const { pid } = child.process;
    if (procStatus && pid !== undefined) {
      child.timers.push(
        setInterval(() => {
          if ((residentBytes(pid) ?? 0) <= memoryBytes) return;
          if (putBack(child)) stop(child);
          else kill(child, memoryExceeded());
        }, memoryPollMs),
      );
    }
    const { name, input, isolation = '' } = entry.task;
    child.process.send({ id: child.taskId, name, input, isolation }, (error) => {
      if (error) kill(child, deathOf(null, null));
    });
  }

  function assign(child: Child, entry: Entry): void {
    child.entry = entry;
    child.process.ref();
    child.process.channel?.ref();
    if (child.ready) begin(child);
    else {
      child.timers.push(
        setTimeout(
          () => kill(child, new EngineError('crashed', 'The engine did not start.')),
          startMs,
        ),
      );
    }
  }

  function choose(entry: Entry): Child | undefined {
    const idle = [...children].filter((child) => child.ready && !child.entry);
    if (entry.wantsNew) return newChild(idle);
    const { affinity, isolation } = entry.task;
    return (
      (affinity !== undefined && idle.find((child) => child.affinity === affinity)) ||
      idle.find((child) => child.isolation === isolation) ||
      (children.size < processes ? start() : idle[0])
    );
  }

  /** A child that has served nobody; where there is no room for one, an idle child makes it. */
  function newChild(idle: readonly Child[]): Child | undefined {
    const unused = idle.find(({ served }) => served === 0);
    if (unused) return unused;
    if (children.size < processes) return start();
    if (idle[0] && ![...children].some(({ dying }) => dying)) stop(idle[0]);
    return undefined;
  }

  function dispatch(): void {
    while (!closed && queue[0]) {
      const child = choose(queue[0]);
      if (!child) return;
      const entry = queue.shift();
      if (entry) assign(child, entry);
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
    for (const entry of queue.splice(0)) {
      entry.options.signal?.removeEventListener('abort', entry.onAbort);
      entry.reject(cancelled());
    }
    const exits = [...children].map((child) => {
      child.process.ref();
      kill(child, cancelled());
      return child.exited;
    });
    await Promise.all(exits);
  }

  const pids = (): number[] => [...children].flatMap((child) => child.process.pid ?? []);
  return { run, close, pids };
}
