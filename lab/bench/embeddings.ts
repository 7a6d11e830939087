/**
 * The search by vectors: recall@10 compared with all cosines in full precision, and its time, among
 * generated vectors that lie around topics, as those of texts do. Options: `PASSAGES` (100,000),
 * `DIMENSIONS` (384).
 */
import { newId } from '@scriptorium/contracts/ids';
import { inProject, query } from '../../src/db/transaction.ts';
import { rankNearest } from '../../src/library/embeddings/nearest.ts';
import { signsOf, toBytes } from '../../src/library/embeddings/quantise.ts';
import { prepareSearch } from '../../src/library/objects/conditions.ts';
import { openBench } from './support/bench.ts';
import { cpuMs } from './support/cpu.ts';
import { createVectorSource } from './support/passages/vectors.ts';

const passageCount = Number(process.env.PASSAGES ?? 100_000);
const dimensions = Number(process.env.DIMENSIONS ?? 384);
const searchCount = 40;
/** The pages of an object, and the rows of a transaction. */
const batchSize = 2_000;

const bench = await openBench();
const database = await bench.openDatabase(bench.urls.apiUrl);
const projectId = await bench.createProject();
const source = createVectorSource(dimensions);
const vectors: Float32Array[] = [];
const placeOf = new Map<string, number>();

await inProject(database, projectId, (tx) =>
  query(tx, `INSERT INTO project_embedding (project_id, model) VALUES ($1, 'bench')`, [projectId]),
);
for (let from = 0; from < passageCount; from += batchSize) {
  const objectId = newId('object');
  placeOf.set(objectId, from);
  const some = Array.from({ length: Math.min(batchSize, passageCount - from) }, source.passage);
  vectors.push(...some.map((vector) => Float32Array.from(vector)));
  await inProject(database, projectId, async (tx) => {
    await query(
      tx,
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
       VALUES ($1, $2, 'available', $1, 'text/plain', 1, $1, 'upload')`,
      [objectId, projectId],
    );
    await query(
      tx,
      `INSERT INTO passage (project_id, object_id, redacted, page, position, last_page, job_id, text, vector)
       SELECT $1, $2, false, n, 0, n, 'job_bench', repeat('text ', 160), '' FROM generate_series(1, $3) n`,
      [projectId, objectId, some.length],
    );
    await query(
      tx,
      `INSERT INTO passage_embedding (project_id, object_id, redacted, page, position, bits, vector)
       SELECT $1, $2, false, n, 0, signs::bit varying, bytes
       FROM unnest($3::text[], $4::bytea[]) WITH ORDINALITY AS v (signs, bytes, n)`,
      [projectId, objectId, some.map(signsOf), some.map(toBytes)],
    );
  });
}
await bench.analyze();

const questions = Array.from({ length: searchCount }, source.question);
const caller = { projectId, address: null, readsImages: true };
const search = (vector: readonly number[]): Promise<number[]> =>
  inProject(database, projectId, async (tx) => {
    const found = await rankNearest(
      tx,
      await prepareSearch(tx, caller, { q: 'a' }),
      { terms: [], required: [], phrases: [] },
      { model: 'bench', vector },
      50,
    );
    return found.map(({ objectId, page }) => placeOf.get(objectId)! + page - 1);
  });

await search(questions[0]!);
const times: number[] = [];
let [hits, cpu] = [0, 0];
for (const vector of questions) {
  const cpuBefore = cpuMs(bench.postgresPid);
  const start = performance.now();
  const found = await search(vector);
  times.push(performance.now() - start);
  cpu += cpuMs(bench.postgresPid) - cpuBefore;
  const nearest = new Set(nearestTo(vector));
  hits += found.slice(0, 10).filter((place) => nearest.has(place)).length;
}
times.sort((a, b) => a - b);
const at = (share: number): string => times[Math.floor(times.length * share)]!.toFixed(0);
const [size] = await bench.query<{ heap: string; key: string }>(
  `SELECT pg_size_pretty(pg_table_size('passage_embedding')) AS heap,
     pg_size_pretty(pg_relation_size('passage_embedding_pkey')) AS key`,
);
console.log(
  `${passageCount} passages, ${dimensions} dimensions: recall@10 ${(hits / searchCount / 10).toFixed(3)}, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, CPU of Postgres ${(cpu / searchCount).toFixed(0)} ms a search, table ${size!.heap}, key ${size!.key}`,
);
await bench.close();

/** The places of the ten nearest passages, in full precision. */
function nearestTo(question: readonly number[]): number[] {
  const best: { place: number; product: number }[] = [];
  for (const [place, vector] of vectors.entries()) {
    let product = 0;
    for (let i = 0; i < dimensions; i += 1) product += vector[i]! * question[i]!;
    if (best.length < 10 || product > best[9]!.product) {
      best.push({ place, product });
      best.sort((a, b) => b.product - a.product);
      best.length = Math.min(best.length, 10);
    }
  }
  return best.map(({ place }) => place);
}
