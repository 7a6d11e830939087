import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { newId } from '../../src/contracts/ids.ts';
import { isTerminal } from '../../src/contracts/jobs.ts';
import type { Problem } from '../../src/contracts/problems.ts';
import type { JobRecord } from '../../src/contracts/wire/jobs.ts';
import { inProject, prepared } from '../../src/db/transaction.ts';
import { createJob, type NewJob } from '../../src/jobs/creating/create.ts';
import { retryJob } from '../../src/jobs/creating/retry.ts';
import { cancelJob } from '../../src/jobs/ending/cancel.ts';
import { readJob } from '../../src/jobs/reading/jobs.ts';
import { listPages } from '../../src/jobs/reading/pages.ts';
import { eventually, inPassing } from '../support/eventually.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';
import { mixedPdf, scannedPdf } from '../support/samples.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

const firstPages = {
  after: null,
  most: 10,
  reader: {
    seal: { unseal: (sealed: string) => sealed },
    sourceObjectId: 'obj_any',
    mayReadPii: false,
  },
};

/** No option of these jobs is confidential. */
const unsealed = { seal: (text: string) => text, unseal: (sealed: string) => sealed };

describe('ocr jobs', () => {
  let ground: Ground;
  let server: TestRedis;
  let workers: TestWorkers;
  before(async () => {
    ground = await openGround();
    server = await startPrivateRedis();
    workers = await prepareWorkers(ground, server.url);
    workers.start('relay', 'ocr');
  });
  after(async () => {
    await workers.stop();
    await server.remove();
    await ground.close();
  });

  const upload = async (project: string, bytes: Buffer, mime: string): Promise<string> => {
    const received = await workers.deps.storage.receive(project, Readable.from([bytes]), {
      maxBytes: 1e9,
    });
    await received.commit();
    expect(received.sha256).to.equal(createHash('sha256').update(bytes).digest('hex'));
    const id = newId('object');
    await inProject(ground.api, project, (tx) =>
      prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
         VALUES ($1, $2, 'available', 'scan.pdf', $3, $4, $5, 'upload')`,
        [id, project, mime, received.bytes, received.sha256],
      ),
    );
    return id;
  };
  const start = (project: string, job: Partial<NewJob> & { sourceObjectId: string }) =>
    inProject(ground.api, project, async (tx) => {
      const created = await createJob(tx, originOf(project), {
        operations: [{ op: 'ocr', options: ocr() }],
        mayReadPii: false,
        seal: unsealed.seal,
        pages: null,
        metadata: {},
        ...job,
      });
      return created.id;
    });
  const ocr = () => ({
    languages: ['eng'],
    output: ['searchable_pdf', 'text', 'words'],
    existing_text: 'skip',
    deskew: false,
    rotate: true,
  });
  const read = (project: string, id: string) =>
    inProject(
      ground.api,
      project,
      async (tx) => (await readJob(tx, project, id, { ...unsealed, mayReadPii: false }))!,
    );
  const finished = (project: string, id: string): Promise<JobRecord> =>
    eventually(async () => {
      const job = await read(project, id);
      return isTerminal(job.state) ? job : null;
    });
  const bytesOf = async (project: string, sha256: string): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of await workers.deps.storage.open(project, sha256)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it('read every page and create the requested outputs', async () => {
    const project = await ground.project();
    const pdf = await scannedPdf([['The quick brown fox'], ['jumps over the lazy dog']]);
    const id = await start(project, {
      sourceObjectId: await upload(project, pdf, 'application/pdf'),
    });
    const job = await finished(project, id);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    expect(job.progress).to.include({ percent: 100, pages_total: 2, pages_completed: 2 });
    expect(job.outputs.map(({ kind }) => kind)).to.have.members([
      'searchable_pdf',
      'text',
      'words',
    ]);
    const text = job.outputs.find(({ kind }) => kind === 'text')!;
    const read = (await bytesOf(project, text.sha256)).toString();
    expect(read).to.include('quick brown fox').and.include('lazy dog');
    const left = await inProject(ground.worker, project, (tx) =>
      // Another queue counts the pages of the outputs.
      prepared(tx, "SELECT FROM task WHERE project_id = $1 AND kind <> 'object.read'", [project]),
    );
    expect(left).to.have.length(0);
  });

  it('are searchable as soon as they are visible as succeeded', async () => {
    const project = await ground.project();
    const pdf = await scannedPdf([['The zephyr blows over'], ['a mountain and a meadow']]);
    const source = await upload(project, pdf, 'application/pdf');
    const id = await start(project, { sourceObjectId: source });
    const seen = await eventually(() =>
      inProject(ground.api, project, async (tx) => {
        // A single statement sees a single snapshot.
        const [moment] = await prepared<{ state: string; found: boolean }>(
          tx,
          `SELECT state, EXISTS (SELECT FROM object_search WHERE id = $2
             AND everything @@ to_tsquery('library', 'zephyr & meadow')) AS found
           FROM job WHERE project_id = $3 AND id = $1`,
          [id, source, project],
        );
        if (moment!.found) return moment;
        expect(moment!.state).to.be.oneOf(['queued', 'running']);
        return null;
      }),
    );
    expect(seen.state).to.equal('succeeded');
  });

  it('leave pages with text unchanged and read the others', async () => {
    const project = await ground.project();
    const pdf = await mixedPdf([['A page that was typed'], ['A page that was scanned']]);
    const id = await start(project, {
      sourceObjectId: await upload(project, pdf, 'application/pdf'),
    });
    const job = await finished(project, id);
    expect(job.state).to.equal('succeeded');
    expect(job.operations[0]!.progress).to.include({ pages_succeeded: 1, pages_skipped: 1 });
    expect(job.operations[0]!.result).to.include({ pages_skipped: 1 });
  });

  it('process the selected pages only, and count only those', async () => {
    const project = await ground.project();
    const pdf = await scannedPdf([['one'], ['two'], ['three'], ['four']]);
    const source = await upload(project, pdf, 'application/pdf');
    const job = await finished(
      project,
      await start(project, { sourceObjectId: source, pages: '2-3' }),
    );
    expect(job.state).to.equal('succeeded');
    expect(job.progress.pages_total).to.equal(2);
    const none = await finished(
      project,
      await start(project, { sourceObjectId: source, pages: '2' }),
    );
    expect(none.state).to.equal('succeeded');
    const outside = inProject(ground.api, project, (tx) =>
      createJob(tx, originOf(project), {
        sourceObjectId: source,
        operations: [{ op: 'ocr', options: ocr() }],
        mayReadPii: false,
        seal: unsealed.seal,
        pages: '7-9',
        metadata: {},
      }),
    ).catch((error: Problem) => error.errors?.[0]?.code);
    expect(await outside).to.equal('pages_out_of_range');
  });

  it('fail with the selected pages that do not exist, and the page count', async () => {
    const project = await ground.project();
    const source = await upload(project, await scannedPdf([['one'], ['two']]), 'application/pdf');
    const job = await finished(
      project,
      await start(project, { sourceObjectId: source, pages: '1-2,7' }),
    );
    expect(job).to.include({ state: 'failed' });
    expect(job.error).to.deep.equal({
      code: 'pages_out_of_range',
      message: `'1-2,7' names page 7; the document has 2 pages.`,
      retryable: false,
    });
    expect(job.operations[0]!.error).to.deep.equal(job.error);
    expect(job.outputs).to.deep.equal([]);
    const again = start(project, { sourceObjectId: source, pages: '1-2,7' });
    expect(await again.catch((error: Problem) => error.code)).to.equal('pages_out_of_range');
  });

  it('fail with a reason if the source cannot be opened', async () => {
    const project = await ground.project();
    const broken = Buffer.from('%PDF-1.7\nthere is nothing here\n%%EOF');
    const id = await start(project, {
      sourceObjectId: await upload(project, broken, 'application/pdf'),
    });
    const job = await finished(project, id);
    expect(job.state).to.equal('failed');
    expect(job.error).to.include({ code: 'damaged', retryable: false });
    expect(job.operations[0]!.state).to.equal('failed');
  });

  it('fail with a reason for each page if no page succeeds', async () => {
    const project = await ground.project();
    const pdf = await scannedPdf([['one'], ['two']]);
    const id = await start(project, {
      sourceObjectId: await upload(project, pdf, 'application/pdf'),
      operations: [{ op: 'ocr', options: { ...ocr(), languages: ['xxx'] } }],
    });
    const job = await finished(project, id);
    expect(job.state).to.equal('failed');
    // No page can succeed in a retry, so the job is not retryable.
    expect(job.error).to.include({ code: 'all_pages_failed', retryable: false });
    expect(job.error!.message).to.match(/^Pages 1-2 failed: /);
    const pages = await inProject(ground.api, project, (tx) =>
      listPages(tx, project, id, { state: ['failed'] }, firstPages),
    );
    expect(pages.map(({ error }) => error?.code)).to.deep.equal([
      'language_unavailable',
      'language_unavailable',
    ]);
  });

  it('record their events in causal order, ending with one outcome', async () => {
    const project = await ground.project();
    const pdf = await scannedPdf([['one'], ['two'], ['three']]);
    const id = await start(project, {
      sourceObjectId: await upload(project, pdf, 'application/pdf'),
    });
    await finished(project, id);
    const types = await eventually(async () => {
      const rows = await inProject(ground.api, project, (tx) =>
        prepared<{ type: string; sequence: number | null; data: { percent?: number } }>(
          tx,
          'SELECT type, sequence, data FROM event WHERE resource_id = $1 ORDER BY sequence',
          [id],
        ),
      );
      return rows.every(({ sequence }) => sequence !== null) ? rows : null;
    });
    const names = types.map(({ type }) => type.replace('documents.job.', ''));
    expect(names.slice(0, 2)).to.deep.equal(['created', 'started']);
    expect(names.slice(-2)).to.deep.equal(['operation_finished', 'succeeded']);
    expect(names.filter((name) => name === 'succeeded')).to.have.length(1);
    const percents = types.flatMap(({ data }) => data.percent ?? []);
    expect(percents).to.deep.equal([33, 66, 99]);
  });

  it('return a new job in the same form as a later read', async () => {
    const project = await ground.project();
    const source = await upload(project, await scannedPdf([['one']]), 'application/pdf');
    // In one transaction, so that no worker can have seen it.
    await inProject(ground.api, project, async (tx) => {
      const created = await createJob(tx, originOf(project), {
        sourceObjectId: source,
        operations: [{ op: 'ocr', options: ocr() }],
        mayReadPii: false,
        seal: unsealed.seal,
        pages: '1',
        metadata: { case: 'a', depth: { of: [1, 2.5, null] } },
      });
      expect(created).to.deep.equal(
        await readJob(tx, project, created.id, { ...unsealed, mayReadPii: false }),
      );
    });
  });

  it('are cancelled at once while queued, and leave no task', async () => {
    const project = await ground.project();
    const source = await upload(project, await scannedPdf([['one']]), 'application/pdf');
    // In one transaction, so that no worker can have seen it.
    const id = await inProject(ground.api, project, async (tx) => {
      const { id: jobId } = await createJob(tx, originOf(project), {
        sourceObjectId: source,
        operations: [{ op: 'ocr', options: ocr() }],
        mayReadPii: false,
        seal: unsealed.seal,
        pages: null,
        metadata: {},
      });
      expect(await cancelJob(tx, originOf(project), jobId)).to.equal(true);
      expect(await cancelJob(tx, originOf(project), jobId)).to.equal(false);
      return jobId;
    });
    expect((await read(project, id)).state).to.equal('cancelled');
    const left = await inProject(ground.worker, project, (tx) =>
      prepared(tx, 'SELECT FROM task WHERE resource_id = $1', [id]),
    );
    expect(left).to.have.length(0);
  });

  it('are cancelled while running once the last page is returned', async () => {
    const project = await ground.project();
    const lines = Array.from({ length: 12 }, (_, at) => [`page ${at + 1} of many`]);
    const id = await start(project, {
      sourceObjectId: await upload(project, await scannedPdf(lines), 'application/pdf'),
    });
    await inPassing(async () => (await read(project, id)).state === 'running');
    await inProject(ground.api, project, (tx) => cancelJob(tx, originOf(project), id));
    const job = await finished(project, id);
    expect(job.state).to.equal('cancelled');
    expect(job.outputs).to.deep.equal([]);
    expect(job.operations[0]!.state).to.equal('cancelled');
  });

  it('retry failed pages in a new job that reuses the successful ones', async () => {
    const project = await ground.project();
    const pdf = await scannedPdf([['one'], ['two']]);
    const source = await upload(project, pdf, 'application/pdf');
    const first = await start(project, { sourceObjectId: source });
    await finished(project, first);
    // As if page 2 had failed on a machine that was out of memory.
    await inProject(ground.worker, project, async (tx) => {
      await prepared(
        tx,
        `UPDATE job_page SET state = 'failed', result = NULL, text = NULL, words = NULL
         WHERE job_id = $1 AND page = 2`,
        [first],
      );
      await prepared(tx, `UPDATE job SET state = 'partially_succeeded' WHERE id = $1`, [first]);
      await prepared(
        tx,
        `UPDATE job_page SET text = 'taken over as it was' WHERE job_id = $1 AND page = 1`,
        [first],
      );
    });
    const { id: second } = await inProject(ground.api, project, (tx) =>
      retryJob(tx, originOf(project), first, {
        ...{ scope: 'failed_pages', mayReadPii: false },
        ...unsealed,
      }),
    );
    const job = await finished(project, second);
    expect(job).to.include({ state: 'succeeded', retry_of: first });
    expect(job.progress).to.include({ pages_total: 2, pages_completed: 2 });
    const pages = await inProject(ground.api, project, (tx) =>
      listPages(tx, project, second, {}, firstPages),
    );
    expect(pages[0]!.text).to.equal('taken over as it was');
    expect(pages[1]!.text).to.include('two');
  });

  it('do not reuse pages whose results have expired', async () => {
    const project = await ground.project();
    const pdf = await scannedPdf([['one'], ['two']]);
    const source = await upload(project, pdf, 'application/pdf');
    const first = await start(project, { sourceObjectId: source });
    await finished(project, first);
    // Page 2 failed, and maintenance has since dropped the words of page 1.
    await inProject(ground.worker, project, async (tx) => {
      await prepared(
        tx,
        `UPDATE job_page SET text = NULL, words = NULL,
           state = CASE page WHEN 2 THEN 'failed' ELSE state END,
           result = CASE page WHEN 2 THEN NULL ELSE result END
         WHERE job_id = $1`,
        [first],
      );
      await prepared(tx, `UPDATE job SET state = 'partially_succeeded' WHERE id = $1`, [first]);
    });
    const refused = await inProject(ground.api, project, (tx) =>
      retryJob(tx, originOf(project), first, {
        ...{ scope: 'failed_pages', mayReadPii: false },
        ...unsealed,
      }),
    ).catch((error: Problem) => error.code);
    expect(refused).to.equal('results_expired');
    const { id: again } = await inProject(ground.api, project, (tx) =>
      retryJob(tx, originOf(project), first, { scope: 'all', mayReadPii: false, ...unsealed }),
    );
    expect((await finished(project, again)).state).to.equal('succeeded');
  });
});
