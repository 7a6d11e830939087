import { median } from '../../../../geometry.ts';
import type { TableWord } from '../types.ts';
import { coverOf, type Stretch, separatingGutters } from './gutters.ts';
import { areSeparateTexts, type Line, type Phrase, phrasesOf } from './lines.ts';

/** A column: the extent of its words, and its borders with the adjacent columns. */
export type Column = { from: number; to: number; left: number; right: number };

/**
 * Symbols that form a column but belong to the number after them (`prefixSign`) or before them
 * (`suffixSign`).
 */
const prefixSign = /^[$€£¥₹(~<>±]+$/u;
const suffixSign = /^[%)*†‡§°]+$/u;
/**
 * The start of entries in a column of tolerances, which belongs to the column of values before it.
 */
const toleranceStart = /^(±|\+\/?[-–−])/u;

/** Returns the minimum width of a gutter, in font sizes. Few lines may leave a gap by chance. */
function minGutter(lines: number): number {
  return lines >= 6 ? 0.6 : lines >= 4 ? 0.75 : 0.95;
}

/** Returns the index of the column at a position. */
export function columnAt(columns: readonly Column[], x: number): number {
  for (let at = 0; at < columns.length; at += 1) {
    if (x < (columns[at]?.right ?? 0)) return at;
  }
  return columns.length - 1;
}

/** Returns the median font size of some lines. */
export const sizeOf = (lines: readonly Line[]): number => median(lines.map(({ size }) => size));

/**
 * Returns the columns that lines share, from left to right, separated by gutters that almost no
 * line crosses. Heads at the top may cross several columns. `headCount` is their number, if
 * known.
 */
export function columnsOf(
  words: readonly TableWord[],
  lines: readonly Line[],
  headCount: number | undefined,
): Column[] {
  const size = sizeOf(lines);
  const hasSeveralPhrases = (line: Line): boolean => phrasesOf(words, line, 0.7 * size).length > 1;
  const multiPhraseLines = lines.filter(hasSeveralPhrases);
  if (multiPhraseLines.length < 2) return [];
  const headLines =
    headCount === undefined ? 0 : lines.slice(0, headCount).filter(hasSeveralPhrases).length;
  const maxSkipped =
    headCount === undefined ? Math.min(4, Math.floor(multiPhraseLines.length / 2)) : headLines;
  let best: { gaps: Stretch[]; body: Line[] } = { gaps: [], body: multiPhraseLines };
  const labels = labelsBeside(words, lines, multiPhraseLines);
  const bodies = [
    multiPhraseLines,
    ...(labels.length > 1 ? [[...multiPhraseLines, ...labels]] : []),
  ];
  const candidates = bodies.flatMap((body) =>
    Array.from({ length: maxSkipped + 1 }, (_, skipped) => body.slice(skipped)),
  );
  for (const body of candidates) {
    if (body.length < 2) continue;
    const maxCrossing = body.length >= 8 ? Math.floor(body.length * 0.1) : 0;
    const cover = coverOf(words, body);
    for (const allowed of maxCrossing > 0 ? [0, maxCrossing] : [0]) {
      const minWidth = minGutter(body.length) * size;
      const gaps = withoutSignColumns(
        words,
        body,
        separatingGutters(words, body, cover, allowed, { least: minWidth, size }),
      );
      if (gaps.length > best.gaps.length) best = { gaps, body };
    }
  }
  return columnsBetween(words, best.body, best.gaps);
}

/**
 * Returns the lines of a single phrase that is as short as a row label. Row labels may be centred
 * beside several lines.
 */
function labelsBeside(
  words: readonly TableWord[],
  lines: readonly Line[],
  multiPhraseLines: readonly Line[],
): Line[] {
  const extent = (line: Line): [number, number] => [
    words[line.words[0] ?? -1]?.box[0] ?? 0,
    words[line.words.at(-1) ?? -1]?.box[2] ?? 0,
  ];
  const ends = multiPhraseLines.map(extent);
  const width = Math.max(...ends.map(([, to]) => to)) - Math.min(...ends.map(([from]) => from));
  const multiPhraseSet = new Set(multiPhraseLines);
  return lines.filter((line) => {
    const [from, to] = extent(line);
    return !multiPhraseSet.has(line) && to - from < 0.25 * width;
  });
}

/** Whether most lines of a column begin with a tolerance. */
const areTolerances = (starts: readonly string[]): boolean => {
  const signs = starts.filter((text) => toleranceStart.test(text)).length;
  return signs > 1 && signs >= 0.7 * starts.length;
};

