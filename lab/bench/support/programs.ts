import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench } from './bench.ts';
import { attach, detach } from './tether.ts';

export const checkout = resolve(import.meta.dirname, '../../..');

/** One of the service's entry files in a separate process. */
export interface Program {
  pid: number;
  /** The channel for messages with a module loaded by `node --import`. */
  process: ChildProcess;
  /** Sends SIGTERM and waits until it has exited. */
  stop(): Promise<void>;
  /** Sends SIGKILL, as a crash or the kernel would. */
  kill(): Promise<void>;
  /** Resolves when it has exited, for any reason. */
  exited: Promise<unknown>;
}

/** Compiles `src` into `dist`, which deployments run. `BUILD=0` uses the existing files. */
export function buildPrograms(): void {
  if (process.env.BUILD === '0') return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: checkout, stdio: 'inherit' });
}

/** The API's environment for a ground's database, as in production, with its own keys. */
export function serverEnvironment(
  bench: Pick<Bench, 'urls' | 'redisUrl' | 'folder'>,
  port: number,
) {
  return {
    DATABASE_URL: bench.urls.apiUrl,
    REDIS_URL: bench.redisUrl,
    STORAGE_URL: pathToFileURL(join(bench.folder, 'storage')).href,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SIGNING_KEY: randomBytes(32).toString('base64'),
    PORT: String(port),
    NODE_ENV: 'production',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
}

/**
 * The workers' environment, as in production, except that receivers on this machine are allowed.
 */
export function workerEnvironment(
  bench: Pick<Bench, 'urls' | 'redisUrl' | 'folder'>,
  settings: { secretKey: string; queues: string },
) {
  return {
    DATABASE_WORKER_URL: bench.urls.workerUrl,
    DATABASE_RELAY_URL: bench.urls.relayUrl,
    REDIS_URL: bench.redisUrl,
    STORAGE_URL: pathToFileURL(join(bench.folder, 'storage')).href,
    SECRET_KEY: settings.secretKey,
    WORKERS: settings.queues,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  };
}

/**
 * Starts a compiled entry file. Its log is written but discarded. NODE_ARGS adds arguments for
 * Node, such as `--cpu-prof`.
 * @param otherCheckout the checkout of another release, to compare with
 */
export function startBuilt(
  name: 'server' | 'worker',
  env: NodeJS.ProcessEnv,
  nodeArguments: readonly string[] = [],
  otherCheckout = checkout,
): Program {
  const environmentArguments = (process.env.NODE_ARGS ?? '')
    .split(' ')
    .filter((argument) => argument !== '');
  const extra = [...environmentArguments, ...nodeArguments];
  const child: ChildProcess = spawn(
    process.execPath,
    [...extra, join(otherCheckout, 'dist', `${name}.js`)],
    {
      cwd: otherCheckout,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const pid = child.pid!;
  attach(pid, 'SIGKILL');
  const exited = once(child, 'exit').finally(() => detach(pid));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return { pid, process: child, stop: () => end('SIGTERM'), kill: () => end('SIGKILL'), exited };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('No port is available.');
  return address.port;
}

/** Waits until a program responds with 200. */
export async function untilReady(port: number, path = '/readyz'): Promise<void> {
  const end = performance.now() + 180_000;
  while (performance.now() < end) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Nothing responds on port ${port}.`);
}
