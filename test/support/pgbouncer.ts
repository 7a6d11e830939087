import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount } from '../../lab/embedded/postgres/account.ts';
import { findFreePort, isPortTaken } from '../../lab/embedded/processes/ports.ts';
import { endProcess } from '../../lab/embedded/processes/processes.ts';
import { findProgram, type Program, programIn } from './debian-program.ts';
import { eventually } from './eventually.ts';
import { endWithRun } from './services.ts';

/** PgBouncer between the test and its Postgres. */
export interface Pooler {
  /** The same database, through the pooler. */
  through(url: string): string;
  close(): Promise<void>;
}

const pgBouncer = { name: 'pgbouncer', folder: 'usr/sbin', version: '--version' } as const;
let installed: Promise<Program | null> | undefined;

/** PgBouncer on PATH, or Debian's; null where neither is to be had. */
export function findPgBouncer(): Promise<Program | null> {
  installed ??= findProgram(pgBouncer);
  return installed;
}

async function copyProgram(unpacked: string, folder: string): Promise<string> {
  const copy = join(folder, 'program');
  // Links to libraries lead to those beside them.
  await cp(unpacked, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Starts PgBouncer for the logins of these URLs, which must name one server. */
export async function startPooler(
  program: Program,
  mode: 'session' | 'transaction' | 'statement',
  urls: readonly string[],
  settings: Record<string, string> = {},
): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-pgbouncer-'));
  const port = await findFreePort();
  const parsed = urls.map((url) => new URL(url));
  const users = parsed.map(
    ({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`,
  );
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    pool_mode: mode,
    // Fewer than the service's own pools: its transactions do share sessions.
    default_pool_size: '3',
    max_client_conn: '200',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const server = `host=127.0.0.1 port=${parsed[0]!.port}`;
  await writeFile(join(folder, 'users.txt'), [...new Set(users)].join(''));
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    ['[databases]', `* = ${server}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  // It does not run as root.
  const account = findAccount()?.named;
  if (account) {
    for (const path of ['', 'users.txt', 'pgbouncer.ini']) {
      await chown(join(folder, path), account.uid, account.gid);
    }
  }
  // Nor may its account enter every checkout.
  const { path, env } = program.unpacked
    ? await programIn(await copyProgram(program.unpacked, folder), pgBouncer)
    : program;
  const child = spawn(path, [join(folder, 'pgbouncer.ini')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  void endWithRun(child);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`PgBouncer ended with ${code}.`);
  });
  ended.catch(() => undefined);
  await Promise.race([eventually(() => isPortTaken(port)), ended]);
  return {
    through(url) {
      const changed = new URL(url);
      changed.port = String(port);
      return changed.href;
    },
    async close() {
      await endProcess(child.pid!, [{ signal: 'SIGTERM', milliseconds: 2_000 }]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
