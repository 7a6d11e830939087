import { heightOf, median, nearestQuarter, widthOf } from '../geometry.ts';
import { groupRows, maxBaselineOffset } from '../rows.ts';
import type { ModelLine, ModelWord, PageModel } from './page.ts';

/**
 * A value with separate letters, as in the boxes of a form, and its label: the text before or above
 * it.
 */
export type SpelledValue = {
  label: string;
  /** The indexes of its one-letter words; null for an empty box. */
  letters: (number | null)[];
};

type WordPosition = { line: ModelLine; word: number; text: string; from: number; to: number };

const minLetters = 3;
/**
 * Maximum deviation from the even spacing of letters, as a share of the spacing, and minimum
 * spacing in font sizes.
 */
const maxDeviation = 0.2;
const minPitch = 0.9;
/** Maximum number of consecutive empty boxes in a value. */
const maxEmpty = 3;
/** Maximum distance of the label above a value, in font sizes. */
const maxLabelDistance = 3.5;

/**
 * Finds values that are written one letter per box. The centres of such letters are evenly spaced
 * in every kind of form.
 */
export function spelledValues(model: PageModel): SpelledValue[] {
  return linesByAngle(model).flatMap((lines) => spelledValuesIn(wordRows(model, lines)));
}

function spelledValuesIn(rows: readonly (readonly WordPosition[])[]): SpelledValue[] {
  return rows.flatMap((row, at) =>
    runsOf(row).map((run): SpelledValue => {
      const first = run.find((place) => place !== null)!;
      return {
        label: labelBefore(row, first) || labelAbove(rows.slice(0, at), first),
        letters: run.map((place) => place?.word ?? null),
      };
    }),
  );
}

/** Groups lines by direction. */
function linesByAngle({ lines }: PageModel): ModelLine[][] {
  const groups = new Map<number, ModelLine[]>();
  for (const line of lines) {
    const group = groups.get(line.angle);
    if (group) group.push(line);
    else groups.set(line.angle, [line]);
  }
  return [...groups.values()];
}

/** Returns the words of lines of one direction, grouped by baseline. */
function wordRows({ words }: PageModel, lines: readonly ModelLine[]): WordPosition[][] {
  const sorted = [...lines].sort((a, b) => a.base - b.base);
  const rows = groupRows(
    sorted,
    (line, _, first) => line.base - first.base <= maxBaselineOffset * line.size,
  );
  return rows.map((row) =>
    row
      .flatMap((line) => line.words.map((word) => positionOf(line, word, words[word]!)))
      .sort((a, b) => a.from - b.from),
  );
}

/** Returns the position of a word along its line, on the page rotated so that the line is level. */
function positionOf(line: ModelLine, word: number, { text, box }: ModelWord): WordPosition {
  const radians = (line.angle * Math.PI) / 180;
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const at = x * Math.cos(radians) + y * Math.sin(radians);
  const half = (nearestQuarter(line.angle) % 180 === 0 ? widthOf(box) : heightOf(box)) / 2;
  return { line, word, text, from: at - half, to: at + half };
}

const isLetter = ({ text }: WordPosition): boolean => [...text].length === 1;
const centreOf = ({ from, to }: WordPosition): number => (from + to) / 2;

/** Returns evenly spaced letters of a row, with null for each empty box. */
function runsOf(row: readonly WordPosition[]): (WordPosition | null)[][] {
  const found: (WordPosition | null)[][] = [];
  for (let start = 0; start < row.length; ) {
    let end = start;
    while (end < row.length && isLetter(row[end]!)) end += 1;
    found.push(...evenlySpacedRuns(row.slice(start, end)));
    start = Math.max(end, start + 1);
  }
  return found;
}

function evenlySpacedRuns(letters: readonly WordPosition[]): (WordPosition | null)[][] {
  if (letters.length < minLetters) return [];
  const distances = letters.slice(1).map((place, at) => centreOf(place) - centreOf(letters[at]!));
  const shortest = Math.min(...distances);
  const pitch = median(distances.filter((distance) => distance < 1.5 * shortest));
  if (pitch < minPitch * letters[0]!.line.size) return [];
  const runs: (WordPosition | null)[][] = [[letters[0]!]];
  for (const [at, distance] of distances.entries()) {
    const steps = Math.round(distance / pitch);
    const isEvenlySpaced = Math.abs(distance - steps * pitch) <= maxDeviation * pitch;
    if (!isEvenlySpaced || steps > maxEmpty) runs.push([]);
    else for (let empty = 1; empty < steps; empty += 1) runs.at(-1)!.push(null);
    runs.at(-1)!.push(letters[at + 1]!);
  }
  return runs.filter((run) => run.filter(Boolean).length >= minLetters);
}

const joinTexts = (places: readonly WordPosition[]): string =>
  places.map(({ text }) => text).join(' ');

/** Returns the words before a value in its row. */
function labelBefore(row: readonly WordPosition[], first: WordPosition): string {
  const before = row.slice(0, row.indexOf(first));
  const start = before.findLastIndex(isLetter);
  return joinTexts(before.slice(start + 1));
}

/** Returns the line directly above the start of a value. */
function labelAbove(rows: readonly (readonly WordPosition[])[], first: WordPosition): string {
  const { from, to, line } = first;
  const above = rows.at(-1)?.filter(({ line: other }) => {
    const isNear = line.base - other.base <= maxLabelDistance * line.size;
    return isNear && other.from <= to && other.to >= from;
  });
  return joinTexts(above ?? []);
}
