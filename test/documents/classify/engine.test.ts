import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import {
  combineClassifications,
  EngineError,
  type Engines,
  type PageClassification,
  type PageResult,
} from '@scriptorium/documents';
import { expect } from 'chai';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { recognisedPage } from '../../support/page-results.ts';

/** A page of lines, one below the other, as `ocr` returns it. */
function pageOf(lines: readonly string[], [widthPt, heightPt] = [595, 842]): PageResult {
  const words = lines.flatMap((text, line) => {
    let left = 50;
    return text.split(' ').map((word) => {
      const box: [number, number, number, number] = [
        left,
        50 + line * 16,
        left + word.length * 6,
        61 + line * 16,
      ];
      left = box[2] + 4;
      return { text: word, box, confidence: 0.95, line, source: 'ocr' as const };
    });
  });
  return recognisedPage({
    widthPt: widthPt!,
    heightPt: heightPt!,
    text: lines.join('\n'),
    words,
    lines: lines.map((_, line) => ({
      origin: [50, 60 + line * 16],
      angle: 0,
      size: 11,
      paragraph: false,
    })),
    meanConfidence: 0.95,
    characters: lines.join('').length,
    blank: lines.length === 0,
  });
}

const invoice = [
  'Plimsoll & Daughters Ltd',
  'INVOICE',
  'Invoice number: 4471',
  'Invoice date: 3 May 2025',
  'Bill to: Zoravia Xenakopoulos',
  'Description Qty Unit price Amount',
  'Repair of a pump 2 140.00 280.00',
  'Subtotal 280.00',
  'VAT 20% 56.00',
  'Total due GBP 336.00',
  'Payment within 30 days to IBAN GB29 NWBK 6016 1331 9268 19',
];

describe('the classification engine', () => {
  let engines: Engines;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'classify-test-'));
    engines = sharedEngines();
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function classify(page: unknown): Promise<PageClassification> {
    const pageFile = join(folder, 'page.json');
    await writeFile(pageFile, JSON.stringify(page));
    return engines.classifyPage({ pageFile }, callOptions);
  }

  it('scores every label, likeliest first, with a sum of 1', async () => {
    const { labels } = await classify(pageOf(invoice));
    expect(labels.map(({ label }) => label)).to.have.members(documentLabelNames);
    expect(labels[0]!.label).to.equal('invoice');
    expect(labels.reduce((sum, { score }) => sum + score, 0)).to.be.closeTo(1, 0.01);
    const scores = labels.map(({ score }) => score);
    expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
  });

  it('returns known signal names and no text of the document', async () => {
    const { signals } = await classify(pageOf(invoice));
    expect(signals).to.have.length.within(1, 5);
    expect(signals.every(({ weight }) => weight > 0)).to.equal(true);
    const told = JSON.stringify(signals).toLowerCase();
    for (const word of ['zoravia', 'xenakopoulos', 'plimsoll', '4471', '336', 'gb29']) {
      expect(told).not.to.include(word);
    }
    for (const { name } of signals) expect(name).to.match(/^[a-z_]+(:[a-z0-9_]+)?$/);
  });

  it('reports that a page has no text and is certain of nothing', async () => {
    const { labels, signals, words } = await classify(pageOf([]));
    expect(words).to.equal(0);
    expect(signals).to.deep.equal([{ name: 'no_text', weight: 1 }]);
    expect(labels[0]).to.deep.equal({ label: 'other', score: 0.4 });
    expect(combineClassifications([]).labels[0]).to.deep.equal({ label: 'other', score: 0.4 });
  });

  it('classifies files without pages', async () => {
    const path = join(folder, 'invoice.txt');
    await writeFile(path, invoice.join('\n'));
    const { labels } = await engines.classifyFile({ path, mime: 'text/plain' }, callOptions);
    expect(labels[0]!.label).to.equal('invoice');
  });

  it('returns an error for unreadable files', async () => {
    const path = join(folder, 'nothing.txt');
    await writeFile(path, '');
    const failure = async (promise: Promise<unknown>) =>
      promise.then(
        () => 'no error',
        (error: unknown) => (error instanceof EngineError ? error.code : String(error)),
      );
    expect(await failure(engines.classifyFile({ path, mime: 'text/plain' }, callOptions))).to.equal(
      'empty',
    );
    expect(await failure(engines.classifyFile({ path, mime: 'image/png' }, callOptions))).to.equal(
      'unsupported',
    );
    expect(await failure(classify({ page: 1 }))).to.equal('invalid_argument');
  });
});
