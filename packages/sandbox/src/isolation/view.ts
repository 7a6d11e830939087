import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statIfExists } from './programs.ts';

/** The files of the machine that an isolated program can read; all are read-only. */
export type FileView = {
  /** Files and folders, each mounted at the same path. */
  paths: readonly string[];
  /** Symbolic links of the machine, such as /lib to usr/lib. */
  links: readonly (readonly [path: string, target: string])[];
};

/** The fields of a `package.json` that are used. */
type Manifest = { name?: string; dependencies?: Record<string, string> };

/** The scope of the packages in this repository. */
const scope = '@scriptorium/';

/**
 * Libraries and their configuration, fonts and time zones, but no programs, accounts or settings.
 */
const systemPaths = [
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libx32',
  '/usr/local/lib',
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/localtime',
  '/usr/share/fontconfig',
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/usr/share/zoneinfo',
  '/var/cache/fontconfig',
];

/** The folder of this package: its sources, or its compiled code. */
export const sandboxFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The folders above this package in which Node.js looks for other packages, nearest first. */
const parentFolders = foldersAbove(sandboxFolder);
/** The folder of the service, to which a module outside all packages belongs. */
const serviceFolder =
  parentFolders.find((folder) => statIfExists(join(folder, 'package.json'))) ?? sandboxFolder;

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/**
 * Returns the folders of this package, of the package that contains a module, and of its
 * dependencies in this repository. Links in `node_modules` are resolved.
 */
function repositoryPackages(module: string): string[] {
  const folders = new Set([sandboxFolder]);
  const addPackage = (manifest: string): void => {
    const { name = '', dependencies = {} }: Manifest = JSON.parse(readFileSync(manifest, 'utf8'));
    if (name.startsWith(scope)) folders.add(dirname(manifest));
    const { resolve } = createRequire(manifest);
    for (const dependency of Object.keys(dependencies)) {
      if (!dependency.startsWith(scope)) continue;
      const next = resolve(`${dependency}/package.json`);
      if (!folders.has(dirname(next))) addPackage(next);
    }
  };
  const manifest = foldersAbove(module)
    .map((folder) => join(folder, 'package.json'))
    .find((file) => statIfExists(file));
  if (manifest) addPackage(manifest);
  return [...folders];
}

/**
 * Returns the code that a child needs to run a module: the packages that it may load, and the
 * program that runs it.
 */
export function codeFolders(module: string): string[] {
  const { execPath } = process;
  const packages = parentFolders.map((folder) => join(folder, 'node_modules'));
  return filterExisting([
    execPath,
    realpathSync(execPath),
    dirname(module),
    ...repositoryPackages(module),
    join(serviceFolder, 'package.json'),
    join(serviceFolder, 'tsconfig.json'),
    ...packages.flatMap((path) => [path, resolveFolder(path)]),
  ]);
}

/**
 * Returns the files that a child can read: those that its module needs, and `additional` ones such
 * as models and programs.
 */
export function fileViewOf(module: string, additional: readonly string[]): FileView {
  const paths: string[] = [];
  const links: [string, string][] = [];
  for (const path of systemPaths) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() && isFolder(path)) {
      links.push([path, readlinkSync(path)]);
    } else if (stats) {
      paths.push(path);
    }
  }
  paths.push(...codeFolders(module), ...filterExisting(additional));
  return { paths: outermost(paths), links };
}

function filterExisting(paths: readonly string[]): string[] {
  return paths.filter((path) => statIfExists(path) !== undefined);
}

function isFolder(path: string): boolean {
  return statIfExists(path)?.isDirectory() ?? false;
}

function resolveFolder(path: string): string {
  return isFolder(path) ? realpathSync(path) : path;
}

/** Returns the paths that are not inside another path, shortest first. */
export function outermost(paths: readonly string[]): string[] {
  const result: string[] = [];
  for (const path of [...new Set(paths)].sort((a, b) => a.length - b.length)) {
    if (!result.some((folder) => path.startsWith(`${folder}/`))) result.push(path);
  }
  return result;
}
