import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { look } from './programs.ts';

/** The files of the machine that an isolated program can see, all read-only. */
export type FileView = {
  /** Files and folders, each at its own path. */
  paths: readonly string[];
  /** Symbolic links of the machine, such as /lib to usr/lib. */
  links: readonly (readonly [path: string, target: string])[];
};

/** Libraries and their configuration, fonts, time zones; no programs, accounts or settings. */
const system = [
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

/** `src/engines` or `dist/engines`. */
export const engineCode = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const code = dirname(engineCode);
const root = dirname(code);
/** The folder of the package, not a link to it. */
const contracts = dirname(
  createRequire(import.meta.url).resolve('@scriptorium/contracts/package.json'),
);

/** Folders where Node looks for packages, and their link targets. */
function packages(): string[] {
  const found: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    found.push(join(folder, 'node_modules'));
    if (folder === dirname(folder)) return found;
  }
}

/** Returns the code of the engines and their packages, and the program that runs it. */
export function codeFolders(module: string): string[] {
  const { execPath } = process;
  return existing([
    ...[execPath, realpathSync(execPath)],
    ...[engineCode, contracts, dirname(module)],
    ...[join(root, 'package.json'), join(root, 'tsconfig.json')],
    ...packages().flatMap((path) => [path, real(path)]),
  ]);
}

/**
 * Returns the files visible to a child that runs a module with further files, such as models and
 * programs.
 */
export function fileViewOf(module: string, further: readonly string[]): FileView {
  const paths: string[] = [];
  const links: [string, string][] = [];
  for (const path of system) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() && isFolder(path)) {
      links.push([path, readlinkSync(path)]);
    } else if (found) {
      paths.push(path);
    }
  }
  paths.push(...codeFolders(module), ...existing(further));
  return { paths: outermost(paths), links };
}

function existing(paths: readonly string[]): string[] {
  return paths.filter((path) => look(path) !== undefined);
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() ?? false;
}

function real(path: string): string {
  return isFolder(path) ? realpathSync(path) : path;
}

/** Paths that are not inside another one, the shorter first. */
export function outermost(paths: readonly string[]): string[] {
  const kept: string[] = [];
  for (const path of [...new Set(paths)].sort((a, b) => a.length - b.length)) {
    if (!kept.some((folder) => path.startsWith(`${folder}/`))) kept.push(path);
  }
  return kept;
}
