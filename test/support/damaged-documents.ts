import { type OperationName, operationNames } from '@scriptorium/contracts/operations';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { recogniseOnce } from './engines.ts';
import { type Redactions, shareRedactions } from './redactions.ts';
import { multiPageTiff, scannedPdf, textOf } from './samples.ts';

const words = ['aardvark', 'buffalo', 'crocodile'];
const lines = words.map((word) => [`The ${word} sleeps in the shade`]);
const ocr = { op: 'ocr', options: { output: ['searchable_pdf', 'text', 'words'] } };

/** Jobs over a document of three scanned pages, some of which are damaged. */
export interface DamagedDocuments extends Redactions {
  tiff: Buffer;
  /** Uploads a file and waits for the end of a job on it. */
  read(
    bytes: Buffer,
    jobOptions?: { operations?: readonly object[]; pages?: string },
  ): Promise<JobRecord>;
  output(job: JobRecord, kind: string): Promise<Buffer>;
  /** Which word each page of a PDF or a text shows, or `notice`. */
  wordsShownOn(texts: readonly string[]): string[];
  /** Requires that a job has read all pages but the lost ones, and says so. */
  requireOtherPages(job: JobRecord, ...lost: readonly number[]): Promise<void>;
  /** Requires that an operation has processed the file as far as it can be read, without page 2. */
  requireReadablePages(operation: OperationName, bytes: Buffer): Promise<void>;
}

/** The operations that read pages after `ocr`. */
export const laterOperations = operationNames.filter((op) => op !== 'ocr');

/** Replacements for the object of a page, in place. */
export const pdfDamages = {
  'an object that is none': (at: number, end: number, pdf: Buffer) => pdf.fill('x', at, end),
  'nothing at all': (at: number, end: number, pdf: Buffer) =>
    pdf.fill(' ', at, end).write('null', at, 'latin1'),
} as const;

/** The document as a PDF in which one page is damaged. */
export async function damagePdf(damage: keyof typeof pdfDamages, page: number): Promise<Buffer> {
  const document = await PDFDocument.load(await scannedPdf(lines));
  const number = document.getPage(page - 1).ref.objectNumber;
  const pdf = Buffer.from(await document.save({ useObjectStreams: false }));
  const head = `\n${number} 0 obj\n`;
  const at = pdf.indexOf(head) + head.length;
  pdfDamages[damage](at, pdf.indexOf('\nendobj', at), pdf);
  return pdf;
}

export async function openDamaged(): Promise<DamagedDocuments> {
  const redactions = await shareRedactions('real');
  // Several tests read the same file.
  redactions.workers.deps.engines = recogniseOnce(redactions.workers.deps.engines);
  const output = async (job: JobRecord, kind: string): Promise<Buffer> =>
    (await redactions.content(job.outputs.find((one) => one.kind === kind)!.object_id)).bytes;
  const shownOn = (texts: readonly string[]): string[] =>
    texts.map((text) =>
      /could not be/.test(text) ? 'notice' : (words.find((word) => text.includes(word)) ?? ''),
    );
  const read: DamagedDocuments['read'] = async (bytes, { operations = [ocr], pages } = {}) =>
    redactions.run(
      await redactions.upload(bytes, 'scan'),
      operations,
      pages === undefined ? {} : { pages },
    );
  return {
    ...redactions,
    tiff: await multiPageTiff(lines),
    read,
    output,
    wordsShownOn: shownOn,
    async requireOtherPages(job, ...lost) {
      const expected = words.map((word, at) => (lost.includes(at + 1) ? 'notice' : word));
      expect([job.state, job.operations[0]!.state]).to.deep.equal([
        'partially_succeeded',
        'partially_succeeded',
      ]);
      expect(job.error).to.deep.include({ code: 'pages_failed', retryable: false });
      const failedPages =
        lost.length === 1 ? `Page ${lost[0]} failed` : `Pages ${lost.join(', ')} failed`;
      expect(job.error!.message).to.include(failedPages);
      expect(job.operations[0]!.error).to.deep.equal(job.error);
      expect(job.progress).to.include({ percent: 100, pages_total: 3, pages_completed: 3 });
      expect(job.progress.pages_failed).to.equal(lost.length);
      expect(job.operations[0]!.progress).to.include({
        pages_succeeded: 3 - lost.length,
        pages_failed: lost.length,
      });
      const pdf = await output(job, 'searchable_pdf');
      expect(shownOn(await textOf(pdf))).to.deep.equal(expected);
      const text = (await output(job, 'text')).toString();
      expect(shownOn(text.split('\f'))).to.deep.equal(expected);
      const record = JSON.parse((await output(job, 'words')).toString());
      expect(
        record.pages.map(({ page, words: found }: { page: number; words: unknown[] }) => [
          page,
          found.length > 0,
        ]),
      ).to.deep.equal([1, 2, 3].map((page) => [page, !lost.includes(page)]));
    },
    async requireReadablePages(op, bytes) {
      const job = await read(bytes, { operations: [{ op }] });
      expect(job.state, JSON.stringify(job.error)).to.equal('partially_succeeded');
      expect(job.error).to.include({ code: 'pages_failed', retryable: false });
      expect(job.error!.message).to.include('Page 2 failed');
      expect(job.operations.map(({ state }) => state)).to.deep.equal([
        'partially_succeeded',
        'partially_succeeded',
      ]);
      if (op !== 'redact_pii') return;
      expect(job.operations[1]!.result).to.include({ verified: false, pages_empty: 1 });
      expect((await textOf(await output(job, 'redacted_pdf')))[1]).to.include('left out');
    },
  };
}
