import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { look } from './programs.ts';

/** What a boxed program finds in place of the machine's files. All of it is read only. */
export type View = {
  /** Files and folders, each under its own path. */
  paths: readonly string[];
  /** Links as the machine has them, such as /lib to usr/lib. */
  links: readonly (readonly [path: string, target: string])[];
};

/** Libraries, what finds them, fonts, time zones: no programs, no accounts, no settings. */
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

/** `src/engines` or `dist/engines`, with what it imports beside it. */
export const engineCode = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const code = dirname(engineCode);
const root = dirname(code);

/** Folders where Node looks for packages, and what they are links to. */
function packages(): string[] {
  const found: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    found.push(join(folder, 'node_modules'));
    if (folder === dirname(folder)) return found;
  }
}

/** The code of engines, of their packages, and the program that runs it. */
export function codeOf(module: string): string[] {
  const { execPath } = process;
  return existing([
    ...[execPath, realpathSync(execPath)],
    ...[engineCode, join(code, 'contracts'), dirname(module)],
    ...[join(root, 'package.json'), join(root, 'tsconfig.json')],
    ...packages().flatMap((path) => [path, real(path)]),
  ]);
}

/** What a child sees that runs a module with these further files, such as models and programs. */
export function viewOf(module: string, further: readonly string[]): View {
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
  paths.push(...codeOf(module), ...existing(further));
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

/** Without what another of them holds already; the shorter come first. */
export function outermost(paths: readonly string[]): string[] {
  const kept: string[] = [];
  for (const path of [...new Set(paths)].sort((a, b) => a.length - b.length)) {
    if (!kept.some((folder) => path.startsWith(`${folder}/`))) kept.push(path);
  }
  return kept;
}
