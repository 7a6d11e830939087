import { median } from '../../geometry.ts';
import { isRightToLeftLine, runsRightToLeft } from '../../model/direction.ts';
import { columnGap } from '../../model/measures.ts';
import type { Flow } from '../../model/order/index.ts';
import type { Item } from '../../model/order/items.ts';
import { lineOf, type TextLine } from '../../model/words/lines.ts';
import type { PageElement } from '../../pdf/page-structure.ts';
import { shareBaseline } from '../../rows.ts';
import { toRightToLeftWord } from './line-text.ts';
import { isHeadingTag } from './tags.ts';

/** The lines of a paragraph, or one opaque item. */
export type FlowPart = {
  lines: TextLine[];
  opaqueIndex: number;
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
const minParagraphPitch = 1.32;

/** Returns the share of a line's characters in words that meet a condition, such as bold words. */
export function shareOf(
  line: TextLine,
  test: (word: TextLine['words'][number]) => boolean,
): number {
  let [total, matching] = [0, 0];
  for (const word of line.words) {
    total += word.text.length;
    if (test(word)) matching += word.text.length;
  }
  return total === 0 ? 0 : matching / total;
}

/**
 * Whether a word is in a mathematical font. Leader dots do not count, because they look alike in
 * any font.
 */
export const isMathWord = ({ math, text }: TextLine['words'][number]): boolean =>
  math && !/^[.·…]+$/.test(text);

/** The minimum ratio of the sizes of two separate texts on one baseline with a gap between them. */
const separateTextRatio = 1.3;

/** Whether two segments on one baseline are separate: a title, and smaller text at a distance. */
function areSeparate(left: TextLine, right: TextLine): boolean {
  const [small, large] = [Math.min(left.size, right.size), Math.max(left.size, right.size)];
  const gap = Math.max(right.from - left.to, left.from - right.to);
  const areTexts = [left, right].every(({ words }) =>
    words.some(({ text, math }) => !math && /\p{L}{3}/u.test(text)),
  );
  return areTexts && large > separateTextRatio * small && gap > columnGap * small;
}

/** Joins the segments on one baseline into one line. */
function joinLines(items: readonly Item<TextLine>[]): (TextLine | Item<TextLine>)[] {
  const joined: (TextLine | Item<TextLine>)[] = [];
  let last: TextLine | undefined;
  for (const item of items) {
    const { line } = item;
    if (!line) {
      joined.push(item);
      last = undefined;
    } else if (last && shareBaseline(line, last) && !areSeparate(last, line)) {
      last = lineOf([...last.words, ...line.words].sort((a, b) => a.box[0] - b.box[0]));
      joined[joined.length - 1] = last;
    } else {
      last = line;
      joined.push(line);
    }
  }
  return joined;
}

const startText = (line: TextLine, rightToLeft: boolean): string => {
  const isReversed = runsRightToLeft(line.words, rightToLeft);
  const words = isReversed ? [...line.words].reverse() : line.words;
  return words
    .slice(0, 4)
    .map(({ text }) => (isReversed ? toRightToLeftWord(text) : text))
    .join(' ');
};

/** Returns the usual distance of consecutive lines of similar size, by rounded size. */
function usualPitches(lines: readonly TextLine[]): Map<number, number> {
  const pitches = new Map<number, number[]>();
  for (const [at, line] of lines.entries()) {
    const last = lines[at - 1];
    if (!last) continue;
    const pitch = line.base - last.base;
    const hasSameSize = Math.abs(line.size - last.size) < 0.1 * last.size;
    if (!hasSameSize || pitch < 0.5 * line.size || pitch > 3 * line.size) continue;
    const key = Math.round(line.size);
    const sizePitches = pitches.get(key);
    if (sizePitches) sizePitches.push(pitch);
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
function edges(line: TextLine, rightToLeft: boolean): Edges {
  return rightToLeft ? { start: -line.to, end: -line.from } : { start: line.from, end: line.to };
}

function endsSentence(line: TextLine): boolean {
  const rightToLeft = isRightToLeftLine(line.words);
  const last = (rightToLeft ? line.words[0] : line.words.at(-1))?.text ?? '';
  return /[.!?:;。؟][”"')\]]*$/u.test(last);
}

const isBold = (line: TextLine): boolean => shareOf(line, ({ bold }) => bold) > 0.6;
const isAllBold = (line: TextLine): boolean => line.words.every(({ bold }) => bold);
const isRecognised = (line: TextLine): boolean =>
  line.words.every(({ source }) => source === 'ocr');
/**
 * The minimum ratio of the sizes of separate texts. Sizes within running text vary less. Sizes of
 * recognised text are measured, so they vary more.
 */
const separateSizeRatio = 1.07;
const recognisedSizeRatio = 1.2;
/** Whether a line consists of symbols, letters of formulas and numbers. */
const isMath = (line: TextLine): boolean =>
  shareOf(line, ({ math, text }) => math || !/\p{L}{3}/u.test(text)) > 0.8 &&
  line.words.some(isMathWord);
/** Whether a line is only a limit or an exponent of a formula. */
const isScript = ({ words }: TextLine): boolean => {
  const text = words.map((word) => word.text).join('');
  return text.length <= 4 && !/\p{L}{3}/u.test(text);
};
const isItalic = (line: TextLine): boolean => shareOf(line, ({ italic }) => italic) > 0.9;
const isMono = (line: TextLine): boolean => shareOf(line, ({ mono }) => mono) > 0.85;

/** Returns the element of the file's structure that contains a line. */
export type ElementOf = (line: TextLine) => PageElement | null;

/** Whether the file's structure separates two lines or joins them; undefined if it does neither. */
function isTaggedApart(last: TextLine, line: TextLine, elementOf: ElementOf): boolean | undefined {
  const [a, b] = [elementOf(last), elementOf(line)];
  if (a === b) {
    const isNear = line.base - last.base < 2.2 * line.size;
    return isHeadingTag(a?.type) && isNear ? false : undefined;
  }
  const hasHeading = [a, b].some((one) => isHeadingTag(one?.type));
  return hasHeading || (a?.type === 'LI' && b?.type === 'LI') ? true : undefined;
}

/** A section number of several parts. */
const sectionNumber = /^\d{1,3}(?:\.\d{1,3})+\.?\s/;

/** Whether the first word of a line would have fitted on the line before it. */
function firstWordFits(
  line: TextLine,
  last: TextLine,
  column: Edges,
  rightToLeft: boolean,
): boolean {
  const word = rightToLeft ? line.words.at(-1) : line.words[0];
  const width = word ? word.box[2] - word.box[0] : 0;
  return column.end - edges(last, rightToLeft).end > width + 0.5 * line.size;
}

/** Whether `line` starts a new paragraph after the lines in `part`. */
function startsParagraph(
  part: readonly TextLine[],
  line: TextLine,
  next: TextLine | undefined,
  column: Edges,
  rightToLeft: boolean,
  pitch: number,
): boolean {
  const last = part.at(-1);
  if (!last) return false;
  const size = Math.max(line.size, last.size);
  const step = line.base - last.base;
  if (isMono(line) && isMono(last)) return step > 3 * size;
  // The parts of a formula are above each other and closer than separate formulas.
  const isNear =
    step < 1.7 * size && line.from < last.to + 3 * size && line.to > last.from - 3 * size;
  if (isNear && isMath(line) && (isMath(last) || (isScript(last) && part.some(isMath))))
    return false;
  if (isNear && isScript(line) && part.some(isMath) && !endsSentence(last)) return false;
  if (isMath(line) !== isMath(last)) return true;
  if (step > minParagraphPitch * Math.max(pitch, 0.95 * size) || step < -0.5 * size) return true;
  if (
    size >
    (isRecognised(line) ? recognisedSizeRatio : separateSizeRatio) * Math.min(line.size, last.size)
  )
    return true;
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
    const isAllItalic =
      last.words.every(({ italic }) => italic) && !line.words.some((one) => one.italic);
    if (
      isAllItalic &&
      (firstWordFits(line, last, column, rightToLeft) ||
        sectionNumber.test(startText(last, rightToLeft)))
    )
      return true;
  }
  const text = startText(line, rightToLeft);
  // Entries of a table of contents end with a page number, and notes begin with a raised mark.
  if (/(?:\.\s?){4}\s*[\divxlc]*$/.test(endText(last))) return true;
  if (line.words[0]?.raised && last.words[0]?.raised && part.length === 1) return true;
  if (bullet.test(text)) return true;
  const [lineEdges, lastEdges] = [edges(line, rightToLeft), edges(last, rightToLeft)];
  const first = part[0] ?? last;
  const firstEdges = edges(first, rightToLeft);
  if (enumerator.test(text)) {
    // A number that happens to be at the start of a line is not a list marker.
    const isListMarker =
      enumerator.test(startText(first, rightToLeft)) &&
      Math.abs(lineEdges.start - firstEdges.start) < size;
    if (isListMarker || endsSentence(last) || lineEdges.start < lastEdges.start - 0.6 * size)
      return true;
  }
  const isCentred =
    Math.abs(lineEdges.start + lineEdges.end - lastEdges.start - lastEdges.end) < 1.2 * size &&
    lineEdges.start - column.start > size &&
    lastEdges.start - column.start > size;
  if (isCentred) return false;
  const shift = lineEdges.start - lastEdges.start;
  if (shift < -0.7 * size && part.length > 1) return true;
  // Lines that are indented after a bullet or a number belong to the same item.
  const head = startText(first, rightToLeft);
  const isItem = bullet.test(head) || enumerator.test(head);
  if (isItem && lineEdges.start > firstEdges.start + 0.7 * size && Math.abs(shift) < 0.3 * size)
    return false;
  if (shift > 0.7 * size) {
    if (isItem && part.length === 1) return false;
    const nextStart = next && edges(next, rightToLeft).start;
    const isHanging =
      part.length === 1 &&
      nextStart !== undefined &&
      Math.abs(nextStart - lineEdges.start) < 0.5 * size;
    const endsEarly = column.end - lastEdges.end > 4 * size;
    if (!isHanging && (part.length > 1 || endsEarly || endsSentence(last))) return true;
    if (
      !isHanging &&
      !(
        bullet.test(startText(first, rightToLeft)) || enumerator.test(startText(first, rightToLeft))
      )
    )
      return true;
  }
  // A line with space for the next word ends a paragraph.
  const word = rightToLeft ? line.words.at(-1) : line.words[0];
  const width = word ? word.box[2] - word.box[0] : 0;
  const freeWidth = column.end - lastEdges.end;
  const startsLikeSentence = /^[\p{Lu}\p{N}\p{Lo}]/u.test(text);
  if (startsLikeSentence && freeWidth > width + 0.3 * (column.end - column.start)) return true;
  return freeWidth > width + 1.5 * size + 0.08 * (column.end - column.start) && endsSentence(last);
}

/** Whether a line ends within a sentence, which means that the text continues. */
function endsMidway(line: TextLine): boolean {
  return !endsSentence(line);
}

/** Returns the paragraphs of a flow, from top to bottom. */
export function partsOf(
  { kind, items, from, to }: Flow<TextLine>,
  elementOf: ElementOf = () => null,
): FlowPart[] {
  const joined = joinLines(items);
  const parts: FlowPart[] = [];
  const lines = joined.filter((one): one is TextLine => 'words' in one);
  const pitches = usualPitches(lines);
  const rightToLeft = isRightToLeftLine(lines.flatMap(({ words }) => words));
  const ends = lines.map((line) => edges(line, rightToLeft));
  const column: Edges = {
    start: Math.min(...ends.map(({ start }) => start)),
    end: Math.max(...ends.map(({ end }) => end)),
  };
  let part: TextLine[] | undefined;
  for (const [at, one] of joined.entries()) {
    if (!('words' in one)) {
      parts.push({ lines: [], opaqueIndex: one.opaqueIndex, column: [from, to] });
      part = undefined;
      continue;
    }
    const next = joined[at + 1];
    const after = next && 'words' in next ? next : undefined;
    const pitch = pitches.get(Math.round(one.size)) ?? 1.2 * one.size;
    const last = part?.at(-1);
    const separatedByTags = last && isTaggedApart(last, one, elementOf);
    if (
      part &&
      kind === 'column' &&
      !(separatedByTags ?? startsParagraph(part, one, after, column, rightToLeft, pitch))
    ) {
      part.push(one);
      continue;
    }
    part = [one];
    parts.push({ lines: part, opaqueIndex: -1, column: [from, to] });
  }
  return parts;
}
