import type { DocBlock, NormalDocument } from '../../normalize/document.ts';
import { drawBlocks } from './blocks.ts';
import { createFlow } from './flow.ts';
import { markupOf } from './markup.ts';
import { createPaper, drawText, layOutText, type Paper } from './paper.ts';

/** Width in points. */
export const slideWidth = 540;
const margin = 34;
/** The font sizes; the largest size that fits is used. */
const titleSizes = [28, 24, 20, 17];
const bodySizes = [19, 17, 15, 13, 11.5, 10, 9];
/** The mean width of a letter and the height of a line, relative to the font size. */
const letterWidth = 0.52;
const lineHeight = 1.35;
/** The height of a picture placeholder, in lines. */
const pictureRows = 8;
/** Maximum number of letters on a slide that introduces a section. */
const maxSectionText = 160;

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
  const visibleBlocks = withoutNotes(blocks);
  const [title, ...rest] = visibleBlocks;
  if (title?.role === 'heading' && isSectionSlide(rest)) await drawSectionSlide(paper, title, rest);
  else {
    const width = paper.width - 2 * margin;
    const hasTitle = title?.role === 'heading';
    const titleSize = largestFitting(titleSizes, 2 * titleSizes[0]! * lineHeight, (size) =>
      hasTitle ? heightOf(title, size, width) : 0,
    );
    const bodyHeight =
      paper.height - 2 * margin - (hasTitle ? heightOf(title, titleSize, width) + titleSize : 0);
    const body = hasTitle ? rest : visibleBlocks;
    const size = largestFitting(bodySizes, bodyHeight, (one) =>
      body.reduce((sum, block) => sum + heightOf(block, one, width) + one * 0.5, 0),
    );
    const headings = [titleSize, titleSize, size * 1.1, size, size, size];
    await drawBlocks(createFlow(paper, { margin, size, headings }), visibleBlocks);
  }
  return paper;
}

function withoutNotes(blocks: readonly DocBlock[]): readonly DocBlock[] {
  const end = blocks.findIndex(
    (block) => block.role === 'heading' && block.level === 3 && block.text === 'Notes',
  );
  return end < 0 ? blocks : blocks.slice(0, end);
}

type TextBlock = Extract<DocBlock, { role: 'heading' | 'paragraph' }>;

const isSectionSlide = (rest: readonly DocBlock[]): rest is TextBlock[] =>
  rest.length <= 2 &&
  rest.every(({ role }) => role === 'paragraph' || role === 'heading') &&
  rest.reduce((sum, block) => sum + ('text' in block ? block.text.length : 0), 0) <= maxSectionText;

async function drawSectionSlide(
  paper: Paper,
  title: TextBlock,
  rest: readonly TextBlock[],
): Promise<void> {
  const width = paper.width - 2 * margin;
  const titleSize = largestFitting([34, ...titleSizes], paper.height / 2, (size) =>
    heightOf(title, size, width * 0.85),
  );
  const texts = [];
  for (const [at, { spans }] of [title, ...rest].entries()) {
    const style =
      at === 0 ? { size: titleSize, bold: true } : { size: titleSize * 0.55, isMuted: true };
    const text = await layOutText(
      paper,
      markupOf(spans, 600),
      { ...style, isCentred: true },
      width,
    );
    if (text) texts.push({ text, gap: at === 0 ? 0 : titleSize * 0.4 });
  }
  const height = texts.reduce((sum, { text, gap }) => sum + gap + text.height, 0);
  let y = Math.max(margin, (paper.height - height) / 2);
  for (const { text, gap } of texts) {
    y += gap;
    const x = margin + (width - text.width) / 2;
    drawText(paper, text, { x, y, width: paper.width - x, height: paper.height - y });
    y += text.height;
  }
}

/** Returns the largest size at which the content fits the height. */
function largestFitting(
  of: readonly number[],
  availableHeight: number,
  height: (size: number) => number,
): number {
  return of.find((size) => height(size) <= availableHeight) ?? of.at(-1)!;
}

/** Estimates the height of a block. */
function heightOf(block: DocBlock, size: number, width: number): number {
  const rows = (text: string, lineWidth: number): number =>
    text
      .split('\n')
      .reduce(
        (sum, { length }) => sum + Math.ceil(Math.max(1, length * letterWidth * size) / lineWidth),
        0,
      );
  if (block.role === 'picture') return pictureRows * size;
  if (block.role === 'table') {
    const column = width / Math.max(1, block.columns);
    const heights: number[] = [];
    for (const { row, text } of block.cells) {
      heights[row] = Math.max(heights[row] ?? 1, rows(text, column));
    }
    return heights.reduce((sum, own) => sum + own * size * lineHeight + 8, 0);
  }
  return rows(block.text, width) * size * lineHeight;
}
