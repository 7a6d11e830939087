import { median } from '../geometry.ts';
import { type Fragment, wordGap } from './fragments.ts';
import { hull, type ModelLine, type ModelWord } from './page.ts';

/** A fragment on the page turned so that its line runs level. */
type Placed = { fragment: Fragment; from: number; to: number; base: number; size: number };

/** Gaps from which on the two sides of a line are always, or may be, columns; in sizes of the font. */
const columnGap = 1.5;
const likelyGap = 0.8;
/** Leaning further than this is another direction, in degrees. */
const mostLean = 5;

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const leftToRight = /\p{L}/u;

/** Fragments by their direction, that of most letters first; those that lean a little are one. */
export function byDirection(fragments: readonly Fragment[]): { angle: number; of: Fragment[] }[] {
  const groups = new Map<number, Fragment[]>();
  for (const fragment of fragments) {
    const quarter = Math.round(fragment.angle / 90) * 90;
    const lean = Math.abs(fragment.angle - quarter);
    const angle = lean <= mostLean ? quarter : Math.round(fragment.angle / mostLean) * mostLean;
    const key = ((angle % 360) + 360) % 360;
    const group = groups.get(key);
    if (group) group.push(fragment);
    else groups.set(key, [fragment]);
  }
  const letters = (of: readonly Fragment[]): number =>
    of.reduce((sum, { text }) => sum + text.length, 0);
  return [...groups]
    .map(([key, of]) => {
      const leans = of.map((fragment) => ((fragment.angle - key + 540) % 360) - 180);
      return { angle: key + median(leans), of };
    })
    .sort((a, b) => letters(b.of) - letters(a.of));
}

function place(fragment: Fragment, angle: number): Placed {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [x0, y0] = fragment.start;
  const [x1, y1] = fragment.end;
  const [from, to] = [x0 * cos + y0 * sin, x1 * cos + y1 * sin];
  const base = (y0 * cos - x0 * sin + y1 * cos - x1 * sin) / 2;
  return {
    fragment,
    from: Math.min(from, to),
    to: Math.max(from, to),
    base,
    size: fragment.size,
  };
}

type Row = { base: number; size: number; placed: Placed[] };

/** Whether there is no room for it in a row. Text without width goes with what it was set with. */
function overlaps(row: Row, { from, to, fragment }: Placed): boolean {
  if (to === from) return row.placed.at(-1)?.fragment.run !== fragment.run;
  return row.placed.some(
    (other) =>
      Math.min(other.to, to) - Math.max(other.from, from) >
      0.4 * Math.min(other.to - other.from, to - from) + 1e-6,
  );
}

/**
 * Fragments that rest on one baseline, from top to bottom. What lies over one another (a text and its
 * invisible double, or text of no size) is not mixed.
 */
function rowsOf(placed: readonly Placed[]): Row[] {
  const rows: Row[] = [];
  const tallest = placed.reduce((most, { size }) => Math.max(most, size), 0);
  for (const item of [...placed].sort((a, b) => a.base - b.base || a.from - b.from)) {
    let best: Row | undefined;
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      const row = rows[index];
      if (!row || item.base - row.base > tallest) break;
      const off = Math.abs(item.base - row.base);
      if (off > 0.35 * Math.min(row.size, item.size) + 1e-6) continue;
      if (best && off >= Math.abs(item.base - best.base)) continue;
      if (!overlaps(row, item)) best = row;
    }
    if (best) best.placed.push(item);
    else rows.push({ base: item.base, size: item.size, placed: [item] });
  }
  for (const row of rows) {
    row.placed.sort((a, b) => a.from - b.from);
    row.size = median(row.placed.map(({ size }) => size));
    row.base = median(row.placed.map(({ base }) => base));
  }
  return rows.sort((a, b) => a.base - b.base);
}

type Gap = { from: number; to: number };

function gapsOf(row: Row): (Gap | undefined)[] {
  return row.placed.map((item, index) => {
    const next = row.placed[index + 1];
    return next && next.from > item.to && next.from - item.to >= likelyGap * row.size
      ? { from: item.to, to: next.from }
      : undefined;
  });
}

