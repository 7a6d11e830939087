import { Agent, request } from 'node:http';
import { imageSorts } from '@scriptorium/contracts/wire/library/images';
import pg from 'pg';
import { createProject, issueKey } from '../../src/access/projects.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { integerFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import { calibrate, median, percentile } from './support/figures.ts';
import { makePictures } from './support/library/pictures.ts';
import { countsSql, type MixedQuery, pageSql, queryMix } from './support/library/queries.ts';
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
 * handwritten SQL by a superuser, who bypasses row-level security.
 */
const images = integerFromEnv('IMAGES', 100_000);
const collections = integerFromEnv('COLLECTIONS', 10_000);
const pictures = integerFromEnv('PICTURES', 240);
const rounds = integerFromEnv('ROUNDS', 15);
const farPage = 500;

buildPrograms();
const bench = await openBench();
const port = await freePort();
const environment = serverEnvironment(bench, port);
const server = startBuilt('server', environment);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const rawClient = new pg.Client({ connectionString: bench.benchSuperuserUrl });
try {
  await rawClient.connect();
  const owner = await bench.openDatabase(bench.urls.ownerUrl, 2);
  const { projectId } = await inTransaction(owner, (tx) => createProject(tx, 'bench'));
  const { secret } = await inTransaction(owner, (tx) =>
    issueKey(tx, projectId, { name: 'search', scopes: ['*'], read_per_minute: 100_000_000 }),
  );
  const headers = { Authorization: `Bearer ${secret}`, 'X-Service-Project-ID': projectId };

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
  log(`${images} images and ${collections} collections seeded in ${secondsSince(seeding)} s`);
  await rawClient.query('VACUUM ANALYZE');
  await untilReady(port);

  const mix = queryMix(library);
  const results: QueryTimes[] = [];
  for (const query of mix) results.push(await measure(query));
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(
    '                                           matches   page p50/p95    raw SQL   counts p50/p95    raw SQL',
  );
  for (const one of results) {
    console.log(
      `${one.name.padEnd(42)} ${String(one.matches).padStart(7)}  ${ms(one.page, 0.5)} / ${ms(one.page, 0.95)} ${ms(one.handPage, 0.5)}   ${ms(one.both, 0.5)} / ${ms(one.both, 0.95)}  ${ms(one.handBoth, 0.5)}`,
    );
  }
  const selectivity = median(results.map(({ matches }) => matches / images));
  console.log(`median selectivity ${(100 * selectivity).toFixed(2)} %`);
  const allOf = (arm: Arm): number[] => results.flatMap((one) => one[arm]);
  console.log(
    `page alone:              p50 ${ms(allOf('page'), 0.5)}, p95 ${ms(allOf('page'), 0.95)} ms`,
  );
  console.log(
    `with total and facets:   p50 ${ms(allOf('both'), 0.5)}, p95 ${ms(allOf('both'), 0.95)} ms, slowest query ${Math.max(...results.map(({ both }) => median(both))).toFixed(1)} ms`,
  );
  const wholeMix = (arm: Arm): number => results.reduce((sum, one) => sum + median(one[arm]), 0);
  console.log(
    `ratio of the page, whole mix: ${(wholeMix('page') / wholeMix('handPage')).toFixed(2)}; median of the queries' ratios ${median(results.map((one) => median(one.page) / median(one.handPage))).toFixed(2)}`,
  );
  console.log(
    `ratio with total and facets, whole mix: ${(wholeMix('both') / wholeMix('handBoth')).toFixed(2)}; median ${median(results.map((one) => median(one.both) / median(one.handBoth))).toFixed(2)}`,
  );

  for (const sort of imageSorts.filter((one) => one !== 'relevance')) {
    const { first, far } = await timePaging(sort);
    console.log(
      `sort=${sort.padEnd(12)} page 1 ${first.toFixed(1)} ms, page ${farPage} ${far.toFixed(1)} ms`,
    );
  }
  const misspelt = `${library.words[300]!.slice(0, -1)}z`;
  const corrected: number[] = [];
  for (let at = 0; at < rounds; at++) corrected.push((await get(`?q=${misspelt}`)).milliseconds);
  console.log(`a corrected word: p50 ${ms(corrected, 0.5)} ms`);

  async function measure(query: MixedQuery): Promise<QueryTimes> {
    const search = searchOf(query.parameters);
    const withCounts = `${search}${search ? '&' : '?'}include=total,facets`;
    const [page, counts] = [pageSql(projectId, query), countsSql(projectId, query)];
    const result: QueryTimes = {
      name: query.name,
      matches: (await get(withCounts)).body.total ?? 0,
      page: [],
      both: [],
      handPage: [],
      handBoth: [],
    };
    const timeRawSql = async (...statements: string[]): Promise<number> => {
      const start = performance.now();
      for (const statement of statements) await rawClient.query(statement);
      return performance.now() - start;
    };
    await timeRawSql(page, counts);
    for (let round = 0; round < rounds; round++) {
      result.page.push((await get(search)).milliseconds);
      result.handPage.push(await timeRawSql(page));
      result.both.push((await get(withCounts)).milliseconds);
      result.handBoth.push(await timeRawSql(page, counts));
    }
    return result;
  }

  async function timePaging(sort: string): Promise<{ first: number; far: number }> {
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

  function get(search: string): Promise<TimedResponse> {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const path = `/v1/images${search}`;
      const outgoing = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const milliseconds = performance.now() - start;
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve({ milliseconds, body: JSON.parse(text) });
          else reject(new Error(`${path}: ${response.statusCode} ${text}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  }
} finally {
  agent.destroy();
  await rawClient.end();
  await server.stop();
  await bench.close();
}

type Arm = 'page' | 'both' | 'handPage' | 'handBoth';

interface QueryTimes extends Record<Arm, number[]> {
  name: string;
  matches: number;
}

interface TimedResponse {
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

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(0);
}

function log(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
