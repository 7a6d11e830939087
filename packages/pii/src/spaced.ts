import type { PiiFinding } from './finding.ts';
import { firstWhere } from './first-where.ts';

/** Gaps between the words of a line: spaces of any kind except tabs. */
const gaps = /(?<=\S)[^\S\t\n\v\f\r]+(?=\S)/g;
const wideGap = /\S[^\S\t\n\v\f\r]{2}/;
/** Maximum width of a gap that is read as one space, in characters. */
const widest = 8;
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
    const own = text.slice(from, to);
    const closed = wideGap.test(own) ? gapsToClose(own) : [];
    if (closed.length === 0) return [];
    const { text: read, original } = withOneBlank(own, closed);
    return find(read).map((found) => ({
      ...found,
      start: from + original(found.start),
      end: from + original(found.end - 1) + 1,
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

function gapsToClose(text: string): Gap[] {
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
  const all = lines.flat();
  const usual = all[0] ? widthOf(all[0]) : 0;
  if (all.length >= minGaps && all.every((gap) => isWide(gap) && widthOf(gap) === usual))
    return all;
  const columns = lines.map((line) => line.filter(isWide).map(({ column }) => column));
  return lines.flatMap((line, at) => {
    const beside = new Set([...(columns[at - 1] ?? []), ...(columns[at + 1] ?? [])]);
    return line.filter((gap) => isWide(gap) && !beside.has(gap.column) && joinsWords(text, gap));
  });
}

const widthOf = ({ start, end }: Gap): number => end - start;
const isWide = (gap: Gap): boolean => widthOf(gap) > 1 && widthOf(gap) <= widest;

/** Whether a gap separates two words, and not numbers or a label and its value. */
const joinsWords = (text: string, { start, end }: Gap): boolean =>
  /[\p{L}.'’]/u.test(text[start - 1] ?? '') && /\p{L}/u.test(text[end] ?? '');

/** Returns a text with one space for each gap, and the map of its positions to the original. */
function withOneBlank(text: string, closed: readonly Gap[]) {
  let out = '';
  let at = 0;
  // The start of the text after each gap, in the new text and in the original.
  const parts = [{ here: 0, there: 0 }];
  for (const { start, end } of closed) {
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
