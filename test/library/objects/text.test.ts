import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import fc from 'fast-check';
import { inProject, prepared } from '../../../src/db/transaction.ts';
import { indexText } from '../../../src/library/objects/text.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../../support/database-fixture.ts';

/** A job as it ended: the pages it covered and what it left. */
interface Past {
  op: 'ocr' | 'redact_pii';
  /** By page; null for a page that failed or was left out. */
  pages: { characters: number; confidence: number }[];
  selected: boolean[];
  /** Of a verified redaction; null for an unverified one. */
  freeOf: string[] | null;
}

const pageCount = 3;
const entities = ['all', 'email', 'name'] as const;
const past: fc.Arbitrary<Past> = fc.record({
  op: fc.constantFrom('ocr', 'ocr', 'redact_pii'),
  pages: fc.array(fc.record({ characters: fc.nat(3), confidence: fc.constantFrom(0.25, 0.5, 1) }), {
    minLength: pageCount,
    maxLength: pageCount,
  }),
  selected: fc.array(fc.boolean(), { minLength: pageCount, maxLength: pageCount }),
  freeOf: fc.option(
    fc
      .uniqueArray(fc.constantFrom(...entities), { minLength: 1 })
      .map((chosen) => (chosen.includes('all') ? ['all'] : chosen.toSorted())),
  ),
});

/** The text of a job on a page: a word that no other job has. */
const wordOf = (job: number, page: number): string => `job${job}page${page}`;
const sealedWord = (job: number): string => `sealed${job}`;

interface Known {
  worth: number;
  job: number;
  freeOf: string[] | null;
}

/** What must be found, whatever the order in which the jobs ended. */
function expected(history: readonly Past[]) {
  const read = new Map<number, Known>();
  const redacted = new Map<number, Known>();
  for (const [job, { op, pages, selected, freeOf }] of history.entries()) {
    const known = op === 'ocr' ? read : redacted;
    for (const [at, { characters, confidence }] of pages.entries()) {
      if (!selected[at]) continue;
      const rank = freeOf === null ? 0 : freeOf.includes('all') ? 1e6 : freeOf.length;
      const worth = op === 'ocr' ? characters * confidence : rank;
      const before = known.get(at);
      if (before && before.worth > worth) continue;
      known.set(at, { worth, job, freeOf: op === 'ocr' ? null : freeOf });
    }
  }
  const plain: string[] = [];
  for (let at = 0; at < pageCount; at += 1) {
    const one = read.get(at) ?? redacted.get(at);
    if (one) plain.push(wordOf(one.job, at));
  }
  const verified = [...redacted].filter(([, { freeOf }]) => freeOf !== null);
  const newest = verified.toSorted(([, a], [, b]) => b.job - a.job)[0]?.[1].freeOf ?? null;
  const free = verified.filter(
    ([, { freeOf }]) =>
      freeOf!.includes('all') || newest!.every((entity) => freeOf!.includes(entity)),
  );
  return {
    plain: plain.toSorted(),
    freeOf: newest,
    free: free.map(([at, { job }]) => wordOf(job, at)).toSorted(),
  };
}

