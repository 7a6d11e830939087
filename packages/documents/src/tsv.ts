import { readFileSync } from 'node:fs';

/** Reads the rows of a file of tab-separated values. Lines that start with `#` are comments. */
export function readRows(file: URL): string[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => /^[^#]/.test(line)).map((line) => line.split('\t'));
}

/** Reads the lists of a file, in order. Each row contains the name of a list and one entry. */
export function readLists(file: URL): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [name = '', entry = ''] of readRows(file)) {
    const list = lists.get(name);
    if (list) list.push(entry);
    else lists.set(name, [entry]);
  }
  return lists;
}
