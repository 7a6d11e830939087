import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { createLogger } from '../../src/logger.ts';
import { epub } from '../support/books.ts';
import { everyText } from '../support/database-text.ts';
import { docx, paragraph, run } from '../support/office.ts';
import {
  openDocument,
  sheet,
  slidePage,
  tableCell,
  textFrame,
  textParagraph,
} from '../support/open-document.ts';
import { openRedactions, type Redactions } from '../support/redactions.ts';
import { bornDigitalPdf, imageOf, mixedPdf, scannedPdf } from '../support/samples.ts';
import { deck, textShape } from '../support/slides.ts';

const lines = ['Dear reader of this letter', 'Write to quillfeather@example.org soon', 'Goodbye'];
/** The value as it is read, and what may be left of it in other cases, parts and encodings. */
const canaries = [
  'quillfeather',
  'example.org',
  Buffer.from('quillfeather').toString('base64').slice(0, 12),
];

const sources: Record<string, () => Promise<{ bytes: Buffer; name: string }>> = {
  'a PDF of text': async () => ({ bytes: await bornDigitalPdf([lines]), name: 'text.pdf' }),
  'a scan': async () => ({ bytes: await scannedPdf([lines]), name: 'scan.pdf' }),
  'a PDF of both': async () => ({ bytes: await mixedPdf([lines, lines]), name: 'both.pdf' }),
  'a picture': async () => ({ bytes: await imageOf('png', lines), name: 'picture.png' }),
  'a Word document': async () => ({
    bytes: Buffer.from(docx(lines.map((line) => paragraph(run(line))).join(''))),
    name: 'letter.docx',
  }),
  'a presentation': async () => ({
    bytes: Buffer.from(deck(textShape(lines.map((line) => [line])))),
    name: 'slides.pptx',
  }),
  'an OpenDocument text': async () => ({
    bytes: Buffer.from(openDocument('odt', lines.map(textParagraph).join(''))),
    name: 'letter.odt',
  }),
  'an OpenDocument workbook': async () => {
    const rows = lines.map((line) => tableCell(line));
    return { bytes: Buffer.from(openDocument('ods', sheet('One', ...rows))), name: 'book.ods' };
  },
  'an OpenDocument presentation': async () => {
    const slide = slidePage(lines.map(textFrame).join(''));
    return { bytes: Buffer.from(openDocument('odp', slide)), name: 'slides.odp' };
  },
  'a book': async () => ({
    bytes: Buffer.from(epub(lines.map((line) => `<p>${line}</p>`).join(''))),
    name: 'book.epub',
  }),
};

/**
 * With the real engines: what a redaction removed is not in what later operations create or leave
 * behind, whatever the source is.
 */
describe('text created after a redaction', () => {
  let on: Redactions;
  const log: string[] = [];
  const jobs: JobRecord[] = [];
  before(async () => {
    on = await openRedactions(
      createLogger('trace', 'test', { write: (line) => log.push(line) }),
      'real',
    );
  });
  after(() => on.close());

  const expectNone = (text: string, where: string): void => {
    for (const canary of canaries) {
      expect(text.toLowerCase().includes(canary.toLowerCase()), `${canary} in ${where}`).to.equal(
        false,
      );
    }
  };
  const process = async (name: string, keep: boolean, style = 'label'): Promise<JobRecord> => {
    const { bytes, name: filename } = await sources[name]!();
    const options = { keep_unredacted: keep, style };
    const job = await on.run(await on.upload(bytes, `${style}${keep} ${filename}`), [
      ...(/\.(?:docx|pptx|od[tsp]|epub)$/.test(filename)
        ? []
        : [{ op: 'ocr', options: { output: ['text'] } }]),
      { op: 'redact_pii', options },
      { op: 'classify' },
      { op: 'normalize_for_llm' },
    ]);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    jobs.push(job);
    return job;
  };
  const expectClean = async (job: JobRecord, mark = '[EMAIL_ADDRESS]'): Promise<void> => {
    const after = job.operations.findIndex(({ op }) => op === 'redact_pii');
    const made = job.outputs.filter(({ operation_index }) => operation_index > after);
    expect(made.map(({ kind }) => kind)).to.deep.equal(['chunks', 'json', 'markdown']);
    for (const { object_id, kind } of made) {
      const text = (await on.content(object_id)).bytes.toString('utf8');
      expect(text, kind).to.include('Write to').and.include(mark).and.not.include('█');
      expectNone(text, `${kind} of ${job.id}`);
    }
    expectNone(JSON.stringify(job), 'the job');
  };

  for (const name of Object.keys(sources)) {
    it(`contains nothing that was removed from ${name}`, async () => {
      await expectClean(await process(name, false));
    });
  }

  it('has marks for black boxes, even if the file does not say what they hide', async () => {
    await expectClean(await process('a PDF of text', false, 'blackbox'));
    await expectClean(await process('a Word document', false, 'blackbox'), '[REDACTED]');
  });

  it('is as clean if the unredacted text is kept as an object', async () => {
    for (const name of ['a PDF of text', 'a scan']) {
      const job = await process(name, true);
      await expectClean(job);
      const kept = job.outputs.find(({ kind }) => kind === 'text')!;
      expect((await on.content(kept.object_id)).bytes.toString()).to.include(canaries[0]);
    }
    // Keeping the text does not make later outputs less redacted.
    await expectClean(await process('a Word document', true));
  });

  it('leaves no removed value in a table, an event, a log or a file', async () => {
    expect(jobs).to.have.length(Object.keys(sources).length + 5);
    const read = (await on.pages(jobs[0]!.id)).find(({ op }) => op === 'ocr')!;
    expect(read.text).to.include(canaries[0]);
    for await (const { text, where } of everyText(on.api.rows)) expectNone(text, where);
    const events = await on.api.call('GET', '/v1/events?limit=1000');
    expect(events.json.data.length).to.be.greaterThan(50);
    expectNone(events.text, 'events');
    expect(log.length).to.be.greaterThan(5);
    expectNone(log.join(''), 'the logs');
    const known = await on.api.rows<{ sha256: string }>(
      `SELECT sha256 FROM object WHERE source_kind = 'upload'
       UNION SELECT o.sha256 FROM object o JOIN job_output j ON j.object_id = o.id
       WHERE j.kind = 'text'`,
    );
    let outputs = 0;
    for (const name of await readdir(on.api.storageRoot, { recursive: true })) {
      const isFile = /[0-9a-f]{64}$/.exec(name);
      if (!isFile || known.some(({ sha256 }) => name.endsWith(sha256))) continue;
      outputs += 1;
      expectNone(await readFile(join(on.api.storageRoot, name), 'latin1'), name);
    }
    expect(outputs).to.be.greaterThan(15);
  });
});
