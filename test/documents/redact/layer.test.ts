import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import type { Engines } from '@scriptorium/documents';
import { hull } from '@scriptorium/documents/geometry';
import { isRemovalReport } from '@scriptorium/documents/redact/contract/guards';
import { packLayer, remainingLayer } from '@scriptorium/documents/redact/contract/layer';
import type { PlannedPage } from '@scriptorium/documents/redact/contract/plan';
import { readPlans, writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import type { Box, Word } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { addsNoClaims } from '../../../src/jobs/operations/redact-pii/prove.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { recogniseOnce, sharedEngines } from '../../support/engines.ts';
import {
  bornDigitalPdf,
  mixedPdf,
  multiPageTiff,
  scannedPdf,
  textOf,
} from '../../support/samples.ts';

const email = 'jane.roe@example.com';
const pages = [
  ['Minutes of the garden club', 'The hedge was cut in the autumn', `Write to ${email} today`],
  ['The pond froze twice last winter', `Members may ask ${email} for keys`],
];

describe('the invisible text of a redacted scan', () => {
  let engines: Engines;
  let folder: string;
  let scan: Buffer;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'layer-'));
    engines = recogniseOnce(sharedEngines());
    scan = await scannedPdf(pages);
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const redact = async (
    bytes: Uint8Array,
    options: Partial<OperationOptions<'redact_pii'>> = {},
    mime: SourceMime = 'application/pdf',
    by: Engines = engines,
  ) => {
    const path = join(folder, createHash('sha256').update(bytes).digest('hex'));
    await writeFile(path, bytes);
    const wanted = redactOptions({ entities: ['EMAIL_ADDRESS'], ...options });
    const made = await redactFile(by, { path, mime }, wanted, `${path}-made-${++files}`);
    expect(made.refusal).to.equal(null);
    expect(made.verified).to.equal(true);
    const texts = await textOf(await readFile(made.path!));
    expect(texts.join(' ')).to.not.match(/jane|roe@|example/i);
    return { ...made, texts };
  };

  const scans: Record<string, () => Promise<Buffer>> = {
    upright: async () => scan,
    'displayed turned': () => scannedPdf(pages, { pageRotation: 90, offset: [50, 70] }),
  };
  for (const [name, make] of Object.entries(scans)) {
    it(`is what was read and not removed (${name})`, async () => {
      const { texts, warnings, failedChecks } = await redact(await make());
      expect(texts[0]).to.match(/Minutes of the garden club\s+The hedge was cut in the autumn/);
      expect(texts[0]).to.match(/Write to\s+today/);
      expect(texts[1])
        .to.match(/pond froze twice/)
        .and.match(/Members may ask\s+for keys/);
      expect(warnings).to.deep.equal([]);
      expect(failedChecks).to.deep.equal([]);
    });
  }

  it('shows no value that is whole only in the order of the recogniser', async () => {
    const misplacing: Engines = {
      ...engines,
      async recognisePage(request, call) {
        const result = await engines.recognisePage(request, call);
        return request.page === 1 ? { ...result, words: swapped(result.words) } : result;
      },
    };
    // By their places, these words are "example.com jane.roe@".
    const swapped = (words: readonly Word[]): Word[] => {
      const isPart = ({ text }: Word): boolean => /[@.]/.test(text);
      const at = words.findIndex(isPart);
      const box = hull(words.filter(isPart).map((word) => word.box));
      if (!box) throw new Error('The address was not read.');
      const [x0, y0, x1, y1] = box;
      const middle = (x0 + x1) / 2;
      return [
        ...words.slice(0, at),
        { ...words[at]!, text: 'jane.roe@', box: [middle + 2, y0, x1, y1] },
        { ...words[at]!, text: 'example.com', box: [x0, y0, middle - 2, y1] },
        ...words.slice(at).filter((word) => !isPart(word)),
      ];
    };
    const made = await redact(scan, {}, 'application/pdf', misplacing);
    expect(made.report?.pages.map(({ treatment }) => treatment)).to.deep.equal([
      'redacted',
      'redacted',
    ]);
    expect(made.texts[0]).to.match(/Write to/);
    expect(made.failedChecks).to.deep.equal([]);
  });

  it('is in the PDF of a TIFF too', async () => {
    const { texts } = await redact(await multiPageTiff(pages), {}, 'image/tiff');
    expect(texts[0]).to.match(/hedge was cut/);
    expect(texts[1]).to.match(/pond froze/);
  });

  it('is left out on request, and added to no page that has text', async () => {
    const { texts } = await redact(scan, { text_layer: false });
    expect(texts.join('').trim()).to.equal('');
    const mixed = await redact(await mixedPdf(pages));
    expect(mixed.texts[1]!.match(/pond froze/g)).to.have.length(1);
    const own = await redact(await bornDigitalPdf(pages));
    expect(own.texts[0]!.match(/hedge/g)).to.have.length(1);
  });

  it('is not believed: with a value in it, the checks fail, and the page is written without', async () => {
    const checked: number[] = [];
    const planted: Engines = {
      ...engines,
      checkPage(request, call) {
        checked.push(request.outputPage);
        return engines.checkPage(request, call);
      },
      async redactPages(request, call) {
        const plans = await readPlans(request.plansFile);
        await writePlans(request.plansFile, plans.map(withValue));
        return engines.redactPages(request, call);
      },
    };
    const made = await redact(scan, {}, 'application/pdf', planted);
    for (const check of ['text_pdfium', 'text_pdfjs', 'streams']) {
      expect(made.failedChecks.join(), check).to.include(check);
    }
    expect(made.warnings.map(({ code }) => code)).to.deep.equal(['text_layer_left_out']);
    expect(made.warnings[0]!.message).to.include('page 1 ');
    expect(made.texts[0]!.trim()).to.equal('');
    expect(made.texts[1]).to.match(/pond froze/);
    // The other page is the same in both outputs.
    expect(checked).to.deep.equal([1, 2, 1]);
  });

  it('leaves the proof of other pages valid when a page and its values are left out', async () => {
    const checked: number[] = [];
    const stubborn: Engines = {
      ...engines,
      async checkPage(request, call) {
        checked.push(request.outputPage);
        const checks = await engines.checkPage(request, call);
        const report: unknown = JSON.parse(await readFile(request.reportFile, 'utf8'));
        const page = isRemovalReport(report) ? report.pages[request.outputPage - 1] : undefined;
        if (page?.outputPage !== 1 || page.treatment === 'empty') return checks;
        return [{ name: 'ocr_regions', passed: false, detail: 'It fails.', pages: [] }];
      },
    };
    const path = join(folder, `source-${++files}`);
    const two = [['Write to ada.king@example.org today'], ['The pond froze', `Ask ${email} soon`]];
    await writeFile(path, await bornDigitalPdf(two));
    const options = redactOptions({ entities: ['EMAIL_ADDRESS'] });
    const made = await redactFile(
      stubborn,
      { path, mime: 'application/pdf' },
      options,
      `${path}-made`,
    );
    expect(made.report?.pages.map(({ treatment }) => treatment)).to.deep.equal([
      'empty',
      'redacted',
    ]);
    expect(made.report?.values.map(({ value }) => value)).to.deep.equal([email]);
    // In place, as a picture, and empty.
    expect(checked).to.deep.equal([1, 2, 1, 1]);
  });

  it('is proven again if another value is claimed to be gone, or one from more places', () => {
    const [one, other] = [
      { type: 'PERSON' as const, value: 'Ada King' },
      { type: 'PERSON' as const, value: 'Grace Pine' },
    ];
    const here = { ...one, here: true };
    expect(addsNoClaims([one, other], [one])).to.equal(true);
    expect(addsNoClaims([one], [here])).to.equal(true);
    expect(addsNoClaims([one, other], [])).to.equal(true);
    expect(addsNoClaims([one], [one, other])).to.equal(false);
    expect(addsNoClaims([here], [one])).to.equal(false);
    expect(addsNoClaims([one], [{ ...one, type: 'LOCATION' }])).to.equal(false);
  });

  /** A plan whose layer has the value in the lower part of the page, if it has a layer at all. */
  function withValue(plan: PlannedPage): PlannedPage {
    if (plan.state === 'failed' || plan.page !== 1 || !plan.layer) return plan;
    const { text, words } = plan.layer;
    const place = [4000, 50_000, 20_000, 51_200, 0];
    return {
      ...plan,
      layer: { ...plan.layer, text: `${text} ${email}`, words: [...words, ...place] },
    };
  }

  describe('beside removed areas', () => {
    const word = (text: string, box: Box, line = 0): Word => ({
      text,
      box,
      line,
      confidence: 1,
      source: 'ocr' as const,
    });
    const line = (y: number) => ({
      origin: [10, y] as [number, number],
      angle: 0,
      size: 14,
      paragraph: false,
    });
    const lines = { lines: [line(20), line(34)], orientation: 0 as const, skewDegrees: 0 };
    const left = (words: readonly Word[], area: Box) => {
      const size = { page: 1, frame: null, width: 200, height: 100 };
      return remainingLayer(packLayer(words, lines), size, [area]);
    };

    it('keeps neighbours that touch them, and drops words of which a letter may be inside', () => {
      const words = [
        word('before', [10, 10, 40, 20]),
        word('gone', [44, 10, 70, 20]),
        word('after', [72, 10, 99, 20]),
        word('below', [44, 21, 70, 31], 1),
      ];
      const texts = (area: Box) => left(words, area).words.map(({ text }) => text);
      expect(texts([41, 8, 72.5, 22.5])).to.deep.equal(['before', 'after', 'below']);
      expect(texts([41, 8, 76, 22.5])).to.deep.equal(['before', 'below']);
      expect(texts([37, 8, 72, 25])).to.deep.equal(['after']);
    });

    it('does not keep the height of a line that lost words', () => {
      const words = [word('seen', [10, 12, 40, 20]), word('gone', [44, 10, 70, 24])];
      expect(left(words, [43, 9, 80, 25]).lines[0]!.size).to.equal(8);
      expect(left(words, [100, 50, 110, 60]).lines[0]!.size).to.equal(14);
    });
  });
});
