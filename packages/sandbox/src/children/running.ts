import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EngineError } from '../errors.ts';
import type { Sandbox } from '../isolation/box.ts';
import { parseMessage, readLines } from '../isolation/channel.ts';
import { type IsolationKind, isByKernel } from '../isolation/kinds/index.ts';
import { boxFor, killGroup, launch } from '../isolation/launch.ts';
import { limitsFor } from '../isolation/limits.ts';
import { type MemoryUse, memoryIsKnown, ProcessTree } from '../isolation/process-tree.ts';

/** The module that children run, and the files and programs that it may use. */
export type ChildSettings = {
  /** The module to run: it calls `serveTasks`. `.ts` runs under tsx, `.js` as it is. */
  module: URL;
  /** Resident memory of one process, in bytes, past which it is killed. */
  memoryBytes: number;
  /** An empty folder for the boxes of children. */
  folder: string;
  isolation: IsolationKind;
  /** Files and folders that children read besides their code, such as models. */
  reads?: readonly string[];
  /** Programs of the system that children start. */
  programs?: readonly string[];
};

/** A child process and its box. */
export type Running = {
  pid: number | undefined;
  box: Sandbox;
  /** Resolves when the process is gone and its box removed. */
  exited: Promise<void>;
  /** The memory of the child and of all that it started. */
  memory(): MemoryUse;
  /** Whether they exceed this disk space, or their number of files. */
  isOverfull(maxBytes: number): Promise<boolean>;
  send(message: object): void;
  /** Kills the child and all that it started. */
  stop(): void;
  /** Keeps the parent alive while this child runs. */
  hold(): void;
  /** Lets the parent end while this child runs. */
  rest(): void;
};

type ChildEvents = {
  message(message: object): void;
  /** The child sent something that is not a message of the protocol. */
  fault(): void;
  gone(error: EngineError): void;
};

type Launched = ReturnType<typeof launch>;

/** Largest answer: a page with 20,000 words takes a tenth of it. */
const maxAnswerBytes = 32 * 2 ** 20;
/** Variables that a child inherits. Never a secret: a hostile document may take the child over. */
const inheritedVariables = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot'];

function environment(settings: ChildSettings, tmp: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of inheritedVariables) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return {
    ...env,
    TMPDIR: tmp,
    // Libraries that look up the home directory would fail where there are no accounts.
    HOME: tmp,
    TEMP: tmp,
    // One core per child: the pool provides the parallelism. Fewer malloc arenas save memory.
    ...{ VIPS_CONCURRENCY: '1', OMP_THREAD_LIMIT: '1', MALLOC_ARENA_MAX: '2' },
    // Passed, because the parent may be gone before the child reads its parent's id.
    ...(isByKernel(settings.isolation) ? {} : { ENGINE_PARENT_PID: String(process.pid) }),
    ...(memoryIsKnown ? {} : { ENGINE_MEMORY_BYTES: String(settings.memoryBytes) }),
  };
}

function nodeArgs({ module, memoryBytes }: ChildSettings): string[] {
  const heapMb = Math.max(64, Math.floor(memoryBytes / 2 ** 20));
  const args = [`--max-old-space-size=${heapMb}`];
  if (module.pathname.endsWith('.ts')) {
    args.push('--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href);
  }
  return args;
}

/**
 * Returns the channel of a child. Without descriptors Node leaves out `stdio` and reports `EMFILE`
 * as an event, which ends the process if nothing listens.
 */
function channelOf(child: Launched): Socket {
  const stdio: Launched['stdio'] | undefined = child.stdio;
  const channel = stdio?.[3];
  if (channel instanceof Socket) return channel;
  child.once('error', () => undefined);
  throw new Error('The engine child has no channel.');
}

function deathOf(code: number | null, signal: NodeJS.Signals | null): EngineError {
  // V8 aborts when its heap is full; SIGUSR2 comes from the child's own memory watch (see child-main).
  // The first process of a namespace exits with 128 plus the signal's number.
  if (signal === 'SIGABRT' || signal === 'SIGUSR2' || code === 134 || code === 140) {
    return new EngineError('memory_exceeded', 'The file needs more memory than is allowed.');
  }
  return new EngineError('crashed', 'The engine stopped unexpectedly on this file.');
}

function launchIn(box: Sandbox, settings: ChildSettings): Launched {
  const { reads = [], programs = [], memoryBytes, module } = settings;
  return launch(
    settings.isolation,
    {
      module: fileURLToPath(module),
      nodeArgs: nodeArgs(settings),
      env: environment(settings, box.tmp),
      limits: limitsFor(memoryBytes),
      ...{ reads, programs },
    },
    box,
  );
}

/**
 * Starts a child in a new box.
 * @throws what the file system says if it has no room for the box, or the machine if it has none for
 * a process
 */
export function startChild(settings: ChildSettings, number: number, events: ChildEvents): Running {
  const box = boxFor(settings.isolation, settings.folder, number);
  let child: Launched;
  let channel: Socket;
  try {
    child = launchIn(box, settings);
    channel = channelOf(child);
  } catch (error) {
    box.remove().catch(() => undefined);
    throw error;
  }
  const exited = new Promise<void>((resolve) => {
    let isGone = false;
    const gone = (error: EngineError): void => {
      if (isGone) return;
      isGone = true;
      killGroup(child);
      channel.destroy();
      // Files that cannot be removed now are removed when the next engine starts.
      box.remove().then(resolve, () => resolve());
      events.gone(error);
    };
    child.once('error', () => gone(deathOf(null, null)));
    child.once('exit', (code, signal) => gone(deathOf(code, signal)));
  });
  readLines(
    channel,
    maxAnswerBytes,
    (line) => {
      const message = parseMessage(line);
      if (message) events.message(message);
      else events.fault();
    },
    events.fault,
  );
  const tree = child.pid === undefined ? null : new ProcessTree(child.pid);
  // Only namespaces end with us, with stopped processes in them.
  const mayStop = isByKernel(settings.isolation);
  const processes = tree && {
    pids: () => tree.pids(),
    ...(mayStop ? { whileStopped: tree.whileStopped.bind(tree) } : {}),
  };
  return {
    pid: child.pid,
    box,
    exited,
    memory: () => tree?.measure() ?? { bytes: 0, largest: 0, processes: 0 },
    isOverfull: (maxBytes) => box.isOverfull(maxBytes, processes ?? undefined),
    send: (message) => void channel.write(`${JSON.stringify(message)}\n`),
    stop() {
      killGroup(child);
      child.kill('SIGKILL');
      channel.destroy();
    },
    hold() {
      child.ref();
      channel.ref();
    },
    rest() {
      child.unref();
      channel.unref();
    },
  };
}
