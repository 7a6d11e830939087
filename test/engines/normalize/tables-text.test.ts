import { expect } from 'chai';
import { findTables, type TableWord } from '../../../src/engines/normalize/pages/tables/index.ts';
import { across, line, pageOf, textsOf } from './table-pages.ts';

/** Texts side by side at the given positions. */
const row = (texts: readonly string[], xs: readonly number[], base: number): TableWord[] =>
  texts.flatMap((text, at) => (text === '' ? [] : line(text, xs[at] ?? 0, base)));

describe('tables of text without spacing between rows', () => {
  const xs = [50, 200, 400];

  it('join the lines of cells that break where their column is full', () => {
    const lines = [
      ['Risk', 'Measure', 'Owner'],
      ['Delay of permits', 'Apply in two steps and agree on the', 'Site lead'],
      ['', 'sequence with the authority before', ''],
      ['', 'the tender', ''],
      ['Ground water above the', 'Two more wells and weekly readings', 'Geology'],
      ['level of the design', 'by the site lead', ''],
      ['Loss of key staff', 'Pairs for each role', 'Personnel'],
    ];
    const page = pageOf(lines.flatMap((texts, at) => row(texts, xs, 120 + at * 12)));
    expect(textsOf(page, findTables(page)[0])).to.deep.equal([
      ['Risk', 'Measure', 'Owner'],
      [
        'Delay of permits',
        'Apply in two steps and agree on the sequence with the authority before the tender',
        'Site lead',
      ],
      [
        'Ground water above the level of the design',
        'Two more wells and weekly readings by the site lead',
        'Geology',
      ],
      ['Loss of key staff', 'Pairs for each role', 'Personnel'],
    ]);
  });

  it('keep rows of the same group apart, where the first column is empty', () => {
    const lines = [
      ['Kind', 'Item', 'State', 'Price'],
      ['Bakery', 'Rye loaf', 'fresh', '5.59'],
      ['', 'Poppy roll', 'stale', '4.34'],
      ['', 'Plait', 'sold out', '3.09'],
      ['Dairy', 'Milk', 'cooled', '1.19'],
      ['', 'Quark', 'cooled', '4.51'],
    ];
    const page = pageOf(
      lines.flatMap((texts, at) => row(texts, [50, 200, 300, 400], 120 + at * 12)),
    );
    expect(findTables(page)[0]?.rows).to.equal(6);
  });
});

describe('tables whose rules are alike', () => {
  const table = (from: number, value: number, left = 50): TableWord[] => [
    ...row(['Place', 'Depth'], [left + 5, left + 205], from + 13),
    ...row(['River', `${value}`], [left + 5, left + 205], from + 33),
    ...row(['Lake', `${value + 1}`], [left + 5, left + 205], from + 53),
  ];
  const rules = (from: number, left = 50): ReturnType<typeof across>[] =>
    [0, 20, 60].map((at) => across(from + at, left, 450 - left));
  const cells = (value: number): string[][] => [
    ['Place', 'Depth'],
    ['River', `${value}`],
    ['Lake', `${value + 1}`],
  ];

  it('are two where a heading is between them', () => {
    const heading = line('Measurements of the second year', 50, 178).map((word) => ({
      ...word,
      size: 12,
    }));
    const words = [...table(100, 12), ...heading, ...table(188, 44)];
    const page = pageOf(words, { across: [...rules(100), ...rules(188)] });
    const found = findTables(page).map((one) => textsOf(page, one));
    expect(found).to.deep.equal([cells(12), cells(44)]);
  });

  it('are two where a paragraph that runs over the ends of the rules is between them', () => {
    const words = [
      ...table(100, 12),
      ...line(
        'the council wrote that a river is to be kept clean by all who live beside it',
        20,
        180,
      ),
      ...line('and asks for help.', 20, 192),
      ...table(210, 44, 80),
      ...table(290, 77),
    ];
    const page = pageOf(words, { across: [...rules(100), ...rules(210, 80), ...rules(290)] });
    const found = findTables(page).map((one) => textsOf(page, one));
    expect(found).to.deep.equal([cells(12), cells(44), cells(77)]);
  });
});
