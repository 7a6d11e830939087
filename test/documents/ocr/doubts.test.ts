import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines, PageResult } from '@scriptorium/documents';
import { expect } from 'chai';
import type { LayoutBlock } from '../../../packages/documents/src/normalize/pages/layout.ts';
import { PdfWriter } from '../../support/corpus/pdf-writer.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { compact } from '../../support/corpus/secrets.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import {
  fontKinds,
  type LetterMap,
  type MakeFont,
  pdfInFont,
  pdfOfLines,
  permuteDigits,
  scriptFonts,
  shiftInAlphabet,
  shiftLetters,
  unknownFont,
} from '../../support/false-fonts.ts';

const mime = 'application/pdf';
const letter = [
  'Statement of Ottilie Brandmair',
  'Phone: +43 664 5550 1234',
  'The crane was closed on Friday because of the wind.',
];
const prose = [
  'The harbour office opens at nine every weekday morning.',
  'Boats pay the mooring fee at the quay before noon.',
];
function kindOf(kind: string): MakeFont {
  const make = fontKinds[kind];
  if (!make) throw new Error(`Unknown kind of font: '${kind}'.`);
  return make;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('fonts that say other characters than they draw', () => {
  let engines: Engines;
  let folder: string;
  let files = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doubts-'));
    engines = sharedEngines();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function store(bytes: Uint8Array | string): Promise<string> {
    const path = join(folder, `file-${++files}.pdf`);
    await writeFile(path, bytes);
    return path;
  }

  const read = async (path: string): Promise<PageResult> =>
    engines.recognisePage({ path, mime, page: 1 }, callOptions);

  async function normalised(path: string): Promise<string> {
    const pageFile = await store(JSON.stringify(await read(path)));
    const request = { path, mime, page: 1, number: 1, pageFile, redacted: [] };
    const { blocks } = await engines.readPageLayout(request, callOptions);
    const textOf = (block: LayoutBlock): string =>
      block.kind === 'text'
        ? block.lines.map(({ spans }) => spans.map(({ text }) => text).join('')).join(' ')
        : '';
    return blocks.map(textOf).join(' ');
  }

  /** Redacts a file, and returns what was planned to go, and what is drawn of the output's text. */
  async function redacted(bytes: Uint8Array) {
    const path = await store(bytes);
    const into = join(folder, `redacted-${files}`);
    const options = redactOptions({ entities: ['PHONE_NUMBER', 'PERSON'] });
    return redactFile(engines, { path, mime }, options, into);
  }

  const lies: [string, LetterMap][] = [
    ['shifted letters', shiftLetters(1)],
    ['other digits', permuteDigits],
  ];
  for (const [kind, make] of Object.entries(fontKinds)) {
    // `script/test` runs two kinds of fonts, `script/test --all` the others.
    const isPromised = kind === 'a standard font' || kind === 'a composite font';
    for (const [how, says] of lies) {
      it(`are recognised: ${kind} with ${how}`, async () => {
        const path = await store(pdfInFont(make, letter, says));
        const { text, doubted = [] } = await read(path);
        expect(plain(text)).to.contain('5550 1234');
        expect(plain(text)).to.contain('crane was closed');
        expect(doubted).not.to.deep.equal([]);
        const markdown = await normalised(path);
        expect(markdown).to.contain('5550 1234');
        expect(markdown).to.contain('crane was closed');
        for (const line of letter) {
          const reading = [...line].map(says).join('');
          if (reading !== line) expect(markdown).not.to.contain(reading.slice(-9));
        }
      });

      const isRedacted = async () => {
        const found = await redacted(pdfInFont(make, letter, says));
        expect([...found.planned]).to.include(compact('+43 664 5550 1234'));
        expect([...found.planned]).to.include(compact('Ottilie Brandmair'));
        expect(found.verified).to.equal(true);
        expect(found.warnings.map(({ code }) => code)).to.include('text_not_believed');
      };
      if (isPromised) it(`are redacted by what they draw: ${kind} with ${how}`, isRedacted);
      else it(`are redacted: ${kind} with ${how}`, isRedacted);
    }

    it(`are believed if they do not: ${kind}`, async () => {
      const path = await store(pdfInFont(make, [...letter, ...prose]));
      const { state, treatment, doubted } = await read(path);
      expect({ state, treatment, doubted }).to.deep.equal({
        state: 'has_text',
        treatment: 'keep',
        doubted: undefined,
      });
      const found = await redacted(pdfInFont(make, [...letter, ...prose]));
      expect(found.verified).to.equal(true);
      expect(found.warnings).to.deep.equal([]);
    });
  }

  /** A page mostly in an honest font, and some lines in one that is not. */
  function mixed(make: MakeFont, says: LetterMap, some: readonly string[]): Buffer {
    const writer = new PdfWriter();
    const honest = make(writer, 'F1');
    const other = make(writer, 'F2', says);
    return pdfOfLines(writer, [
      [
        ...[...prose, ...prose].map((line) => [honest, line] as const),
        ...some.map((line) => [other, line] as const),
      ],
    ]);
  }

  it('are found next to an honest font of the same name', async () => {
    for (const make of Object.values(fontKinds)) {
      const path = await store(mixed(make, shiftLetters(3), letter.slice(0, 2)));
      const { text, treatment, doubted = [] } = await read(path);
      expect(plain(text)).to.contain('Ottilie Brandmair');
      expect(plain(text)).to.contain('mooring fee');
      expect(treatment).to.equal('add');
      expect(doubted).not.to.deep.equal([]);
      const found = await redacted(mixed(make, shiftLetters(3), letter.slice(0, 2)));
      expect([...found.planned]).to.include(compact('Ottilie Brandmair'));
      expect(found.verified).to.equal(true);
    }
  });

  const others: Record<string, LetterMap> = {
    'one sign': () => '.',
    'letters of another script': (letter) => String.fromCharCode(0x4e00 + letter.charCodeAt(0)),
    'two letters each': (letter) =>
      /[A-Za-z]/.test(letter) ? `${shiftLetters(4)(letter)}a` : letter,
    'the same letter for all': (letter) => (/[A-Za-z]/.test(letter) ? 'e' : letter),
  };
  for (const [what, says] of Object.entries(others)) {
    it(`are redacted by what they draw if they say ${what}`, async () => {
      const found = await redacted(mixed(kindOf('a composite font'), says, letter.slice(0, 2)));
      expect([...found.planned]).to.include(compact('Ottilie Brandmair'));
      expect(found.verified).to.equal(true);
    });
  }

  it('are covered if they say blanks, which no reader of text returns', async () => {
    const blank: LetterMap = () => ' ';
    const found = await redacted(mixed(kindOf('a composite font'), blank, letter.slice(0, 2)));
    expect(found.failedChecks.join()).to.include('unread_text');
    const covered = found.report?.pages[0]?.regions.filter(({ type }) => type === 'UNREADABLE');
    expect(covered).to.have.lengthOf.at.least(2);
  });

  // No model of these scripts is installed, so nothing can read what is drawn.
  const scripts: Record<string, LetterMap> = {
    Chinese: (letter) =>
      letter === ' ' ? ' ' : String.fromCharCode(0x4e00 + letter.charCodeAt(0)),
    Arabic: (letter) =>
      /[A-Za-z0-9]/.test(letter)
        ? String.fromCharCode(0x0628 + (letter.charCodeAt(0) % 18))
        : letter,
  };
  for (const [script, says] of Object.entries(scripts)) {
    it(`are not believed in redactions if they say ${script} that cannot be read`, async () => {
      const found = await redacted(pdfInFont(unknownFont, [...letter, ...prose], says));
      expect(found.verified).to.equal(true);
      expect(found.warnings.map(({ code }) => code)).to.include.members([
        'text_not_believed',
        'unreadable_covered',
      ]);
      const covered = found.report?.pages[0]?.regions.filter(({ type }) => type === 'UNREADABLE');
      expect(covered).not.to.deep.equal([]);
    });

    it(`are left as they are by ocr if they say ${script} that cannot be read`, async () => {
      const path = await store(pdfInFont(unknownFont, [...letter, ...prose], says));
      const { state, doubted } = await read(path);
      expect({ state, doubted }).to.deep.equal({ state: 'has_text', doubted: undefined });
    });
  }

  const spoken: Record<string, readonly string[]> = {
    Cyrillic: [
      'ведомость ирины соколовой',
      'живёт на лесной улице, дом семь',
      'кран закрыт до субботы',
    ],
    Greek: ['καταστασηελενης παπαδακη', 'μενει στην οδο αθηνας', 'ο γερανος εκλεισε την παρασκευη'],
  };
  for (const [script, { letters, make }] of Object.entries(scriptFonts)) {
    const lines = spoken[script]!.map((line) => line.replace(/ё/g, 'е').replace(/ς/g, 'σ'));
    it(`are not believed in redactions if they say other letters of ${script}, which no model reads`, async () => {
      for (const places of [1, 7]) {
        const found = await redacted(pdfInFont(make, lines, shiftInAlphabet(letters, places)));
        expect(found.warnings.map(({ code }) => code)).to.include.members([
          'text_not_believed',
          'unreadable_covered',
        ]);
        const covered = found.report?.pages[0]?.regions.filter(({ type }) => type === 'UNREADABLE');
        expect(covered).to.have.lengthOf.at.least(lines.length);
      }
    });

    it(`are believed if they say what they draw in ${script}`, async () => {
      const found = await redacted(pdfInFont(make, lines));
      expect(found.verified).to.equal(true);
      expect(found.warnings.map(({ code }) => code)).not.to.include('text_not_believed');
    });
  }

  it('are found on the page on which they differ', async () => {
    const writer = new PdfWriter();
    const [honest, other] = [
      kindOf('a composite font')(writer, 'F1'),
      kindOf('a composite font')(writer, 'F2', shiftLetters(5)),
    ];
    const bytes = pdfOfLines(writer, [
      letter.map((line) => [honest, line] as const),
      letter.map((line) => [other, line] as const),
    ]);
    const path = await store(bytes);
    const pages = await Promise.all(
      [1, 2].map((page) => engines.recognisePage({ path, mime, page }, callOptions)),
    );
    expect(pages.map(({ state }) => state)).to.deep.equal(['has_text', 'recognised']);
    for (const { text } of pages) expect(plain(text)).to.contain('Ottilie Brandmair');
  });

  it('are not searched for by what they say', async () => {
    const path = await store(mixed(kindOf('a standard font'), shiftLetters(1), letter));
    const outPath = await store('');
    await engines.readOwnText({ path, mime, outPath }, callOptions);
    const text = await readFile(outPath, 'utf8');
    expect(text).to.contain('mooring fee');
    expect(text).not.to.contain('Csboenbjs');
  });
});
