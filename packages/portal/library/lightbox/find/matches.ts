import type { PageText } from '@scriptorium/contracts/wire/library/page-text';

/** Left, top, right and bottom, in points of the page. */
type Box = readonly [number, number, number, number];

/** A match of the search: a box on each line that it extends over. */
export interface Hit {
  page: number;
  boxes: readonly Box[];
}

const fromRight = /[\u0590-\u08ff]/;

/** Case, accents and letter forms are ignored. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export const soughtIn = (typed: string): string => plain(typed).replace(/\s+/g, ' ').trim();

/** Returns the matches of a text, as returned by `soughtIn`, on a page. */
export function hitsOn({ page, words }: PageText, sought: string): Hit[] {
  if (sought === '') return [];
  const parts = words.map(({ text }) => plain(text));
  const starts: number[] = [];
  let whole = '';
  for (const part of parts) {
    starts.push(whole.length);
    whole += `${part} `;
  }
  const hits: Hit[] = [];
  let word = 0;
  for (let from = whole.indexOf(sought); from >= 0; ) {
    const to = from + sought.length;
    while (word + 1 < starts.length && starts[word + 1]! <= from) word += 1;
    const boxes: { line: number; box: Box }[] = [];
    for (let at = word; at < words.length && starts[at]! < to; at += 1) {
      const { line, box, text } = words[at]!;
      const length = Math.max(1, parts[at]!.length);
      const isWhole = fromRight.test(text);
      const first = isWhole ? 0 : Math.max(0, from - starts[at]!) / length;
      const last = isWhole ? 1 : Math.min(length, to - starts[at]!) / length;
      const [left = 0, top = 0, right = 0, bottom = 0] = box;
      const width = right - left;
      const part: Box = [left + width * first, top, left + width * last, bottom];
      const before = boxes.at(-1);
      if (before?.line === line) before.box = around(before.box, part);
      else boxes.push({ line, box: part });
    }
    hits.push({ page, boxes: boxes.map(({ box }) => box) });
    from = whole.indexOf(sought, to);
  }
  return hits;
}

function around(one: Box, other: Box): Box {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}
