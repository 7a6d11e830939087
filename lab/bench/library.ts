import { Agent, request } from 'node:http';
import { imageSorts } from '@scriptorium/contracts/wire/library/images';
import pg from 'pg';
import { createProject, issueKey } from '../../src/access/projects.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { calibrate, median, percentile } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { makePictures } from './support/library/pictures.ts';
import { handCounts, handPage, type MixedQuery, mixOf } from './support/library/queries.ts';
import { createRandom, seedCollections, seedImages } from './support/library/seed.ts';
import {
  buildPrograms,
  freePort,
  serverEnvironment,
  startBuilt,
  untilReady,
} from './support/programs.ts';

/**
 * Library search through the API, one request at a time, compared with the same queries in handwritten
 * SQL by a superuser, who bypasses row-level security.
 */
const images = Number(process.env.IMAGES ?? 100_000);
const collections = Number(process.env.COLLECTIONS ?? 10_000);
const pictures = Number(process.env.PICTURES ?? 240);
const rounds = Number(process.env.ROUNDS ?? 15);
const farPage = 500;

buildPrograms();
const ground = await openBenchGround();
const port = await freePort();
const environment = serverEnvironment(ground, port);
const server = startBuilt('server', environment);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const hand = new pg.Client({ connectionString: ground.benchSuperuserUrl });
try {
  await hand.connect();
  const owner = await ground.open(ground.urls.ownerUrl, 2);
  const { projectId } = await inTransaction(owner, (tx) => createProject(tx, 'bench'));
  const { secret } = await inTransaction(owner, (tx) =>
    issueKey(tx, projectId, { name: 'search', scopes: ['*'], read_per_minute: 100_000_000 }),
  );
  const headers = { Authorization: `Bearer ${secret}`, 'X-Service-Project-ID': projectId };

  const api = await ground.open(ground.urls.apiUrl, 2);
  const started = performance.now();
  const storage = await openStorage(environment.STORAGE_URL);
  const made = await makePictures(storage, projectId, pictures, ground.folder, createRandom(3));
  say(`${pictures} pictures made and read in ${seconds(started)} s`);
  const seeding = performance.now();
  const seeded = await seedImages(api, projectId, images, made);
  const collectionId = await seedCollections(api, seeded, collections);
  const library = { ...seeded, collectionId };
  say(`${images} images and ${collections} collections seeded in ${seconds(seeding)} s`);
  await hand.query('VACUUM ANALYZE');
  await untilReady(port);

  const mix = mixOf(library);
  const told: Told[] = [];
  for (const query of mix) told.push(await measure(query));
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(
    '                                           matches   page p50/p95    raw SQL   counts p50/p95    raw SQL',
  );
  for (const one of told) {
    console.log(
      `${one.name.padEnd(42)} ${String(one.matches).padStart(7)}  ${ms(one.page, 0.5)} / ${ms(one.page, 0.95)} ${ms(one.handPage, 0.5)}   ${ms(one.both, 0.5)} / ${ms(one.both, 0.95)}  ${ms(one.handBoth, 0.5)}`,
    );
  }
  const selectivity = median(told.map(({ matches }) => matches / images));
  console.log(`median selectivity ${(100 * selectivity).toFixed(2)} %`);
  const allOf = (arm: Arm): number[] => told.flatMap((one) => one[arm]);
  console.log(
    `page alone:              p50 ${ms(allOf('page'), 0.5)}, p95 ${ms(allOf('page'), 0.95)} ms`,
  );
  console.log(
    `with total and facets:   p50 ${ms(allOf('both'), 0.5)}, p95 ${ms(allOf('both'), 0.95)} ms, slowest query ${Math.max(...told.map(({ both }) => median(both))).toFixed(1)} ms`,
  );
  const wholeMix = (arm: Arm): number => told.reduce((sum, one) => sum + median(one[arm]), 0);
  console.log(
    `ratio of the page, whole mix: ${(wholeMix('page') / wholeMix('handPage')).toFixed(2)}; median of the queries' ratios ${median(told.map((one) => median(one.page) / median(one.handPage))).toFixed(2)}`,
  );
  console.log(
    `ratio with total and facets, whole mix: ${(wholeMix('both') / wholeMix('handBoth')).toFixed(2)}; median ${median(told.map((one) => median(one.both) / median(one.handBoth))).toFixed(2)}`,
  );

  for (const sort of imageSorts.filter((one) => one !== 'relevance')) {
    const { first, far } = await walk(sort);
    console.log(
      `sort=${sort.padEnd(12)} page 1 ${first.toFixed(1)} ms, page ${farPage} ${far.toFixed(1)} ms`,
    );
  }
  const misspelt = `${library.words[300]!.slice(0, -1)}z`;
  const corrected: number[] = [];
  for (let at = 0; at < rounds; at++) corrected.push((await get(`?q=${misspelt}`)).milliseconds);
  console.log(`a corrected word: p50 ${ms(corrected, 0.5)} ms`);

  async function measure(query: MixedQuery): Promise<Told> {
    const search = searchOf(query.parameters);
    const withCounts = `${search}${search ? '&' : '?'}include=total,facets`;
    const [page, counts] = [handPage(projectId, query), handCounts(projectId, query)];
    const result: Told = {
      name: query.name,
      matches: (await get(withCounts)).body.total ?? 0,
      page: [],
      both: [],
      handPage: [],
      handBoth: [],
    };
    const byHand = async (...statements: string[]): Promise<number> => {
      const start = performance.now();
      for (const statement of statements) await hand.query(statement);
      return performance.now() - start;
    };
    await byHand(page, counts);
    for (let round = 0; round < rounds; round++) {
      result.page.push((await get(search)).milliseconds);
      result.handPage.push(await byHand(page));
      result.both.push((await get(withCounts)).milliseconds);
      result.handBoth.push(await byHand(page, counts));
    }
    return result;
  }

  async function walk(sort: string): Promise<{ first: number; far: number }> {
    const start = `?limit=50&sort=${sort}`;
    let search = start;
    for (let page = 1; page < farPage; page++) {
      const { next_cursor } = (await get(search)).body;
      if (!next_cursor) break;
      search = `${start}&cursor=${next_cursor}`;
    }
    const [first, far]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      first.push((await get(start)).milliseconds);
      far.push((await get(search)).milliseconds);
    }
    return { first: median(first), far: median(far) };
  }

  function get(search: string): Promise<Timed> {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const path = `/v1/images${search}`;
      const outgoing = request({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const milliseconds = performance.now() - start;
          const text = Buffer.concat(chunks).toString();
          if (answer.statusCode === 200) resolve({ milliseconds, body: JSON.parse(text) });
          else reject(new Error(`${path}: ${answer.statusCode} ${text}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  }
} finally {
  agent.destroy();
  await hand.end();
  await server.stop();
  await ground.close();
}

type Arm = 'page' | 'both' | 'handPage' | 'handBoth';

interface Told extends Record<Arm, number[]> {
  name: string;
  matches: number;
}

interface Timed {
  milliseconds: number;
  body: { total: number | null; next_cursor: string | null };
}

function searchOf(parameters: MixedQuery['parameters']): string {
  const search = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  ).toString();
  return search && `?${search}`;
}

function ms(values: readonly number[], share: number): string {
  return percentile(values, share).toFixed(1).padStart(6);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}

function say(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
