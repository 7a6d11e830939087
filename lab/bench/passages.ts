/**
 * The search for passages: nDCG@10 on the questions and sections of the documentation, compared with
 * BM25, and the time of a search among many generated passages. Options: `PASSAGES` (100,000),
 * `SHOW=1` prints the questions whose section is not found.
 */
import { resolve } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import { inProject, query, type Tx } from '../../src/db/transaction.ts';
import { prepareSearch } from '../../src/library/objects/conditions.ts';
import { indexChunks } from '../../src/library/objects/text.ts';
import { findPassages, rankPassages } from '../../src/library/passages/queries.ts';
import { readPassageQuery } from '../../src/library/passages/terms.ts';
import { openBench } from './support/bench.ts';
import { cpuMs } from './support/cpu.ts';
import { createBm25, ndcgAt10 } from './support/passages/bm25.ts';
import { readGuideSections } from './support/passages/guide-sections.ts';

const passageCount = Number(process.env.PASSAGES ?? 100_000);
const bench = await openBench();
const database = await bench.openDatabase(bench.urls.apiUrl);
const { sections, questions } = await readGuideSections(resolve(import.meta.dirname, '../../docs'));

async function addObject(tx: Tx, projectId: string, filename: string): Promise<string> {
  const id = newId('object');
  await query(
    tx,
    `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
     VALUES ($1, $2, 'available', $3, 'text/markdown', 1, $1, 'upload')`,
    [id, projectId, filename],
  );
  return id;
}

async function search(projectId: string, q: string) {
  return inProject(database, projectId, async (tx) => {
    const wanted = await readPassageQuery(tx, q, ['eng']);
    if (!wanted) return [];
    const caller = { projectId, address: null, readsImages: true };
    const ranked = await rankPassages(tx, await prepareSearch(tx, caller, { q }), wanted, 10);
    return findPassages(tx, projectId, ranked);
  });
}

const guide = await bench.createProject();
const placeOf = new Map<string, number>();
await inProject(database, guide, async (tx) => {
  for (const file of new Set(sections.map((one) => one.file))) {
    const id = await addObject(tx, guide, file);
    const chunks = sections.flatMap((one, at) => (one.file === file ? [{ one, at }] : []));
    for (const { at } of chunks) placeOf.set(`${id}/${at}`, at);
    indexChunks(
      tx,
      { projectId: guide, sourceObjectId: id, id: 'job_bench' },
      false,
      chunks.map(({ one: { headings, text }, at }) => ({
        index: at,
        pages: [1, 1],
        headings,
        text,
        boxes: [],
      })),
    );
  }
});
await bench.analyze();

const bm25 = createBm25(sections.map(({ headings, text }) => [...headings, text].join('\n')));
const totals = { ours: 0, bm25: 0 };
for (const { text, grades } of questions) {
  const gradeOf = (at: number): number => grades.get(sections[at]!) ?? 0;
  const found = await search(guide, text);
  const places = [
    ...new Set(found.map(({ objectId, chunk }) => placeOf.get(`${objectId}/${chunk}`)!)),
  ];
  const all = [...grades.values()];
  const score = ndcgAt10(places.map(gradeOf), all);
  totals.ours += score;
  totals.bm25 += ndcgAt10(bm25(text).map(gradeOf), all);
  if (process.env.SHOW === '1' && score === 0) console.log(`not found: ${text}`);
}
const mean = (sum: number): string => (sum / questions.length).toFixed(3);
console.log(
  `${questions.length} questions, ${sections.length} sections: nDCG@10 ${mean(totals.ours)}, BM25 ${mean(totals.bm25)}`,
);

// Words of the documentation, as frequent as there.
const vocabulary = sections.flatMap(({ text }) => text.match(/\p{L}{2,}/gu) ?? []);
const large = await bench.createProject();
let seed = 1;
const random = (limit: number): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % limit;
};
for (let from = 0; from < passageCount; from += 1000) {
  await inProject(database, large, async (tx) => {
    const id = await addObject(tx, large, `document ${from}.md`);
    const chunks = Array.from({ length: Math.min(1000, passageCount - from) }, (_, at) => ({
      index: at,
      pages: [at + 1, at + 1],
      headings: [],
      boxes: [],
      // A rare word of a letter and a number stands for names.
      text: Array.from({ length: 120 }, (_, n) =>
        n % 20 === 0 ? `Name${random(20_000)}` : vocabulary[random(vocabulary.length)],
      ).join(' '),
    }));
    indexChunks(tx, { projectId: large, sourceObjectId: id, id: 'job_bench' }, false, chunks);
  });
}
await bench.analyze();
const cpuBefore = cpuMs(bench.postgresPid);
const times: { ms: number; text: string }[] = [];
for (const round of [0, 1, 2]) {
  for (const [at, { text }] of questions.entries()) {
    const q = at % 3 === 0 ? `${text} Name${at}` : text;
    const start = performance.now();
    await search(large, q);
    if (round > 0) times.push({ ms: performance.now() - start, text: q });
  }
}
const cpu = (cpuMs(bench.postgresPid) - cpuBefore) / (3 * questions.length);
times.sort((a, b) => a.ms - b.ms);
const at = (share: number): string => times[Math.floor(times.length * share)]!.ms.toFixed(0);
console.log(
  `${passageCount} passages: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${times.at(-1)!.ms.toFixed(0)} ms (${times.at(-1)!.text}), CPU of Postgres ${cpu.toFixed(0)} ms a search`,
);
await bench.close();
