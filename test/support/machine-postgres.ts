import { chown, lchown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findAccount } from '../../lab/embedded/postgres/account.ts';
import { findFreePort } from '../../lab/embedded/processes/ports.ts';
import {
  endProcess,
  spawnService,
  waitUntilReady,
} from '../../lab/embedded/processes/processes.ts';
import { createProgress } from '../../lab/embedded/progress.ts';
import { nullWhenMissing } from '../../src/storage/files.ts';
import { run } from './run.ts';
import { endWithRun } from './services.ts';

/** A Postgres of the machine's own, with its clients, which the embedded one does not bring. */
export interface MachinePostgres {
  /** Where pg_dump, pg_restore and pg_basebackup of its version are. */
  bin: string;
  /** A new cluster in `folder`, or the one that lies there; on the port, where one is given. */
  start(folder: string, settings?: Record<string, string>, port?: number): Promise<RunningCluster>;
  /** A standby that streams from a cluster, in a new folder. */
  follow(
    primary: RunningCluster,
    folder: string,
    settings?: Record<string, string>,
  ): Promise<RunningCluster>;
  /** A folder that the server can write into. */
  folder(name: string): Promise<string>;
  /** Gives what was put into such a folder to the server. */
  giveToServer(name: string): Promise<void>;
  /** Ends what still runs, and removes its folders. */
  close(): Promise<void>;
}

export interface RunningCluster {
  superuserUrl: string;
  port: number;
  stop(): Promise<void>;
  /** SIGKILL, as a crash of its machine. */
  kill(): Promise<void>;
}

const password = 'superuser';
const shutdown = [{ signal: 'SIGINT', milliseconds: 20_000 }] as const;

/**
 * Finds the newest Postgres, 15 or later, that this machine has installed with its clients, where
 * Debian and its derivatives put it; null if there isn't one.
 */
export async function findMachinePostgres(): Promise<MachinePostgres | null> {
  const root = '/usr/lib/postgresql';
  const versions = ((await readdir(root).catch(nullWhenMissing)) ?? [])
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a);
  for (const version of versions) {
    const bin = join(root, String(version), 'bin');
    const found = await readdir(bin);
    const programs = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'pg_basebackup', 'psql'];
    if (programs.every((name) => found.includes(name))) return createMachinePostgres(bin);
  }
  return null;
}

async function createMachinePostgres(bin: string): Promise<MachinePostgres> {
  const account = findAccount()?.named;
  const home = await mkdtemp(join(tmpdir(), 'scriptorium-postgres-'));
  if (account) await chown(home, account.uid, account.gid);
  const credentials = account ? { uid: account.uid, gid: account.gid } : {};
  const running = new Set<number>();
  const folder = async (name: string): Promise<string> => {
    const path = join(home, name);
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (account) await chown(path, account.uid, account.gid);
    return path;
  };
  const initialise = async (path: string): Promise<void> => {
    const secret = join(home, 'password');
    await writeFile(secret, password);
    const options = [
      '-U',
      'postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ];
    const initialised = await run(
      join(bin, 'initdb'),
      ['-D', path, ...options, `--pwfile=${secret}`, '--no-sync'],
      { cwd: home, ...credentials },
    );
    if (initialised.code !== 0) throw new Error(initialised.stderr);
  };
  const machine: MachinePostgres = {
    bin,
    folder,
    async giveToServer(name) {
      if (!account) return;
      const path = await folder(name);
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
        await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
      }
    },
    async start(path, settings = {}, fixedPort) {
      if (!(await readdir(path)).includes('PG_VERSION')) await initialise(path);
      const port = fixedPort ?? (await findFreePort());
      const isStandby = (await readdir(path)).includes('standby.signal');
      const all = {
        port: String(port),
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        max_locks_per_transaction: '256',
        fsync: 'off',
        ...settings,
      };
      const log = join(home, `${port}.log`);
      const child = spawnService({
        command: join(bin, 'postgres'),
        args: ['-D', path, ...Object.entries(all).flatMap(([n, value]) => ['-c', `${n}=${value}`])],
        cwd: path,
        env: {},
        log,
        account,
      });
      void endWithRun(child);
      const superuserUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
      const outcome = await createProgress().during('starting Postgres', (step) =>
        waitUntilReady(child, {
          isServing: () => isServing(superuserUrl, isStandby),
          step,
          shutdown,
          output: () => readFile(log, 'utf8'),
          advance: / LOG: {2}(.+)$/gm,
        }),
      );
      if (!outcome.ready) {
        throw new Error(`Postgres did not start: ${outcome.output || outcome.ending}`);
      }
      const { pid } = outcome;
      running.add(pid);
      return {
        superuserUrl,
        port,
        stop: async () => {
          await endProcess(pid, shutdown);
          running.delete(pid);
        },
        kill: async () => {
          // The postmaster alone: its children notice and end.
          await endProcess(pid, []);
          running.delete(pid);
        },
      };
    },
    async follow(primary, path, settings) {
      const copied = await run(
        join(bin, 'pg_basebackup'),
        ['-D', path, '-R', '-X', 'stream', '-c', 'fast', '-d', primary.superuserUrl],
        { cwd: home, ...credentials },
      );
      if (copied.code !== 0) throw new Error(copied.stderr);
      return machine.start(path, settings);
    },
    async close() {
      for (const pid of running) await endProcess(pid, []);
      await rm(home, { recursive: true, force: true });
    },
  };
  return machine;
}

async function isServing(url: string, asStandby: boolean): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS recovering');
    return rows[0].recovering === asStandby;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
