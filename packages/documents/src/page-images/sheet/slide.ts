import type { DocBlock, NormalDocument } from '../../normalize/document.ts';
import { drawBlocks } from './blocks.ts';
import { createFlow } from './flow.ts';
import { markupOf } from './markup.ts';
import { createPaper, type Paper, putText, setText } from './paper.ts';

/** Width in points. */
export const slideWidth = 540;
const margin = 34;
/** The font sizes; the largest size that fits is used. */
const titleSizes = [28, 24, 20, 17];
const sizes = [19, 17, 15, 13, 11.5, 10, 9];
/** The mean width of a letter and the height of a line, relative to the font size. */
const letter = 0.52;
const line = 1.35;
/** The height of a picture placeholder, in lines. */
const pictureRows = 8;
/** Maximum number of letters on a slide that only opens a section. */
const maxOpening = 160;

/**
 * Draws a slide in a plain layout: the title is large, and the rest is as large as possible. A
 * slide with little more than a title is centred. Notes are not drawn.
 */
export async function drawSlide(
  { widthPt, heightPt }: NormalDocument['pages'][number],
  blocks: readonly DocBlock[],
  pixels: number,
): Promise<Paper> {
  const ratio = widthPt && heightPt ? heightPt / widthPt : 9 / 16;
  const paper = createPaper(slideWidth, slideWidth * Math.min(2, Math.max(0.4, ratio)), pixels);
  const shown = withoutNotes(blocks);
  const [title, ...rest] = shown;
  if (title?.role === 'heading' && isOpening(rest)) await drawOpening(paper, title, rest);
  else {
    const width = paper.width - 2 * margin;
    const isTitled = title?.role === 'heading';
    const large = fitting(titleSizes, 2 * titleSizes[0]! * line, (size) =>
      isTitled ? heightOf(title, size, width) : 0,
    );
    const room = paper.height - 2 * margin - (isTitled ? heightOf(title, large, width) + large : 0);
    const body = isTitled ? rest : shown;
    const size = fitting(sizes, room, (one) =>
      body.reduce((sum, block) => sum + heightOf(block, one, width) + one * 0.5, 0),
    );
    const headings = [large, large, size * 1.1, size, size, size];
    await drawBlocks(createFlow(paper, { margin, size, headings }), shown);
  }
  return paper;
}

function withoutNotes(blocks: readonly DocBlock[]): readonly DocBlock[] {
  const end = blocks.findIndex(
    (block) => block.role === 'heading' && block.level === 3 && block.text === 'Notes',
  );
  return end < 0 ? blocks : blocks.slice(0, end);
}

type Text = Extract<DocBlock, { role: 'heading' | 'paragraph' }>;

const isOpening = (rest: readonly DocBlock[]): rest is Text[] =>
  rest.length <= 2 &&
  rest.every(({ role }) => role === 'paragraph' || role === 'heading') &&
  rest.reduce((sum, block) => sum + ('text' in block ? block.text.length : 0), 0) <= maxOpening;

async function drawOpening(paper: Paper, title: Text, rest: readonly Text[]): Promise<void> {
  const width = paper.width - 2 * margin;
  const large = fitting([34, ...titleSizes], paper.height / 2, (size) =>
    heightOf(title, size, width * 0.85),
  );
  const set = [];
  for (const [at, { spans }] of [title, ...rest].entries()) {
    const style = at === 0 ? { size: large, bold: true } : { size: large * 0.55, soft: true };
    const text = await setText(paper, markupOf(spans, 600), { ...style, isCentred: true }, width);
    if (text) set.push({ text, gap: at === 0 ? 0 : large * 0.4 });
  }
  const height = set.reduce((sum, { text, gap }) => sum + gap + text.height, 0);
  let y = Math.max(margin, (paper.height - height) / 2);
  for (const { text, gap } of set) {
    y += gap;
    const x = margin + (width - text.width) / 2;
    putText(paper, text, { x, y, width: paper.width - x, height: paper.height - y });
    y += text.height;
  }
}

/** Returns the largest size at which the content fits the height. */
function fitting(of: readonly number[], room: number, height: (size: number) => number): number {
  return of.find((size) => height(size) <= room) ?? of.at(-1)!;
}

/** Estimates the height of a block. */
function heightOf(block: DocBlock, size: number, width: number): number {
  const rows = (text: string, wide: number): number =>
    text
      .split('\n')
      .reduce((sum, { length }) => sum + Math.ceil(Math.max(1, length * letter * size) / wide), 0);
  if (block.role === 'picture') return pictureRows * size;
  if (block.role === 'table') {
    const column = width / Math.max(1, block.columns);
    const heights: number[] = [];
    for (const { row, text } of block.cells) {
      heights[row] = Math.max(heights[row] ?? 1, rows(text, column));
    }
    return heights.reduce((sum, own) => sum + own * size * line + 8, 0);
  }
  return rows(block.text, width) * size * line;
}
