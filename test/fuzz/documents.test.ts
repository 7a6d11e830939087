import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Reads, readersOf, sayReads } from './documents/reread.ts';
import { fuzzDocuments } from './documents/run.ts';
import { ownSeeds } from './documents/seeds.ts';
import { readTreatments } from './documents/treatments.ts';

describe('damaged documents', () => {
  it('have a result or a documented error, and no engine is lost', async () => {
    const run = await fuzzDocuments({
      seeds: await ownSeeds(),
      files: 50,
      seed: 3,
      treatments: ['normalize_for_llm', 'read_image', 'strip_image'],
    });
    expect(run.treated.filter(({ fault }) => fault !== null)).to.deep.equal([]);
    // Whatever is damaged, some of it is still read, and some is not.
    const outcomes = new Set(run.treated.map(({ outcome }) => outcome));
    expect(outcomes).to.include.keys('result', 'damaged');
  });

  it('are noticed if a verified redaction still says what was planted', async () => {
    const seeds = await ownSeeds();
    // Readers that come with the service; the other programs may be missing.
    for (const [name, reader] of [
      ['hand.pdf', 'pdfium'],
      ['letter.docx', 'parts'],
    ]) {
      const seed = seeds.find((one) => one.name === name)!;
      const run = await fuzzDocuments({
        seeds: [seed],
        files: 1,
        seed: 1,
        treatments: ['ocr', 'redact_pii'],
        sabotage: true,
      });
      expect(run.reread, name).to.equal(1);
      const redacted = run.treated.find(({ treatment }) => treatment === 'redact_pii');
      expect(redacted?.fault, name)
        .to.match(/^verified, but left: /)
        .and.include(reader);
      expect(run.reads.get(reader!), name).to.include({ text: 1, failed: 0 });
    }
  });

  it('are followed by a whole one, however few they are', async () => {
    const seeds = (await ownSeeds()).filter(({ name }) => name === 'plain.txt');
    const run = await fuzzDocuments({ seeds, files: 1, seed: 1, treatments: ['strip_image'] });
    expect(run.treated).to.have.length(1);
    expect(run.treated[0]).to.deep.include({ file: '1 whole.pdf', outcome: 'result', fault: null });
  });

  it('say how each program read them, and which is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-reread-'));
    const path = join(folder, 'broken.docx');
    writeFileSync(path, 'PK, but no archive');
    const reads: Reads = new Map();
    await readersOf('anything', { path, mime: 'application/zip' }, reads);
    const PATH = process.env.PATH;
    try {
      process.env.PATH = folder;
      await readersOf('anything', { path, mime: 'application/pdf' }, reads);
    } finally {
      process.env.PATH = PATH;
      rmSync(folder, { recursive: true });
    }
    expect(sayReads(reads)).to.deep.equal([
      'read by bytes: text 2',
      'read by parts: failed 1',
      'read by pdfium: failed 1',
      'read by pdftotext: missing 1',
      'read by mutool: missing 1',
      'read by qpdf: missing 1',
    ]);
  });

  it('are not treated by an operation that does not exist', () => {
    expect(readTreatments('ocr,draw_page')).to.deep.equal(['ocr', 'draw_page']);
    expect(() => readTreatments('orc')).to.throw("Unknown operation 'orc'. Expected one of: ");
  });
});
