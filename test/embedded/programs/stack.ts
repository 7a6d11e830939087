import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startStack } from '../../../src/embedded/stack.ts';

/** A whole stack of stand-ins; says which processes it has and dies as a crash would. */
const dataDir = process.argv[2] ?? '';
const stack = await startStack({
  env: process.env,
  dataDir,
  output: 'files',
  programs: {
    server: resolve(import.meta.dirname, 'server.ts'),
    worker: resolve(import.meta.dirname, 'worker.ts'),
    admin: resolve(import.meta.dirname, 'admin.ts'),
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
