import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/database.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { makeDocuments, seedDocuments } from './support/library/documents.ts';
import { makePictures } from './support/library/pictures.ts';
import { createRandom, seedCollections, seedImages } from './support/library/seed.ts';
import { requireSetting } from './support/library/settings.ts';

/**
 * `script/seed [objects] [collections]`: fills the project of a running `script/server` with a generated
 * library, by default 100,000 objects and 10,000 collections. Three in five are images with EXIF data,
 * places, words, tags and dates of their own; the others are PDFs, text files and outputs of jobs. They
 * share the bytes of a few hundred small generated files.
 */
const [objects = 100_000, collections = 10_000] = process.argv.slice(2).map(Number);
if (![objects, collections].every((count) => Number.isInteger(count) && count >= 0)) {
  throw new Error('Both counts must be whole numbers, for example: script/seed 100000 10000');
}

const projectId = requireSetting('PROJECT_ID');
const database = await openDatabase(requireSetting('DATABASE_URL'), { poolSize: 2 });
const storage = await openStorage(requireSetting('STORAGE_URL'));
const folder = await mkdtemp(join(tmpdir(), 'scriptorium-seed-'));
try {
  const pictures = await makePictures(storage, projectId, 240, folder, createRandom(3));
  const images = Math.round(objects * 0.6);
  const library = await seedImages(database, projectId, images, pictures);
  const documents = await makeDocuments(storage, projectId, folder);
  await seedDocuments(database, library, objects - images, documents);
  if (images > 0 && collections > 0) await seedCollections(database, library, collections);
  console.log(`Added ${objects} objects and ${collections} collections to ${projectId}.`);
} finally {
  await rm(folder, { recursive: true, force: true });
  await storage.close();
  await database.destroy();
}
