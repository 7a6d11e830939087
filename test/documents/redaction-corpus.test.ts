import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngines, type Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { type CorpusFile, families, makeFile } from '../support/corpus/index.ts';
import { makePairs } from '../support/corpus/pairs.ts';
import { readWithoutTools } from '../support/corpus/read-pdf.ts';
import { findLeaks } from '../support/corpus/reading.ts';
import { patternOptions, type Redacted, redactFile } from '../support/corpus/redact.ts';
import { compact, SecretSource } from '../support/corpus/secrets.ts';
import { textOf } from '../support/samples.ts';

/** One file of each, smallest first; `script/bench redaction` runs them all. */
const some = new Map([
  ['plain', 0],
  ['runs', 0],
  ['wrapped', 0],
  ['tables', 1],
  ['cid', 1],
  ['cid-unmapped', 0],
  ['type3', 1],
  ['fonts-mixed', 1],
  ['repeated', 0],
  ['scans', 4],
  ['ocr-layers', 0],
  ['rotated', 0],
  ['user-unit', 0],
  ['cropped', 2],
  ['forms', 1],
  ['unseen', 0],
  ['layers', 0],
  ['marks', 0],
  ['fields', 0],
  ['annotations', 0],
  ['attachments', 0],
  ['metadata', 0],
  ['residues', 0],
  ['revisions', 0],
  ['object-streams', 0],
]);

/** Pairs by what sets them apart; fonts and kerning are compared in `pdf/same-bytes.test.ts`. */
const paired = ['type3', 'form', 'turned', 'around', 'revised'];

describe('redaction of the corpus', () => {
  let folder: string;
  let engines: Engines;
  const redacted: { file: CorpusFile; path: string; outcome: Redacted }[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redaction-corpus-'));
    engines = createEngines({ processes: 2, memoryBytes: 2 ** 30, tmpDir: tmpdir() });
    const source = new SecretSource(3);
    const files: CorpusFile[] = [];
    for (const family of families) {
      const index = some.get(family.name);
      if (index !== undefined) files.push(await makeFile(family, index, source));
    }
    const lanes = [0, 1].map(async (lane) => {
      for (const [index, file] of files.entries()) {
        if (index % 2 !== lane) continue;
        const path = join(folder, `${file.name}.pdf`);
        await writeFile(path, file.pdf);
        const options = patternOptions(file.secrets, index % 3 === 0 ? 'label' : 'blackbox');
        const own = join(folder, file.name);
        const outcome = await redactFile(engines, { path, mime: 'application/pdf' }, options, own);
        redacted.push({ file, path, outcome });
      }
    });
    await Promise.all(lanes);
  });
  after(async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds what patterns can find wherever it can be read', () => {
    const missed = redacted.flatMap(({ file, outcome }) =>
      file.secrets
        .filter(({ findable, value }) => {
          const known = [...outcome.planned];
          return findable && !known.some((one) => one.includes(compact(value)));
        })
        .map(({ channel }) => `${file.name}: ${channel}`),
    );
    expect(missed).to.deep.equal([]);
  });

  it('makes a verified file of each', () => {
    const wrong = redacted
      .filter(({ outcome }) => !outcome.verified)
      .map(({ file, outcome }) => `${file.name}: ${outcome.refusal} ${outcome.failedChecks}`);
    expect(wrong).to.deep.equal([]);
  });

  it('leaves no secret that PDFium, pdf.js or a sweep of all streams can read', async () => {
    const left: string[] = [];
    for (const { file, outcome } of redacted) {
      if (outcome.path === null) continue;
      for (const { secret, by } of findLeaks(await readWithoutTools(outcome.path), file.secrets)) {
        left.push(`${file.name}: ${secret.channel} by ${by}`);
      }
    }
    expect(left).to.deep.equal([]);
  });

  it('keeps all other words of pages that are not burned, and burns few pages', async () => {
    const lost: string[] = [];
    const burned: string[] = [];
    for (const { file, outcome } of redacted) {
      if (outcome.path === null) continue;
      const texts = await textOf(await readFile(outcome.path));
      for (const { page, outputPage, treatment } of outcome.report?.pages ?? []) {
        if (treatment === 'burned' && !file.mayBurn) burned.push(`${file.name}, page ${page}`);
        if (treatment === 'burned' || treatment === 'empty') continue;
        const text = (texts[outputPage - 1] ?? '').replace(/\s+/g, '');
        const words = new Set(file.keptWords[page - 1]);
        for (const word of words) {
          if (!text.includes(word)) lost.push(`${file.name}, page ${page}: ${word}`);
        }
      }
    }
    expect(lost).to.deep.equal([]);
    expect(burned).to.deep.equal([]);
  });

  it('writes the same bytes for files that differ only in their secrets', async () => {
    const differ: string[] = [];
    let pairs = 0;
    for await (const { name, files } of makePairs(1, paired)) {
      pairs += 1;
      const hashes = await Promise.all(
        files.map(async ({ pdf, secrets }, side) => {
          const own = join(folder, `${name}-${side}`);
          await mkdir(own);
          const path = join(own, 'source.pdf');
          await writeFile(path, pdf);
          const options = patternOptions(secrets, 'blackbox');
          const made = await redactFile(engines, { path, mime: 'application/pdf' }, options, own);
          if (made.path === null) return made.refusal;
          return createHash('sha256')
            .update(await readFile(made.path))
            .digest('hex');
        }),
      );
      if (hashes[0] !== hashes[1]) differ.push(name);
      expect(hashes[0], name).to.match(/^[0-9a-f]{64}$/);
    }
    expect(differ).to.deep.equal([]);
    expect(pairs).to.equal(paired.length);
  });
});
