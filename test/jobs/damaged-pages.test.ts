import { Readable } from 'node:stream';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { newId } from '../../src/contracts/ids.ts';
import { isTerminal } from '../../src/contracts/jobs.ts';
import type { OperationName } from '../../src/contracts/operations.ts';
import type { JobRecord } from '../../src/contracts/wire/jobs.ts';
import { inProject, prepared } from '../../src/db/transaction.ts';
import { createJob } from '../../src/jobs/creating/create.ts';
import { completeOptions } from '../../src/jobs/creating/options.ts';
import { readJob } from '../../src/jobs/reading/jobs.ts';
import { listPages } from '../../src/jobs/reading/pages.ts';
import { cutTiff, damageTiff, tiffDamages } from '../support/damaged.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';
import { multiPageTiff, scannedPdf, textOf } from '../support/samples.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

const words = ['aardvark', 'buffalo', 'crocodile'];
const lines = words.map((word) => [`The ${word} sleeps in the shade`]);
const ocr = { op: 'ocr', options: { output: ['searchable_pdf', 'text', 'words'] } } as const;

describe('a document with a damaged page', () => {
  let ground: Ground;
  let server: TestRedis;
  let workers: TestWorkers;
  let project: string;
  let tiff: Buffer;
  before(async () => {
    ground = await openGround();
    server = await startPrivateRedis();
    workers = await prepareWorkers(ground, server.url);
    workers.start('relay', 'ocr', 'redact', 'classify', 'normalize');
    project = await ground.project();
    tiff = await multiPageTiff(lines);
  });
  after(async () => {
    await workers.stop();
    await server.remove();
    await ground.close();
  });

  interface Asked {
    mime?: string;
    pages?: string;
    operations?: readonly { op: OperationName; options?: Record<string, unknown> }[];
  }
  const run = async (
    bytes: Buffer,
    { mime = 'image/tiff', pages, operations = [ocr] }: Asked = {},
  ): Promise<JobRecord> => {
    const received = await workers.deps.storage.receive(project, Readable.from([bytes]), {
      maxBytes: 1e9,
    });
    await received.commit();
    const source = newId('object');
    return inProject(ground.api, project, async (tx) => {
      await prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
         VALUES ($1, $2, 'available', 'scan.pdf', $3, $4, $5, 'upload')`,
        [source, project, mime, received.bytes, received.sha256],
      );
      return createJob(tx, originOf(project), {
        sourceObjectId: source,
        operations: operations.map(({ op, options = {} }) => ({
          op,
          options: completeOptions(op, options),
        })),
        mayReadPii: false,
        seal: (text: string) => text,
        pages: pages ?? null,
        metadata: {},
      });
    }).then(({ id }) =>
      eventually(async () => {
        const job = await inProject(ground.api, project, (tx) =>
          readJob(tx, project, id, {
            ...{ unseal: (sealed: string) => sealed, mayReadPii: false },
          }),
        );
        return job && isTerminal(job.state) ? job : null;
      }),
    );
  };
  const output = async (job: JobRecord, kind: string): Promise<Buffer> => {
    const { sha256 } = job.outputs.find((one) => one.kind === kind)!;
    const chunks: Buffer[] = [];
    for await (const chunk of await workers.deps.storage.open(project, sha256)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  /** Which word each page of a PDF shows, or `notice`. */
  const shownOn = (text: string): string =>
    /could not be/.test(text) ? 'notice' : (words.find((word) => text.includes(word)) ?? '');

  const requireOthers = async (job: JobRecord, ...lost: readonly number[]): Promise<void> => {
    const expected = words.map((word, at) => (lost.includes(at + 1) ? 'notice' : word));
    expect([job.state, job.operations[0]!.state]).to.deep.equal([
      'partially_succeeded',
      'partially_succeeded',
    ]);
    expect(job.error).to.deep.include({ code: 'pages_failed', retryable: false });
    const named = lost.length === 1 ? `Page ${lost[0]} failed` : `Pages ${lost.join(', ')} failed`;
    expect(job.error!.message).to.include(named);
    expect(job.operations[0]!.error).to.deep.equal(job.error);
    expect(job.progress).to.include({ percent: 100, pages_total: 3, pages_completed: 3 });
    expect(job.progress.pages_failed).to.equal(lost.length);
    expect(job.operations[0]!.progress).to.include({
      pages_succeeded: 3 - lost.length,
      pages_failed: lost.length,
    });
    const pdf = await output(job, 'searchable_pdf');
    expect((await textOf(pdf)).map(shownOn)).to.deep.equal(expected);
    const text = (await output(job, 'text')).toString();
    expect(text.split('\f').map(shownOn)).to.deep.equal(expected);
    const record = JSON.parse((await output(job, 'words')).toString());
    expect(
      record.pages.map(({ page, words: found }: { page: number; words: unknown[] }) => [
        page,
        found.length > 0,
      ]),
    ).to.deep.equal([1, 2, 3].map((page) => [page, !lost.includes(page)]));
  };

  for (const damage of Object.keys(tiffDamages) as (keyof typeof tiffDamages)[]) {
    for (const page of [1, 2, 3]) {
      it(`has its other pages processed: page ${page} of a TIFF with ${damage}`, async () => {
        await requireOthers(await run(damageTiff(tiff, damage, page)), page);
      });
    }
  }

  it('has its other pages processed if a TIFF is truncated, and reports the loss', async () => {
    const job = await run(cutTiff(tiff, 2));
    await requireOthers(job, 3);
    expect(job.warnings.map(({ code }) => code)).to.include('source_repaired');
  });

  it('has an empty page as large as the damaged one', async () => {
    const job = await run(damageTiff(tiff, 'pixels that do not decode', 2));
    const pdf = await PDFDocument.load(await output(job, 'searchable_pdf'));
    const sizes = pdf.getPages().map((page) => page.getSize());
    expect(sizes[1]).to.deep.equal(sizes[0]);
  });

  it('fails without outputs if all of its pages are damaged', async () => {
    for (const damage of ['pixels that do not decode', 'no width'] as const) {
      const job = await run(damageTiff(tiff, damage, 1, 2, 3));
      expect(job.state).to.equal('failed');
      expect(job.error).to.include({ retryable: false });
      expect(job.outputs).to.deep.equal([]);
    }
  });

  it('succeeds if other pages were selected, and warns about the uncopied one', async () => {
    const job = await run(damageTiff(tiff, 'pixels that do not decode', 2), { pages: '1,3' });
    expect([job.state, job.error]).to.deep.equal(['succeeded', null]);
    expect(job.warnings.map(({ code }) => code)).to.deep.equal(['page_left_empty']);
    const pdf = await output(job, 'searchable_pdf');
    expect((await textOf(pdf)).map(shownOn)).to.deep.equal(['aardvark', 'notice', 'crocodile']);
  });

  for (const [what, damage] of Object.entries({
    'an object that is none': (at: number, end: number, pdf: Buffer) => pdf.fill('x', at, end),
    'nothing at all': (at: number, end: number, pdf: Buffer) =>
      pdf.fill(' ', at, end).write('null', at, 'latin1'),
  })) {
    for (const page of [1, 2, 3]) {
      it(`has its other pages processed: page ${page} of a PDF that is ${what}`, async () => {
        const document = await PDFDocument.load(await scannedPdf(lines));
        const number = document.getPage(page - 1).ref.objectNumber;
        const pdf = Buffer.from(await document.save({ useObjectStreams: false }));
        const head = `\n${number} 0 obj\n`;
        const at = pdf.indexOf(head) + head.length;
        damage(at, pdf.indexOf('\nendobj', at), pdf);
        await requireOthers(await run(pdf, { mime: 'application/pdf' }), page);
      });
    }
  }

  for (const op of ['classify', 'normalize_for_llm', 'redact_pii'] as const) {
    it(`is processed by ${op} as far as it can be read`, async () => {
      for (const damage of ['pixels that do not decode', 'no width'] as const) {
        const job = await run(damageTiff(tiff, damage, 2), { operations: [{ op }] });
        expect(job.state, JSON.stringify(job.error)).to.equal('partially_succeeded');
        expect(job.error).to.include({ code: 'pages_failed', retryable: false });
        expect(job.error!.message).to.include('Page 2 failed');
        expect(job.operations.map(({ state }) => state)).to.deep.equal([
          'partially_succeeded',
          'partially_succeeded',
        ]);
        if (op !== 'redact_pii') continue;
        expect(job.operations[1]!.result).to.include({ verified: false, pages_empty: 1 });
        const pdf = await output(job, 'redacted_pdf');
        expect((await textOf(pdf))[1]).to.include('left out');
      }
    });
  }

  it('is retryable exactly if one of its failed pages is', async () => {
    const job = await run(damageTiff(tiff, 'pixels that do not decode', 2));
    const pages = await inProject(ground.api, project, (tx) =>
      listPages(
        tx,
        project,
        job.id,
        { state: ['failed'] },
        {
          after: null,
          most: 10,
          reader: {
            seal: { unseal: (sealed) => sealed },
            sourceObjectId: job.source_object_id,
            mayReadPii: false,
          },
        },
      ),
    );
    expect(pages.map(({ error }) => error!.retryable)).to.deep.equal([job.error!.retryable]);
  });
});
