import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { byteReferences } from '../../../src/library/bytes/references.ts';
import { sweepBytes } from '../../../src/library/bytes/sweep.ts';
import { nullWhenMissing } from '../../../src/storage/files.ts';
import { openLocalStorage } from '../../../src/storage/local.ts';
import type { Check } from './check-input.ts';

/**
 * Every row that refers to bytes has them, every file matches the hash in its name, and the sweep
 * and the cleaning of temporary and partial files, without a grace period, remove exactly the files
 * that no row refers to.
 */
export const checkBytes: Check = async ({ world }) => {
  const faults: string[] = [];
  const storage = await openLocalStorage(world.storage.folder);
  for (const { id, name } of world.projects) {
    const referenceQueries = byteReferences.map(
      ({ table, column }) =>
        `SELECT ${column} AS sha256, '${table}' AS holder FROM ${table} WHERE project_id = $1 AND ${column} IS NOT NULL`,
    );
    const referenced = await world.rows<{ sha256: string; holder: string }>(
      referenceQueries.join(' UNION ALL '),
      [id],
    );
    const referencedHashes = new Set(referenced.map(({ sha256 }) => sha256));
    const before = await storedHashes(storage, id);
    for (const { sha256, holder } of referenced) {
      if (!before.has(sha256)) faults.push(`${name}: a row of ${holder} has no bytes: ${sha256}`);
    }
    const { removed } = await sweepBytes({ database: world.owner, storage }, id, {
      graceMs: 0,
      limit: 1e6,
    });
    const after = await storedHashes(storage, id);
    for (const sha256 of after) {
      const { path } = await storage.localPath(id, sha256);
      const hash = createHash('sha256');
      await pipeline(createReadStream(path), hash);
      if (hash.digest('hex') !== sha256) faults.push(`${name}: ${sha256} has other bytes`);
      if (!referencedHashes.has(sha256)) faults.push(`${name}: ${sha256} is an orphan, and stays`);
    }
    if (before.size - removed !== referencedHashes.size) {
      faults.push(
        `${name}: ${before.size} files, ${removed} swept, ${referencedHashes.size} referenced`,
      );
    }
  }
  await storage.cleanTemp(0);
  await storage.partials.clean(0);
  for (const folder of ['.tmp', '.partial']) {
    const path = join(world.storage.folder, folder);
    const options = { recursive: true, withFileTypes: true } as const;
    for (const entry of (await readdir(path, options).catch(nullWhenMissing)) ?? [])
      if (!entry.isDirectory()) faults.push(`${folder}: ${entry.name} stays`);
  }
  return faults;
};

async function storedHashes(
  storage: Awaited<ReturnType<typeof openLocalStorage>>,
  projectId: string,
): Promise<Set<string>> {
  const hashes = new Set<string>();
  for await (const sha256 of storage.list(projectId)) hashes.add(sha256);
  return hashes;
}
