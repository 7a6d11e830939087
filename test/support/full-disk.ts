import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Lets no folder of these names be made, as on a full disk, until the returned function is called. */
export function failMkdir(pattern: Pick<RegExp, 'test'>): () => void {
  const { mkdirSync: originalMkdirSync } = fs;
  const mkdirOrFail = (
    ...[path, options]: Parameters<typeof originalMkdirSync>
  ): string | undefined => {
    if (!pattern.test(String(path))) return originalMkdirSync(path, options);
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  Object.assign(fs, { mkdirSync: mkdirOrFail });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { mkdirSync: originalMkdirSync });
    syncBuiltinESMExports();
  };
}
