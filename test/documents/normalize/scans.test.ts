import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box, PageResult } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { readPageLayout } from '../../../packages/documents/src/normalize/pages/index.ts';
import { closeCachedPdfs } from '../../../packages/documents/src/pdf/document-cache.ts';
import { recognisedPage } from '../../support/page-results.ts';

type Shown = { text: string; box: Box }[];
type Lean = { degrees?: number; redacted?: { box: Box; mark: string }[]; black?: Box[] };

const size = { widthPt: 612, heightPt: 792 };
const pixels = 150 / 72;
const [left, middle, right] = [72, 200, 500];
const tops = [100, 140, 180, 220, 260, 300];
const edges = [left, middle, right];

const texts: [string, string][] = [
  ['lies under', 'the whole old roof'],
  ['is what carries', 'it on both sides'],
  ['was never looked at since', 'then'],
  ['holds', 'nothing more than its own weight'],
  ['must be made again', 'in spring'],
];

/** Rows of two lines in the second column: not a table without lines around them. */
const shown: Shown = tops.slice(0, -1).flatMap((top, row) => {
  const line = (text: string, from: number, at: number): Shown => {
    let x = from + 8;
    return text.split(' ').map((word) => {
      const y = top + 6 + 15 * at;
      const box: Box = [x, y, x + 6 * word.length, y + 12];
      x = box[2] + 4;
      return { text: word, box };
    });
  };
  const [first, second] = texts[row] ?? ['', ''];
  return [...line(`part${row}`, left, 0), ...line(first, middle, 0), ...line(second, middle, 1)];
});

