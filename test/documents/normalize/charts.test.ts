import { expect } from 'chai';
import type { PageWord } from '../../../packages/documents/src/model/words/word.ts';
import { isChart } from '../../../packages/documents/src/normalize/pages/charts.ts';
import { findTables } from '../../../packages/documents/src/normalize/pages/tables/index.ts';
import type { Box } from '../../../packages/documents/src/results.ts';
import { line, pageOf } from './table-pages.ts';

/** A word of a PDF in a regular font. */
const toPageWord = (word: ReturnType<typeof line>[number]): PageWord => ({
  ...word,
  blankBefore: true,
  blankAfter: true,
  confidence: 1,
  source: 'pdf',
  mark: -1,
  href: null,
  italic: false,
  mono: false,
  math: false,
});

const shares: [string, string][] = [
  ['Germany', '12 %'],
  ['France', '31 %'],
  ['Spain', '23 %'],
  ['Italy', '34 %'],
];
/** The entries of a legend with values, and optionally a head. */
const entries = (head: boolean) => [
  ...(head ? [...line('Country', 100, 84, true), ...line('Share', 200, 84, true)] : []),
  ...shares.flatMap(([name, share], at) => [
    ...line(name, 100, 100 + at * 16),
    ...line(share, 200, 100 + at * 16),
  ]),
];
/** A square before each entry. */
const swatches = shares.map((_, at): Box => [86, 92 + at * 16, 94, 100 + at * 16]);

function isChartOf(
  words: ReturnType<typeof line>,
  shapes: { drawings?: Box[]; swatches?: Box[] },
): boolean {
  const [table] = findTables(pageOf(words));
  if (!table) throw new Error('no table');
  return isChart(table, words.map(toPageWord), { drawings: [], swatches: [], ...shapes });
}

describe('the labels of a chart', () => {
  it('are not a table if they are a legend, with a drawn sign before each entry', () => {
    expect(isChartOf(entries(false), { swatches })).to.equal(true);
    expect(isChartOf(entries(false), { swatches: [] })).to.equal(false);
  });

  it('are a table if the signs are below a head', () => {
    expect(isChartOf(entries(true), { swatches })).to.equal(false);
  });

  it('are not a table if they are two columns in a drawing', () => {
    expect(isChartOf(entries(false), { drawings: [[50, 50, 300, 200]] })).to.equal(true);
    expect(isChartOf(entries(false), { drawings: [[50, 50, 300, 110]] })).to.equal(false);
  });
});
