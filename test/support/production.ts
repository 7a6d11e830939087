import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Programs } from '../../lab/embedded/programs.ts';
import { checkout, run } from './run.ts';
import type { Installation } from './service.ts';
import { makeFolder } from './services.ts';

interface Lockfile {
  packages: Record<string, { dev?: boolean; optional?: boolean; link?: boolean }>;
}

export interface Production {
  folder: string;
  installation: Installation & { programs: Programs };
}

/**
 * The service as the image has it, in a new folder: the build, and the packages that `npm ci
 * --omit=dev` installs. These are linked from the checkout, because npm takes 30 seconds of CPU and
 * a network for them; which they are is in the lockfile, where npm looks it up, too.
 * @param source the sources of another commit, which get the packages of the checkout
 */
export async function installProduction(source = checkout): Promise<Production> {
  const folder = await makeFolder('production');
  await Promise.all([installPackages(folder, source), build(folder, source)]);
  for (const path of ['package.json', 'docs', 'LICENSE', 'NOTICE']) {
    if (!existsSync(join(source, path))) continue;
    await cp(join(source, path), join(folder, path), { recursive: true });
  }
  const dist = join(folder, 'dist');
  const programs = {
    server: join(dist, 'server.js'),
    worker: join(dist, 'worker.js'),
    admin: join(dist, 'admin.js'),
  };
  return { folder, installation: { folder, nodeArguments: [], programs } };
}

async function installPackages(folder: string, source: string): Promise<void> {
  const lockfile: Lockfile = JSON.parse(await readFile(join(source, 'package-lock.json'), 'utf8'));
  const installed = await realpath(join(checkout, 'node_modules'));
  const paths = Object.entries(lockfile.packages)
    .filter(([path, { dev, link }]) => isTopLevel(path) && !dev && !link)
    .map(([path, { optional }]) => ({ name: path.slice('node_modules/'.length), optional }))
    // Optional ones may be for other machines.
    .filter(({ name, optional }) => !optional || existsSync(join(installed, name)))
    .map(({ name }) => name);
  const target = join(folder, 'node_modules');
  await mkdir(target);
  // Hard links if they can be made: for a symbolic link, Node would use the packages where it leads to.
  const copy = (option: string) =>
    run('cp', [option, '--parents', '-t', target, ...paths], { cwd: installed });
  if ((await copy('-al')).code === 0) return;
  const copied = await copy('-a');
  if (copied.code !== 0) throw new Error(`The packages were not copied: ${copied.stderr}`);
}

/** Nested packages come with those that contain them. */
const isTopLevel = (path: string): boolean => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);

/** Runs `npm run build` without the portal and the type check. */
async function build(folder: string, source: string): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    scripts: { build: string };
  };
  const [portal, ...steps] = scripts.build.split(' && ');
  const copyRest = steps.pop();
  const isKnown = (step: string): boolean => /^tsc -p \S+$/.test(step);
  if (portal !== 'npm run build:portal' || !copyRest || !steps.every(isKnown)) {
    throw new Error(`The build has other steps than this knows: ${scripts.build}`);
  }
  const sources = ['src', 'packages'].filter((name) => existsSync(join(source, name)));
  for (const name of sources) await symlink(join(source, name), join(folder, name));
  const bin = join(checkout, 'node_modules/.bin');
  for (const step of steps) {
    const project = step.slice('tsc -p '.length);
    const out = join(folder, await outFolder(join(source, project), source));
    const options = ['--noCheck', '--sourceMap', 'false', '--outDir', out];
    const compiled = await run(join(bin, 'tsc'), ['-p', project, ...options], { cwd: source });
    if (compiled.code !== 0) throw new Error(`tsc failed: ${compiled.stdout}`);
  }
  const copied = await run('bash', ['-c', copyRest], { cwd: folder });
  if (copied.code !== 0) throw new Error(`The build did not copy its files: ${copied.stderr}`);
  for (const name of sources) await rm(join(folder, name));
}

/** Returns the folder that a project is compiled to, relative to the root. */
async function outFolder(project: string, root: string): Promise<string> {
  const file = project.endsWith('.json') ? project : join(project, 'tsconfig.json');
  const { compilerOptions } = JSON.parse(await readFile(file, 'utf8')) as {
    compilerOptions: { outDir: string };
  };
  return relative(root, join(dirname(file), compilerOptions.outDir));
}
