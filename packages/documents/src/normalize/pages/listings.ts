import { median } from '../../geometry.ts';
import type { PageWord } from '../../model/words/word.ts';
import type { PageRules } from '../../pdf/page-rules.ts';
import { shareBaseline } from '../../rows.ts';

const lineNumber = /^\d{1,5}$/;
/** The maximum number of line numbers on a page, and of words in a line. Real pages have fewer. */
const [maxNumbers, maxRowWords] = [2_000, 400];
/** The minimum number of numbered lines with text, or without signs of code. */
const [minLines, minPlainLines] = [2, 5];
/** The maximum difference of the numbers of adjacent lines. Some listings number every fifth. */
const maxStep = 5;
/** The maximum distance of adjacent lines, in font sizes. Rows of tables are further apart. */
const maxPitch = 1.7;
/** The maximum distance of the code from its numbers, in font sizes. It includes indentation. */
const maxIndent = 24;
/** The minimum gap before other text on the left of the numbers or the right of the code. */
const minGap = 1;
/** The minimum number of words in a line of a paragraph beside a listing. */
const minProseWords = 4;

/** Signs that are frequent in code and rare in tables. */
const codeSign = /[{}[\]();=<>]/;
/** The minimum share of lines with such signs. */
const minCodeShare = 0.3;

/** A number at the start of a line, the code after it, and the text beside the code. */
type NumberedLine = { number: PageWord; code: PageWord[]; beside: PageWord[] };

/** Returns a function that finds the other words on the baseline of a word, from left to right. */
function rowReader(words: readonly PageWord[]): (word: PageWord) => PageWord[] | undefined {
  const byBase = new Map<number, PageWord[]>();
  for (const word of words) {
    const key = Math.round(word.base);
    const row = byBase.get(key);
    if (row) row.push(word);
    else byBase.set(key, [word]);
  }
  return (word) => {
    const near = [-2, -1, 0, 1, 2].map((step) => byBase.get(Math.round(word.base) + step) ?? []);
    if (near.some((row) => row.length > maxRowWords)) return undefined;
    return near
      .flat()
      .filter((other) => other !== word && shareBaseline(other, word))
      .sort((a, b) => a.box[0] - b.box[0]);
  };
}

/** Returns a line if it begins with a number, before monospaced text or a wide gap. */
function numberedLine(
  number: PageWord,
  readRow: (word: PageWord) => PageWord[] | undefined,
): NumberedLine | undefined {
  const row = readRow(number);
  if (!row) return undefined;
  const [x0, , x1] = number.box;
  const before = row.findLast(({ box }) => box[0] < x0);
  if (before && x0 - before.box[2] < minGap * number.size) return undefined;
  const after = row.filter(({ box }) => box[0] >= x0);
  const end = after.findIndex(({ mono }) => !mono);
  const [code, beside] = end < 0 ? [after, []] : [after.slice(0, end), after.slice(end)];
  const [first] = code;
  if (first && first.box[0] - x1 > maxIndent * first.size) return undefined;
  const [next] = beside;
  if (next && next.box[0] - (code.at(-1)?.box[2] ?? x1) < minGap * next.size) return undefined;
  return { number, code, beside };
}

/** Whether the next line continues a listing: its number follows, with the same left or right edge. */
function continues({ number: last }: NumberedLine, { number: next }: NumberedLine): boolean {
  const step = Number(next.text) - Number(last.text);
  const distance = next.base - last.base;
  const isAligned =
    Math.abs(next.box[0] - last.box[0]) < 1 || Math.abs(next.box[2] - last.box[2]) < 1;
  const maxDistance = 3 * step * maxPitch * next.size;
  return isAligned && step >= 1 && step <= maxStep && distance > 0 && distance < maxDistance;
}

