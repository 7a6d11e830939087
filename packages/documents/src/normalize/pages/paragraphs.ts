import { median } from '../../geometry.ts';
import { isTurned, runsFromRight } from '../../model/direction.ts';
import { columnGap } from '../../model/measures.ts';
import type { Flow } from '../../model/order/index.ts';
import type { Item } from '../../model/order/items.ts';
import { lineOf, type TextLine } from '../../model/words/lines.ts';
import type { PageElement } from '../../pdf/page-structure.ts';
import { areLevel } from '../../rows.ts';
import { asTurned } from './line-text.ts';
import { isHeadingTag } from './tags.ts';

/** The lines of a paragraph, or one opaque item. */
export type Part = {
  lines: TextLine[];
  fixed: number;
  /** The left and the right edge of its column. */
  column: [number, number];
};

/** The start of a list item. */
export const bullet = /^(?:[•‣⁃◦∙▪▫■□●○◆◇❖➢➤►▶✓✔✗✘☐☑☒→\ufffd\uf0b7\uf0a7·]{1,2}|[-–—*o])(?=\s|$)/u;
export const enumerator =
  /^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)](?:\d{1,3}\.?)*|\[\d{1,3}\])(?=\s|$)/u;

/**
 * The minimum line distance that starts a new paragraph, relative to the usual distance in the
 * column.
 */
const widePitch = 1.32;

/** Returns the share of a line's characters in words that meet a condition, such as bold words. */
export function share(line: TextLine, of: (word: TextLine['words'][number]) => boolean): number {
  let [all, own] = [0, 0];
  for (const word of line.words) {
    all += word.text.length;
    if (of(word)) own += word.text.length;
  }
  return all === 0 ? 0 : own / all;
}

/**
 * Whether a word is in a mathematical font and not leader dots, which look the same in any font.
 */
export const isSign = ({ math, text }: TextLine['words'][number]): boolean =>
  math && !/^[.·…]+$/.test(text);

/** The minimum ratio of the sizes of two separate texts on one baseline with a gap between them. */
const otherText = 1.3;

/** Whether two segments on one baseline are separate: a title, and smaller text at a distance. */
function areSeparate(left: TextLine, right: TextLine): boolean {
  const [small, large] = [Math.min(left.size, right.size), Math.max(left.size, right.size)];
  const gap = Math.max(right.from - left.to, left.from - right.to);
  const areTexts = [left, right].every(({ words }) =>
    words.some(({ text, math }) => !math && /\p{L}{3}/u.test(text)),
  );
  return areTexts && large > otherText * small && gap > columnGap * small;
}

/** Joins the segments on one baseline into one line. */
function joinedLines(items: readonly Item<TextLine>[]): (TextLine | Item<TextLine>)[] {
  const joined: (TextLine | Item<TextLine>)[] = [];
  let last: TextLine | undefined;
  for (const item of items) {
    const { line } = item;
    if (!line) {
      joined.push(item);
      last = undefined;
    } else if (last && areLevel(line, last) && !areSeparate(last, line)) {
      last = lineOf([...last.words, ...line.words].sort((a, b) => a.box[0] - b.box[0]));
      joined[joined.length - 1] = last;
    } else {
      last = line;
      joined.push(line);
    }
  }
  return joined;
}

const startText = (line: TextLine, fromRight: boolean): string => {
  const turned = runsFromRight(line.words, fromRight);
  const words = turned ? [...line.words].reverse() : line.words;
  return words
    .slice(0, 4)
    .map(({ text }) => (turned ? asTurned(text) : text))
    .join(' ');
};

/** Returns the usual distance of consecutive lines of similar size, by rounded size. */
function usualPitch(lines: readonly TextLine[]): Map<number, number> {
  const pitches = new Map<number, number[]>();
  for (const [at, line] of lines.entries()) {
    const last = lines[at - 1];
    if (!last) continue;
    const pitch = line.base - last.base;
    const alike = Math.abs(line.size - last.size) < 0.1 * last.size;
    if (!alike || pitch < 0.5 * line.size || pitch > 3 * line.size) continue;
    const key = Math.round(line.size);
    const known = pitches.get(key);
    if (known) known.push(pitch);
    else pitches.set(key, [pitch]);
  }
  // Half of the lines may be single-line paragraphs, so the narrower distance is the usual one.
  return new Map(
    [...pitches].map(([key, all]) => {
      const sorted = all.sort((a, b) => a - b);
      return [key, Math.min(median(sorted), (sorted[Math.floor(sorted.length / 4)] ?? 0) * 1.25)];
    }),
  );
}

