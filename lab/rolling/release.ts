import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installProduction, type Production } from '../../test/support/production.ts';
import { checkout, run } from '../../test/support/run.ts';
import { makeFolder } from '../../test/support/services.ts';
import { linkPackages } from '../embedded/link-packages.ts';

/** A built version of the service. */
export interface Release {
  name: string;
  production: Production;
  /** Packages whose locked version differs from the one used here. */
  otherPackages: string[];
  /** The names of its migrations, each with its number. */
  migrations: string[];
}

async function git(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run('git', args, { cwd: checkout });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout.trim();
}

/** The tag of the last release. */
export async function lastRelease(): Promise<string> {
  const tags = await git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname');
  const [last] = tags.split('\n');
  if (!last) throw new Error('No release is tagged: name a commit.');
  return last;
}

/** Builds the sources of a commit with the packages of this checkout. */
export async function buildRelease(ref: string): Promise<Release> {
  const commit = await git('rev-parse', '--verify', `${ref}^{commit}`);
  const source = await makeFolder('source');
  try {
    const unpacked = await run('bash', ['-c', `git archive ${commit} | tar -x -C '${source}'`], {
      cwd: checkout,
    });
    if (unpacked.code !== 0) throw new Error(`git archive failed: ${unpacked.stderr}`);
    linkPackages(source);
    const subject = await git('log', '-1', '--format=%h of %cs', commit);
    return await describeRelease(subject, source, await installProduction(source));
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

export async function buildCheckout(): Promise<Release> {
  return describeRelease('the checkout', checkout, await installProduction());
}

async function describeRelease(
  name: string,
  source: string,
  production: Production,
): Promise<Release> {
  const dist = join(production.folder, 'dist');
  const index = await readFile(join(dist, 'entities/migrations/index.js'), 'utf8');
  return {
    name,
    production,
    otherPackages: await packagesThatDiffer(source),
    migrations: index.match(/\b[A-Z]\w*\d{13}(?=[,\]])/g) ?? [],
  };
}

interface Lockfile {
  packages: Record<string, { version?: string; dev?: boolean }>;
}

async function packagesThatDiffer(source: string): Promise<string[]> {
  const read = async (folder: string): Promise<Lockfile> =>
    JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const [releaseLock, checkoutLock] = [await read(source), await read(checkout)];
  return Object.entries(releaseLock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .filter(([path, { version }]) => checkoutLock.packages[path]?.version !== version)
    .map(([path, { version }]) => `${path.replace('node_modules/', '')} ${version}`);
}
