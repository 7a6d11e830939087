import type { Box } from '../../../results.ts';
import { finishTable } from './assemble.ts';
import { latticesOf, type TableCandidate } from './lattice/index.ts';
import { prepareRules } from './rules/table-rules.ts';
import { alignedTables } from './text/aligned.ts';
import { bandedTables, overlaps } from './text/banded.ts';
import { hasSpaces, tableLines } from './text/lines.ts';
import type { FoundTable, TablePage, TableWord } from './types.ts';

export { detectRules } from './rules/detect-rules.ts';
export { rulesDpi, scannedRules } from './rules/scanned.ts';
export type * from './types.ts';

/** The maximum number of words of a page that is searched for tables. Readable pages have fewer. */
const maxWords = 60_000;

/** Returns a function that finds the words whose middle is in a box. It searches by baseline. */
function wordsWithin(words: readonly TableWord[]): (box: Box) => number[] {
  const order = Uint32Array.from(words.keys());
  order.sort((a, b) => (words[a]?.base ?? 0) - (words[b]?.base ?? 0));
  const middleOf = ({ base, size }: TableWord): number => base - 0.3 * size;
  const largest = words.reduce((max, { size }) => Math.max(max, size), 0);
  return ([x0, y0, x1, y1]) => {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((words[order[middle] ?? 0]?.base ?? 0) < y0) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let at = low; at < order.length; at += 1) {
      const index = order[at] ?? 0;
      const word = words[index];
      if (!word || word.base > y1 + 0.3 * largest) break;
      const x = (word.box[0] + word.box[2]) / 2;
      const y = middleOf(word);
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) found.push(index);
    }
    return found;
  };
}

/** Returns a word without its information about adjacent spaces. */
const withoutSpaces = ({ text, box, base, size, bold }: TableWord): TableWord => ({
  text,
  box,
  base,
  size,
  bold,
});

/**
 * Finds the tables of a page, from top to bottom, in three passes: tables with lines between all
 * cells, then tables with lines between some rows only, then tables that only have aligned text. A
 * word is in at most one table.
 */
export function findTables(page: TablePage): FoundTable[] {
  if (page.words.length === 0 || page.words.length > maxWords) return [];
  const lines = tableLines(page.words, [...page.words.keys()]);
  const words = hasSpaces(page.words, lines) ? page.words : page.words.map(withoutSpaces);
  const rules = prepareRules(page, lines);
  const taken = new Uint8Array(words.length);
  const findWords = wordsWithin(words);
  const freeWordsIn = (box: Box): number[] => findWords(box).filter((index) => taken[index] === 0);
  const tables: TableCandidate[] = [];
  const take = (found: readonly TableCandidate[]): void => {
    for (const candidate of found) {
      if (tables.some(({ region }) => overlaps(region, candidate.region))) continue;
      tables.push(candidate);
      for (const { words: own } of candidate.draft.cells) for (const index of own) taken[index] = 1;
    }
  };
  const lattices = latticesOf(words, rules, freeWordsIn);
  lattices.sort((a, b) => b.draft.cells.length - a.draft.cells.length);
  take(lattices);
  take(bandedTables(words, rules, freeWordsIn));
  const remainingWords = [...words.keys()].filter((index) => taken[index] === 0);
  const remainingLines =
    remainingWords.length === words.length ? lines : tableLines(words, remainingWords);
  take(alignedTables({ ...page, words }, rules, remainingLines));
  return tables
    .map(({ draft }) => finishTable(draft, words))
    .sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]);
}
