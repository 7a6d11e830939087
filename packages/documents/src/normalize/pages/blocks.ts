import { isTurned } from '../../model/direction.ts';
import { ascent, descent } from '../../model/measures.ts';
import { flowsOf } from '../../model/order/index.ts';
import { orderItem } from '../../model/order/items.ts';
import { asDisplayed, type LevelPage } from '../../model/words/level.ts';
import { type TextLine, textLines, withBullets } from '../../model/words/lines.ts';
import { artifact, type PageWord } from '../../model/words/word.ts';
import type { PageStructure } from '../../pdf/page-structure.ts';
import type { Box } from '../../results.ts';
import type { Span } from '../document.ts';
import type { LayoutBlock, LayoutLine } from './layout.ts';
import { codeText, spansOf } from './line-text.ts';
import { type ElementOf, isSign, type Part, partsOf, share } from './paragraphs.ts';
import { elementReader } from './tags.ts';

type FixedBlock = Exclude<LayoutBlock, { kind: 'text' }>;

/** An opaque item, and its position on the level page. */
export type Fixed = { box: Box; block: FixedBlock };

/** Leader dots; runs of five or more are shortened to four. */
const leaders = /(?:\. ?){5,}/g;

function layoutLine(
  page: LevelPage,
  line: TextLine,
  code: boolean,
  left: number,
  fromRight: boolean,
): LayoutLine {
  const { size, base } = line;
  const words = withBullets(line.words);
  const mono = share(line, (word) => word.mono) > 0.85;
  const bold = share(line, (word) => word.bold) > 0.6;
  const italic = share(line, (word) => word.italic) > 0.6;
  const spans: Span[] = code
    ? [{ text: codeText(words, left), marks: [], href: null }]
    : spansOf(words, false, fromRight).map((span) => ({
        ...span,
        text: span.text.replace(leaders, '. . . . '),
      }));
  return {
    spans,
    box: asDisplayed(page, [line.from, base - ascent * size, line.to, base + descent * size]),
    base,
    size,
    bold,
    italic,
    mono,
    math: share(line, isSign),
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

function textBlock(
  page: LevelPage,
  { lines, column }: Part,
  fromRight: boolean,
  elementOf: ElementOf,
): LayoutBlock {
  const box = boxOf(lines);
  const code = lines.every((line) => share(line, ({ mono }) => mono) > 0.85);
  return {
    kind: 'text',
    lines: lines.map((line) => layoutLine(page, line, code, column[0], fromRight)),
    box: asDisplayed(page, box),
    confidence: confidenceOf(lines),
    tag: tagOf(lines, elementOf),
    artifact: lines.every(({ words }) => words.every(({ mark }) => mark === artifact)),
    margin: false,
    column,
  };
}

/**
 * Inserts pictures among the blocks, each before the first block that overlaps it horizontally and
 * starts below its middle.
 */
function withPictures(blocks: readonly Placed[], pictures: readonly Fixed[]): LayoutBlock[] {
  const all = [...blocks];
  for (const { box, block } of pictures) {
    const beside = ({ box: other }: Placed): boolean =>
      Math.min(other[2], box[2]) - Math.max(other[0], box[0]) > 0;
    const middle = (box[1] + box[3]) / 2;
    let at = all.findIndex((other) => beside(other) && other.box[1] >= middle);
    if (at < 0) at = all.findLastIndex((other) => beside(other)) + 1;
    if (at === 0 && !all.some(beside)) at = all.length;
    all.splice(at, 0, { box, block });
  }
  return all.map(({ block }) => block);
}

type Placed = { box: Box; block: LayoutBlock };

/** Returns the blocks of a level page in reading order. */
export function layoutBlocks(
  page: LevelPage,
  words: readonly PageWord[],
  fixed: readonly Fixed[],
  structure: PageStructure = new Map(),
): LayoutBlock[] {
  const elementOf = elementReader(structure);
  const tables = fixed.filter(({ block }) => block.kind === 'table');
  const items = textLines(words).map((line) => orderItem(line, line));
  for (const [index, { box }] of tables.entries()) {
    const [from, top, to, bottom] = box;
    items.push({ from, to, top, bottom, base: bottom, size: 10, line: null, fixed: index });
  }
  const fromRight = isTurned(words);
  const parts = flowsOf(items, fromRight).flatMap((flow) => partsOf(flow, elementOf));
  const placed = parts.flatMap((part): Placed[] => {
    if (part.fixed < 0)
      return [{ box: boxOf(part.lines), block: textBlock(page, part, fromRight, elementOf) }];
    const table = tables[part.fixed];
    return table ? [table] : [];
  });
  return withPictures(
    placed,
    fixed.filter(({ block }) => block.kind === 'picture'),
  );
}
