import { median } from '../../../../geometry.ts';
import { shareBaseline } from '../../../../rows.ts';
import type { TableWord } from '../types.ts';

/** Words on one baseline, from left to right. */
export type Line = {
  words: number[];
  base: number;
  size: number;
  /** The extent of most letters, without marks and tall brackets. */
  top: number;
  bottom: number;
};

/** Words of a line that are as close to each other as the words of a sentence. */
export type Phrase = { words: number[]; from: number; to: number };

/** Returns the words of one baseline as a line. */
export function lineOf(words: readonly TableWord[], members: number[]): Line {
  const first = words[members[0] ?? -1];
  let size = first?.size ?? 0;
  let base = first?.base ?? 0;
  // Most lines have a single font size.
  const isUniform = members.every(
    (index) => words[index]?.size === size && words[index]?.base === base,
  );
  if (!isUniform) {
    const lineWords = members.flatMap((index) => words[index] ?? []);
    size = median(lineWords.map((word) => word.size));
    base = median(lineWords.filter((word) => word.size > 0.8 * size).map((word) => word.base));
  }
  members.sort((a, b) => (words[a]?.box[0] ?? 0) - (words[b]?.box[0] ?? 0));
  return { words: members, base, size, top: base - 0.75 * size, bottom: base + 0.22 * size };
}

/** Returns lines from top to bottom. Superscripts and subscripts stay with their line. */
export function tableLines(words: readonly TableWord[], indexes: readonly number[]): Line[] {
  const sorted = [...indexes].sort((a, b) => (words[a]?.base ?? 0) - (words[b]?.base ?? 0));
  const groups: number[][] = [];
  let largest: TableWord | undefined;
  for (const index of sorted) {
    const word = words[index];
    if (!word) continue;
    const isLevel = largest !== undefined && shareBaseline(word, largest);
    if (isLevel) groups.at(-1)?.push(index);
    else groups.push([index]);
    if (!isLevel || word.size > largest!.size) largest = word;
  }
  const lines = groups.map((group) => lineOf(words, group));
  return joinRaised(words, lines);
}

/** Joins lines of small letters to the line before or after them if they touch a word of it. */
function joinRaised(words: readonly TableWord[], lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  const extendedLines = new Set<Line>();
  for (const [at, line] of lines.entries()) {
    const before = kept.at(-1);
    const after = lines[at + 1];
    if (before && isRaised(words, line, before)) {
      kept[kept.length - 1] = lineOf(words, [...before.words, ...line.words]);
    } else if (after && isRaised(words, line, after)) {
      extendedLines.add(after);
      after.words.push(...line.words);
    } else kept.push(extendedLines.has(line) ? lineOf(words, line.words) : line);
  }
  return kept;
}

function isRaised(words: readonly TableWord[], smallLine: Line, line: Line): boolean {
  if (smallLine.size > 0.85 * line.size || smallLine.words.length > 3 * line.words.length)
    return false;
  const middle = smallLine.base - 0.35 * smallLine.size;
  if (middle < line.top - 0.15 * line.size || middle > line.bottom) return false;
  const ends = new Set<number>();
  for (const index of line.words) {
    const [x0 = 0, , x1 = 0] = words[index]?.box ?? [];
    for (let x = Math.floor(x0 / 4); x <= Math.floor(x1 / 4) + 1; x += 1) ends.add(x);
  }
  return smallLine.words.every((index) => {
    const [x0 = 0, , x1 = 0] = words[index]?.box ?? [];
    return (
      ends.has(Math.floor(x0 / 4)) ||
      ends.has(Math.floor(x1 / 4)) ||
      ends.has(Math.floor(x1 / 4) + 1)
    );
  });
}

/** The minimum gap between words, in font sizes. */
const minGap = 0.15;

/**
 * Whether a gap separates two texts. Programs write a space between the words of one text, and move
 * to the next text without a space.
 */
export function areSeparateTexts(
  words: readonly TableWord[],
  left: number,
  right: number,
): boolean {
  const [a, b] = [words[left], words[right]];
  if (a?.blankAfter !== false || b?.blankBefore !== false) return false;
  return b.box[0] - a.box[2] > minGap * Math.min(a.size, b.size);
}

/**
 * The maximum number of adjacent words that are examined, and the minimum for spaces to be
 * evidence.
 */
const [maxExamined, minExamined] = [400, 6];

/**
 * Whether the words of sentences have spaces between them. Some programs only move the position.
 */
export function hasSpaces(words: readonly TableWord[], lines: readonly Line[]): boolean {
  let [closePairs, spacedPairs] = [0, 0];
  for (const { words: own, size } of lines) {
    if (closePairs > maxExamined) break;
    for (const [at, index] of own.entries()) {
      const [word, next] = [words[index], words[own[at + 1] ?? -1]];
      if (!word || !next || Math.abs(next.box[0] - word.box[2] - 0.3 * size) > 0.15 * size)
        continue;
      closePairs += 1;
      if (word.blankAfter === true || next.blankBefore === true) spacedPairs += 1;
    }
  }
  return closePairs >= minExamined && spacedPairs >= 0.4 * closePairs;
}

/**
 * Splits the words of a line into phrases, at gaps of at least `minDistance` points and where
 * another text begins.
 */
export function phrasesOf(words: readonly TableWord[], line: Line, minDistance: number): Phrase[] {
  const phrases: Phrase[] = [];
  let last: Phrase | undefined;
  let previous = -1;
  for (const index of line.words) {
    const box = words[index]?.box;
    const x0 = box ? box[0] : 0;
    const x1 = box ? box[2] : 0;
    if (last && x0 - last.to < minDistance && !areSeparateTexts(words, previous, index)) {
      last.words.push(index);
      if (x1 > last.to) last.to = x1;
    } else {
      last = { words: [index], from: x0, to: x1 };
      phrases.push(last);
    }
    previous = index;
  }
  return phrases;
}