describe('the search text of an object', () => {
  let database: DatabaseFixture;
  let project: string;
  before(async () => {
    database = await openDatabaseFixture();
    project = await database.createProject();
  });
  after(async () => {
    await database.close();
  });

  const newObject = async (): Promise<string> => {
    const id = newId('object');
    await inProject(database.worker, project, (tx) =>
      prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, pages)
         VALUES ($1, $2, 'available', 'x', 'application/pdf', 1, 's', 'upload', ${pageCount})`,
        [id, project],
      ),
    );
    return id;
  };

  /** Stores what a job left. A redaction has first read its pages under seal. */
  const writeJob = async (objectId: string, number: number, job: Past): Promise<string> => {
    const id = newId('job');
    await inProject(database.worker, project, async (tx) => {
      await prepared(
        tx,
        `INSERT INTO job (id, project_id, source_object_id, origin, state)
         VALUES ($1, $2, $3, '{}', 'running')`,
        [id, project, objectId],
      );
      const operations = job.op === 'ocr' ? ['ocr', 'classify'] : ['ocr', 'redact_pii', 'classify'];
      await prepared(
        tx,
        `INSERT INTO job_operation (project_id, job_id, index, op, options)
         SELECT $1, $2, n - 1, op, '{}' FROM unnest($3::text[]) WITH ORDINALITY AS o (op, n)`,
        [project, id, operations],
      );
      for (const [index, op] of operations.entries()) {
        for (const [at, { characters, confidence }] of job.pages.entries()) {
          if (!job.selected[at]) continue;
          const result = { characters, mean_confidence: confidence };
          await prepared(
            tx,
            `INSERT INTO job_page (project_id, job_id, operation_index, page, state, text, words, sealed, result)
             VALUES ($1, $2, $3, $4, 'succeeded', $5, $6, $7, $8)`,
            [
              project,
              id,
              index,
              at + 1,
              op === job.op ? wordOf(number, at) : null,
              Buffer.from(sealedWord(number)),
              job.op === 'redact_pii',
              JSON.stringify(result),
            ],
          );
        }
      }
      if (job.op === 'redact_pii' && job.freeOf) {
        const output = newId('object');
        await prepared(
          tx,
          `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, derived_from)
           VALUES ($1, $2, 'available', 'r', 'application/pdf', 1, 's', 'job', $3)`,
          [output, project, objectId],
        );
        await prepared(
          tx,
          `INSERT INTO job_output (project_id, job_id, operation_index, kind, object_id)
           VALUES ($1, $2, 1, 'redacted_pdf', $3)`,
          [project, id, output],
        );
        await prepared(
          tx,
          `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, entities, all_pages)
           VALUES ($1, $2, $3, true, $4, false)`,
          [project, output, objectId, job.freeOf.includes('all') ? null : job.freeOf],
        );
      }
    });
    return id;
  };
  const end = (objectId: string, jobId: string) =>
    inProject(database.worker, project, async (tx) => indexText(tx, project, objectId, jobId));
  const indexed = async (objectId: string) => {
    const [row] = await inProject(database.api, project, (tx) =>
      prepared<{ plain: string[]; free: string[]; freeOf: string[] | null }>(
        tx,
        `SELECT tsvector_to_array(text) AS plain, tsvector_to_array(redacted_text) AS free,
           redacted_free_of AS "freeOf"
         FROM object_index WHERE project_id = $1 AND object_id = $2`,
        [project, objectId],
      ),
    );
    return row!;
  };

  it('is the fullest text of each page in any order of jobs, never sealed text', async () => {
    const histories = fc
      .array(past, { minLength: 1, maxLength: 6 })
      .chain((jobs) =>
        fc.tuple(
          fc.constant(jobs),
          fc.shuffledSubarray([...jobs.keys()], { minLength: jobs.length }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(histories, async ([history, order]) => {
        const objectId = await newObject();
        const ids: string[] = [];
        for (const [number, job] of history.entries()) {
          ids.push(await writeJob(objectId, number, job));
        }
        for (const at of order) await end(objectId, ids[at]!);
        const { plain, free, freeOf } = await indexed(objectId);
        expect({ plain: plain.toSorted(), free: free.toSorted(), freeOf }).to.deep.equal(
          expected(history),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('is complete if many jobs end concurrently', async () => {
    const objectId = await newObject();
    const ids = await Promise.all(
      [0, 1, 2].map((at) =>
        writeJob(objectId, at, {
          op: 'ocr',
          pages: Array.from({ length: pageCount }, () => ({ characters: 5, confidence: 1 })),
          selected: Array.from({ length: pageCount }, (_, page) => page === at),
          freeOf: null,
        }),
      ),
    );
    await Promise.all(ids.map((id) => end(objectId, id)));
    expect((await indexed(objectId)).plain).to.have.members([0, 1, 2].map((at) => wordOf(at, at)));
  });
});
