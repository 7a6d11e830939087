import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { extension } from '../../../lab/embedded/programs.ts';
import { startStack } from '../../../lab/embedded/stack.ts';

/** A complete stack with replaced programs; reports its processes and dies as in a crash. */
const dataDir = process.argv[2] ?? '';
const stack = await startStack({
  env: process.env,
  dataDir,
  output: 'files',
  programs: {
    server: resolve(import.meta.dirname, `server${extension}`),
    worker: resolve(import.meta.dirname, `worker${extension}`),
    admin: resolve(import.meta.dirname, `admin${extension}`),
  },
});
const pid = (file: string): number =>
  Number.parseInt(readFileSync(join(dataDir, file), 'utf8'), 10);
const server = await fetch(`${stack.serviceUrl}/pid`, {
  headers: { authorization: `Bearer ${stack.apiKey}` },
});
process.stdout.write(
  JSON.stringify({
    pids: [pid('postgres/postmaster.pid'), pid('redis/redis.pid'), Number(await server.text())],
  }),
  () => process.kill(process.pid, 'SIGKILL'),
);
