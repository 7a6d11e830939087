import type { PageText } from '@scriptorium/contracts/wire/library/page-text';

/** Left, top, right and bottom, in points of the page. */
type Box = readonly [number, number, number, number];

/** A match of the search, with a box on each line that it covers. */
export interface TextMatch {
  page: number;
  boxes: readonly Box[];
}

const rightToLeft = /[\u0590-\u08ff]/;

/** Removes differences of case, accents and letter forms. */
const normalizeText = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export const normalizeQuery = (text: string): string =>
  normalizeText(text).replace(/\s+/g, ' ').trim();

/**
 * Returns the matches of a query, as returned by `normalizeQuery`, on a page.
 * @param options.wordStarts leaves out matches within a word
 */
export function findMatches(
  { page, words }: PageText,
  query: string,
  options: { wordStarts?: boolean } = {},
): TextMatch[] {
  if (query === '') return [];
  const normalizedWords = words.map(({ text }) => normalizeText(text));
  const starts: number[] = [];
  let pageString = '';
  for (const part of normalizedWords) {
    starts.push(pageString.length);
    pageString += `${part} `;
  }
  const matches: TextMatch[] = [];
  let word = 0;
  for (let from = pageString.indexOf(query); from >= 0; ) {
    const to = from + query.length;
    if (
      options.wordStarts &&
      /[\p{L}\p{N}]$/u.test(pageString.slice(Math.max(0, from - 2), from))
    ) {
      from = pageString.indexOf(query, to);
      continue;
    }
    while (word + 1 < starts.length && starts[word + 1]! <= from) word += 1;
    const boxes: { line: number; box: Box }[] = [];
    for (let at = word; at < words.length && starts[at]! < to; at += 1) {
      const { line, box, text } = words[at]!;
      const length = Math.max(1, normalizedWords[at]!.length);
      const isWholeWord = rightToLeft.test(text);
      const first = isWholeWord ? 0 : Math.max(0, from - starts[at]!) / length;
      const last = isWholeWord ? 1 : Math.min(length, to - starts[at]!) / length;
      const [left = 0, top = 0, right = 0, bottom = 0] = box;
      const width = right - left;
      const matchBox: Box = [left + width * first, top, left + width * last, bottom];
      const previous = boxes.at(-1);
      if (previous?.line === line) previous.box = union(previous.box, matchBox);
      else boxes.push({ line, box: matchBox });
    }
    matches.push({ page, boxes: boxes.map(({ box }) => box) });
    from = pageString.indexOf(query, to);
  }
  return matches;
}

function union(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
