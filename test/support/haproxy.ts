import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePort, isPortTaken } from '../../lab/embedded/processes/ports.ts';
import { endProcess } from '../../lab/embedded/processes/processes.ts';
import { findProgram } from './debian-program.ts';
import { eventually } from './eventually.ts';
import { endWithRun, makeFolder } from './services.ts';

/** HAProxy in front of API processes, which it asks for `/readyz` twice a second. */
export interface Balancer {
  url: string;
  /** Whether it takes this port for ready. */
  isUp(port: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Without retries, which would hide from clients that a request reached a closed port: each is a 503.
 */
const configuration = (port: number, socket: string, ports: readonly number[]): string => `
global
  stats socket ${socket} level admin
  maxconn 4000
defaults
  mode http
  timeout connect 5s
  timeout client 120s
  timeout server 120s
  timeout http-keep-alive 60s
  timeout check 5s
  retries 0
frontend clients
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1
${ports.map((apiPort) => `  server api-${apiPort} 127.0.0.1:${apiPort} check`).join('\n')}
`;

/** Starts HAProxy for API processes on these ports, which need not serve yet. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const program = await findProgram({ name: 'haproxy', folder: 'usr/sbin', version: '-v' });
  if (!program) throw new Error('HAProxy is neither installed nor to be had from Debian.');
  const folder = await makeFolder('haproxy');
  const socket = join(folder, 'stats');
  const port = await findFreePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, socket, ports));
  const child = spawn(program.path, ['-db', '-q', '-f', file], {
    env: { PATH: process.env.PATH, ...program.env },
    stdio: 'ignore',
  });
  void endWithRun(child);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`HAProxy ended with ${code}.`);
  });
  ended.catch(() => undefined);
  await Promise.race([eventually(() => isPortTaken(port)), ended]);
  const statistics = async () => {
    const [head, ...lines] = (await command(socket, 'show stat')).trim().split('\n');
    const names = head!.replace(/^# /, '').split(',');
    return lines
      .map((line) => Object.fromEntries(line.split(',').map((value, at) => [names[at], value])))
      .filter(({ svname }) => svname?.startsWith('api-'));
  };
  return {
    url: `http://127.0.0.1:${port}`,
    async isUp(apiPort) {
      const row = (await statistics()).find(({ svname }) => svname === `api-${apiPort}`);
      return row?.status?.startsWith('UP') ?? false;
    },
    async close() {
      await endProcess(child.pid!, [{ signal: 'SIGTERM', milliseconds: 2_000 }]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function command(socket: string, text: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${text}\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of connection) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
