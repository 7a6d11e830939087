import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/db/database.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { makePictures } from './support/library/pictures.ts';
import { createRandom, seedCollections, seedImages } from './support/library/seed.ts';

/**
 * `script/seed [images] [collections]`: fills the project of a running `script/server` with a generated
 * library, by default 100,000 images and 10,000 collections. Each image uses one of a few hundred small
 * generated pictures with EXIF data, with its own words, tags and dates.
 */
const [images = 100_000, collections = 10_000] = process.argv.slice(2).map(Number);
if (![images, collections].every((count) => Number.isInteger(count) && count >= 0)) {
  throw new Error('Both counts must be whole numbers, for example: script/seed 100000 10000');
}

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set. Start script/server first; it writes .data/dev.env.`);
}

const projectId = setting('PROJECT_ID');
const database = await openDatabase(setting('DATABASE_URL'), { poolSize: 2 });
const storage = await openStorage(setting('STORAGE_URL'));
const folder = await mkdtemp(join(tmpdir(), 'scriptorium-seed-'));
try {
  const pictures = await makePictures(storage, projectId, 240, folder, createRandom(3));
  const library = await seedImages(database, projectId, images, pictures);
  if (images > 0 && collections > 0) await seedCollections(database, library, collections);
  console.log(`Added ${images} images and ${collections} collections to ${projectId}.`);
} finally {
  await rm(folder, { recursive: true, force: true });
  await storage.close();
  await database.destroy();
}
