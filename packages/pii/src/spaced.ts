import type { PiiFinding } from './finding.ts';
import { firstWhere } from './first-where.ts';

/** Gaps between the words of a line: blanks of any kind, but no tab. */
const gaps = /(?<=\S)[^\S\t\n\v\f\r]+(?=\S)/g;
const wideGap = /\S[^\S\t\n\v\f\r]{2}/;
/** Maximum width of a gap within a value for the checks. */
const widest = 8;
/** Minimum number of gaps, all of one width, in a spaced-out paragraph. */
const minGaps = 3;

/** Spaces that are read as one, and the column of their line after them. */
type Gap = { start: number; end: number; column: number };

/**
 * Finds values in text whose words are several spaces apart, in the same text with one space
 * between them: in paragraphs that are spaced out, and between words that are not set in columns.
 * @param find what reads a text
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

/** Yields the ranges of consecutive lines without a blank one. */
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

/** Whether a gap separates words, not numbers or a label and its value. */
const joinsWords = (text: string, { start, end }: Gap): boolean =>
  /[\p{L}.'’]/u.test(text[start - 1] ?? '') && /\p{L}/u.test(text[end] ?? '');

/** A text with one blank for each gap, and where its characters are in the original. */
function withOneBlank(text: string, closed: readonly Gap[]) {
  let out = '';
  let at = 0;
  // Where the text behind each gap begins, here and in the original.
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
