import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from './start-error.ts';

interface DebianFetch {
  /** Names of the packages. */
  packages: readonly string[];
  /** Whether to download missing libraries that they depend on. Default: true. */
  withLibraries?: boolean;
  /** Where to unpack the files; existing ones are replaced. */
  target: string;
  /** Called with a sentence about each step. */
  log?: (message: string) => void;
}

/** apt uses the proxies of the environment. */
const proxies = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

const environment = {
  ...Object.fromEntries(
    proxies.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  ),
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** Whether this machine meets the requirements of `fetchDebianPackages`. */
export async function hasDebianTools(): Promise<boolean> {
  const results = await Promise.all([run('apt-get', ['--version']), run('dpkg', ['--version'])]);
  return results.every((answer) => answer.code === 0);
}

/**
 * Downloads packages for this machine's Debian or Ubuntu release and unpacks them into a folder
 * without installing them, without root. apt verifies the signatures. The machine's own package
 * lists are used if they work; otherwise current ones are fetched into a separate folder, so
 * nothing outside `target` changes. Throws StartError when the packages cannot be fetched.
 */
export async function fetchDebianPackages(fetch: DebianFetch): Promise<void> {
  const target = resolve(fetch.target);
  const draft = `${target}.draft-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  try {
    for (const folder of ['cache/archives/partial', 'lists/partial', 'downloads', 'files']) {
      await mkdir(join(draft, folder), { recursive: true });
    }
    fetch.log?.(`Fetching ${fetch.packages.join(', ')} from this release's package archive.`);
    const systemLists = aptOptions(draft, false);
    const privateLists = aptOptions(draft, true);
    let problem = await download(fetch, systemLists, join(draft, 'downloads'));
    if (problem) {
      fetch.log?.('The package lists are missing or out of date; fetching fresh ones.');
      await run('apt-get', [...privateLists, 'update']);
      problem = await download(fetch, privateLists, join(draft, 'downloads'));
    }
    if (problem) {
      throw new StartError(
        `The package archive did not provide ${fetch.packages.join(', ')} (${problem}): check the network connection and try again.`,
      );
    }
    for (const file of await readdir(join(draft, 'downloads'))) {
      if (!file.endsWith('.deb')) continue;
      const unpacked = await run('dpkg', [
        '-x',
        join(draft, 'downloads', file),
        join(draft, 'files'),
      ]);
      if (unpacked.code !== 0) throw new StartError(describeFailure(`dpkg -x ${file}`, unpacked));
    }
    await rm(target, { recursive: true, force: true });
    await rename(join(draft, 'files'), target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Downloads into a folder; returns the reason if it failed, otherwise undefined. */
async function download(
  fetch: DebianFetch,
  options: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const names = [...fetch.packages];
  if (fetch.withLibraries ?? true) names.push(...(await missingLibraries(names, options)));
  const result = await run('apt-get', [...options, 'download', ...names], folder);
  if (result.code === 0) return undefined;
  const errors = result.output.split('\n').filter((line) => /^(E:|Err)/.test(line));
  return errors.join('; ') || `apt-get ended with code ${result.code}`;
}

/**
 * The libraries that packages depend on and that this machine lacks, level by level. Their names
 * differ between releases (libhiredis0.14, libhiredis1.1.0), so apt is queried.
 */
async function missingLibraries(
  packages: readonly string[],
  options: readonly string[],
): Promise<string[]> {
  const libraries = new Set<string>();
  let level: string[] = [...packages];
  while (level.length > 0) {
    const { output } = await run('apt-cache', [...options, 'depends', '--important', ...level]);
    const names = [...output.matchAll(/^ [ |](?:Pre)?Depends: (?<name>[^<\s]+)$/gm)]
      .map((match) => match.groups?.name ?? '')
      .filter((name) => /^(?:lib|lua)/.test(name) && !libraries.has(name));
    const installed = await installedPackages(names);
    level = [...new Set(names)].filter((name) => !installed.has(name));
    for (const name of level) libraries.add(name);
  }
  return [...libraries];
}

async function installedPackages(names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  // Exits with 1 when it does not know one of them, and still prints the others.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders
  const format = '--showformat=${Package} ${db:Status-Status}\\n';
  const { output } = await run('dpkg-query', ['--show', format, ...names]);
  const lines = output.split('\n').filter((line) => line.endsWith(' installed'));
  return new Set(lines.map((line) => line.split(' ')[0] ?? ''));
}

function aptOptions(folder: string, usesPrivateLists: boolean): string[] {
  const settings = [
    `Dir::Cache=${join(folder, 'cache')}`,
    'Acquire::Languages=none',
    'Acquire::Retries=3',
    // apt's own download user cannot write into a checkout under root's home.
    ...(process.getuid?.() === 0 ? ['APT::Sandbox::User=root'] : []),
    ...(usesPrivateLists ? [`Dir::State::Lists=${join(folder, 'lists')}`] : []),
  ];
  return ['-q', ...settings.flatMap((setting) => ['-o', setting])];
}

interface Outcome {
  code: number | null;
  output: string;
}

function run(command: string, args: readonly string[], cwd?: string): Promise<Outcome> {
  return new Promise((resolveRun) => {
    const child = spawn(command, args, {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd ? { cwd } : {}),
    });
    let output = '';
    const append = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', (error) => resolveRun({ code: null, output: error.message }));
    child.once('close', (code) => resolveRun({ code, output }));
  });
}

function describeFailure(what: string, { code, output }: Outcome): string {
  if (/No space left on device/i.test(output)) {
    return 'The disk is full, so a package could not be unpacked: free some space and try again.';
  }
  const last = output.trim().split('\n').at(-1) ?? '';
  return `${what} ended with code ${code} (${last}). Fix that and try again.`;
}
