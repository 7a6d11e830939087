import type pg from 'pg';
import { cpuMs } from '../cpu.ts';
import { median, percentile } from '../figures.ts';
import { searchOf, type TimedResponse } from './api-client.ts';
import type { SeededLibrary } from './seed.ts';

/** A search over objects and images, as an API request and as handwritten SQL. */
interface OneListQuery {
  name: string;
  parameters: Record<string, string>;
  tsquery: string;
  /** The condition on the objects `o`. */
  and?: string;
}

/** The searches: words from rare to frequent, together, in a phrase, while typing and misspelt. */
function oneListMix({ words, tags }: Pick<SeededLibrary, 'words' | 'tags'>): OneListQuery[] {
  const w = (at: number): string => words[at]!;
  const query = (
    name: string,
    q: string,
    tsquery: string,
    more: { parameters?: Record<string, string>; and?: string } = {},
  ): OneListQuery => ({
    name,
    parameters: { q, ...more.parameters },
    tsquery,
    ...(more.and !== undefined && { and: more.and }),
  });
  return [
    query('a rare word', `"${w(3_900)}"`, w(3_900)),
    query('a word, in 0.2 % of images', `"${w(1_000)}"`, w(1_000)),
    query('a word, in 1 %', `"${w(200)}"`, w(200)),
    query('a word, in 4 %', `"${w(50)}"`, w(50)),
    query('a word, in 1 of 4', `"${w(5)}"`, w(5)),
    query('a word, in 3 of 4', `"${w(0)}"`, w(0)),
    query('two words', `${w(7)} "${w(40)}"`, `${w(7)} & ${w(40)}`),
    query('two frequent words', `${w(0)} "${w(2)}"`, `${w(0)} & ${w(2)}`),
    query('three words', `${w(3)} ${w(12)} "${w(30)}"`, `${w(3)} & ${w(12)} & ${w(30)}`),
    query('one word or another', `"${w(70)}" OR "${w(90)}"`, `${w(70)} | ${w(90)}`),
    query('a word and not another', `"${w(35)}" -${w(2)}`, `${w(35)} & !${w(2)}`),
    query('while typing', w(60).slice(0, 4), `${w(60).slice(0, 4)}:*`),
    query('two letters', w(60).slice(0, 2), `${w(60).slice(0, 2)}:*`),
    query('a phrase', `"${w(6)} ${w(9)}"`, `${w(6)} <-> ${w(9)}`),
    query('a phrase, images', `"${w(0)} ${w(1)}"`, `${w(0)} <-> ${w(1)}`, {
      parameters: { kind: 'image' },
      and: `o.mime LIKE 'image/%'`,
    }),
    query('a phrase with a tag', `"${w(3)} ${w(4)}"`, `${w(3)} <-> ${w(4)}`, {
      parameters: { tag: tags[8]! },
      and: `o.tags && '{${tags[8]!}}'`,
    }),
    query('a frequent word, documents', `"${w(5)}"`, w(5), {
      parameters: { kind: 'object' },
      and: `o.mime NOT LIKE 'image/%'`,
    }),
    query('a misspelt word', `${w(300).slice(0, -1)}z`, w(300)),
    query('a word that nothing contains', 'zzqzqzzq', 'zzqzqzzq'),
  ];
}

const pageSize = 50;

/** The page in handwritten SQL: ranks every match and reads the passage of each result. */
function pageSql(projectId: string, { tsquery, and = 'true' }: OneListQuery): string {
  const words = `to_tsquery('library', '${tsquery}')`;
  return `SELECT o.filename, i.title, i.description, o.tags, best.page, best.text, score
    FROM (
      SELECT x.object_id, ts_rank('{0.1, 0.2, 0.4, 1}', x.details || x.text, ${words}) AS score
      FROM object_index x JOIN object o ON o.project_id = x.project_id AND o.id = x.object_id
      WHERE x.project_id = '${projectId}' AND x.details || x.text @@ ${words}
        AND o.state <> 'trashed' AND ${and}
      ORDER BY score DESC, x.object_id DESC LIMIT ${pageSize + 1}) found
    JOIN object o ON o.project_id = '${projectId}' AND o.id = found.object_id
    LEFT JOIN image i ON i.project_id = o.project_id AND i.object_id = o.id
    LEFT JOIN LATERAL (
      SELECT page, text FROM object_text t
      WHERE t.project_id = o.project_id AND t.object_id = o.id AND t.vector @@ ${words}
      ORDER BY ts_rank(t.vector, ${words}) DESC LIMIT 1) best ON true
    ORDER BY score DESC, found.object_id DESC`;
}

/** What the measurements of lists use. */
export interface ListTools {
  get(path: string): Promise<TimedResponse>;
  /** A connection of a superuser. */
  raw: pg.Client;
  postgresPid: number;
  rounds: number;
}

/** Measures `GET /v1/search` and prints the times, and the CPU time of Postgres per request. */
export async function measureOneList(
  library: Pick<SeededLibrary, 'projectId' | 'words' | 'tags'>,
  { get, raw, postgresPid, rounds }: ListTools,
): Promise<void> {
  console.log(
    'GET /v1/search                 matches   page p50/p95       CPU    raw SQL   with total p50/p95',
  );
  const all: Record<'page' | 'both', number[]> = { page: [], both: [] };
  const ratios: number[] = [];
  const timed = async (times: number[], path: string): Promise<void> => {
    times.push((await get(path)).milliseconds);
  };
  for (const query of oneListMix(library)) {
    const path = `/v1/search${searchOf({ ...query.parameters, limit: String(pageSize) })}`;
    const withTotal = `${path}&include=total`;
    const matches = (await get(withTotal)).body.total ?? 0;
    const [page, hand, both]: [number[], number[], number[]] = [[], [], []];
    await get(path);
    const before = cpuMs(postgresPid);
    for (let round = 0; round < rounds; round++) await timed(page, path);
    const cpu = (cpuMs(postgresPid) - before) / rounds;
    const sql = pageSql(library.projectId, query);
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await raw.query(sql);
      hand.push(performance.now() - start);
    }
    for (let round = 0; round < rounds; round++) await timed(both, withTotal);
    all.page.push(...page);
    all.both.push(...both);
    ratios.push(median(page) / median(hand));
    console.log(
      `${query.name.padEnd(30)} ${String(matches).padStart(7)}  ${ms(page, 0.5)} / ${ms(page, 0.95)}  ${cpu.toFixed(1).padStart(7)}  ${ms(hand, 0.5)}     ${ms(both, 0.5)} / ${ms(both, 0.95)}`,
    );
  }
  const spread = (times: number[]): string => `p50 ${ms(times, 0.5)}, p95 ${ms(times, 0.95)} ms`;
  console.log(`search, page alone:      ${spread(all.page)}`);
  console.log(`search, with total:      ${spread(all.both)}`);
  console.log(`search, median of the queries' ratios: ${median(ratios).toFixed(2)}`);
}

function ms(values: readonly number[], share: number): string {
  return percentile(values, share).toFixed(1).padStart(6);
}
