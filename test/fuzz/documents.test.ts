import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatReads, type ReadCounts, readersOf } from '../../lab/fuzz/documents/reread.ts';
import { fuzzDocuments } from '../../lab/fuzz/documents/run.ts';
import { builtInSeeds, type SeedFile } from '../../lab/fuzz/documents/seeds.ts';
import { readTreatments } from '../../lab/fuzz/documents/treatments.ts';
import { checkout } from '../support/run.ts';

describe('damaged documents', () => {
  it('are not generated for an invalid number of files', () => {
    const program = 'lab/fuzz/programs/documents.ts';
    const run = spawnSync(process.execPath, ['--import', 'tsx', program, '--files', 'abc'], {
      cwd: checkout,
      encoding: 'utf8',
    });
    expect(run.stderr).to.include("--files must be a positive whole number, not 'abc'.");
    expect(run.status).to.equal(1);
  });

  it('have a result or a documented error, and no engine is lost', async () => {
    const run = await fuzzDocuments({
      seeds: await builtInSeeds(),
      files: 30,
      seed: 3,
      treatments: ['normalize_for_llm', 'read_image', 'strip_image'],
    });
    expect(run.results.filter(({ fault }) => fault !== null)).to.deep.equal([]);
    // Whatever is damaged, some of it is still read, and some is not.
    const outcomes = new Set(run.results.map(({ outcome }) => outcome));
    expect(outcomes).to.include.keys('result', 'damaged');
  });

  it('are noticed if a verified redaction still says what was planted', async () => {
    const seeds = await builtInSeeds();
    // Readers that come with the service; the other programs may be missing.
    const sabotaged = (seed: SeedFile) =>
      fuzzDocuments({
        seeds: [seed],
        files: 1,
        seed: 1,
        treatments: ['ocr', 'redact_pii'],
        sabotage: true,
      });
    const named = (name: string) => seeds.find((one) => one.name === name)!;
    for (const [name, reader] of [
      // Of the corpus, with secrets of its own.
      ['tables-01.pdf', 'pdfium'],
      ['letter.docx', 'parts'],
    ]) {
      const run = await sabotaged(named(name!));
      expect(run.reread, name).to.equal(1);
      const redacted = run.results.find(({ treatment }) => treatment === 'redact_pii');
      expect(redacted?.fault, name)
        .to.match(/^verified, but left \S+.*: /)
        .and.include(reader);
      expect(run.readCounts.get(reader!), name).to.include({ text: 1, failed: 0 });
    }
  });

  it('say a value where it stands alone, even over lines', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-reread-'));
    const path = join(folder, 'file');
    const found = async (text: string) => {
      writeFileSync(path, text);
      const values = ['a.b@example.org', 'DE02 1203 0000 0000 2020 51'];
      return [...(await readersOf(values, { path, mime: 'text/plain' }, new Map())).keys()];
    };
    try {
      expect(await found('to a.b@exam\nple.org, not xDE02120300000000202051')).to.deep.equal([
        'a.b@example.org',
      ]);
      expect(
        await found('(DE021203 0000 00002020\n51) xa.b@example.org a.b@example.org1'),
      ).to.deep.equal(['DE02 1203 0000 0000 2020 51']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are followed by a whole one, however few they are', async () => {
    const seeds = (await builtInSeeds()).filter(({ name }) => name === 'plain.txt');
    const run = await fuzzDocuments({ seeds, files: 1, seed: 1, treatments: ['strip_image'] });
    expect(run.results).to.have.length(1);
    expect(run.results[0]).to.deep.include({ file: '1 whole.pdf', outcome: 'result', fault: null });
  });

  it('say how each program read them, and which is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-reread-'));
    const path = join(folder, 'broken.docx');
    writeFileSync(path, 'PK, but no archive');
    const reads: ReadCounts = new Map();
    await readersOf(['anything'], { path, mime: 'application/zip' }, reads);
    const PATH = process.env.PATH;
    try {
      process.env.PATH = folder;
      await readersOf(['anything'], { path, mime: 'application/pdf' }, reads);
    } finally {
      process.env.PATH = PATH;
      rmSync(folder, { recursive: true });
    }
    expect(formatReads(reads)).to.deep.equal([
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
