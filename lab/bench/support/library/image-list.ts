import { imageSorts } from '@scriptorium/contracts/wire/library/images';
import { median, percentile } from '../figures.ts';
import { searchOf, type TimedResponse } from './api-client.ts';
import type { ListTools } from './one-list.ts';
import { countsSql, type MixedQuery, pageSql, queryMix } from './queries.ts';
import type { SeededLibrary } from './seed.ts';

const farPage = 500;

type Arm = 'page' | 'both' | 'handPage' | 'handBoth';

interface QueryTimes extends Record<Arm, number[]> {
  name: string;
  matches: number;
}

/** Measures `GET /v1/images` and prints the times of pages and counts. */
export async function measureImageList(
  library: SeededLibrary,
  { get, raw, rounds }: ListTools,
): Promise<void> {
  const {
    projectId,
    images: { length: images },
  } = library;
  const getImages = (search: string): Promise<TimedResponse> => get(`/v1/images${search}`);
  const mix = queryMix(library);
  const results: QueryTimes[] = [];
  for (const query of mix) results.push(await measure(query));
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
  for (let at = 0; at < rounds; at++)
    corrected.push((await getImages(`?q=${misspelt}`)).milliseconds);
  console.log(`a corrected word: p50 ${ms(corrected, 0.5)} ms`);

  async function measure(query: MixedQuery): Promise<QueryTimes> {
    const search = searchOf(query.parameters);
    const withCounts = `${search}${search ? '&' : '?'}include=total,facets`;
    const [page, counts] = [pageSql(projectId, query), countsSql(projectId, query)];
    const result: QueryTimes = {
      name: query.name,
      matches: (await getImages(withCounts)).body.total ?? 0,
      page: [],
      both: [],
      handPage: [],
      handBoth: [],
    };
    const timeRawSql = async (...statements: string[]): Promise<number> => {
      const start = performance.now();
      for (const statement of statements) await raw.query(statement);
      return performance.now() - start;
    };
    await timeRawSql(page, counts);
    for (let round = 0; round < rounds; round++) {
      result.page.push((await getImages(search)).milliseconds);
      result.handPage.push(await timeRawSql(page));
      result.both.push((await getImages(withCounts)).milliseconds);
      result.handBoth.push(await timeRawSql(page, counts));
    }
    return result;
  }

  async function timePaging(sort: string): Promise<{ first: number; far: number }> {
    const start = `?limit=50&sort=${sort}`;
    let search = start;
    for (let page = 1; page < farPage; page++) {
      const { next_cursor } = (await getImages(search)).body;
      if (!next_cursor) break;
      search = `${start}&cursor=${next_cursor}`;
    }
    const [first, far]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      first.push((await getImages(start)).milliseconds);
      far.push((await getImages(search)).milliseconds);
    }
    return { first: median(first), far: median(far) };
  }
}

function ms(values: readonly number[], share: number): string {
  return percentile(values, share).toFixed(1).padStart(6);
}
