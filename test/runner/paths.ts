import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/**
 * A list of tests: on each line a path below test/ without `.test.ts`, or a folder with a slash at its
 * end. `#` begins a comment.
 */
export function parsePaths(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((entry) => entry !== '');
}

/** Whether an entry of a list names a test, given by its path below test/ without `.test.ts`. */
export function covers(entry: string, path: string): boolean {
  return entry.endsWith('/') ? path.startsWith(entry) : path === entry;
}

export interface Selection {
  /** The folder that holds all tests. */
  root: string;
  /** What the names of test files end with, such as `.test.js`. */
  extension: string;
  /** Files with lists of tests to leave out. */
  excludedLists: readonly string[];
  /** Files and folders to run; all if empty. */
  requestedPaths: readonly string[];
}

/**
 * The test files that a run consists of, relative to its root.
 *
 * @throws Error if a list or an argument names a test that does not exist.
 */
export function selectFiles({
  root,
  extension,
  excludedLists: without,
  requestedPaths: wanted,
}: Selection): string[] {
  const nameOf = (file: string): string => file.slice(0, -extension.length);
  const testFiles = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith(extension));
  const excluded = without.flatMap((list) => {
    const entries = parsePaths(readFileSync(list, 'utf8'));
    for (const entry of entries) {
      if (testFiles.some((file) => covers(entry, nameOf(file)))) continue;
      throw new Error(`${list} names '${entry}', but no test has this path.`);
    }
    return entries;
  });
  const included = testFiles.filter(
    (file) => !excluded.some((entry) => covers(entry, nameOf(file))),
  );
  if (wanted.length === 0) return included;
  return wanted.flatMap((path) => {
    const selected = relative(root, resolve(path)).split(sep).join('/');
    const found = included.filter((file) => file === selected || file.startsWith(`${selected}/`));
    if (found.length === 0) throw new Error(`No tests in ${path}.`);
    return found;
  });
}
