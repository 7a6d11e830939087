import { median } from '../geometry.ts';
import type { Hocr, HocrLine } from './hocr.ts';

/** Beyond so many lines a page is no text whose order anybody reads. */
const mostLines = 1000;
/** A band of lines no higher than this, in lines of the page, may be a footer. */
const footerHeight = 2.5;
/** And no nearer to the text than this; paragraphs stand closer. */
const footerGap = 0.8;

/** What parts a title or a footer from the text above, in lines: more than lines of it are apart. */
const leastGap = 0.5;

type Placed = { line: HocrLine; at: number };

/** True where `over` reaches into two lines that stand side by side: it belongs to no column. */
function reachesOver(over: HocrLine, above: readonly Placed[], size: number): boolean {
  const [left, , right] = over.box;
  const touched = above.filter(
    ({ line: { box } }) => Math.min(right, box[2]) - Math.max(left, box[0]) > size,
  );
  // In the order of their tops, so that those side by side are near each other.
  return touched.some(({ line: { box } }, index) => {
    for (let next = index + 1; next < touched.length; next += 1) {
      const other = touched[next]?.line.box;
      if (!other || other[1] >= box[3]) return false;
      if (other[0] >= box[2] || other[2] <= box[0]) return true;
    }
    return false;
  });
}

/** True where two of the lines stand side by side. */
function hasColumns(lines: readonly Placed[]): boolean {
  return lines.some(({ line }, index) => {
    for (let next = index + 1; next < lines.length; next += 1) {
      const other = lines[next]?.line.box;
      if (!other || other[1] >= line.box[3]) return false;
      if (other[0] >= line.box[2] || other[2] <= line.box[0]) return true;
    }
    return false;
  });
}

/** The order in which the lines are read, as places in `lines`. */
function orderOf(lines: readonly HocrLine[]): number[] {
  const given = lines.map((_, at) => at);
  if (lines.length < 3 || lines.length > mostLines) return given;
  if (lines.some(({ textAngle }) => textAngle !== 0)) return given;
  const size = median(lines.map((line) => line.size));
  const down = lines
    .map((line, at): Placed => ({ line, at }))
    .sort((a, b) => a.line.box[1] - b.line.box[1] || a.at - b.at);
  // Where the page is empty from side to side, and how far.
  const cuts: { index: number; gap: number }[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  down.forEach(({ line }, index) => {
    const gap = line.box[1] - bottom;
    if (index > 0 && gap > leastGap * size) cuts.push({ index, gap });
    bottom = Math.max(bottom, line.box[3]);
  });
  let order = given;
  let end = down.length;
  for (const { index, gap } of cuts.reverse()) {
    const band = down.slice(index, end);
    const last = end === down.length;
    end = index;
    const above = down.slice(0, index);
    const below = new Set(down.slice(index).map(({ at }) => at));
    const place = order.findIndex((at) => below.has(at));
    // Nothing of what is above comes after it: it is in its place.
    if (order.slice(place).every((at) => below.has(at))) continue;
    const height = Math.max(...band.map(({ line }) => line.box[3])) - (band[0]?.line.box[1] ?? 0);
    // Columns end together above a footer; else it may be the end of the longer one.
    const level = (band[0]?.line.box[1] ?? 0) - gap - 1.5 * size;
    const footer =
      last &&
      gap >= footerGap * size &&
      height <= footerHeight * size &&
      hasColumns(above.filter(({ line }) => line.box[3] > level));
    // What has text beside it belongs to a column, however far it reaches.
    const title = !hasColumns(band) && band.some(({ line }) => reachesOver(line, above, size));
    if (!footer && !title) continue;
    order = [...order.filter((at) => !below.has(at)), ...order.filter((at) => below.has(at))];
  }
  return order;
}

/**
 * Puts what stands beneath all columns of a page behind them: titles that reach over several, and
 * footers. Tesseract gives them with the column that they happen to stand under. All else stays in
 * its order.
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
