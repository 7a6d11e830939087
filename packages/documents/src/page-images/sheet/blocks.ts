import type { DocBlock } from '../../normalize/document.ts';
import type { Flow } from './flow.ts';
import { markupOf, plainMarkup } from './markup.ts';
import { drawText, fill, layOutText, lineColour, shadeColour, type TextStyle } from './paper.ts';
import { drawTable } from './table.ts';

/** Maximum number of characters of a block that are drawn. More do not fit on a sheet. */
const maxText = 6_000;

/** Draws blocks until the sheet is full. */
export async function drawBlocks(flow: Flow, blocks: readonly DocBlock[]): Promise<void> {
  let previousRole: DocBlock['role'] | undefined;
  for (const block of blocks) {
    if (!flow.hasSpace()) return;
    if (block.role === 'table') {
      if (block.caption)
        await drawLine(flow, plainMarkup(block.caption, maxText), { italic: true, isMuted: true });
      await drawTable(flow, block);
    } else await drawBlock(flow, block, previousRole);
    previousRole = block.role;
  }
}

type NonTableBlock = Exclude<DocBlock, { role: 'table' }>;

async function drawBlock(
  flow: Flow,
  block: NonTableBlock,
  previousRole: DocBlock['role'] | undefined,
): Promise<void> {
  const { size } = flow;
  switch (block.role) {
    case 'page_header':
    case 'page_footer':
      return;
    case 'heading': {
      const headingSize = flow.headings[Math.min(block.level, flow.headings.length) - 1] ?? size;
      if (previousRole !== undefined) flow.y += headingSize * 0.5;
      return drawLine(flow, markupOf(block.spans, maxText), { size: headingSize, bold: true });
    }
    case 'paragraph':
      return drawLine(flow, markupOf(block.spans, maxText), {});
    case 'caption':
      return drawLine(flow, markupOf(block.spans, maxText), { italic: true, isMuted: true });
    case 'formula':
      return drawLine(flow, plainMarkup(block.text, maxText), { italic: true });
    case 'quote': {
      const top = flow.y;
      await drawLine(flow, markupOf(block.spans, maxText), { isMuted: true }, 14);
      const bottom = Math.min(flow.bottom, flow.y - size * 0.7);
      return fill(flow.paper, [flow.x, top, 3, bottom - top], lineColour);
    }
    case 'footnote': {
      const label = `${plainMarkup(block.label, 20)} `;
      const style = { size: size * 0.85, isMuted: true };
      return drawLine(flow, label + markupOf(block.spans, maxText), style);
    }
    case 'list_item': {
      const bullet = block.ordered && block.marker !== '-' ? block.marker.slice(0, 8) : '•';
      const marker = block.checked === null ? bullet : block.checked ? '☑' : '☐';
      const indent = Math.min(block.level, 8) * 16 + Math.max(16, marker.length * size * 0.62);
      return drawLine(flow, markupOf(block.spans, maxText), {}, indent, marker);
    }
    case 'code':
      return drawCode(flow, block.text);
    case 'picture': {
      if (previousRole === 'picture') return;
      const height = Math.min(flow.size * 7, flow.bottom - flow.y);
      fill(flow.paper, [flow.x, flow.y, flow.width * 0.6, height], shadeColour);
      const alt = plainMarkup(block.alt ?? '', 200);
      flow.countText();
      const text = await layOutText(
        flow.paper,
        alt,
        { size: size * 0.85, isMuted: true },
        flow.width * 0.6 - 16,
      );
      if (text) drawTextAt(flow, text, flow.x + 8, flow.y + 8, height - 8);
      flow.y += height + size;
      return;
    }
  }
}

/** Draws a text over the full width, with its marker. */
async function drawLine(
  flow: Flow,
  markup: string,
  style: Partial<TextStyle>,
  indent = 0,
  marker?: string,
): Promise<void> {
  const fullStyle: TextStyle = { size: flow.size, ...style };
  const x = flow.x + indent;
  const width = flow.width - indent;
  flow.countText();
  const text = await layOutText(flow.paper, markup, fullStyle, width);
  if (!text) return;
  if (marker !== undefined) {
    flow.countText();
    const mark = await layOutText(flow.paper, plainMarkup(marker, 8), fullStyle, null);
    if (mark)
      drawTextAt(flow, mark, x - Math.max(12, mark.width + 5), flow.y, flow.bottom - flow.y);
  }
  const shift = text.isRightToLeft ? Math.max(0, width - text.width) : 0;
  drawTextAt(flow, text, x + shift, flow.y, flow.bottom - flow.y);
  flow.y += text.height + (marker === undefined ? fullStyle.size * 0.6 : fullStyle.size * 0.25);
}

/** Draws code in a monospaced font on a shaded background. */
async function drawCode(flow: Flow, lines: string): Promise<void> {
  const style = { size: flow.size * 0.85, isMonospaced: true };
  flow.countText();
  const text = await layOutText(flow.paper, plainMarkup(lines, maxText), style, flow.width - 16);
  if (!text) return;
  const height = Math.min(text.height + 12, flow.bottom - flow.y);
  fill(flow.paper, [flow.x, flow.y, flow.width, height], shadeColour);
  drawTextAt(flow, text, flow.x + 8, flow.y + 8, height - 8);
  flow.y += height + flow.size * 0.6;
}

function drawTextAt(
  { paper }: Flow,
  text: Parameters<typeof drawText>[1],
  x: number,
  y: number,
  height: number,
): void {
  drawText(paper, text, { x, y, width: paper.width - x, height });
}
