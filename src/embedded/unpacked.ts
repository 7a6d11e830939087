import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a program out of unpacked Debian packages needs in its environment to find their libraries.
 * They lie in usr/lib/<triplet>, and the triplet depends on the machine.
 */
export async function librariesIn(folder: string): Promise<Record<string, string>> {
  const lib = join(folder, 'usr', 'lib');
  const inner = await readdir(lib, { withFileTypes: true }).catch(() => []);
  const folders = [lib, ...inner.filter((e) => e.isDirectory()).map((e) => join(lib, e.name))];
  return { LD_LIBRARY_PATH: folders.join(':') };
}
