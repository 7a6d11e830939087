import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TextPiece } from '@scriptorium/contracts/documents/shown-text';
import { readJsonLines, writeJsonLines } from '@scriptorium/documents/files/json-lines';
import { isFoundPlace, isTextPiece } from '@scriptorium/documents/redact/contract/guards';
import type {
  DecidedPlace,
  FoundPlace,
  RedactedInKind,
} from '@scriptorium/documents/redact/contract/requests';
import type { Detector } from '@scriptorium/pii/finding';
import { expect } from 'chai';
import { findInKind, redactInKind } from '../../../../packages/documents/src/redact/kinds/index.ts';
import { epub } from '../../../support/books.ts';
import { docx, paragraph, run, xlsx } from '../../../support/office.ts';
import {
  openDocument,
  sheet,
  slidePage,
  tableCell,
  textFrame,
  textParagraph,
} from '../../../support/open-document.ts';
import {
  createNameDetector,
  failedChecks,
  mimes,
  redactBytes,
} from '../../../support/redact-kinds.ts';
import { deck, textShape } from '../../../support/slides.ts';

const options = { entities: 'all' as const, minConfidence: 0.5, customPatterns: [], allowList: [] };

/** What is found in a file, and what comes of decisions about it. */
class Reviewed {
  readonly folder: string;
  readonly request: { path: string; mime: string };
  readonly detector: Detector;
  readonly places: FoundPlace[] = [];
  readonly pieces: TextPiece[] = [];
  digest = '';

  private constructor(folder: string, mime: string, detector: Detector) {
    this.folder = folder;
    this.request = { path: join(folder, 'source'), mime };
    this.detector = detector;
  }

  static async of(kind: keyof typeof mimes, bytes: Uint8Array | string, detector: Detector) {
    const folder = await mkdtemp(join(tmpdir(), 'decided-'));
    const one = new Reviewed(folder, mimes[kind], detector);
    await writeFile(one.request.path, bytes);
    const [textFile, findingsFile] = [join(folder, 'text'), join(folder, 'findings')];
    const found = await findInKind({ ...one.request, options, textFile, findingsFile }, detector);
    one.digest = found.digest;
    for await (const place of readJsonLines(findingsFile, isFoundPlace)) one.places.push(place);
    for await (const piece of readJsonLines(textFile, isTextPiece)) one.pieces.push(piece);
    expect(one.places).to.have.length(found.findings);
    return one;
  }

  textOf(page: number): string {
    const own = this.pieces.filter((piece) => piece.page === page);
    own.forEach((piece, at) => {
      const before = own.slice(0, at).map(({ text }) => text);
      expect(piece.start).to.equal(before.join('').length);
      expect(piece.line).to.equal(before.join('').split('\n').length);
    });
    return own.map(({ text }) => text).join('');
  }

  async decide(decisions: DecidedPlace[]): Promise<{ result: RedactedInKind; output?: Buffer }> {
    const [decisionsFile, outPath] = [join(this.folder, 'decisions'), join(this.folder, 'out')];
    await writeJsonLines(decisionsFile, decisions);
    const decided = { decisionsFile, digest: this.digest };
    const request = { ...this.request, options, style: 'label' as const, outPath, decided };
    const result = await redactInKind(request, this.detector);
    expect(failedChecks({ result, output: undefined })).to.deep.equal([]);
    return { result, output: await readFile(outPath) };
  }

  close = () => rm(this.folder, { recursive: true, force: true });
}

const going = (
  places: readonly FoundPlace[],
  goes: (place: FoundPlace) => boolean,
): DecidedPlace[] => places.map((place) => ({ ...place, goes: goes(place) }));

const names = ['Mara Kleinhoevel', 'Otto Brandt'];
const files: Record<string, [keyof typeof mimes, Uint8Array | string]> = {
  text: ['text', 'Dear Mara Kleinhoevel,\r\nask Otto Brandt, otto@example.org.\r\n'],
  csv: [
    'csv',
    'Name;Mail\r\n"Brandt; Otto Brandt";otto@example.org\r\nMara Kleinhoevel;"a\r\nb"\r\n',
  ],
  markdown: [
    'markdown',
    '# Mara Kleinhoevel\n\nAsk **Otto** *x* Otto Brandt or [him](mailto:otto@example.org "Otto Brandt").\n',
  ],
  html: [
    'html',
    '<html><body><p>Dear  <b>Mara</b>\n Kleinhoevel,</p><table><tr><td>Otto Brandt</td><td><a href="mailto:otto@example.org">mail</a></td></tr></table></body></html>',
  ],
  docx: [
    'docx',
    docx(paragraph(run('Dear Mara ') + run('Kleinhoevel,')) + paragraph(run('ask Otto Brandt.'))),
  ],
  xlsx: [
    'xlsx',
    xlsx({
      'Otto Brandt': {
        rows: `<row r="2"><c r="C2" t="inlineStr"><is><t>Mara Kleinhoevel</t></is></c><c r="F2" t="str"><f>RIGHT(C2,5)</f><v>oevel</v></c></row><row r="9"><c r="A9" t="inlineStr"><is><t>two\nlines\tof otto@example.org</t></is></c></row>`,
      },
      Two: { rows: '' },
    }),
  ],
  pptx: [
    'pptx',
    deck(textShape([['Dear Mara ', 'Kleinhoevel,'], ['ask Otto Brandt.']]), {
      master: textShape([['Otto Brandt']]),
    }),
  ],
  odt: [
    'odt',
    openDocument(
      'odt',
      textParagraph('Dear  Mara <text:span>Kleinhoevel</text:span>,<text:tab/>ask') +
        `<table:table><table:table-row>${tableCell('Otto\n Brandt')}${tableCell('otto@example.org')}</table:table-row></table:table>`,
    ),
  ],
  ods: [
    'ods',
    openDocument(
      'ods',
      sheet(
        'Otto Brandt',
        '<table:table-cell/>',
        `<table:table-cell/>${tableCell('Mara Kleinhoevel')}<table:table-cell/>${tableCell('oevel', 'office:value-type="string" table:formula="of:=RIGHT([.B2];5)"')}`,
      ),
    ),
  ],
  odp: [
    'odp',
    openDocument('odp', slidePage(textFrame('Dear Mara Kleinhoevel, ask Otto Brandt.'))),
  ],
  epub: [
    'epub',
    epub('<p>Dear <b>Mara</b>\n Kleinhoevel,</p><p>ask Otto Brandt.</p>', {
      contents: 'Mara Kleinhoevel',
    }),
  ],
};

