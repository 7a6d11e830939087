import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box, PageResult } from '@scriptorium/documents/results';
import { expect } from 'chai';
import sharp from 'sharp';
import { readPageLayout } from '../../../packages/documents/src/normalize/pages/index.ts';
import { textOf } from '../../../packages/documents/src/normalize/pages/layout.ts';
import { closeCachedPdfs } from '../../../packages/documents/src/pdf/document-cache.ts';
import { recognisedPage } from '../../support/page-results.ts';

const [widthPt, heightPt] = [595, 842];
const size = 10;
const pitch = 15;
/** Three columns with gutters that are narrower than the gaps of the loosest lines. */
const columnWidth = 150;
const gutter = 16;

const columns = [
  [
    'The council has put off',
    'the sale of the old mill',
    'pond   until    the',
    'owners   of   both',
    'banks can be heard in',
    'the hall next month.',
    'Nobody spoke for the',
    'eels   that   live',
    'under the lower sluice.',
  ],
  [
    'A cart of barley went',
    'over near the bridge and',
    'blocked    the    road',
    'for half a day. Carriers',
    'were sent round by the',
    'ford,   where   water',
    'stood at axle height and',
    'two   of    them',
    'turned back for home.',
  ],
  [
    'Frost is expected along',
    'the   river    before',
    'the week is out. Those',
    'who have fruit to carry',
    'in would be wise to do',
    'it  today.  The  stove',
    'of the school has been',
    'repaired,  so  children',
    'need no coats there.',
  ],
];

type Shown = { text: string; box: Box; line: number };

/** The words of a column whose lines, but for those that end a text, reach both of its edges. */
function justified(lines: readonly string[], left: number, firstLine: number): Shown[] {
  return lines.flatMap((line, at) => {
    const texts = line.split(/ +/);
    const letters = texts.reduce((sum, text) => sum + 5.2 * text.length, 0);
    const blank = line.endsWith('.') ? 3 : (columnWidth - letters) / (texts.length - 1);
    let x = left;
    const top = 150 + pitch * at;
    return texts.map((text): Shown => {
      const box: Box = [x, top, x + 5.2 * text.length, top + size];
      x = box[2] + blank;
      return { text, box, line: firstLine + at };
    });
  });
}

/** The page as recognition returns it, turned by some degrees. */
function resultOf(words: readonly Shown[], degrees: number): PageResult {
  const turn = (degrees * Math.PI) / 180;
  const turned = (x: number, y: number): [number, number] => [
    widthPt / 2 + (x - widthPt / 2) * Math.cos(turn) - (y - heightPt / 2) * Math.sin(turn),
    heightPt / 2 + (x - widthPt / 2) * Math.sin(turn) + (y - heightPt / 2) * Math.cos(turn),
  ];
  const starts = new Map<number, Box>();
  for (const { line, box } of words) if (!starts.has(line)) starts.set(line, box);
  return recognisedPage({
    widthPt,
    heightPt,
    words: words.map(({ text, box: [x0, y0, x1, y1], line }) => {
      const [x, y] = turned((x0 + x1) / 2, (y0 + y1) / 2);
      const [width, height] = [(x1 - x0) / 2, (y1 - y0) / 2];
      const box: Box = [x - width, y - height, x + width, y + height];
      return { text, box, confidence: 0.9, line, source: 'ocr' };
    }),
    lines: [...starts.values()].map((box) => ({
      origin: turned(box[0], box[3] - 2),
      angle: degrees,
      size: 1.15 * size,
      paragraph: false,
    })),
    skewDegrees: degrees,
  });
}

describe('columns of a scan', () => {
  const dir = mkdtempSync(join(tmpdir(), 'columns-'));
  after(() => {
    closeCachedPdfs();
    rmSync(dir, { recursive: true });
  });

  for (const degrees of [0, 0.7, -1.2]) {
    it(`are read one after the other if their lines have wide gaps, at ${degrees}°`, async () => {
      const words = columns.flatMap((lines, at) =>
        justified(lines, 56 + at * (columnWidth + gutter), at * lines.length),
      );
      const title = 'A title over all of the three columns'.split(' ');
      const line = columns.flat().length;
      const head = title.map((text, at): Shown => {
        const x = 140 + 48 * at;
        return { text, box: [x, 110, x + 40, 120], line };
      });
      const [path, pageFile] = [join(dir, 'page.png'), join(dir, 'page.json')];
      const paper = { width: widthPt, height: heightPt, channels: 3, background: 'white' } as const;
      await sharp({ create: paper }).withMetadata({ density: 72 }).png().toFile(path);
      writeFileSync(pageFile, JSON.stringify(resultOf([...words, ...head], degrees)));
      const request = { path, mime: 'image/png', page: 1, number: 1, pageFile, redacted: [] };
      const { blocks } = await readPageLayout(request);
      expect(blocks.map(({ kind }) => kind)).to.not.include('table');
      const read = blocks.flatMap((block) => (block.kind === 'text' ? block.lines : []));
      expect(read.map(textOf)).to.deep.equal([
        title.join(' '),
        ...columns.flat().map((text) => text.replace(/ +/g, ' ')),
      ]);
    });
  }
});
