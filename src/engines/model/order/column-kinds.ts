import { median } from '../../geometry.ts';
import type { Item } from './items.ts';

const wordsIn = ({ line }: Item): number => line?.words.length ?? 0;

/** Running text has lines of many words, or fills its column; the text of tables does not. */
export function isProse(column: readonly Item[]): boolean {
  const lines = column.filter(({ line }) => line !== null);
  if (lines.length < 3) return false;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [all, inLong, long] = [0, 0, 0];
  for (const item of lines) {
    from = Math.min(from, item.from);
    to = Math.max(to, item.to);
    const count = wordsIn(item);
    all += count;
    if (count < 5) continue;
    long += 1;
    inLong += count;
  }
  if (long >= 3 && inLong >= 0.6 * all) return true;
  const full = lines.filter((item) => item.to - item.from > 0.75 * (to - from)).length;
  return median(lines.map(wordsIn)) >= 3 && full >= 0.5 * lines.length;
}

const bulletSign = /^[•‣⁃◦∙▪▫■□●○◆◇❖➢➤►▶✓✔☐☑☒·–—*-]$/u;

/** A list whose items begin with bullets. */
function isList(column: readonly Item[]): boolean {
  const lines = column.filter(({ line }) => line !== null);
  const items = lines.filter(({ line }) => bulletSign.test(line?.words[0]?.text ?? ''));
  return items.length >= 2 && items.length >= 0.5 * lines.length;
}

/** Columns in which most lines have a neighbour on their baseline, and that are neither running text nor lists. */
export function areRows(columns: readonly Item[][]): boolean {
  if (columns.some((column) => column.some(({ fixed }) => fixed >= 0))) return false;
  if (columns.filter((column) => isProse(column) || isList(column)).length >= 2) return false;
  const items = columns.flat().sort((a, b) => a.base - b.base);
  let beside = 0;
  let run = 1;
  for (const [at, item] of items.entries()) {
    const next = items[at + 1];
    if (next && next.base - item.base <= 0.35 * Math.min(item.size, next.size)) {
      run += 1;
      continue;
    }
    if (run > 1) beside += run;
    run = 1;
  }
  return beside >= 0.5 * items.length;
}

/** Centred lines, as the names on a title page: they begin at different places. */
export function isCentred(column: readonly Item[]): boolean {
  const lines = column.filter(({ line }) => line !== null);
  if (lines.length !== column.length || lines.length < 3) return false;
  const middle = median(lines.map(({ from, to }) => (from + to) / 2));
  const start = median(lines.map(({ from }) => from));
  const about = lines.filter(
    ({ from, to, size }) => Math.abs((from + to) / 2 - middle) < 0.4 * size,
  );
  const off = lines.filter(({ from, size }) => Math.abs(from - start) > 0.5 * size);
  const said = lines.filter(({ line }) => line?.words.some(({ text }) => /\p{L}{3}/u.test(text)));
  const all = lines.length;
  return about.length >= 0.8 * all && off.length >= 0.25 * all && said.length >= 0.7 * all;
}