/** A picture of the lines of a table, if any, and of black boxes. Letters are bars. */
function pictured(lines: boolean, { degrees = 0, black = [] }: Lean): Promise<Buffer> {
  const bar = ([x0, y0, x1, y1]: Box): string =>
    `<rect x="${x0}" y="${y0}" width="${x1 - x0}" height="${y1 - y0}"/>`;
  const [top, foot] = [tops[0] ?? 0, tops.at(-1) ?? 0];
  const drawn = [
    ...(lines ? tops.map((y): Box => [left, y, right, y + 1]) : []),
    ...(lines ? edges.map((x): Box => [x, top, x + 1, foot]) : []),
    ...shown.flatMap(({ text, box: [x, y, , y1] }) =>
      [...text].map((_, at): Box => [x + 6 * at, y + 4, x + 6 * at + 2, y1 - 3]),
    ),
    ...black,
  ];
  const { widthPt, heightPt } = size;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPt * pixels}"
    height="${heightPt * pixels}" viewBox="0 0 ${widthPt} ${heightPt}"><rect width="100%"
    height="100%" fill="#f4f4f0"/><g transform="rotate(${degrees} ${widthPt / 2} ${heightPt / 2})">
    ${drawn.map(bar).join('')}</g></svg>`;
  return sharp(Buffer.from(svg)).withMetadata({ density: 150 }).jpeg({ quality: 60 }).toBuffer();
}

function resultOf(words: Shown, degrees: number): PageResult {
  const turn = (degrees * Math.PI) / 180;
  const [cx, cy] = [size.widthPt / 2, size.heightPt / 2];
  const turned = (x: number, y: number): [number, number] => [
    cx + (x - cx) * Math.cos(turn) - (y - cy) * Math.sin(turn),
    cy + (x - cx) * Math.sin(turn) + (y - cy) * Math.cos(turn),
  ];
  return recognisedPage({
    ...size,
    words: words.map(({ text, box: [x0, y0, x1, y1] }, line) => {
      const [x, y] = turned((x0 + x1) / 2, (y0 + y1) / 2);
      const [width, height] = [(x1 - x0) / 2, (y1 - y0) / 2];
      const box: Box = [x - width, y - height, x + width, y + height];
      return { text, box, confidence: 0.9, line, source: 'ocr' };
    }),
    lines: words.map(({ box }) => ({
      origin: turned(box[0], box[3] - 3),
      angle: degrees,
      size: 12,
      paragraph: false,
    })),
    skewDegrees: degrees,
  });
}

describe('tables of a scan', () => {
  const dir = mkdtempSync(join(tmpdir(), 'scans-'));
  after(() => {
    closeCachedPdfs();
    rmSync(dir, { recursive: true });
  });
  let files = 0;

  /** The rows of cells of a page's tables. */
  async function tablesOf(
    picture: Buffer,
    kind: 'pdf' | 'jpeg',
    { degrees = 0, redacted = [] }: Lean = {},
    words = shown,
  ): Promise<string[][][]> {
    files += 1;
    const [path, pageFile] = [join(dir, `${files}.${kind}`), join(dir, 'page.json')];
    if (kind === 'pdf') {
      const pdf = await PDFDocument.create();
      const { widthPt: width, heightPt: height } = size;
      const page = pdf.addPage([width, height]);
      page.drawImage(await pdf.embedJpg(picture), { x: 0, y: 0, width, height });
      writeFileSync(path, await pdf.save());
    } else writeFileSync(path, picture);
    writeFileSync(pageFile, JSON.stringify(resultOf(words, degrees)));
    const mime = kind === 'pdf' ? 'application/pdf' : 'image/jpeg';
    const request = { path, mime, page: 1, number: 1, pageFile, redacted };
    const layout = await readPageLayout(request);
    return layout.blocks.flatMap((block) => {
      if (block.kind !== 'table') return [];
      const rows: string[][] = Array.from({ length: block.rows }, () => []);
      for (const { row, text } of block.cells) rows[row]?.push(text);
      return [rows];
    });
  }

  const expected = texts.map((cell, row) => [`part${row}`, cell.join(' ')]);

  it('are found by the lines in a picture, both in a PDF and in a picture file', async () => {
    const picture = await pictured(true, {});
    expect(await tablesOf(picture, 'pdf')).to.deep.equal([expected]);
    expect(await tablesOf(picture, 'jpeg')).to.deep.equal([expected]);
  });

  it('are found on a skewed page', async () => {
    for (const degrees of [0.5, -1.2]) {
      const picture = await pictured(true, { degrees });
      expect(await tablesOf(picture, 'pdf', { degrees })).to.deep.equal([expected]);
    }
  });

  it('lose the characters that recognition made of lines, and no others', async () => {
    const sign = (text: string, x: number, y: number): Shown[number] => ({
      text,
      box: [x, y, x + 6, y + 12],
    });
    const words = [...shown, sign('|', middle - 4, 106), sign('_', middle - 40, 172)];
    const picture = await pictured(true, {});
    expect(await tablesOf(picture, 'pdf', {}, words)).to.deep.equal([expected]);
    const [table] = await tablesOf(picture, 'pdf', {}, [...shown, sign('|', left + 60, 106)]);
    expect(table?.[0]?.[0]).to.equal('part0 |');
  });

  it('are not found without lines', async () => {
    expect(await tablesOf(await pictured(false, {}), 'pdf')).to.deep.equal([]);
  });

  it('are not looked for on a page with few words, whatever is drawn on it', async () => {
    expect(await tablesOf(await pictured(true, {}), 'pdf', {}, shown.slice(0, 6))).to.deep.equal(
      [],
    );
  });

  it('are not made of blacked-out text', async () => {
    // Bars as thin as lines, in the places of lines.
    const black = [
      ...tops.map((y): Box => [left, y, right, y + 2]),
      ...edges.map((x): Box => [x, 100, x + 2, 300]),
    ];
    const picture = await pictured(false, { black });
    expect(await tablesOf(picture, 'pdf')).to.have.length(1);
    const redacted = black.map((box) => ({ box, mark: '' }));
    expect(await tablesOf(picture, 'pdf', { redacted })).to.deep.equal([]);
  });

  it('keep their cells where words were blacked out and replaced by marks', async () => {
    const box: Box = [middle + 6, 105, middle + 70, 120];
    const picture = await pictured(true, { black: [box] });
    const redacted = [{ box, mark: '[NAME]' }];
    const [first, ...others] = expected;
    const row = [first?.[0], '[NAME] the whole old roof'];
    expect(await tablesOf(picture, 'pdf', { redacted })).to.deep.equal([[row, ...others]]);
  });
});