/** Returns the gutters with a column on both sides. Symbols or a single word are not a column. */
function withoutSignColumns(
  words: readonly TableWord[],
  lines: readonly Line[],
  gaps: Stretch[],
): Stretch[] {
  let remaining = gaps;
  for (let round = 0; round < gaps.length; round += 1) {
    const columns = columnsBetween(words, lines, remaining);
    const texts = columns.map((): string[] => []);
    const starts = columns.map((): string[] => []);
    for (const line of lines) {
      let last = -1;
      for (const index of line.words) {
        const word = words[index];
        if (!word) continue;
        const at = columnAt(columns, (word.box[0] + word.box[2]) / 2);
        texts[at]?.push(word.text);
        if (at !== last) starts[at]?.push(word.text);
        last = at;
      }
    }
    const minWords = lines.length >= 4 ? 2 : 1;
    const dropped = texts.findIndex(
      (own, at) =>
        own.length < minWords ||
        (at > 0 && areTolerances(starts[at] ?? [])) ||
        own.every((text) => prefixSign.test(text)) ||
        own.every((text) => suffixSign.test(text)),
    );
    if (dropped < 0) return remaining;
    const droppedTexts = texts[dropped] ?? [];
    const arePrefixes =
      droppedTexts.length > 0 && droppedTexts.every((text) => prefixSign.test(text));
    const areSuffixes =
      droppedTexts.every((text) => suffixSign.test(text)) || areTolerances(starts[dropped] ?? []);
    const widths = [remaining[dropped - 1], remaining[dropped]].map((gap) =>
      gap ? gap.to - gap.from : Number.POSITIVE_INFINITY,
    );
    const [leftGap = 0, rightGap = 0] = widths;
    const isMark = droppedTexts.length > 0 && areSuffixes && !arePrefixes;
    const joinsRight = dropped === 0 || (!isMark && (arePrefixes || rightGap < leftGap));
    const removed = joinsRight && dropped < remaining.length ? dropped : dropped - 1;
    remaining = remaining.filter((_, at) => at !== removed);
  }
  return remaining;
}

/** Returns the columns between gutters, each as wide as its words. */
function columnsBetween(
  words: readonly TableWord[],
  lines: readonly Line[],
  gaps: readonly Stretch[],
): Column[] {
  const borders = gaps.map(({ from, to }) => (from + to) / 2);
  const columns: Column[] = [...borders, Number.POSITIVE_INFINITY].map((right, at) => ({
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    left: borders[at - 1] ?? Number.NEGATIVE_INFINITY,
    right,
  }));
  for (const line of lines) {
    for (const index of line.words) {
      const box = words[index]?.box;
      const x0 = box ? box[0] : 0;
      const x1 = box ? box[2] : 0;
      const column = columns[columnAt(columns, (x0 + x1) / 2)];
      if (!column || x0 < column.left - 1 || x1 > column.right + 1) continue;
      column.from = Math.min(column.from, x0);
      column.to = Math.max(column.to, x1);
    }
  }
  return columns;
}

/** A phrase and the columns that it spans. */
export type PlacedPhrase = Phrase & { first: number; last: number };

/** Returns the phrases of a line, each with the columns that it spans. */
export function placePhrases(
  words: readonly TableWord[],
  line: Line,
  columns: readonly Column[],
): PlacedPhrase[] {
  const placed: PlacedPhrase[] = [];
  for (const phrase of phrasesOf(words, line, 0)) {
    const [index = 0] = phrase.words;
    const word = words[index];
    const middle = word ? (word.box[0] + word.box[2]) / 2 : phrase.from;
    const at = columnAt(columns, middle);
    const last = placed.at(-1);
    // Words of one phrase without a gutter between them stay together, even across columns.
    const gap = last ? phrase.from - last.to : Number.POSITIVE_INFINITY;
    const isNear =
      gap < 0.5 * line.size && !areSeparateTexts(words, last?.words.at(-1) ?? -1, index);
    const isSamePhrase = last && (at === last.last || isNear);
    if (last && isSamePhrase) {
      last.words.push(...phrase.words);
      last.to = Math.max(last.to, phrase.to);
      last.last = at;
    } else placed.push({ ...phrase, first: at, last: at });
  }
  for (const one of placed) setSpan(one, columns, line.size);
  return placed;
}

/** Sets the columns that a phrase spans: the columns that it covers to a large part. */
function setSpan(phrase: PlacedPhrase, columns: readonly Column[], size: number): void {
  let best = phrase.first;
  let maxOverlap = -1;
  const covered: number[] = [];
  for (const [at, { from, to }] of columns.entries()) {
    const overlap = Math.min(phrase.to, to) - Math.max(phrase.from, from);
    if (overlap > maxOverlap) {
      maxOverlap = overlap;
      best = at;
    }
    if (overlap > Math.min(0.5 * (to - from), size)) covered.push(at);
  }
  if (covered.length === 0) {
    const at = maxOverlap > 0 ? best : columnAt(columns, (phrase.from + phrase.to) / 2);
    phrase.first = at;
    phrase.last = at;
    return;
  }
  phrase.first = covered[0] ?? best;
  phrase.last = covered.at(-1) ?? best;
}
