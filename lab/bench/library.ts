import pg from 'pg';
import { createProject, issueKey } from '../../src/access/projects.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { integerFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import { calibrate } from './support/figures.ts';
import { openApiClient } from './support/library/api-client.ts';
import { makeDocuments, seedDocuments } from './support/library/documents.ts';
import { measureImageList } from './support/library/image-list.ts';
import { measureOneList } from './support/library/one-list.ts';
import { makePictures } from './support/library/pictures.ts';
import { createRandom, seedCollections, seedImages } from './support/library/seed.ts';
import {
  buildPrograms,
  freePort,
  serverEnvironment,
  startBuilt,
  untilReady,
} from './support/programs.ts';

/**
 * Library search through the API, one request at a time, compared with the same queries in
 * handwritten SQL by a superuser, who bypasses row-level security: images, then images and documents
 * in one list. `ONLY=search` measures only the latter.
 */
const images = integerFromEnv('IMAGES', 100_000);
const collections = integerFromEnv('COLLECTIONS', 10_000);
const documents = integerFromEnv('DOCUMENTS', 20_000);
const pictures = integerFromEnv('PICTURES', 240);
const rounds = integerFromEnv('ROUNDS', 15);

buildPrograms();
const bench = await openBench();
const port = await freePort();
const environment = serverEnvironment(bench, port);
const server = startBuilt('server', environment);
let client: ReturnType<typeof openApiClient> | undefined;
const rawClient = new pg.Client({ connectionString: bench.benchSuperuserUrl });
try {
  await rawClient.connect();
  const owner = await bench.openDatabase(bench.urls.ownerUrl, 2);
  const { projectId } = await inTransaction(owner, (tx) => createProject(tx, 'bench'));
  const { secret } = await inTransaction(owner, (tx) =>
    issueKey(tx, projectId, { name: 'search', scopes: ['*'], read_per_minute: 100_000_000 }),
  );
  client = openApiClient(port, {
    Authorization: `Bearer ${secret}`,
    'X-Service-Project-ID': projectId,
  });

  const api = await bench.openDatabase(bench.urls.apiUrl, 2);
  const started = performance.now();
  const storage = await openStorage(environment.STORAGE_URL);
  const madePictures = await makePictures(
    storage,
    projectId,
    pictures,
    bench.folder,
    createRandom(3),
  );
  log(`${pictures} pictures made and read in ${secondsSince(started)} s`);
  const seeding = performance.now();
  const seeded = await seedImages(api, projectId, images, madePictures);
  const collectionId = await seedCollections(api, seeded, collections);
  const library = { ...seeded, collectionId };
  const files = await makeDocuments(storage, projectId, bench.folder);
  await seedDocuments(api, seeded, documents, files, { withText: true });
  log(
    `${images} images, ${documents} documents and ${collections} collections seeded in ${secondsSince(seeding)} s`,
  );
  await rawClient.query('VACUUM ANALYZE');
  await untilReady(port);

  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  const tools = { get: client.get, raw: rawClient, postgresPid: bench.postgresPid, rounds };
  await measureOneList(library, tools);
  if (process.env.ONLY !== 'search') await measureImageList(library, tools);
} finally {
  client?.close();
  await rawClient.end();
  await server.stop();
  await bench.close();
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(0);
}

function log(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
