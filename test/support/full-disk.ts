import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Lets no folder of these names be made, as on a full disk, until the returned function is called. */
export function refuseFolders(named: Pick<RegExp, 'test'>): () => void {
  const { mkdirSync: make } = fs;
  const refuse = (...[path, options]: Parameters<typeof make>): string | undefined => {
    if (!named.test(String(path))) return make(path, options);
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  Object.assign(fs, { mkdirSync: refuse });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { mkdirSync: make });
    syncBuiltinESMExports();
  };
}
