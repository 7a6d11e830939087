import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { EngineError, type EngineErrorCode, isMachineCode } from '../errors.ts';
import { channelDescriptor, readLines } from '../isolation/channel.ts';

/**
 * Handles one kind of task. What it returns must survive JSON. `isolation` changes when the task
 * belongs to another owner than the one before: nothing learned or cached may then be kept.
 */
export type Handler = (input: unknown, context: { isolation: string }) => Promise<unknown>;

/**
 * Runs in a thread of its own, so that it works while the main thread is deep in WASM: kills the
 * process when the parent is gone, and, where the parent cannot read our memory, past the cap.
 */
const watchdog = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData.parent) {
    // With all that this process started, since it leads a group of its own.
    try { process.kill(-process.pid, 'SIGKILL'); } catch {}
    process.kill(process.pid, 'SIGKILL');
  }
  if (workerData.memoryBytes > 0 && process.memoryUsage.rss() > workerData.memoryBytes) {
    process.kill(process.pid, 'SIGUSR2');
  }
}, 500);
`;

/** Ends this process and what it started. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(0);
  }
}

function field(message: object, name: string): unknown {
  return Object.entries(message).find(([key]) => key === name)?.[1];
}

/** What is told of an error that no handler foresaw: whose fault it is, and nothing it says. */
function unforeseen(error: unknown): { code: EngineErrorCode; message: string } {
  const code = typeof error === 'object' && error !== null ? field(error, 'code') : undefined;
  return isMachineCode(code)
    ? { code: 'machine_fault', message: `The machine could not do the work (${code}).` }
    : { code: 'crashed', message: '' };
}

/**
 * The main loop of a child: takes one task at a time from the parent and answers it. Anything a
 * handler throws that is no EngineError means that state may be poisoned: the answer says
 * `crashed` (or `machine_fault`) and asks to be replaced. Ends when the parent closes the channel or dies.
 */
export function serveTasks(handlers: Readonly<Record<string, Handler>>): void {
  const memoryBytes = Number(process.env.ENGINE_MEMORY_BYTES ?? 0);
  const watcher = new Worker(watchdog, {
    eval: true,
    execArgv: [],
    workerData: { memoryBytes, parent: Number(process.env.ENGINE_PARENT_PID ?? process.ppid) },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  watcher.unref();
  // The parent decides when work ends; a Ctrl-C that reaches the whole group must not.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true });
  channel.on('close', endGroup);
  const send = (message: object): void => void channel.write(`${JSON.stringify(message)}\n`);
  const take = (line: string): void => {
    const message: unknown = JSON.parse(line);
    if (typeof message !== 'object' || message === null) return;
    const id = field(message, 'id');
    const handler = handlers[String(field(message, 'name'))];
    const isolation = String(field(message, 'isolation'));
    const work = handler
      ? handler(field(message, 'input'), { isolation })
      : Promise.reject(new EngineError('unsupported', 'This kind of work is not known.'));
    work.then(
      (value) => send({ id, value: value ?? null }),
      (error: unknown) => {
        if (error instanceof EngineError) {
          send({ id, code: error.code, message: error.message });
        } else {
          const { code, message } = unforeseen(error);
          send({ id, code, message, spent: true });
        }
      },
    );
  };
  readLines(channel, Number.POSITIVE_INFINITY, take, endGroup);
  send({ ready: true });
}
