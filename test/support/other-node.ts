import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run } from './run.ts';

/** A Node of another major version than the one that runs the tests. */
export interface OtherNode {
  path: string;
  version: string;
}

/** Folders of version managers that have a folder per version, and where in that the program is. */
const managerFolders = (env: NodeJS.ProcessEnv): [string, string][] => {
  const home = homedir();
  return [
    [join(env.NVM_DIR ?? join(home, '.nvm'), 'versions/node'), 'bin/node'],
    [join(env.FNM_DIR ?? join(home, '.local/share/fnm'), 'node-versions'), 'installation/bin/node'],
    [join(env.VOLTA_HOME ?? join(home, '.volta'), 'tools/image/node'), 'bin/node'],
    [join(env.N_PREFIX ?? '/usr/local', 'n/versions/node'), 'bin/node'],
    [join(home, '.asdf/installs/nodejs'), 'bin/node'],
    [join(home, '.local/share/mise/installs/node'), 'bin/node'],
    // What actions/setup-node chooses from.
    ...(env.RUNNER_TOOL_CACHE
      ? [[join(env.RUNNER_TOOL_CACHE, 'node'), `${process.arch}/bin/node`] as [string, string]]
      : []),
  ];
};

/**
 * The Node that `OTHER_NODE` names; else the newest on PATH and in the folders of version managers that
 * is of another major version and not too old. Null without one.
 */
export async function findOtherNode(env = process.env): Promise<OtherNode | null> {
  if (env.OTHER_NODE) {
    const version = await versionOf(env.OTHER_NODE);
    if (version === null) throw new Error(`OTHER_NODE, ${env.OTHER_NODE}, does not run.`);
    return { path: env.OTHER_NODE, version };
  }
  const paths = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  for (const [folder, program] of managerFolders(env)) {
    const versions = await readdir(folder).catch(() => []);
    paths.push(...versions.map((version) => join(folder, version, program)));
  }
  const found: OtherNode[] = [];
  for (const path of paths) {
    const version = await versionOf(path);
    if (version !== null && isOther(version)) found.push({ path, version });
  }
  const [newest] = found.sort((a, b) => compare(b.version, a.version));
  return newest ?? null;
}

async function versionOf(path: string): Promise<string | null> {
  const { code, stdout } = await run(path, ['--print', 'process.versions.node']).catch(() => ({
    code: 1,
    stdout: '',
  }));
  return code === 0 ? stdout.trim() : null;
}

function isOther(version: string): boolean {
  const major = (text: string): number => Number.parseInt(text, 10);
  return major(version) !== major(process.versions.node) && compare(version, '20.19.0') >= 0;
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
