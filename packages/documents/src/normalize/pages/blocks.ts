import { median } from '../../geometry.ts';
import { isRightToLeftLine } from '../../model/direction.ts';
import { ascent, descent } from '../../model/measures.ts';
import { flowsOf } from '../../model/order/index.ts';
import { orderItem } from '../../model/order/items.ts';
import { type LevelPage, toDisplayBox } from '../../model/words/level-page.ts';
import { lineOf, type TextLine, textLines, withBullets } from '../../model/words/lines.ts';
import { artifactMark, type PageWord } from '../../model/words/word.ts';
import type { PageStructure } from '../../pdf/page-structure.ts';
import type { Box } from '../../results.ts';
import { groupRows, shareBaseline } from '../../rows.ts';
import type { Span } from '../document.ts';
import type { LayoutBlock, LayoutLine } from './layout.ts';
import { codeText, spansOf } from './line-text.ts';
import { type ElementOf, type FlowPart, isMathWord, partsOf, shareOf } from './paragraphs.ts';
import { elementReader } from './tags.ts';

/** An opaque item, such as a table, and its position on the level page. */
export type FixedItem = { box: Box; block: LayoutBlock };

/** Leader dots; runs of five or more are shortened to four. */
const leaderDots = /(?:\. ?){5,}/g;

function layoutLine(
  page: LevelPage,
  line: TextLine,
  isCode: boolean,
  left: number,
  rightToLeft: boolean,
): LayoutLine {
  const { size, base } = line;
  const words = withBullets(line.words);
  const mono = shareOf(line, (word) => word.mono) > 0.85;
  const bold = shareOf(line, (word) => word.bold) > 0.6;
  const italic = shareOf(line, (word) => word.italic) > 0.6;
  const spans: Span[] = isCode
    ? [{ text: codeText(words, left), marks: [], href: null }]
    : spansOf(words, false, rightToLeft).map((span) => ({
        ...span,
        text: span.text.replace(leaderDots, '. . . . '),
      }));
  return {
    spans,
    box: toDisplayBox(page, [line.from, base - ascent * size, line.to, base + descent * size]),
    base,
    size,
    bold,
    italic,
    mono,
    math: shareOf(line, isMathWord),
  };
}

function boxOf(lines: readonly TextLine[]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { from, to, base, size } of lines) {
    box[0] = Math.min(box[0], from);
    box[1] = Math.min(box[1], base - ascent * size);
    box[2] = Math.max(box[2], to);
    box[3] = Math.max(box[3], base + descent * size);
  }
  return box;
}

/** Returns the mean confidence of some lines, weighted by letters. */
function confidenceOf(lines: readonly TextLine[]): number {
  let [letters, sum] = [0, 0];
  for (const { words } of lines) {
    for (const { text, confidence } of words) {
      letters += text.length;
      sum += text.length * confidence;
    }
  }
  return letters === 0 ? 1 : Math.round((sum / letters) * 1000) / 1000;
}

/**
 * Returns the type of the element that contains all of some lines; null if no single element does.
 */
function tagOf(lines: readonly TextLine[], elementOf: ElementOf): string | null {
  const elements = new Set(lines.map(elementOf));
  const [element] = elements;
  return elements.size === 1 ? (element?.type ?? null) : null;
}

/**
 * Returns the left edge for the indentation of code: that of its column, moved so that the lines
 * begin at whole letters from it.
 */
function codeEdge(lines: readonly TextLine[], left: number): number {
  const from = Math.min(...lines.map((line) => line.from));
  const advance = median(
    lines.flatMap(({ words }) =>
      words.map(({ box, text }) => (box[2] - box[0]) / Math.max(1, text.length)),
    ),
  );
  return advance > 0 ? from - Math.round((from - left) / advance) * advance : left;
}

function textBlock(
  page: LevelPage,
  { lines, column }: FlowPart,
  rightToLeft: boolean,
  elementOf: ElementOf,
): LayoutBlock {
  const box = boxOf(lines);
  const isCode = lines.every((line) => shareOf(line, ({ mono }) => mono) > 0.85);
  const edge = isCode ? codeEdge(lines, column[0]) : column[0];
  return {
    kind: 'text',
    lines: lines.map((line) => layoutLine(page, line, isCode, edge, rightToLeft)),
    box: toDisplayBox(page, box),
    confidence: confidenceOf(lines),
    tag: tagOf(lines, elementOf),
    artifact: lines.every(({ words }) => words.every(({ mark }) => mark === artifactMark)),
    margin: false,
    column,
  };
}

/** Returns a code listing as an item, because gaps within its lines are not gaps between columns. */
export function listingItem(page: LevelPage, words: readonly PageWord[]): FixedItem {
  const segments = textLines(words);
  const lines = groupRows(segments, (line, last) => shareBaseline(line, last)).map((row) =>
    lineOf(row.flatMap((line) => line.words).sort((a, b) => a.box[0] - b.box[0])),
  );
  const box = boxOf(lines);
  const part: FlowPart = { lines, opaqueIndex: -1, column: [box[0], box[2]] };
  return { box, block: textBlock(page, part, false, () => null) };
}

/**
 * Inserts pictures among the blocks, each before the first block that overlaps it horizontally and
 * starts below its middle.
 */
function withPictures(
  blocks: readonly PositionedBlock[],
  pictures: readonly FixedItem[],
): LayoutBlock[] {
  const all = [...blocks];
  for (const { box, block } of pictures) {
    const overlapsHorizontally = ({ box: other }: PositionedBlock): boolean =>
      Math.min(other[2], box[2]) - Math.max(other[0], box[0]) > 0;
    const middle = (box[1] + box[3]) / 2;
    let at = all.findIndex((other) => overlapsHorizontally(other) && other.box[1] >= middle);
    if (at < 0) at = all.findLastIndex((other) => overlapsHorizontally(other)) + 1;
    if (at === 0 && !all.some(overlapsHorizontally)) at = all.length;
    all.splice(at, 0, { box, block });
  }
  return all.map(({ block }) => block);
}

type PositionedBlock = { box: Box; block: LayoutBlock };

/** Returns the blocks of a level page in reading order. */
export function layoutBlocks(
  page: LevelPage,
  words: readonly PageWord[],
  fixedItems: readonly FixedItem[],
  structure: PageStructure = new Map(),
): LayoutBlock[] {
  const elementOf = elementReader(structure);
  const opaqueItems = fixedItems.filter(({ block }) => block.kind !== 'picture');
  const items = textLines(words).map((line) => orderItem(line, line));
  for (const [index, { box }] of opaqueItems.entries()) {
    const [from, top, to, bottom] = box;
    items.push({ from, to, top, bottom, base: bottom, size: 10, line: null, opaqueIndex: index });
  }
  const rightToLeft = isRightToLeftLine(words);
  const parts = flowsOf(items, rightToLeft).flatMap((flow) => partsOf(flow, elementOf));
  const positioned = parts.flatMap((part): PositionedBlock[] => {
    if (part.opaqueIndex < 0)
      return [{ box: boxOf(part.lines), block: textBlock(page, part, rightToLeft, elementOf) }];
    const item = opaqueItems[part.opaqueIndex];
    return item ? [item] : [];
  });
  return withPictures(
    positioned,
    fixedItems.filter(({ block }) => block.kind === 'picture'),
  );
}
