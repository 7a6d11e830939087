import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EngineError } from '../errors.ts';
import type { Box } from '../isolation/box.ts';
import { parseMessage, readLines } from '../isolation/channel.ts';
import type { IsolationKind } from '../isolation/kinds.ts';
import { boxFor, killGroup, launch } from '../isolation/launch.ts';
import { limitsFor } from '../isolation/limits.ts';
import { usageIsKnown } from '../isolation/usage.ts';

/** The module that children run, and what they may use for it. */
export type ChildSettings = {
  /** The module to run: it calls `serveTasks`. `.ts` runs under tsx, `.js` as it is. */
  module: URL;
  /** Resident memory of one process, in bytes, past which it is killed. */
  memoryBytes: number;
  /** An empty folder for the boxes of children. */
  folder: string;
  isolation: IsolationKind;
  /** Files and folders that children read beside their code, such as models. */
  reads?: readonly string[];
  /** Programs of the system that children start. */
  programs?: readonly string[];
};

/** A child process and its box. */
export type Running = {
  pid: number | undefined;
  box: Box;
  /** Resolves when it is gone, and what it left behind. */
  exited: Promise<void>;
  send(message: object): void;
  /** Kills it with all that it started. */
  stop(): void;
  /** Whether it keeps an idle parent alive. */
  hold(): void;
  rest(): void;
};

/** What is told of a child. */
type Events = {
  message(message: object): void;
  /** It says what none of ours would say. */
  fault(): void;
  gone(error: EngineError): void;
};

/** The most that an answer may come to: a page with 20,000 words takes a tenth of it. */
const mostAnswerBytes = 32 * 2 ** 20;
/** What a child may inherit. Never a secret: documents are hostile, and so may be their readers. */
const inheritedVariables = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot'];

function environment(settings: ChildSettings, tmp: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of inheritedVariables) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  const apart = settings.isolation === 'bubblewrap' || settings.isolation === 'unshare';
  return {
    ...env,
    TMPDIR: tmp,
    // Where there are no accounts, libraries that ask for a home would fail.
    HOME: tmp,
    TEMP: tmp,
    // One core a child: the pool is the parallelism. Fewer malloc arenas keep the resident set small.
    ...{ VIPS_CONCURRENCY: '1', OMP_THREAD_LIMIT: '1', MALLOC_ARENA_MAX: '2' },
    // Given, since by the time a child looks its parent may be gone already.
    ...(apart ? {} : { ENGINE_PARENT_PID: String(process.pid) }),
    ...(usageIsKnown ? {} : { ENGINE_MEMORY_BYTES: String(settings.memoryBytes) }),
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

function deathOf(code: number | null, signal: NodeJS.Signals | null): EngineError {
  // V8 aborts when its heap is full; SIGUSR2 is the child's own memory watch (see child-main). Who
  // watches over a namespace says 128 and the signal's number.
  if (signal === 'SIGABRT' || signal === 'SIGUSR2' || code === 134 || code === 140) {
    return new EngineError('memory_exceeded', 'The file needs more memory than is allowed.');
  }
  return new EngineError('crashed', 'The engine stopped unexpectedly on this file.');
}

/** Starts a child in a box of its own. */
export function startChild(settings: ChildSettings, number: number, events: Events): Running {
  const box = boxFor(settings.isolation, settings.folder, number);
  const { reads = [], programs = [], memoryBytes, module } = settings;
  const child = launch(
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
  const channel = child.stdio[3] as Socket;
  const exited = new Promise<void>((resolve) => {
    let isGone = false;
    const gone = (error: EngineError): void => {
      if (isGone) return;
      isGone = true;
      killGroup(child);
      channel.destroy();
      // What cannot be removed now goes when the next engine starts.
      box.remove().then(resolve, () => resolve());
      events.gone(error);
    };
    child.once('error', () => gone(deathOf(null, null)));
    child.once('exit', (code, signal) => gone(deathOf(code, signal)));
  });
  readLines(
    channel,
    mostAnswerBytes,
    (line) => {
      const message = parseMessage(line);
      if (message) events.message(message);
      else events.fault();
    },
    events.fault,
  );
  return {
    pid: child.pid,
    box,
    exited,
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
