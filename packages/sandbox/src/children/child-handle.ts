import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EngineError } from '../errors.ts';
import type { Box } from '../isolation/box.ts';
import { parseMessage, readLines } from '../isolation/channel.ts';
import { type IsolationKind, usesNamespaces } from '../isolation/kinds/index.ts';
import { boxFor, killGroup, launch } from '../isolation/launch.ts';
import { limitsFor } from '../isolation/limits.ts';
import { canMeasureMemory, type MemoryUse, ProcessTree } from '../isolation/process-tree.ts';

/** The module that children run, and the files and programs that they may use. */
export type ChildSettings = {
  /** The module to run, which calls `serveTasks`. `.ts` runs under tsx, `.js` directly. */
  module: URL;
  /** Maximum resident memory of a process, in bytes. A process that exceeds it is killed. */
  memoryBytes: number;
  /** An empty folder for the boxes of children. */
  folder: string;
  isolation: IsolationKind;
  /** Files and folders that children read in addition to their code, such as models. */
  reads?: readonly string[];
  /** System programs that children start. */
  programs?: readonly string[];
};

/** A child process and its box. */
export type ChildHandle = {
  pid: number | undefined;
  box: Box;
  /** Resolves when the process has exited and its box is removed. */
  exited: Promise<void>;
  /** Returns the memory of the child and of all processes that it started. */
  memory(): MemoryUse;
  /** Whether the files of the child exceed this disk space or the maximum number of files. */
  isOverfull(maxBytes: number): Promise<boolean>;
  send(message: object): void;
  /** Kills the child and all processes that it started. */
  stop(): void;
  /** Keeps the parent running while this child runs. */
  ref(): void;
  /** Allows the parent to exit while this child runs. */
  unref(): void;
};

type ChildEvents = {
  message(message: object): void;
  /** Called when the child sends data that is not a message of the protocol. */
  fault(): void;
  exited(error: EngineError): void;
};

type LaunchedProcess = ReturnType<typeof launch>;

/** Maximum size of an answer, in bytes. A page with 20,000 words needs a tenth of it. */
const maxAnswerBytes = 32 * 2 ** 20;
/**
 * Variables that a child inherits. They must not contain a secret, because a hostile document may
 * control the child.
 */
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
    // Libraries that look up the home directory would fail on systems without accounts.
    HOME: tmp,
    TEMP: tmp,
    // One core per child, because the pool runs children in parallel. Fewer malloc arenas save
    // memory.
    VIPS_CONCURRENCY: '1',
    OMP_THREAD_LIMIT: '1',
    MALLOC_ARENA_MAX: '2',
    // Passed, because the parent may exit before the child can read the id of its parent.
    ...(usesNamespaces(settings.isolation) ? {} : { ENGINE_PARENT_PID: String(process.pid) }),
    ...(canMeasureMemory ? {} : { ENGINE_MEMORY_BYTES: String(settings.memoryBytes) }),
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
 * Returns the channel of a child. If no descriptors are left, Node.js omits `stdio` and reports
 * `EMFILE` as an event, which ends the process unless it is handled.
 */
function channelOf(child: LaunchedProcess): Socket {
  const stdio: LaunchedProcess['stdio'] | undefined = child.stdio;
  const channel = stdio?.[3];
  if (channel instanceof Socket) return channel;
  child.once('error', () => undefined);
  throw new Error('The engine child has no channel.');
}

function exitErrorOf(code: number | null, signal: NodeJS.Signals | null): EngineError {
  // V8 aborts when its heap is full. SIGUSR2 comes from the child's memory watch (see child-main).
  // The first process of a namespace exits with 128 plus the number of the signal.
  if (signal === 'SIGABRT' || signal === 'SIGUSR2' || code === 134 || code === 140) {
    return new EngineError('memory_exceeded', 'The file needs more memory than is allowed.');
  }
  return new EngineError('crashed', 'The engine stopped unexpectedly on this file.');
}

function launchIn(box: Box, settings: ChildSettings): LaunchedProcess {
  const { reads = [], programs = [], memoryBytes, module } = settings;
  return launch(
    settings.isolation,
    {
      module: fileURLToPath(module),
      nodeArgs: nodeArgs(settings),
      env: environment(settings, box.tmp),
      limits: limitsFor(memoryBytes),
      reads,
      programs,
    },
    box,
  );
}

/**
 * Starts a child in a new box.
 * @throws the error of the system if it has no space for the box or cannot create a process.
 */
export function startChild(
  settings: ChildSettings,
  index: number,
  events: ChildEvents,
): ChildHandle {
  const box = boxFor(settings.isolation, settings.folder, index);
  let child: LaunchedProcess;
  let channel: Socket;
  try {
    child = launchIn(box, settings);
    channel = channelOf(child);
  } catch (error) {
    box.remove().catch(() => undefined);
    throw error;
  }
  const exited = new Promise<void>((resolve) => {
    let hasExited = false;
    const onExit = (error: EngineError): void => {
      if (hasExited) return;
      hasExited = true;
      killGroup(child);
      channel.destroy();
      // Files that cannot be removed now are removed when the next engine starts.
      box.remove().then(resolve, () => resolve());
      events.exited(error);
    };
    child.once('error', () => onExit(exitErrorOf(null, null)));
    child.once('exit', (code, signal) => onExit(exitErrorOf(code, signal)));
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
  // Only processes in namespaces end together with this process even if they are stopped.
  const mayStop = usesNamespaces(settings.isolation);
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
    ref() {
      child.ref();
      channel.ref();
    },
    unref() {
      child.unref();
      channel.unref();
    },
  };
}
