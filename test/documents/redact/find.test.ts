import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { Engines, PagePlan, PlannedPage } from '@scriptorium/documents';
import { isPlannedPage } from '@scriptorium/documents/redact/contract/guards';
import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { readPageText } from '../../../packages/documents/src/model/index.ts';
import { makeCorpus } from '../../support/corpus/index.ts';
import { compact } from '../../support/corpus/secrets.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { modelOfPdf, textOperators } from '../../support/page-model.ts';
import {
  bornDigitalPdf,
  handmadePdf,
  imageOf,
  rasterOf,
  scannedPdf,
} from '../../support/samples.ts';

const pdf = 'application/pdf';
const ssn = '078-05-1120';
const letter = [
  'Dear Sir, the social security number',
  `of our patient is SSN ${ssn}, as was`,
  'said by gypsy John Smith himself.',
];

/** A client's own pattern for a text, with any white space in it. */
const patternFor = (value: string, at = 0) => ({
  name: `SECRET_${at}`,
  case_sensitive: false,
  pattern: value
    .split(/\s+/)
    .map((word) => word.replace(/[^A-Za-z0-9]/g, '\\$&'))
    .join('\\s+'),
});

describe('redaction planning', () => {
  let engines: Engines;
  let folder: string;
  let files = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-test-'));
    engines = sharedEngines();
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function store(bytes: Uint8Array | string): Promise<string> {
    const path = join(folder, `file-${++files}`);
    await writeFile(path, bytes);
    return path;
  }

  async function plansOf(
    bytes: Uint8Array,
    options: { mime?: string; values?: readonly string[]; entities?: readonly EntityType[] } = {},
  ): Promise<PagePlan[]> {
    const { mime = pdf, values = ['John Smith'] } = options;
    const { entities = ['US_SSN', 'EMAIL_ADDRESS'] } = options;
    const path = await store(bytes);
    const plans: PagePlan[] = [];
    for (const { number: page } of (await engines.inspect({ path, mime }, callOptions)).pages) {
      const result = await engines.recognisePage({ path, mime, page }, callOptions);
      const pageFile = await store(JSON.stringify(result));
      const detect = {
        entities,
        minConfidence: 0.4,
        customPatterns: values.slice(0, 20).map(patternFor),
        allowList: [],
      };
      plans.push(
        await engines.findPage({ path, mime, page, pageFile, options: detect }, callOptions),
      );
    }
    return plans;
  }

  const boxesOf = (plan: PagePlan | undefined): Box[] =>
    (plan?.removals ?? []).flatMap(({ boxes }) => boxes);
  const valuesOf = (plan: PagePlan | undefined): string[] =>
    (plan?.removals ?? []).map(({ value }) => value.replace(/\s+/g, ' ')).sort();

  /** Where words are on a page that was drawn from text, exact to the glyph. */
  async function placesOf(bytes: Uint8Array, values: readonly string[]): Promise<Box[]> {
    const text = readPageText(await modelOfPdf(bytes));
    return values.flatMap((value) => {
      const start = text.text.replaceAll('\n', ' ').indexOf(value);
      expect(start).to.be.at.least(0);
      return text.locateSpan(start, start + value.length).boxes;
    });
  }

  /** The shares of the page's ink that `boxes` cover inside and outside of `places`. */
  async function covered(
    bytes: Uint8Array,
    places: readonly Box[],
    boxes: readonly Box[],
  ): Promise<{ secret: number; others: number }> {
    const dpi = 144;
    const { data, width, height, channels } = await rasterOf(bytes, 1, dpi);
    const counts = { secret: [0, 0], others: [0, 0] };
    const holds = (box: Box, x: number, y: number): boolean =>
      x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        if ((data[(row * width + column) * channels] ?? 255) > 110) continue;
        const [x, y] = [((column + 0.5) / dpi) * 72, ((row + 0.5) / dpi) * 72];
        const count = places.some((box) => holds(box, x, y)) ? counts.secret : counts.others;
        count[1] = (count[1] ?? 0) + 1;
        if (boxes.some((box) => holds(box, x, y))) count[0] = (count[0] ?? 0) + 1;
      }
    }
    const share = ([hit = 0, all = 0]: number[]): number => hit / all;
    return { secret: share(counts.secret), others: share(counts.others) };
  }

  it('reads the letters of each colour where others stand between them', async () => {
    // White letters, and letters without alpha, over those of the number.
    const objects = ['<< /ca 0 >>'];
    const digits = [...ssn].map((letter, at) => {
      const place = `/F1 14 Tf 1 0 0 1 ${(80 + at * 7.8).toFixed(1)} 500 Tm`;
      const hidden = at % 2 ? '1 g' : '/G1 gs';
      return `BT ${place} (${letter}) Tj ET q ${hidden} BT ${place} (x) Tj ET Q`;
    });
    const content = `BT /F1 14 Tf 40 500 Td (SSN ) Tj ET ${digits.join(' ')}`;
    const made = handmadePdf(content, { objects }).toString('latin1');
    const resources = '/ExtGState << /G1 6 0 R >> /Font';
    const bytes = Buffer.from(made.replace('/Resources << /Font', `/Resources << ${resources}`));
    const [plan] = await plansOf(bytes);
    expect(valuesOf(plan).map((value) => value.replaceAll(' ', ''))).to.deep.equal([ssn]);
    const [box] = boxesOf(plan);
    expect(box?.[0]).to.be.closeTo(80, 3);
    expect(box?.[2]).to.be.closeTo(80 + ssn.length * 7.8, 6);
  });

  it('finds written text and returns the text without it', async () => {
    const bytes = await bornDigitalPdf([letter]);
    const [plan] = await plansOf(bytes);
    expect(valuesOf(plan)).to.deep.equal([ssn, 'John Smith']);
    expect(plan?.removals.every(({ source }) => source === 'pdf')).to.equal(true);
    expect(plan?.redactedText).to.include('patient is SSN [US_SSN], as was');
    expect(plan?.redactedText).to.include('by gypsy [CUSTOM_SECRET_0] himself.');
    const places = await placesOf(bytes, ['John Smith', ssn]);
    const share = await covered(bytes, places, boxesOf(plan));
    expect(share).to.deep.equal({ secret: 1, others: 0 });
  });

  it('finds the values of form fields by their names', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([420, 300]);
    const form = document.getForm();
    for (const [at, [name, value]] of [
      ['Account number', '86775507'],
      ['page.socialSecurityNumber', '078 05 112'],
      ['Quantity', '4417'],
    ].entries()) {
      const field = form.createTextField(name!);
      field.setText(value);
      field.addToPage(page, { x: 40, y: 240 - at * 40, width: 140, height: 20 });
    }
    const [plan] = await plansOf(await document.save(), {
      entities: ['US_BANK_NUMBER', 'US_SSN'],
      values: [],
    });
    expect(valuesOf(plan)).to.deep.equal(['078 05 112', '86775507']);
  });

  it('covers all ink of findings in scans and pictures, and almost none next to it', async () => {
    const drawn = await bornDigitalPdf([letter]);
    const places = await placesOf(drawn, ['John Smith', ssn]);
    for (const rotate of [0, 90] as const) {
      const [plan] = await plansOf(
        await scannedPdf([letter], { pageRotation: rotate, offset: [30, 20] }),
      );
      expect(valuesOf(plan).join(' ')).to.include(ssn).and.include('John Smith');
      expect(plan?.removals.every(({ source }) => source === 'ocr')).to.equal(true);
      const share = await covered(drawn, places, boxesOf(plan));
      expect(share.secret).to.equal(1);
      expect(share.others).to.be.lessThan(0.02);
    }
    for (const kind of ['png', 'jpeg'] as const) {
      const [plan] = await plansOf(await imageOf(kind, letter), { mime: `image/${kind}` });
      const share = await covered(drawn, places, boxesOf(plan));
      expect(share.secret).to.equal(1);
      expect(share.others).to.be.lessThan(0.02);
    }
  });

  it('covers the glyphs of an invisible layer and the ink below it', async () => {
    const scan = await scannedPdf([letter]);
    const path = await store(scan);
    const page = await engines.recognisePage({ path, mime: pdf, page: 1 }, callOptions);
    const outPath = `${path}.pdf`;
    const pagesFile = await store(`${JSON.stringify(page)}\n`);
    await engines.assembleSearchablePdf({ path, mime: pdf, pagesFile, outPath }, callOptions);
    const [plan] = await plansOf(await readFile(outPath));
    expect(valuesOf(plan)).to.deep.equal([ssn, 'John Smith']);
    const drawn = await bornDigitalPdf([letter]);
    const share = await covered(drawn, await placesOf(drawn, ['John Smith', ssn]), boxesOf(plan));
    expect(share.secret).to.equal(1);
    expect(share.others).to.be.lessThan(0.02);
    expect(plan?.redactedText.match(/patient/g)).to.have.length(1);
  });

  it('finds hidden text: white, invisible, zero-size, off the page or in a field', async () => {
    const appearance = `<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 5 0 R >> >> /Length 47 >>
stream
BT /F1 12 Tf 2 5 Td (No. 219-09-9999 ok) Tj ET  
endstream`;
    const field =
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V (x) /F 4 /Rect [40 300 240 320] /AP << /N 7 0 R >> >>';
    const bytes = handmadePdf(
      `${textOperators([[40, 500, 'SSN 078-05-1120']])} 1 1 1 rg ${textOperators([[40, 480, 'SSN 078-05-1121']])} 0 g
       BT 3 Tr /F1 12 Tf 40 460 Td (SSN 078-05-1122) Tj ET
       BT 0 Tr /F1 0 Tf 40 440 Td (SSN 078-05-1123) Tj ET
       ${textOperators([[-900, 420, 'SSN 078-05-1124']])}`,
      { page: '/Annots [6 0 R]', objects: [field, appearance] },
    );
    const numbers = [0, 1, 2, 3, 4].map((digit) => `078-05-112${digit}`);
    const [plan] = await plansOf(bytes, { values: [...numbers, '219-09-9999'] });
    expect(valuesOf(plan)).to.deep.equal([...numbers, '219-09-9999']);
    expect(boxesOf(plan).every(([x0, y0, x1, y1]) => x1 > x0 && y1 > y0)).to.equal(true);
  });

  it('recognises pictures on pages that also have text, and uses labels next to them', async () => {
    const picture = await sharp(await imageOf('png', ['Born to be John Smith']))
      .extract({ left: 60, top: 60, width: 400, height: 60 })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    const inline = `BI /W 400 /H 60 /CS /G /BPC 8 /F /AHx ID ${picture.toString('hex')}> EI`;
    const bytes = handmadePdf(
      `${textOperators([[40, 500, 'SSN 078-05-1120 and a picture:']])} q 192 0 0 28.8 40 400 cm ${inline} Q`,
    );
    const [plan] = await plansOf(bytes);
    expect(plan?.removals.map(({ source, value }) => [source, value])).to.deep.equal([
      ['pdf', ssn],
      ['ocr', 'John Smith'],
    ]);
    expect(plan?.redactedText).to.include('SSN [US_SSN] and a picture:');
    expect(plan?.redactedText).to.include('be [CUSTOM_SECRET_0]');
  });

  it('finds every readable secret, however a PDF is made', async () => {
    const readable =
      /^(plain|runs|wrapped|tables|columns|cid|subset|type3|repeated|rotated|leaning|cropped|user-unit|forms|unseen|layers|fields|drawings|cid-unmapped)$/;
    let secrets = 0;
    for await (const file of makeCorpus({ max: 2, only: (family) => readable.test(family) })) {
      const findable = file.secrets.filter((secret) => secret.findable && secret.page !== null);
      const plans = await plansOf(file.pdf, { values: findable.map(({ value }) => value) });
      for (const { value, page, channel } of findable) {
        const found = plans
          .filter((plan) => plan.page === page)
          .flatMap(({ removals }) => removals.map((removal) => compact(removal.value)));
        const hit = found.some((text) => text.includes(compact(value)));
        expect(hit, `${file.name}: ${channel}`).to.equal(true);
        secrets += 1;
      }
      for (const [index, words] of file.keptWords.entries()) {
        const text = plans[index]?.redactedText ?? '';
        const lost = words.filter((word) => !text.includes(word));
        expect(lost, `${file.name}, words of page ${index + 1}`).to.deep.equal([]);
      }
    }
    expect(secrets).to.be.greaterThan(60);
  });

  it('includes words that form a value once the text between them is removed', async () => {
    const [plan] = await plansOf(
      await bornDigitalPdf([
        ['It was John Smith who came.', 'Write to John (j.s@example.com) Smith about it.'],
      ]),
    );
    expect(valuesOf(plan)).to.deep.equal(['John Smith', 'John Smith', 'j.s@example.com']);
  });

  it('includes values that are joined only in drawing order', async () => {
    // The mark at the right edge was drawn last. In reading order it is between the lines.
    const content = textOperators([
      [40, 700, 'It was John Smith who came, and no one knew why he did.'],
      [40, 600, 'f (aside of a structure, John'],
      [90, 586, 'Smith * name, int * num)'],
      [500, 600, '[Function]'],
    ]);
    const [plan] = await plansOf(await handmadePdf(content));
    expect(valuesOf(plan)).to.deep.equal(['John Smith', 'John Smith']);
  });

  describe('of other pages', () => {
    const pages = [
      ['The patient is John Smith.', `His SSN ${ssn} is known.`],
      ['Nobody knows what John', 'Smith did with (0780 51120),', 'nor where the Johnsmiths live.'],
    ];

    it('finds values in the text of each page, without the document', async () => {
      const bytes = await bornDigitalPdf(pages);
      const plans = await plansOf(bytes, { values: ['patient is John Smith'] });
      // The second page alone is not enough: its number has no label and another form.
      expect(plans.map(({ removals }) => removals.length)).to.deep.equal([2, 0]);
      const planned: PlannedPage[] = [
        ...plans.map((plan): PlannedPage => {
          const removals = plan.removals.map((one) => {
            return { ...one, value: one.value.replace('patient is ', '') };
          });
          return { state: 'planned', ...plan, removals };
        }),
        { state: 'failed', page: 3, widthPt: 10, heightPt: 10 },
      ];
      const plansFile = await store(planned.map((plan) => `${JSON.stringify(plan)}\n`).join(''));
      const outPath = `${plansFile}.out`;
      const { removals } = await engines.spreadValues({ plansFile, outPath }, callOptions);
      expect(removals).to.equal(2);
      const spread: unknown[] = (await readFile(outPath, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(spread.every(isPlannedPage)).to.equal(true);
      expect(spread[2]).to.deep.equal(planned[2]);
      const second = spread.filter(isPlannedPage)[1];
      if (second?.state !== 'planned') throw new Error('the page was lost');
      expect(second.readings).to.equal(undefined);
      expect(valuesOf(second)).to.deep.equal(['0780 51120', 'John Smith']);
      expect(second.redactedText).to.include('with ([US_SSN]),');
      expect(second.redactedText).to.include('Johnsmiths');
      const share = await covered(
        await bornDigitalPdf(pages.slice(1)),
        await placesOf(await bornDigitalPdf(pages.slice(1)), ['John Smith', '0780 51120']),
        boxesOf(second),
      );
      expect(share).to.deep.equal({ secret: 1, others: 0 });
    });
  });
});
