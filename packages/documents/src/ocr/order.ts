import { median } from '../geometry.ts';
import type { Hocr, HocrLine } from './tesseract/hocr.ts';

/** Maximum number of lines of a page. The lines of longer pages are not reordered. */
const maxLines = 1000;
/** Maximum height of a footer, in line heights. */
const footerHeight = 2.5;
/** Minimum distance between a footer and the text, in line heights. Paragraphs are closer. */
const footerGap = 0.8;

/**
 * Minimum gap between a title or footer and the text above, in line heights. Lines of a paragraph
 * are closer.
 */
const minGap = 0.5;

type IndexedLine = { line: HocrLine; at: number };

/**
 * Whether a line extends over two lines that are side by side. Such a line belongs to neither
 * column.
 */
function spansColumns(candidate: HocrLine, above: readonly IndexedLine[], size: number): boolean {
  const [left, , right] = candidate.box;
  const overlapping = above.filter(
    ({ line: { box } }) => Math.min(right, box[2]) - Math.max(left, box[0]) > size,
  );
  // Sorted by top, so lines side by side are close to each other.
  return overlapping.some(({ line: { box } }, index) => {
    for (let next = index + 1; next < overlapping.length; next += 1) {
      const other = overlapping[next]?.line.box;
      if (!other || other[1] >= box[3]) return false;
      if (other[0] >= box[2] || other[2] <= box[0]) return true;
    }
    return false;
  });
}

/** Whether two of the lines are side by side. */
function hasColumns(lines: readonly IndexedLine[]): boolean {
  return lines.some(({ line }, index) => {
    for (let next = index + 1; next < lines.length; next += 1) {
      const other = lines[next]?.line.box;
      if (!other || other[1] >= line.box[3]) return false;
      if (other[0] >= line.box[2] || other[2] <= line.box[0]) return true;
    }
    return false;
  });
}

/** Returns the reading order of the lines, as indexes of `lines`. */
function orderOf(lines: readonly HocrLine[]): number[] {
  const originalOrder = lines.map((_, at) => at);
  if (lines.length < 3 || lines.length > maxLines) return originalOrder;
  if (lines.some(({ textAngle }) => textAngle !== 0)) return originalOrder;
  const size = median(lines.map((line) => line.size));
  const sorted = lines
    .map((line, at): IndexedLine => ({ line, at }))
    .sort((a, b) => a.line.box[1] - b.line.box[1] || a.at - b.at);
  // Horizontal gaps that extend across the whole page.
  const cuts: { index: number; gap: number }[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  sorted.forEach(({ line }, index) => {
    const gap = line.box[1] - bottom;
    if (index > 0 && gap > minGap * size) cuts.push({ index, gap });
    bottom = Math.max(bottom, line.box[3]);
  });
  let order = originalOrder;
  let end = sorted.length;
  for (const { index, gap } of cuts.reverse()) {
    const band = sorted.slice(index, end);
    const isLast = end === sorted.length;
    end = index;
    const above = sorted.slice(0, index);
    const below = new Set(sorted.slice(index).map(({ at }) => at));
    const firstIndex = order.findIndex((at) => below.has(at));
    // No line from above follows these lines, so they are already in order.
    if (order.slice(firstIndex).every((at) => below.has(at))) continue;
    const height = Math.max(...band.map(({ line }) => line.box[3])) - (band[0]?.line.box[1] ?? 0);
    // Above a footer, all columns end at the same height. Otherwise, the line may be the end of the
    // longest column.
    const minBottom = (band[0]?.line.box[1] ?? 0) - gap - 1.5 * size;
    const isFooter =
      isLast &&
      gap >= footerGap * size &&
      height <= footerHeight * size &&
      hasColumns(above.filter(({ line }) => line.box[3] > minBottom));
    // A line with text beside it belongs to a column, regardless of its width.
    const isTitle = !hasColumns(band) && band.some(({ line }) => spansColumns(line, above, size));
    if (!isFooter && !isTitle) continue;
    order = [...order.filter((at) => !below.has(at)), ...order.filter((at) => below.has(at))];
  }
  return order;
}

/**
 * Moves content that is below all columns to the end of the columns: titles across several columns,
 * and footers. Tesseract places such content after the column above it. Other lines keep their
 * order.
 */
export function readInOrder({ words, lines }: Hocr): Hocr {
  const order = orderOf(lines);
  if (order.every((at, index) => at === index)) return { words, lines };
  const byLine = new Map<number, Hocr['words']>();
  for (const word of words) {
    const list = byLine.get(word.line);
    if (list) list.push(word);
    else byLine.set(word.line, [word]);
  }
  return {
    lines: order.flatMap((at) => lines[at] ?? []),
    words: order.flatMap((at, line) => (byLine.get(at) ?? []).map((word) => ({ ...word, line }))),
  };
}