const endText = (line: TextLine): string =>
  line.words
    .slice(-6)
    .map(({ text }) => text)
    .join(' ');

type Edges = { start: number; end: number };

/** Returns the start and the end of a line, measured from the side where reading starts. */
function edges(line: TextLine, turned: boolean): Edges {
  return turned ? { start: -line.to, end: -line.from } : { start: line.from, end: line.to };
}

function endsSentence(line: TextLine): boolean {
  const turned = isTurned(line.words);
  const last = (turned ? line.words[0] : line.words.at(-1))?.text ?? '';
  return /[.!?:;。؟][”"')\]]*$/u.test(last);
}

const isBold = (line: TextLine): boolean => share(line, ({ bold }) => bold) > 0.6;
const isAllBold = (line: TextLine): boolean => line.words.every(({ bold }) => bold);
const isRead = (line: TextLine): boolean => line.words.every(({ source }) => source === 'ocr');
/**
 * The minimum ratio of the sizes of separate texts. Sizes within running text vary less. Sizes of
 * recognised text are measured, so they vary more.
 */
const otherSize = 1.07;
const readSize = 1.2;
/** Whether a line consists of symbols, letters of formulas and numbers. */
const isMath = (line: TextLine): boolean =>
  share(line, ({ math, text }) => math || !/\p{L}{3}/u.test(text)) > 0.8 && line.words.some(isSign);
/** Whether a line is only a limit or an exponent of a formula. */
const isPiece = ({ words }: TextLine): boolean => {
  const text = words.map((word) => word.text).join('');
  return text.length <= 4 && !/\p{L}{3}/u.test(text);
};
const isItalic = (line: TextLine): boolean => share(line, ({ italic }) => italic) > 0.9;
const isMono = (line: TextLine): boolean => share(line, ({ mono }) => mono) > 0.85;

/** Returns the element of the file's structure that contains a line. */
export type ElementOf = (line: TextLine) => PageElement | null;

/** Whether the file's structure separates two lines or joins them; undefined if it does neither. */
function isTaggedApart(last: TextLine, line: TextLine, elementOf: ElementOf): boolean | undefined {
  const [a, b] = [elementOf(last), elementOf(line)];
  if (a === b) {
    const near = line.base - last.base < 2.2 * line.size;
    return isHeadingTag(a?.type) && near ? false : undefined;
  }
  const parts = [a, b].some((one) => isHeadingTag(one?.type));
  return parts || (a?.type === 'LI' && b?.type === 'LI') ? true : undefined;
}

/** A section number of several parts. */
const enumerated = /^\d{1,3}(?:\.\d{1,3})+\.?\s/;

/** Whether the first word of a line would have fitted on the line before it. */
function fits(line: TextLine, last: TextLine, column: Edges, turned: boolean): boolean {
  const word = turned ? line.words.at(-1) : line.words[0];
  const width = word ? word.box[2] - word.box[0] : 0;
  return column.end - edges(last, turned).end > width + 0.5 * line.size;
}

/** Whether `line` starts a new paragraph after the lines in `part`. */
function starts(
  part: readonly TextLine[],
  line: TextLine,
  next: TextLine | undefined,
  column: Edges,
  turned: boolean,
  pitch: number,
): boolean {
  const last = part.at(-1);
  if (!last) return false;
  const size = Math.max(line.size, last.size);
  const step = line.base - last.base;
  if (isMono(line) && isMono(last)) return step > 3 * size;
  // The parts of a formula are above each other and closer than separate formulas.
  const near =
    step < 1.7 * size && line.from < last.to + 3 * size && line.to > last.from - 3 * size;
  if (near && isMath(line) && (isMath(last) || (isPiece(last) && part.some(isMath)))) return false;
  if (near && isPiece(line) && part.some(isMath) && !endsSentence(last)) return false;
  if (isMath(line) !== isMath(last)) return true;
  if (step > widePitch * Math.max(pitch, 0.95 * size) || step < -0.5 * size) return true;
  if (size > (isRead(line) ? readSize : otherSize) * Math.min(line.size, last.size)) return true;
  if (isBold(line) !== isBold(last)) {
    // Emphasis in running text rarely begins and ends at line ends.
    if (part.length === 1 || !endsMidway(last)) return true;
    if (part.every(isAllBold) && !line.words.some(({ bold }) => bold)) return true;
  }
  if (isMono(line) !== isMono(last)) return true;
  // A single line in a different style from the next line, and shorter than its column.
  if (part.length === 1 && isItalic(last) !== isItalic(line)) {
    const width = column.end - column.start;
    if (last.to - last.from < 0.6 * width && !endsSentence(last)) return true;
    const whole = last.words.every(({ italic }) => italic) && !line.words.some((one) => one.italic);
    if (whole && (fits(line, last, column, turned) || enumerated.test(startText(last, turned))))
      return true;
  }
  const text = startText(line, turned);
  // Entries of a table of contents end with a page number, and notes begin with a raised mark.
  if (/(?:\.\s?){4}\s*[\divxlc]*$/.test(endText(last))) return true;
  if (line.words[0]?.raised && last.words[0]?.raised && part.length === 1) return true;
  if (bullet.test(text)) return true;
  const [here, there] = [edges(line, turned), edges(last, turned)];
  const first = part[0] ?? last;
  const begin = edges(first, turned);
  if (enumerator.test(text)) {
    // A number that happens to be at the start of a line is not a list marker.
    const listed =
      enumerator.test(startText(first, turned)) && Math.abs(here.start - begin.start) < size;
    if (listed || endsSentence(last) || here.start < there.start - 0.6 * size) return true;
  }
  const centred =
    Math.abs(here.start + here.end - there.start - there.end) < 1.2 * size &&
    here.start - column.start > size &&
    there.start - column.start > size;
  if (centred) return false;
  const shift = here.start - there.start;
  if (shift < -0.7 * size && part.length > 1) return true;
  // Lines that are indented after a bullet or a number belong to the same item.
  const head = startText(first, turned);
  const isItem = bullet.test(head) || enumerator.test(head);
  if (isItem && here.start > begin.start + 0.7 * size && Math.abs(shift) < 0.3 * size) return false;
  if (shift > 0.7 * size) {
    if (isItem && part.length === 1) return false;
    const after = next && edges(next, turned).start;
    const hangs =
      part.length === 1 && after !== undefined && Math.abs(after - here.start) < 0.5 * size;
    const short = column.end - there.end > 4 * size;
    if (!hangs && (part.length > 1 || short || endsSentence(last))) return true;
    if (
      !hangs &&
      !(bullet.test(startText(first, turned)) || enumerator.test(startText(first, turned)))
    )
      return true;
  }
  // A line with space for the next word ends a paragraph.
  const word = turned ? line.words.at(-1) : line.words[0];
  const width = word ? word.box[2] - word.box[0] : 0;
  const room = column.end - there.end;
  const starts = /^[\p{Lu}\p{N}\p{Lo}]/u.test(text);
  if (starts && room > width + 0.3 * (column.end - column.start)) return true;
  return room > width + 1.5 * size + 0.08 * (column.end - column.start) && endsSentence(last);
}

/** Whether a line ends within a sentence, so that the text continues. */
function endsMidway(line: TextLine): boolean {
  return !endsSentence(line);
}

/** Returns the paragraphs of a flow, from top to bottom. */
export function partsOf(
  { kind, items, from, to }: Flow<TextLine>,
  elementOf: ElementOf = () => null,
): Part[] {
  const joined = joinedLines(items);
  const parts: Part[] = [];
  const lines = joined.filter((one): one is TextLine => 'words' in one);
  const pitches = usualPitch(lines);
  const turned = isTurned(lines.flatMap(({ words }) => words));
  const ends = lines.map((line) => edges(line, turned));
  const column: Edges = {
    start: Math.min(...ends.map(({ start }) => start)),
    end: Math.max(...ends.map(({ end }) => end)),
  };
  let part: TextLine[] | undefined;
  for (const [at, one] of joined.entries()) {
    if (!('words' in one)) {
      parts.push({ lines: [], fixed: one.fixed, column: [from, to] });
      part = undefined;
      continue;
    }
    const next = joined[at + 1];
    const after = next && 'words' in next ? next : undefined;
    const pitch = pitches.get(Math.round(one.size)) ?? 1.2 * one.size;
    const last = part?.at(-1);
    const told = last && isTaggedApart(last, one, elementOf);
    if (part && kind === 'column' && !(told ?? starts(part, one, after, column, turned, pitch))) {
      part.push(one);
      continue;
    }
    part = [one];
    parts.push({ lines: part, fixed: -1, column: [from, to] });
  }
  return parts;
}
