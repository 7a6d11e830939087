import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import { inProject, prepared } from '../../src/db/transaction.ts';
import { eventually } from '../support/eventually.ts';
import { type Redactions, shareRedactions, withEngines } from '../support/redactions.ts';
import { mixedPdf, scannedPdf } from '../support/samples.ts';

/** Through HTTP, with the real recogniser. */
describe('ocr jobs', () => {
  let on: Redactions;
  before(async () => {
    on = await shareRedactions();
  });
  after(() => on.close());

  const path = '/v1/documents/jobs';
  const ocr = { op: 'ocr', options: { output: ['searchable_pdf', 'text', 'words'] } };
  let scans = 0;
  /** Uploads a scan that no other test has. */
  const scan = async (...pages: string[][]): Promise<string> => {
    scans += 1;
    return on.upload(await scannedPdf([...pages]), `scan ${scans}.pdf`);
  };
  const start = async (source: string, body: object = {}): Promise<JobRecord> => {
    const answer = await on.api.call('POST', path, {
      body: { source_object_id: source, operations: [ocr], ...body },
    });
    expect(answer.status, answer.text).to.equal(202);
    return answer.json;
  };
  const ran = (source: string, body: object = {}) => on.run(source, [ocr], body);
  const retry = (job: JobRecord, scope: 'all' | 'failed_pages') =>
    on.api.call('POST', `${path}/${job.id}/retry`, { body: { scope } });

  describe('on a scan', () => {
    let source: string;
    let job: JobRecord;
    /** The first moment at which a search found the scan, and the states in those before. */
    let found: string;
    let earlier: string[];

    before(async () => {
      source = await scan(['The zephyr blows over'], ['a mountain and a meadow']);
      const { id } = await start(source);
      earlier = [];
      found = await eventually(async () => {
        // A single statement sees a single snapshot.
        const [moment] = await inProject(on.api.deps.database, on.api.projectId, (tx) =>
          prepared<{ state: string; found: boolean }>(
            tx,
            `SELECT state::text, EXISTS (SELECT FROM object_search WHERE id = $2
               AND everything @@ to_tsquery('library', 'zephyr & meadow')) AS found
             FROM job WHERE project_id = $3 AND id = $1`,
            [id, source, on.api.projectId],
          ),
        );
        if (moment!.found) return moment!.state;
        earlier.push(moment!.state);
        return null;
      });
      job = await on.untilFinished(id);
    });

    it('read every page and create the requested outputs', async () => {
      expect([job.state, job.error]).to.deep.equal(['succeeded', null]);
      expect(job.progress).to.include({ percent: 100, pages_total: 2, pages_completed: 2 });
      const kinds = job.outputs.map(({ kind }) => kind);
      expect(kinds).to.have.members(['searchable_pdf', 'text', 'words']);
      const { object_id } = job.outputs.find(({ kind }) => kind === 'text')!;
      const text = (await on.content(object_id)).bytes.toString();
      expect(text).to.include('zephyr blows over').and.include('mountain and a meadow');
    });

    it('are searchable as soon as they are visible as succeeded', () => {
      expect(found).to.equal('succeeded');
      for (const state of earlier) expect(state).to.be.oneOf(['queued', 'running']);
    });

    it('record their events in causal order, ending with one outcome', async () => {
      const events = await eventually(async () => {
        const { json } = await on.api.call(
          'GET',
          '/v1/events?category=domain&order=desc&limit=100',
        );
        const own = json.data.filter((one: EventRecord) => one.resource_id === job.id);
        return own[0]?.type === 'documents.job.succeeded' ? own.reverse() : null;
      });
      const names = events.map(({ type }: EventRecord) => type.replace('documents.job.', ''));
      expect(names.slice(0, 2)).to.deep.equal(['created', 'started']);
      expect(names.slice(-2)).to.deep.equal(['operation_finished', 'succeeded']);
      expect(names.filter((name: string) => name === 'succeeded')).to.have.length(1);
      const percents = events.flatMap(({ data }: EventRecord) => data.percent ?? []);
      expect(percents).to.deep.equal([50, 99]);
    });

    it('process the selected pages only, and count only those', async () => {
      const some = await ran(source, { pages: '2' });
      expect(some.state).to.equal('succeeded');
      expect(some.progress).to.include({ pages_total: 1, pages_completed: 1 });
    });

    it('are rejected if they select no page of a document whose pages are counted', async () => {
      const body = { source_object_id: source, operations: [ocr], pages: '7-9' };
      const { status, json } = await on.api.call('POST', path, { body });
      expect([status, json.errors[0].code]).to.deep.equal([422, 'pages_out_of_range']);
    });
  });

  it('leave pages with text unchanged and read the others', async () => {
    const pdf = await mixedPdf([['A page that was typed'], ['A page that was scanned']]);
    const job = await ran(await on.upload(pdf, 'mixed.pdf'));
    expect(job.state).to.equal('succeeded');
    expect(job.operations[0]!.progress).to.include({ pages_succeeded: 1, pages_skipped: 1 });
    expect(job.operations[0]!.result).to.include({ pages_skipped: 1 });
  });

  it('fail with the selected pages that do not exist, and the page count', async () => {
    // Otherwise the pages are counted on arrival, and the job is rejected.
    await on.api.rows(`INSERT INTO queue_pause (queue, reason) VALUES ('imaging', 'test')`);
    try {
      const source = await scan(['one'], ['two']);
      const job = await ran(source, { pages: '1-2,7' });
      expect([job.state, job.outputs]).to.deep.equal(['failed', []]);
      expect(job.error).to.deep.equal({
        code: 'pages_out_of_range',
        message: `'1-2,7' names page 7; the document has 2 pages.`,
        retryable: false,
      });
      expect(job.operations[0]!.error).to.deep.equal(job.error);
      const body = { source_object_id: source, operations: [ocr], pages: '1-2,7' };
      const { status, json } = await on.api.call('POST', path, { body });
      expect([status, json.errors[0].code]).to.deep.equal([422, 'pages_out_of_range']);
    } finally {
      await on.api.rows('DELETE FROM queue_pause');
    }
  });

  it('fail with a reason if the source cannot be opened', async () => {
    const broken = await on.upload('%PDF-1.7\nthere is nothing here\n%%EOF', 'broken.pdf');
    const job = await ran(broken);
    expect(job.state).to.equal('failed');
    expect(job.error).to.include({ code: 'damaged', retryable: false });
    expect(job.operations[0]!.state).to.equal('failed');
  });

  it('fail with a reason for each page if no page succeeds', async () => {
    const job = await withEngines(
      on,
      ({ recognisePage }) => ({
        recognisePage: (request, options) =>
          recognisePage({ ...request, languages: ['xxx'] }, options),
      }),
      async () => ran(await scan(['one'], ['two'])),
    );
    expect(job.state).to.equal('failed');
    // No page can succeed in a retry, so the job is not retryable.
    expect(job.error).to.include({ code: 'all_pages_failed', retryable: false });
    expect(job.error!.message).to.match(/^Pages 1-2 failed: /);
    const pages = await on.pages(job.id);
    expect(pages.map(({ error }) => error?.code)).to.deep.equal([
      'language_unavailable',
      'language_unavailable',
    ]);
  });

  it('are cancelled while running once the last page is returned', async () => {
    let cancel = (): void => undefined;
    const cancelled = new Promise<void>((done) => {
      cancel = done;
    });
    let began = 0;
    const job = await withEngines(
      on,
      ({ recognisePage }) => ({
        recognisePage: async (request, options) => {
          began += 1;
          await cancelled;
          return recognisePage(request, options);
        },
      }),
      async () => {
        const { id } = await start(await scan(['page 1 of two'], ['page 2 of two']));
        await eventually(async () => began > 0);
        const answer = await on.api.call('POST', `${path}/${id}/cancel`);
        expect([answer.status, answer.json.state]).to.deep.equal([202, 'cancelling']);
        cancel();
        return on.untilFinished(id);
      },
    );
    expect([job.state, job.outputs]).to.deep.equal(['cancelled', []]);
    expect(job.operations[0]!.state).to.equal('cancelled');
  });

  describe('in which a page failed', () => {
    let job: JobRecord;
    before(async () => {
      job = await withEngines(
        on,
        ({ recognisePage }) => ({
          recognisePage: async (request, options) => {
            if (request.page === 2) throw new EngineError('damaged', 'The page cannot be read.');
            return recognisePage(request, options);
          },
        }),
        async () => ran(await scan(['first'], ['second'])),
      );
      expect(job.state).to.equal('partially_succeeded');
    });

    it('are retried for that page, and reuse the results of the others', async () => {
      const read: number[] = [];
      const again = await withEngines(
        on,
        ({ recognisePage }) => ({
          recognisePage: (request, options) => {
            read.push(request.page);
            return recognisePage(request, options);
          },
        }),
        async () => on.untilFinished((await retry(job, 'failed_pages')).json.id),
      );
      expect(again).to.include({ state: 'succeeded', retry_of: job.id });
      expect(again.progress).to.include({ pages_total: 2, pages_completed: 2 });
      expect(read).to.deep.equal([2]);
      const texts = (await on.pages(again.id)).map(({ text }) => text);
      expect(texts[0]).to.include('first');
      expect(texts[1]).to.include('second');
    });

    it('are retried as a whole only, once the results have expired', async () => {
      await on.api.rows(`UPDATE job SET finished_at = now() - interval '31 days' WHERE id = $1`, [
        job.id,
      ]);
      await eventually(async () => {
        await on.api.rows(`UPDATE task SET due_at = now() WHERE kind = 'project.tidy'`);
        return (await on.pages(job.id)).every(({ text }) => text === null);
      });
      const rejected = await retry(job, 'failed_pages');
      expect([rejected.status, rejected.json.code]).to.deep.equal([409, 'results_expired']);
      const { id } = (await retry(job, 'all')).json;
      expect((await on.untilFinished(id)).state).to.equal('succeeded');
    });
  });
});