describe('files whose redaction people decide', () => {
  for (const [name, [kind, bytes]] of Object.entries(files)) {
    it(`are, if all of ${name} is accepted, as without a review`, async () => {
      const detector = createNameDetector(...names);
      const one = await Reviewed.of(kind, bytes, detector);
      const plain = await redactBytes(kind, bytes, detector);
      expect(one.places.length).to.be.greaterThan(1);
      for (const { page, start, end, value } of one.places) {
        const shown = one.textOf(page).slice(start, end).replaceAll(/\s+/g, ' ').trim();
        expect(shown).to.equal(value.replaceAll(/[\s\u2028\u2029]+/g, ' ').trim());
      }
      const { output, result } = await one.decide(going(one.places, () => true));
      expect(output!.equals(plain.output!)).to.equal(true);
      expect(result.removals).to.have.length(plain.result.removals.length);
      await one.close();
    });

    it(`keep all of ${name} that is rejected`, async () => {
      const one = await Reviewed.of(kind, bytes, createNameDetector(...names));
      const { result } = await one.decide(going(one.places, () => false));
      expect(result.removals).to.deep.equal([]);
      const again = await redactBytes(kind, bytes, () => []);
      expect(result.pages).to.deep.equal(again.result.pages);
      await one.close();
    });
  }

  it('say in which part and line each finding is', async () => {
    const [kind, bytes] = files.docx!;
    const one = await Reviewed.of(kind, bytes, createNameDetector(...names));
    expect(one.places.map(({ location }) => location)).to.deep.include({
      part: 'body',
      line: 2,
      cell: null,
    });
    await one.close();
  });

  it('say in which cell of a sheet each finding is', async () => {
    const [kind, bytes] = files.xlsx!;
    const one = await Reviewed.of(kind, bytes, createNameDetector(...names));
    expect(one.textOf(1)).to.equal(
      '2\t\t\tMara Kleinhoevel\t\t\toevel\t\n9\ttwo\u2028lines of otto@example.org\t\n',
    );
    const cells = one.places.map(({ page, location }) => [page, location.part, location.cell]);
    expect(cells).to.deep.include.members([
      [1, 'body', 'C2'],
      [1, 'body', 'F2'],
      [1, 'body', 'A9'],
      [0, 'hidden', null],
    ]);
    expect(
      one.pieces.map(({ page, name, layout }) => [page, name, layout]),
    ).to.deep.include.members([
      [1, 'Otto Brandt', 'sheet'],
      [2, 'Two', 'sheet'],
    ]);
    const mail = one.places.filter(({ location }) => location.cell === 'C2');
    const { result } = await one.decide(going(mail, () => true));
    // The result of a formula that refers to the removed cell goes with it.
    expect(result.removals.map(({ value }) => value).sort()).to.include('Mara Kleinhoevel');
    expect(result.pages[0]).to.include('otto@example.org');
    expect(result.pages[0]).to.not.include('oevel');
    await one.close();
  });

  it('say in which cell of a sheet in OpenDocument each finding is', async () => {
    const [kind, bytes] = files.ods!;
    const one = await Reviewed.of(kind, bytes, createNameDetector(...names));
    const cells = one.places.map(({ page, location }) => [page, location.part, location.cell]);
    expect(cells).to.deep.include.members([
      [1, 'body', 'B2'],
      [1, 'body', 'D2'],
      [0, 'hidden', null],
    ]);
    const { result } = await one.decide(
      going(
        one.places.filter(({ location }) => location.cell === 'B2'),
        () => true,
      ),
    );
    // The result of a formula that refers to the removed cell is removed with it.
    expect(result.pages[0]).to.not.match(/Mara|oevel/);
    await one.close();
  });

  it('lose what would tell a removed value again, unless a person kept it', async () => {
    const text = '[Mara Kleinhoevel](https://example.org/?q=Mara%20Kleinhoevel)\n';
    const one = await Reviewed.of('markdown', text, createNameDetector('Mara Kleinhoevel'));
    const visible = one.places.filter(({ page }) => page === 1);
    const { output } = await one.decide(going(visible, () => true));
    expect(output!.toString()).to.not.match(/Mara|Kleinhoevel/);
    const hidden = one.places.filter(({ page }) => page === 0);
    expect(hidden.length).to.be.greaterThan(0);
    const kept = await one.decide(going(one.places, ({ page }) => page === 1));
    expect(kept.output!.toString()).to.include('Mara%20Kleinhoevel');
    await one.close();
  });

  it('are not written if their text is another than was reviewed', async () => {
    const one = await Reviewed.of('text', 'Dear Mara Kleinhoevel', createNameDetector(...names));
    one.digest = 'other';
    let failed: unknown;
    await one.decide([]).catch((error: unknown) => {
      failed = error;
    });
    expect(failed).to.be.instanceOf(Error);
    await one.close();
  });
});
