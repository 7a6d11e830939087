import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchGround } from './ground.ts';
import { hold, release } from './net.ts';

const checkout = resolve(import.meta.dirname, '../..');

/** One of our entry files, as a process of its own. */
export interface Program {
  pid: number;
  /** What a module given to `node --import` sends and hears messages by. */
  process: ChildProcess;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash or the kernel would. */
  kill(): Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<unknown>;
}

/** Compiles `src` into `dist`: what is measured is what a deployment runs. `BUILD=0` takes what is there. */
export function buildPrograms(): void {
  if (process.env.BUILD === '0') return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: checkout, stdio: 'inherit' });
}

/** What the API is told to serve a ground's database, as in production, with keys of its own. */
export function serverEnvironment(
  ground: Pick<BenchGround, 'urls' | 'redisUrl' | 'folder'>,
  port: number,
) {
  return {
    DATABASE_URL: ground.urls.apiUrl,
    REDIS_URL: ground.redisUrl,
    STORAGE_URL: pathToFileURL(join(ground.folder, 'storage')).href,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SIGNING_KEY: randomBytes(32).toString('base64'),
    PORT: String(port),
    NODE_ENV: 'production',
  };
}

/** What workers are told, as in production but for the address: receivers listen on this machine. */
export function workerEnvironment(
  ground: Pick<BenchGround, 'urls' | 'redisUrl' | 'folder'>,
  settings: { secretKey: string; queues: string },
) {
  return {
    DATABASE_WORKER_URL: ground.urls.workerUrl,
    DATABASE_RELAY_URL: ground.urls.relayUrl,
    REDIS_URL: ground.redisUrl,
    STORAGE_URL: pathToFileURL(join(ground.folder, 'storage')).href,
    SECRET_KEY: settings.secretKey,
    WORKERS: settings.queues,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  };
}

/**
 * Starts a compiled entry file. Its log goes nowhere, though it is written; NODE_ARGS adds
 * arguments for node, such as `--cpu-prof`, to those given.
 */
export function startBuilt(
  name: 'server' | 'worker',
  env: NodeJS.ProcessEnv,
  nodeArguments: readonly string[] = [],
): Program {
  const asked = (process.env.NODE_ARGS ?? '').split(' ').filter((argument) => argument !== '');
  const extra = [...asked, ...nodeArguments];
  const child: ChildProcess = spawn(
    process.execPath,
    [...extra, join(checkout, 'dist', `${name}.js`)],
    {
      cwd: checkout,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const pid = child.pid!;
  hold(pid, 'SIGKILL');
  const exited = once(child, 'exit').finally(() => release(pid));
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
  if (address === null || typeof address === 'string') throw new Error('No port to be had.');
  return address.port;
}

/** Waits until the server answers. */
export async function untilReady(port: number): Promise<void> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The server does not answer.');
}
