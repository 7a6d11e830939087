import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchDebianPackages, hasDebianTools } from '../debian.ts';
import { StartError } from '../start-error.ts';
import { librariesIn } from './libraries.ts';

const execute = promisify(execFile);

export interface RedisBinary {
  path: string;
  /** The environment in which the program finds its libraries. */
  env: Record<string, string>;
}

interface RedisSearch {
  /** Folders to search, as in PATH. Default: PATH. */
  path?: string;
  /** Packages are unpacked in this folder and reused at the next start. */
  packagesDir: string;
  /** Whether packages may be downloaded if no other Redis is found. Default: true. */
  fetch?: boolean;
  log?: (message: string) => void;
}

/**
 * Finds a Redis server that runs: `redis-server` or `valkey-server` on PATH, one that was unpacked
 * before, Homebrew's, or one downloaded from Debian's packages. Throws StartError if all fail.
 */
export async function findRedis(search: RedisSearch): Promise<RedisBinary> {
  const unpacked = join(search.packagesDir, 'redis');
  const found =
    (await findOnPath(search.path ?? process.env.PATH ?? '')) ??
    (await findUnpacked(unpacked)) ??
    (await findInHomebrew());
  if (found) return found;
  if ((search.fetch ?? true) && (await hasDebianTools())) {
    await fetchDebianPackages({
      packages: ['redis-server', 'redis-tools'],
      target: unpacked,
      ...(search.log ? { log: search.log } : {}),
    });
    const fetched = await findUnpacked(unpacked);
    if (fetched) return fetched;
  }
  throw new StartError(
    'No Redis found: install redis-server or valkey-server so that it is on PATH, or set REDIS_URL to your own Redis.',
  );
}

async function findOnPath(path: string): Promise<RedisBinary | undefined> {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const folder of path.split(delimiter).filter(Boolean)) {
      const binary = { path: join(folder, name), env: {} };
      if (await canRun(binary)) return binary;
    }
  }
  return undefined;
}

async function findUnpacked(folder: string): Promise<RedisBinary | undefined> {
  const binary = {
    path: join(folder, 'usr', 'bin', 'redis-server'),
    env: await librariesIn(folder),
  };
  return (await canRun(binary)) ? binary : undefined;
}

async function findInHomebrew(): Promise<RedisBinary | undefined> {
  if (process.platform !== 'darwin') return undefined;
  for (const formula of ['redis', 'valkey']) {
    const prefix = await execute('brew', ['--prefix', formula]).catch(() => undefined);
    const found = prefix && (await findOnPath(join(prefix.stdout.trim(), 'bin')));
    if (found) return found;
  }
  return undefined;
}

async function canRun({ path, env }: RedisBinary): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    await execute(path, ['--version'], { env });
    return true;
  } catch {
    return false;
  }
}
