import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import fc from 'fast-check';
import { inProject, inTransaction, prepared, type Tx } from '../../src/db/transaction.ts';
import type { Job } from '../../src/entities/jobs/job.ts';
import type { JobOperation } from '../../src/entities/jobs/job-operation.ts';
import { createJob } from '../../src/jobs/creating/create.ts';
import { loadOperation, lockJob } from '../../src/jobs/load.ts';
import { failFinishedPages, finishPages } from '../../src/jobs/pages/finish-pages.ts';
import type { StoredOutcome } from '../../src/jobs/pages/outcome.ts';
import { replaceResults } from '../../src/jobs/pages/store-outcomes.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';

describe('finished pages', () => {
  let database: DatabaseFixture;
  let project: string;
  before(async () => {
    database = await openDatabaseFixture();
    project = await database.createProject();
    // Counts the statements that change pages.
    await inTransaction(database.owner, async (tx) => {
      await prepared(tx, 'CREATE TABLE page_statement (n integer)', []);
      await prepared(tx, 'GRANT INSERT, SELECT, DELETE ON page_statement TO worker', []);
      await prepared(
        tx,
        `CREATE FUNCTION count_page_statement() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN INSERT INTO page_statement VALUES (1); RETURN NULL; END'`,
        [],
      );
      await prepared(
        tx,
        `CREATE TRIGGER count_statements AFTER UPDATE ON job_page
         FOR EACH STATEMENT EXECUTE FUNCTION count_page_statement()`,
        [],
      );
    });
  });
  after(() => database.close());

  /** A running job with this number of pages, none of them done. */
  async function laidOut(pages: number): Promise<string> {
    const sourceObjectId = newId('object');
    const job = await inProject(database.api, project, async (tx) => {
      await prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
         VALUES ($1, $2, 'available', 'scan.pdf', 'application/pdf', 1, $3, 'upload')`,
        [sourceObjectId, project, 'a'.repeat(64)],
      );
      return createJob(tx, originOf(project), {
        sourceObjectId,
        operations: [
          {
            op: 'ocr',
            options: { languages: ['eng'], output: ['text'], existing_text: 'skip' },
          },
        ],
        mayReadPii: false,
        seal: (text) => text,
        pages: null,
        metadata: {},
      });
    });
    await inProject(database.worker, project, async (tx) => {
      await prepared(
        tx,
        `INSERT INTO job_page (project_id, job_id, operation_index, page)
         SELECT $1, $2, 0, n FROM generate_series(1, $3::integer) AS n`,
        [project, job.id, pages],
      );
      await prepared(
        tx,
        `UPDATE job_operation SET pages_total = $3, state = 'running'
         WHERE project_id = $1 AND job_id = $2`,
        [project, job.id, pages],
      );
      await prepared(
        tx,
        `UPDATE job SET pages_total = $3, state = 'running' WHERE project_id = $1 AND id = $2`,
        [project, job.id, pages],
      );
    });
    return job.id;
  }

  const under = (
    id: string,
    work: (tx: Tx, job: Job, operation: JobOperation) => Promise<void>,
  ): Promise<void> =>
    inProject(database.worker, project, async (tx) => {
      const job = await lockJob(tx, project, id);
      await work(tx, job!, await loadOperation(tx, { projectId: project, jobId: id, index: 0 }));
    });
  const finish = (id: string, outcomes: readonly StoredOutcome[]) =>
    under(id, (tx, job, operation) => finishPages(tx, job, operation, outcomes));
  const pagesOf = (id: string) =>
    inProject(database.worker, project, (tx) =>
      prepared<{ page: number; text: string | null; words: Buffer | null }>(
        tx,
        `SELECT page, state, error, result, text, words, sealed, finished_at IS NOT NULL AS ended
         FROM job_page WHERE project_id = $1 AND job_id = $2 ORDER BY page`,
        [project, id],
      ),
    );
  /** The number of statements that changed pages since the last call. */
  const statements = () =>
    inProject(database.worker, project, async (tx) => {
      const rows = await prepared(tx, 'DELETE FROM page_statement RETURNING n', []);
      return rows.length;
    });

  const text = fc.string({ unit: 'binary', maxLength: 30 }).map((it) => it.replaceAll('\0', ''));
  const outcome = fc.oneof(
    fc.record({
      state: fc.constantFrom('succeeded' as const, 'skipped' as const),
      result: fc.dictionary(fc.constantFrom('a', 'b'), text),
      text: fc.option(fc.oneof(text, fc.constantFrom('', 'NULL', '{}', '"\\', 'a,b'))),
      words: fc.option(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
      sealed: fc.boolean(),
    }),
    fc.record({
      state: fc.constant('failed' as const),
      error: fc.record({
        code: fc.constant('damaged'),
        message: text,
        retryable: fc.boolean(),
      }),
    }),
  );

  it('are stored unchanged, a range in one statement, and counted once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 16 }), async (list) => {
        const id = await laidOut(list.length + 1);
        const outcomes: StoredOutcome[] = list.map((one, at) => ({ ...one, page: at + 1 }));
        await statements();
        await finish(id, outcomes);
        expect(await statements()).to.equal(1);
        const rows = await pagesOf(id);
        for (const one of outcomes) {
          const failed = one.state === 'failed';
          expect(rows[one.page - 1]).to.deep.equal({
            page: one.page,
            state: one.state,
            ended: true,
            error: failed ? one.error : null,
            result: failed ? null : one.result,
            text: failed ? null : one.text,
            words: failed ? null : one.words,
            sealed: failed ? false : one.sealed,
          });
        }
        expect(rows.at(-1)).to.include({ state: 'pending', ended: false });
        await under(id, async (_tx, job, operation) => {
          const failed = outcomes.filter(({ state }) => state === 'failed').length;
          expect(job).to.include({ pagesCompleted: outcomes.length, pagesFailed: failed });
          expect(operation.pagesFailed).to.equal(failed);
        });
      }),
      { numRuns: 25 },
    );
  });

  it('are stored once: a second time changes nothing', async () => {
    const id = await laidOut(3);
    const done = (page: number, words: string): StoredOutcome => ({
      page,
      state: 'succeeded',
      result: {},
      text: words,
      words: null,
      sealed: false,
    });
    await finish(id, [done(1, 'first')]);
    const again = finish(id, [done(2, 'new'), done(1, 'second')]).then(
      () => 'stored',
      (error: Error) => error.message,
    );
    expect(await again).to.equal(`Page 1 of ${id} was stored already.`);
    expect((await pagesOf(id)).map(({ text }) => text)).to.deep.equal(['first', null, null]);
  });

  it('record at most one event for each percent, which never falls', async () => {
    const id = await laidOut(150);
    for (let page = 1; page <= 150; page++) {
      const words = { text: null, words: null, sealed: false };
      await finish(id, [{ page, state: 'succeeded', result: {}, ...words }]);
    }
    const events = await inProject(database.worker, project, (tx) =>
      prepared<{ percent: number }>(
        tx,
        `SELECT (data->>'percent')::integer AS percent FROM event
         WHERE resource_id = $1 AND type = 'documents.job.progressed' ORDER BY ordinal`,
        [id],
      ),
    );
    const percents = events.map(({ percent }) => percent);
    expect(percents).to.have.length.within(90, 100);
    expect(percents).to.deep.equal([...new Set(percents)].sort((a, b) => a - b));
  });

  it('are updated in bulk with one statement', async () => {
    const id = await laidOut(100);
    const outcomes = Array.from(
      { length: 100 },
      (_, at): StoredOutcome => ({
        page: at + 1,
        state: 'succeeded',
        result: {},
        text: 'old',
        words: null,
        sealed: false,
      }),
    );
    await statements();
    await finish(id, outcomes);
    expect(await statements()).to.equal(2);
    const words = Buffer.from([0, 255, 92]);
    await under(id, (tx, _job, operation) =>
      replaceResults(
        tx,
        operation,
        [7, 9].map((page) => ({
          page,
          state: 'succeeded',
          result: { n: page },
          text: `new ${page}`,
          words,
          sealed: true,
        })),
      ),
    );
    expect(await statements()).to.equal(1);
    const error = { code: 'damaged', message: 'A "quoted" \\ page.', retryable: false };
    await under(id, (tx, job, operation) =>
      failFinishedPages(tx, job, operation, [
        { page: 7, error },
        { page: 100, error },
      ]),
    );
    expect(await statements()).to.equal(1);
    const rows = await pagesOf(id);
    expect(rows[8]).to.deep.include({ text: 'new 9', words, result: { n: 9 }, sealed: true });
    for (const page of [7, 100]) {
      expect(rows[page - 1]).to.deep.include({ state: 'failed', error, text: null, words: null });
    }
    expect(rows[0]).to.include({ state: 'succeeded', text: 'old' });
  });
});