/** Returns the runs of lines whose numbers follow each other, from top to bottom. */
function runsOf(lines: readonly NumberedLine[]): NumberedLine[][] {
  const runs: NumberedLine[][] = [];
  for (const line of lines.toSorted((a, b) => a.number.base - b.number.base)) {
    const run = runs.findLast((one) => {
      const last = one.at(-1);
      return last !== undefined && continues(last, line);
    });
    if (run) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** Whether rules separate most of the lines, as in a table. */
function areRuledApart(lines: readonly NumberedLine[], { across }: PageRules): boolean {
  const separated = lines.slice(1).filter(({ number }, at) => {
    const above = lines[at]?.number ?? number;
    return across.some(
      ({ at: y, from, to }) =>
        y > above.base && y < number.base && from < number.box[2] && to > number.box[0],
    );
  });
  return 2 * separated.length > lines.length - 1;
}

/** Whether numbered lines are a listing: they are close, and look like code. */
function isListing(
  lines: readonly NumberedLine[],
  words: readonly PageWord[],
  rules: PageRules,
): boolean {
  const filled = lines.filter(({ code }) => code.length > 0);
  const [first] = lines;
  if (!first || filled.length < minLines || areRuledApart(lines, rules)) return false;
  // Text beside the code is a paragraph in another column, or the next cell of a table.
  const shared = lines.filter(({ beside }) => beside.length > 0);
  const prose = shared.filter(({ beside }) => beside.length >= minProseWords);
  if (2 * prose.length < shared.length) return false;
  const codeSize = median(filled.map(({ code }) => code[0]?.size ?? 0));
  const pitches = lines
    .slice(1)
    .map(({ number }, at) => number.base - (lines[at]?.number.base ?? 0));
  // Lines that are too long have further lines below them.
  if (Math.min(...pitches) > maxPitch * codeSize) return false;
  const signs = filled.filter(({ code }) => code.some(({ text }) => codeSign.test(text))).length;
  if (signs >= minCodeShare * filled.length) return true;
  // Without signs of code, the numbers must be in another style, and without a head above them.
  const areMarginal = lines.every(({ number }) => !number.mono || number.size < 0.9 * codeSize);
  const hasHead = words.some(
    ({ box, base }) =>
      base < first.number.base - 0.5 * codeSize &&
      base > first.number.base - 2 * maxPitch * codeSize &&
      box[0] < first.number.box[2] + 0.5 * codeSize &&
      box[2] > first.number.box[0] - 0.5 * codeSize &&
      box[2] - box[0] < 6 * codeSize,
  );
  return areMarginal && !hasHead && filled.length >= minPlainLines;
}

/** Finds the code listings with line numbers: the numbers, and the words of each listing. */
export function findListings(
  words: readonly PageWord[],
  rules: PageRules,
): { numbers: Set<PageWord>; listings: PageWord[][] } {
  const numbers = new Set<PageWord>();
  const listings: PageWord[][] = [];
  const candidates = words.filter(({ text }) => lineNumber.test(text));
  if (candidates.length < minLines || candidates.length > maxNumbers) return { numbers, listings };
  if (!words.some(({ mono }) => mono)) return { numbers, listings };
  const readRow = rowReader(words);
  const lines = candidates.flatMap((word) => numberedLine(word, readRow) ?? []);
  for (const run of runsOf(lines)) {
    if (!isListing(run, words, rules)) continue;
    for (const { number } of run) numbers.add(number);
    listings.push(codeOf(run, words));
  }
  return { numbers, listings };
}

/**
 * Returns the monospaced words on the right of a listing's numbers, as far as the code extends.
 * Lines that are too long continue on lines without a number.
 */
function codeOf(lines: readonly NumberedLine[], words: readonly PageWord[]): PageWord[] {
  const own = lines.flatMap((line) => line.code);
  const left = Math.min(...own.map(({ box }) => box[0]));
  const right = Math.max(...own.map(({ box }) => box[2]));
  const [first, last] = [lines[0]?.number, lines.at(-1)?.number];
  if (!first || !last) return own;
  return words.filter(
    ({ mono, box, base }) =>
      mono &&
      box[0] >= left - 1 &&
      box[2] <= right + 1 &&
      base > first.base - 0.5 * first.size &&
      base < last.base + 0.5 * last.size,
  );
}
