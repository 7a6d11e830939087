import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The environment in which a program from unpacked Debian packages finds its libraries: every
 * folder that contains some, since most have the machine's triplet in their names.
 */
export async function librariesIn(folder: string): Promise<Record<string, string>> {
  const folders = new Set<string>();
  for (const root of ['lib', join('usr', 'lib')]) {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(join(folder, root), options).catch(nullWhenMissing);
    for (const entry of entries ?? []) {
      if (/\.so(?:\.|$)/.test(entry.name) && !entry.isDirectory()) folders.add(entry.parentPath);
    }
  }
  return { LD_LIBRARY_PATH: [...folders].join(':') };
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
