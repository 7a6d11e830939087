import { hull, median } from '../geometry.ts';
import { isTurned, readingOrder } from './direction.ts';
import type { Fragment } from './fragments.ts';
import { columnGap, likelyGap, mostLean, wordGap } from './measures.ts';
import type { ModelLine, ModelWord } from './page.ts';

/** A fragment on the page turned until its line is level. */
type Placed = { fragment: Fragment; from: number; to: number; base: number; size: number };

/** Fragments by direction, the one with most letters first; those that lean a little are one. */
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

/** Whether it overlaps the text of a row. Text without width stays with the text of its run. */
function overlaps(row: Row, { from, to, fragment }: Placed): boolean {
  if (to === from) return row.placed.at(-1)?.fragment.run !== fragment.run;
  return row.placed.some(
    (other) =>
      Math.min(other.to, to) - Math.max(other.from, from) >
      0.4 * Math.min(other.to - other.from, to - from) + 1e-6,
  );
}

/**
 * Fragments on one baseline, from top to bottom. Overlapping text (a text and its invisible double, or
 * text without a size) is not mixed.
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

/** A row split into lines: at wide gaps, and at narrower ones that the row above or below has too. */
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
 * Joins fragments of one direction into lines: left to right on one baseline, never across a gap between
 * columns. Their words are added to `words`.
 */
export function modelLines(
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
      const texts = line.map(({ fragment }) => fragment);
      const inOrder = readingOrder(texts, isTurned(texts)).flatMap((at) => line[at] ?? []);
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
