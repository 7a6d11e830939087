import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { EngineError, type EngineErrorCode, isMachineCode } from '../errors.ts';
import { channelDescriptor, readLines } from '../isolation/channel.ts';

/**
 * Handles one kind of task and returns a value that can be serialised as JSON. If `isolation`
 * differs from that of the previous task, the project has changed, and learned or cached data must
 * be discarded.
 */
export type Handler = (input: unknown, context: { isolation: string }) => Promise<unknown>;

/**
 * Runs in a separate thread, because the main thread may be busy in WASM. Kills the process when
 * the parent has exited, or when the process exceeds the memory limit and the parent cannot measure
 * it.
 */
const watchdog = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData.parent) {
    // This process leads a process group. Kill the processes that it started too.
    try { process.kill(-process.pid, 'SIGKILL'); } catch {}
    process.kill(process.pid, 'SIGKILL');
  }
  if (workerData.memoryBytes > 0 && process.memoryUsage.rss() > workerData.memoryBytes) {
    process.kill(process.pid, 'SIGUSR2');
  }
}, 500);
`;

/** Ends this process and all processes that it started. */
function killProcessGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(0);
  }
}

function fieldOf(message: object, name: string): unknown {
  return Object.entries(message).find(([key]) => key === name)?.[1];
}

/**
 * Reports an unexpected error by its cause only, because the message may contain text of the
 * document.
 */
function describeUnexpected(error: unknown): { code: EngineErrorCode; message: string } {
  const code = typeof error === 'object' && error !== null ? fieldOf(error, 'code') : undefined;
  return isMachineCode(code)
    ? { code: 'machine_fault', message: `The machine failed to do the work (${code}).` }
    : { code: 'crashed', message: '' };
}

/**
 * The main loop of a child: receives one task at a time from the parent and sends its answer. An
 * error other than EngineError may leave a corrupt state, so the answer is `crashed` (or
 * `machine_fault`) and requests a replacement of the child. Ends when the parent closes the channel
 * or exits.
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
  // The parent decides when to end the child; Ctrl-C reaches the whole process group.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true });
  channel.on('close', killProcessGroup);
  const send = (message: object): void => void channel.write(`${JSON.stringify(message)}\n`);
  const handleLine = (line: string): void => {
    const message: unknown = JSON.parse(line);
    if (typeof message !== 'object' || message === null) return;
    const id = fieldOf(message, 'id');
    const handler = handlers[String(fieldOf(message, 'name'))];
    const isolation = String(fieldOf(message, 'isolation'));
    const work = handler
      ? handler(fieldOf(message, 'input'), { isolation })
      : Promise.reject(new EngineError('unsupported', 'Unknown kind of task.'));
    work.then(
      (value) => send({ id, value: value ?? null }),
      (error: unknown) => {
        if (error instanceof EngineError) {
          send({ id, code: error.code, message: error.message });
        } else {
          const { code, message } = describeUnexpected(error);
          send({ id, code, message, spent: true });
        }
      },
    );
  };
  readLines(channel, Number.POSITIVE_INFINITY, handleLine, killProcessGroup);
  send({ ready: true });
}
