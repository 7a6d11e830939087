import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a program out of unpacked Debian packages needs in its environment to find their libraries:
 * every folder that has some, since the machine's triplet stands in the names of most.
 */
export async function librariesIn(folder: string): Promise<Record<string, string>> {
  const found = new Set<string>();
  for (const root of ['lib', join('usr', 'lib')]) {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(join(folder, root), options).catch(() => []);
    for (const entry of entries) {
      if (/\.so(?:\.|$)/.test(entry.name) && !entry.isDirectory()) found.add(entry.parentPath);
    }
  }
  return { LD_LIBRARY_PATH: [...found].join(':') };
}
