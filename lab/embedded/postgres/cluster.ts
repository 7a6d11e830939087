import { randomBytes } from 'node:crypto';
import {
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../processes/commands.ts';
import type { Step } from '../progress.ts';
import { StartError } from '../start-error.ts';
import type { Account } from './account.ts';
import type { PostgresRuntime } from './runtime.ts';

export const passwordFile = 'superuser.password';
export const logFile = 'server.log';

/** Runs initdb in a temporary folder and renames it: a folder with PG_VERSION is complete. */
export async function createCluster(
  runtime: PostgresRuntime,
  dataDir: string,
  account: Account | undefined,
  step: Step,
): Promise<void> {
  // A folder that cannot be read must not be replaced.
  const ifMissing = (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The data folder ${dataDir} could not be read (${reason}).`);
  };
  const version = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(ifMissing);
  if (version !== undefined) {
    if (version.trim() === '17') return;
    throw new StartError(
      `${dataDir} holds the data of Postgres ${version.trim()} and this is Postgres 17: move the folder away to start afresh.`,
    );
  }
  if (((await readdir(dataDir).catch(ifMissing)) ?? []).length > 0) {
    throw new StartError(
      `${dataDir} is not empty and holds no Postgres data: move it away or choose another folder.`,
    );
  }

  const draft = `${dataDir}.draft-${process.pid}`;
  const secrets = await mkdtemp(join(tmpdir(), 'scriptorium-initdb-'));
  try {
    const password = randomBytes(24).toString('base64url');
    const secret = join(secrets, 'password');
    await mkdir(draft, { mode: 0o700 });
    await writeFile(secret, `${password}\n`, { mode: 0o600 });
    if (account) {
      for (const path of [draft, secrets, secret]) {
        await chown(path, account.named.uid, account.named.gid);
      }
    }
    await runInitdb(runtime, { draft, dataDir }, { secret, account, step });
    await writeFile(join(draft, passwordFile), `${password}\n`, { mode: 0o600 });
    if (account) await chownRecursively(draft, account);
    await rm(dataDir, { recursive: true, force: true });
    await rename(draft, dataDir);
  } finally {
    await rm(secrets, { recursive: true, force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function runInitdb(
  runtime: PostgresRuntime,
  folders: { draft: string; dataDir: string },
  { secret, account, step }: { secret: string; account: Account | undefined; step: Step },
): Promise<void> {
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const args = [
    `--pgdata=${folders.draft}`,
    '--username=postgres',
    `--pwfile=${secret}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--lc-messages=C',
    '--no-instructions',
    // Safe without fsync: nothing counts before the rename, and the first checkpoint writes
    // everything.
    '--no-sync',
  ];
  const { code, stdout, stderr } = await runCommand(
    {
      command: runtime.initdb,
      args,
      cwd: folders.draft,
      env: serverEnvironment(runtime),
      account: account?.named,
    },
    step,
  );
  const output = stdout + stderr;
  if (code === 0) return;
  if (/No space left on device|Disk quota exceeded/i.test(output)) {
    throw explainFailure(folders.dataDir, output);
  }
  const reason = output.split('\n').findLast((line) => /error|fatal/i.test(line)) ?? output;
  throw new StartError(
    `Postgres could not create its data folder ${folders.dataDir} (initdb ended with code ${code}: ${reason.trim()}).`,
  );
}

async function chownRecursively(folder: string, { uid, gid }: Account): Promise<void> {
  await chown(folder, uid, gid);
  // With their types: if only names are listed, Node enters folders that links lead to.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  }
}

/** Without this process's environment, which contains secrets. */
export function serverEnvironment(runtime: PostgresRuntime): Record<string, string> {
  return { PATH: '/usr/bin:/bin', LC_ALL: '', TZ: 'UTC', LD_LIBRARY_PATH: runtime.lib };
}

export function explainFailure(dataDir: string, log: string): Error {
  if (/No space left on device|Disk quota exceeded/i.test(log)) {
    return new StartError(
      `The disk that holds ${dataDir} is full, so Postgres cannot start: free some space and try again.`,
    );
  }
  const fatal = log.split('\n').findLast((line) => /FATAL|PANIC|error/i.test(line));
  return new StartError(
    `Postgres did not start on ${dataDir}${fatal ? ` (${fatal.trim()})` : ''}: see ${join(dataDir, logFile)}.`,
  );
}
