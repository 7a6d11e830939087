import { hull, median } from '../geometry.ts';
import type { Box } from '../results.ts';
import { maxBaselineOffset } from '../rows.ts';
import { isRightToLeftLine, readingOrder } from './direction.ts';
import type { Fragment } from './fragments.ts';
import { ascent, descent, maxSkew, wordGap } from './measures.ts';
import type { ModelLine, ModelWord } from './page.ts';
import { type Row, splitRows } from './words/rows.ts';

/** A fragment on the page, rotated so that its line is level. */
type LevelFragment = { fragment: Fragment; box: Box; base: number; size: number };

/**
 * Groups fragments by direction; the direction with the most letters comes first. Slightly
 * different directions are merged.
 */
export function groupByDirection(
  fragments: readonly Fragment[],
): { angle: number; fragments: Fragment[] }[] {
  const groups = new Map<number, Fragment[]>();
  for (const fragment of fragments) {
    const quarter = Math.round(fragment.angle / 90) * 90;
    const deviation = Math.abs(fragment.angle - quarter);
    const angle = deviation <= maxSkew ? quarter : Math.round(fragment.angle / maxSkew) * maxSkew;
    const key = ((angle % 360) + 360) % 360;
    const group = groups.get(key);
    if (group) group.push(fragment);
    else groups.set(key, [fragment]);
  }
  const countLetters = (group: readonly Fragment[]): number =>
    group.reduce((sum, { text }) => sum + text.length, 0);
  return [...groups]
    .map(([key, group]) => {
      const deviations = group.map((fragment) => ((fragment.angle - key + 540) % 360) - 180);
      return { angle: key + median(deviations), fragments: group };
    })
    .sort((a, b) => countLetters(b.fragments) - countLetters(a.fragments));
}

function levelFragment(fragment: Fragment, angle: number): LevelFragment {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [x0, y0] = fragment.start;
  const [x1, y1] = fragment.end;
  const [from, to] = [x0 * cos + y0 * sin, x1 * cos + y1 * sin];
  const base = (y0 * cos - x0 * sin + y1 * cos - x1 * sin) / 2;
  const { size } = fragment;
  const [top, bottom] = [base - ascent * size, base + descent * size];
  return { fragment, box: [Math.min(from, to), top, Math.max(from, to), bottom], base, size };
}

/**
 * Whether a fragment overlaps the text of a row. Text without a width belongs to the row of its
 * run.
 */
function overlaps(
  { words }: Row<LevelFragment>,
  { box: [from, , to], fragment }: LevelFragment,
): boolean {
  if (to === from) return words.at(-1)?.fragment.run !== fragment.run;
  return words.some(
    ({ box }) =>
      Math.min(box[2], to) - Math.max(box[0], from) >
      0.4 * Math.min(box[2] - box[0], to - from) + 1e-6,
  );
}

/**
 * Groups fragments by baseline, from top to bottom. Overlapping texts are in separate rows, such as
 * a text and its invisible copy, or text without a size.
 */
function fragmentRows(fragments: readonly LevelFragment[]): Row<LevelFragment>[] {
  const rows: Row<LevelFragment>[] = [];
  const tallest = fragments.reduce((max, { size }) => Math.max(max, size), 0);
  for (const item of [...fragments].sort((a, b) => a.base - b.base || a.box[0] - b.box[0])) {
    let best: Row<LevelFragment> | undefined;
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      const row = rows[index];
      if (!row || item.base - row.base > tallest) break;
      const offset = Math.abs(item.base - row.base);
      if (offset > maxBaselineOffset * Math.min(row.size, item.size) + 1e-6) continue;
      if (best && offset >= Math.abs(item.base - best.base)) continue;
      if (!overlaps(row, item)) best = row;
    }
    if (best) best.words.push(item);
    else rows.push({ base: item.base, size: item.size, words: [item] });
  }
  for (const row of rows) {
    row.words.sort((a, b) => a.box[0] - b.box[0]);
    row.size = median(row.words.map(({ size }) => size));
    row.base = median(row.words.map(({ base }) => base));
  }
  return rows.sort((a, b) => a.base - b.base);
}

/** Adds the words of a line to `words`. Fragments that touch form one word. */
function addWords(line: readonly LevelFragment[], size: number, words: ModelWord[]): number[] {
  const indexes: number[] = [];
  let last: LevelFragment | undefined;
  for (const item of line) {
    const { text, glyphs, box, confidence, source, visible, blankBefore } = item.fragment;
    const before = words.at(-1);
    const gap = last ? Math.max(item.box[0] - last.box[2], last.box[0] - item.box[2]) : 0;
    const isNear = last && gap < wordGap * size && last.fragment.visible === visible;
    if (before?.glyphs && glyphs && isNear && !blankBefore) {
      before.text += text;
      before.glyphs = [...before.glyphs, ...glyphs];
      before.box = hull([before.box, box]) ?? box;
    } else {
      indexes.push(words.length);
      // A part of the word may be text, and another part a picture.
      const joined = isNear && (before?.glyphs === null) !== (glyphs === null);
      const word: ModelWord = { text, box, confidence, source, visible, glyphs };
      words.push(joined ? { ...word, joined } : word);
    }
    last = item;
  }
  return indexes;
}

/**
 * Joins fragments of one direction into lines. A line runs from left to right on one baseline and
 * never crosses a gap between columns. The words of the lines are added to `words`.
 */
export function modelLines(
  fragments: readonly Fragment[],
  angle: number,
  words: ModelWord[],
): ModelLine[] {
  const rows = fragmentRows(fragments.map((fragment) => levelFragment(fragment, angle)));
  const lines: ModelLine[] = [];
  for (const [index, parts] of splitRows(rows).entries()) {
    const row = rows[index];
    if (!row) continue;
    for (const line of parts) {
      const texts = line.map(({ fragment }) => fragment);
      const inOrder = readingOrder(texts, isRightToLeftLine(texts)).flatMap((at) => line[at] ?? []);
      const box = hull(line.map(({ fragment }) => fragment.box));
      if (!box) continue;
      lines.push({
        words: addWords(inOrder, row.size, words),
        box,
        from: Math.min(...line.map((item) => item.box[0])),
        to: Math.max(...line.map((item) => item.box[2])),
        base: row.base,
        size: row.size,
        angle,
      });
    }
  }
  return lines;
}