/** A row cut into lines: at wide gaps, and at narrower ones that the row above or below has too. */
function cut(row: Row, gaps: readonly (Gap | undefined)[], nearby: readonly Gap[]): Placed[][] {
  const lines: Placed[][] = [[]];
  for (const [index, item] of row.placed.entries()) {
    lines.at(-1)?.push(item);
    const gap = gaps[index];
    if (!gap) continue;
    const wide = gap.to - gap.from >= columnGap * row.size;
    const shared = nearby.some(
      (other) => Math.min(other.to, gap.to) - Math.max(other.from, gap.from) >= 0.5 * row.size,
    );
    if (wide || shared) lines.push([]);
  }
  return lines.filter((line) => line.length > 0);
}

/**
 * A line from left to right in the order it is read in: words of the other direction than most stand in
 * it the other way round, with what is between them (UAX #9, as far as the page tells).
 */
function asRead(line: readonly Placed[]): Placed[] {
  const texts = line.map(({ fragment }) => fragment.text);
  const isTurned = texts.filter((text) => rightToLeft.test(text)).length * 2 > line.length;
  const order = isTurned ? [...line].reverse() : [...line];
  const isOther = ({ fragment: { text } }: Placed): boolean =>
    isTurned ? leftToRight.test(text) && !rightToLeft.test(text) : rightToLeft.test(text);
  const isOfBase = ({ fragment: { text } }: Placed): boolean =>
    isTurned ? rightToLeft.test(text) : leftToRight.test(text) && !rightToLeft.test(text);
  for (let start = 0; start < order.length; start += 1) {
    if (!order[start] || !isOther(order[start]!)) continue;
    let end = start;
    for (let at = start + 1; at < order.length; at += 1) {
      const item = order[at];
      if (!item || isOfBase(item)) break;
      if (isOther(item)) end = at;
    }
    order.splice(start, end + 1 - start, ...order.slice(start, end + 1).reverse());
    start = end;
  }
  return order;
}

/** Adds to `words` those of a line; fragments that touch are one word. */
function wordsOf(line: readonly Placed[], size: number, words: ModelWord[]): number[] {
  const indexes: number[] = [];
  let last: Placed | undefined;
  for (const item of line) {
    const { text, glyphs, box, confidence, source, visible, spaced } = item.fragment;
    const before = words.at(-1);
    const gap = last ? Math.max(item.from - last.to, last.from - item.to) : 0;
    const touches = last && !spaced && gap < wordGap * size && last.fragment.visible === visible;
    if (before?.glyphs && glyphs && touches) {
      before.text += text;
      before.glyphs = [...before.glyphs, ...glyphs];
      before.box = hull([before.box, box]) ?? box;
    } else {
      indexes.push(words.length);
      words.push({ text, box, confidence, source, visible, glyphs });
    }
    last = item;
  }
  return indexes;
}

/**
 * Puts fragments of one direction into lines: left to right on one baseline, never over a gap between
 * columns. Their words are added to `words`.
 */
export function linesOf(
  fragments: readonly Fragment[],
  angle: number,
  words: ModelWord[],
): ModelLine[] {
  const rows = rowsOf(fragments.map((fragment) => place(fragment, angle)));
  const gaps = rows.map(gapsOf);
  const lines: ModelLine[] = [];
  for (const [index, row] of rows.entries()) {
    const nearby: Gap[] = [];
    for (const step of [-1, 1]) {
      for (let at = index + step; rows[at]; at += step) {
        const distance = Math.abs((rows[at]?.base ?? 0) - row.base);
        if (distance > 3 * row.size || Math.abs(at - index) > 4) break;
        for (const gap of gaps[at] ?? []) if (gap) nearby.push(gap);
      }
    }
    for (const line of cut(row, gaps[index] ?? [], nearby)) {
      const inOrder = asRead(line);
      const box = hull(line.map(({ fragment }) => fragment.box));
      if (!box) continue;
      lines.push({
        words: wordsOf(inOrder, row.size, words),
        box,
        from: Math.min(...line.map(({ from }) => from)),
        to: Math.max(...line.map(({ to }) => to)),
        base: row.base,
        size: row.size,
        angle,
      });
    }
  }
  return lines;
}
