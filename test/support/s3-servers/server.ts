import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** An S3 server of someone else, on this machine. */
export interface S3Server {
  name: string;
  endpoint: string;
  /** May do everything. */
  owner: Credentials;
  /** Has no permission unless the owner grants one. */
  reader: Credentials;
  programs: readonly RunningProgram[];
  close(): Promise<void>;
}

export interface RunningProgram {
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Its log if it has exited. */
  failure(): Promise<string | null>;
}

/** Starts a program in a separate process group. */
export function startProgram(
  command: string,
  parameters: readonly string[],
  { env, log }: { env: NodeJS.ProcessEnv; log: string },
): RunningProgram {
  const out = openSync(log, 'a');
  const child = spawn(command, parameters, { env, stdio: ['ignore', out, out], detached: true });
  const exited = once(child, 'exit');
  exited.catch(() => undefined);
  const hasExited = () => child.exitCode !== null || child.signalCode !== null || !child.pid;
  const signal = (name: NodeJS.Signals) => {
    if (!hasExited()) process.kill(-child.pid!, name);
  };
  const end = () => signal('SIGKILL');
  process.once('exit', end);
  return {
    signal,
    async kill() {
      process.off('exit', end);
      if (hasExited()) return;
      signal('SIGKILL');
      await exited;
    },
    failure: async () => (hasExited() ? (await readFile(log, 'utf8')).slice(-4_000) : null),
  };
}

/** Waits until a server answers; throws the log of a program that has exited. */
export async function untilResponding(
  url: string,
  programs: readonly RunningProgram[],
): Promise<void> {
  for (;;) {
    for (const program of programs) {
      const failure = await program.failure();
      if (failure !== null) throw new Error(`A program of the S3 server has exited: ${failure}`);
    }
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response && response.status < 500) return;
    await delay(50);
  }
}

/** Free ports of loopback. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports: number[] = [];
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No port is available.');
    ports.push(address.port);
  }
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
