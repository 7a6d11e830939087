import type { PiiFinding } from './finding.ts';
import { firstWhere } from './first-where.ts';

/** Gaps between the words of a line: spaces of any kind except tabs. */
const gaps = /(?<=\S)[^\S\t\n\v\f\r]+(?=\S)/g;
const wideGap = /\S[^\S\t\n\v\f\r]{2}/;
/** Maximum width of a gap that is read as one space, in characters. */
const maxGapWidth = 8;
/** Minimum number of gaps, all of the same width, in a paragraph that is spaced out. */
const minGaps = 3;

/** Consecutive spaces that are read as one space, and the column after them. */
type Gap = { start: number; end: number; column: number };

/**
 * Finds values in text with several spaces between its words, by searching the text with single
 * spaces: in paragraphs that are spaced out, and between words that are not in columns.
 * @param find the function that finds values in a text
 */
export function findSpaced(text: string, find: (text: string) => PiiFinding[]): PiiFinding[] {
  if (!wideGap.test(text)) return [];
  return [...paragraphsOf(text)].flatMap(([from, to]) => {
    const paragraph = text.slice(from, to);
    const collapsible = wideGap.test(paragraph) ? collapsibleGaps(paragraph) : [];
    if (collapsible.length === 0) return [];
    const { text: collapsed, original } = collapseGaps(paragraph, collapsible);
    return find(collapsed).map((finding) => ({
      ...finding,
      start: from + original(finding.start),
      end: from + original(finding.end - 1) + 1,
    }));
  });
}

/** Yields the ranges of consecutive lines without a blank line. */
function* paragraphsOf(text: string): Generator<[from: number, to: number]> {
  let start = -1;
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next < 0 ? text.length : next;
    const isBlank = text.slice(from, end).trim() === '';
    if (!isBlank && start < 0) start = from;
    if (isBlank && start >= 0) {
      yield [start, from - 1];
      start = -1;
    }
    from = end + 1;
  }
  if (start >= 0) yield [start, text.length];
}

function collapsibleGaps(text: string): Gap[] {
  const lines: Gap[][] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    lines.push(
      [...line.matchAll(gaps)].map(({ index, 0: blanks }) => ({
        start: from + index,
        end: from + index + blanks.length,
        column: index + blanks.length,
      })),
    );
    from += line.length + 1;
  }
  const allGaps = lines.flat();
  const firstWidth = allGaps[0] ? widthOf(allGaps[0]) : 0;
  if (
    allGaps.length >= minGaps &&
    allGaps.every((gap) => isWide(gap) && widthOf(gap) === firstWidth)
  )
    return allGaps;
  const columns = lines.map((line) => line.filter(isWide).map(({ column }) => column));
  return lines.flatMap((line, at) => {
    const adjacentColumns = new Set([...(columns[at - 1] ?? []), ...(columns[at + 1] ?? [])]);
    return line.filter(
      (gap) => isWide(gap) && !adjacentColumns.has(gap.column) && joinsWords(text, gap),
    );
  });
}

const widthOf = ({ start, end }: Gap): number => end - start;
const isWide = (gap: Gap): boolean => widthOf(gap) > 1 && widthOf(gap) <= maxGapWidth;

/** Whether a gap separates two words, and not numbers or a label and its value. */
const joinsWords = (text: string, { start, end }: Gap): boolean =>
  /[\p{L}.'’]/u.test(text[start - 1] ?? '') && /\p{L}/u.test(text[end] ?? '');

/** Returns a text with one space for each gap, and the map of its positions to the original. */
function collapseGaps(text: string, collapsible: readonly Gap[]) {
  let out = '';
  let at = 0;
  // The start of the text after each gap, in the new text and in the original.
  const parts = [{ here: 0, there: 0 }];
  for (const { start, end } of collapsible) {
    out += `${text.slice(at, start)} `;
    at = end;
    parts.push({ here: out.length, there: end });
  }
  const original = (position: number): number => {
    const part = parts[firstWhere(parts.length, (index) => parts[index]!.here > position) - 1];
    return part ? part.there + position - part.here : position;
  };
  return { text: out + text.slice(at), original };
}
