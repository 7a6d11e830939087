import { expect } from 'chai';
import {
  findTables,
  type TableWord,
} from '../../../packages/documents/src/normalize/pages/tables/index.ts';
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

describe('columns of text', () => {
  it('contain the tolerances of their values', () => {
    const lines = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'].map((name, at) => [
      name,
      `${9 - at}0.4${at}`,
      `0.92${at}`,
      '±',
      `0.00${at}`,
      `0.06${at}`,
    ]);
    const words = [
      ...row(['Model', 'Accuracy', 'Score of all', 'p'], [50, 100, 162, 240], 117),
      ...lines.flatMap((texts, at) => row(texts, [50, 115, 160, 192, 204, 240], 134 + at * 12)),
    ];
    const page = pageOf(words, { across: [106, 122, 200].map((at) => across(at, 45, 270)) });
    expect(textsOf(page, findTables(page)[0])[1]).to.deep.equal([
      'v1',
      '90.40',
      '0.920 ± 0.000',
      '0.060',
    ]);
  });
});

describe('heads of columns', () => {
  it('are in two rows where those of the first are each centred over two', () => {
    const xs = [50, 150, 200, 250, 300];
    const words = [
      ...row(['Method', 'Testing', 'Working'], [50, 173, 273], 112),
      ...row(['', 'Good', 'Bad', 'Good', 'Bad'], xs, 124),
      ...['Plain', 'Pruned', 'Mixed'].flatMap((name, at) =>
        row([name, `6${at}.6`, `9${at}.9`, `4${at}.9`, `5${at}.1`], xs, 144 + at * 12),
      ),
    ];
    const page = pageOf(words, { across: [100, 130, 175].map((at) => across(at, 45, 330)) });
    expect(textsOf(page, findTables(page)[0]).slice(0, 2)).to.deep.equal([
      ['Method', 'Testing 1x2', 'Working 1x2'],
      ['', 'Good', 'Bad', 'Good', 'Bad'],
    ]);
  });

  it('share a rule that is under two of them', () => {
    const xs = [50, 150, 200, 250, 300];
    const words = [
      ...row(['First year', 'Second year'], [160, 260], 112),
      ...row(['Group', 'Mean', 'SD', 'Mean', 'SD'], xs, 126),
      ...['Control', 'Treated', 'Mixed'].flatMap((name, at) =>
        row([name, `${at}.20`, `0.1${at}`, `${at}.32`, `0.2${at}`], xs, 144 + at * 12),
      ),
    ];
    const rules = [100, 130, 175].map((at) => across(at, 45, 330));
    const page = pageOf(words, { across: [...rules, across(116, 145, 330)] });
    expect(textsOf(page, findTables(page)[0]).slice(0, 2)).to.deep.equal([
      ['', 'First year 1x2', 'Second year 1x2'],
      ['Group', 'Mean', 'SD', 'Mean', 'SD'],
    ]);
  });

  it('extend over the columns that they are centred above, beside a column without such a head', () => {
    const xs = [50, 150, 210, 270, 330];
    const words = [
      ...row(['Boys', 'Girls'], [180, 298], 112),
      ...row(['School', '2024', '2025', '2024', '2025'], xs, 128),
      ...['Hill', 'Lake', 'Park'].flatMap((name, at) =>
        row([name, `${at}120`, `${at}130`, `${at}118`, `${at}125`], xs, 144 + at * 16),
      ),
    ];
    const page = pageOf(words);
    expect(textsOf(page, findTables(page)[0]).slice(0, 3)).to.deep.equal([
      ['', 'Boys 1x2', 'Girls 1x2'],
      ['School', '2024', '2025', '2024', '2025'],
      ['Hill', '0120', '0130', '0118', '0125'],
    ]);
  });

  it('extend over groups of different sizes', () => {
    const xs = [50, 110, 150, 190, 230, 270];
    const words = [
      ...row(['Upper', 'Lower'], [147.5, 247.5], 112),
      ...row(['Year', 'Min', 'Mid', 'Max', 'Min', 'Max'], xs, 126),
      ...[2018, 2019, 2020, 2021].flatMap((year, at) =>
        row([`${year}`, `${at}.1`, `${at}.4`, `${at}.9`, `${at}.3`, `${at}.7`], xs, 144 + at * 12),
      ),
    ];
    const rules = [100, 130, 190].map((at) => across(at, 45, 300));
    const page = pageOf(words, { across: [...rules, across(116, 105, 300)] });
    expect(textsOf(page, findTables(page)[0])[0]).to.deep.equal(['', 'Upper 1x3', 'Lower 1x2']);
  });

  it('make a table of two columns of text if they are bold and rows are set apart', () => {
    const rows = [
      ['E01', 'Sensor not connected'],
      ['E02', 'Water level too low for the pump'],
      ['E07', 'Motor blocked'],
      ['W11', 'Filter due for replacement'],
    ];
    const body = rows.flatMap((texts, at) => row(texts, [50, 100], 138 + at * 17));
    const head = (bold: boolean): TableWord[] => [
      ...line('Code', 50, 121, bold),
      ...line('Meaning', 100, 121, bold),
    ];
    expect(findTables(pageOf([...head(true), ...body]))[0]?.rows).to.equal(5);
    expect(findTables(pageOf([...head(false), ...body]))).to.deep.equal([]);
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

describe('tables with a rule under each row', () => {
  it('keep a row with a cell of many lines', () => {
    const words = [
      ...row(['Animal', 'Action', 'Result'], [50, 150, 250], 112),
      ...row(['Cat', 'Says', 'Meow'], [50, 150, 250], 130),
      ...row(['Fox', 'Says', 'Ring'], [50, 150, 250], 148),
      ...['dingding and so', 'on for five of', 'the lines that', 'are in its cell'].flatMap(
        (text, at) => line(text, 250, 160 + at * 12),
      ),
    ];
    const page = pageOf(words, { across: [100, 117, 135, 203].map((at) => across(at, 45, 350)) });
    expect(textsOf(page, findTables(page)[0])).to.deep.equal([
      ['Animal', 'Action', 'Result'],
      ['Cat', 'Says', 'Meow'],
      ['Fox', 'Says', 'Ring dingding and so on for five of the lines that are in its cell'],
    ]);
  });
});

describe('tables beside other text', () => {
  it('keep the lines of a ruled row together although sentences in it contain numbers', () => {
    const xs = [55, 155, 325];
    const words = [
      ...row(['Area', 'State', 'Action'], xs, 112),
      ...row(
        ['Base', 'Half of the value is set aside for', 'Only two of them kept a full record'],
        xs,
        132,
      ),
      ...row(
        ['', 'the annex, and 87% for all of the', '1990 and of all the other years to'],
        xs,
        144,
      ),
      ...row(['', 'others, since 1996', 'and 2004'], xs, 156),
      ...row(['Lid', 'None', 'None'], xs, 172),
    ];
    const page = pageOf(words, {
      across: [100, 119, 160, 180].map((at) => across(at, 50, 500)),
      down: [50, 150, 320, 500].map((at) => across(at, 100, 180)),
    });
    expect(findTables(page)[0]?.rows).to.equal(3);
  });

  it('begin below the names and values above them', () => {
    const xs = [70, 100, 300, 400];
    const words = [
      ...row(['Date', '4 March 2025'], [63, 146], 200),
      ...row(['Customer', 'C-5521'], [63, 146], 211),
      ...row(['Due', '3 April 2025'], [63, 146], 222),
      ...row(['Pos', 'Article', 'Qty', 'Price'], xs, 244),
      ...row(['1', 'Stoneground rye and wheat', '12', '18.40'], xs, 260),
      ...row(['2', 'Proving baskets', '30', '17.95'], xs, 276),
      ...row(['3', 'Service call', '15', '64.00'], xs, 292),
      ...row(['4', 'Seed blend', '41', '11.20'], xs, 308),
    ];
    const page = pageOf(words, { across: [across(249, 63, 425)] });
    const [table, ...others] = findTables(page);
    expect(others).to.deep.equal([]);
    expect(textsOf(page, table)[0]).to.deep.equal(['Pos', 'Article', 'Qty', 'Price']);
  });

  it('have their own lines beside a column whose lines are at other heights', () => {
    const beside = Array.from({ length: 14 }, (_, at) =>
      line('the council wrote that a river is to be kept', 310, 100 + at * 11),
    ).flat();
    const above = Array.from({ length: 6 }, (_, at) =>
      line('clean by all who live beside its banks or', 50, 100 + at * 11),
    ).flat();
    const xs = [60, 140, 220];
    const words = [
      ...beside,
      ...above,
      ...row(['From', 'Weekdays', 'Sundays'], xs, 178),
      ...row(['Anselm', '06:10', '08:00'], xs, 190),
      ...row(['Skerry', '07:25', '09:20'], xs, 202),
      ...row(['Kilbrae', '08:05', '10:05'], xs, 214),
    ].map((word) => (word.base > 170 && word.box[0] < 300 ? { ...word, size: 9 } : word));
    const page = pageOf(words, { across: [across(183, 55, 290)] });
    expect(findTables(page).map((one) => textsOf(page, one))).to.deep.equal([
      [
        ['From', 'Weekdays', 'Sundays'],
        ['Anselm', '06:10', '08:00'],
        ['Skerry', '07:25', '09:20'],
        ['Kilbrae', '08:05', '10:05'],
      ],
    ]);
  });
});

describe('tables with lines only between columns', () => {
  it('keep rows apart that only have a label', () => {
    const xs = [50, 150, 220];
    const texts = [
      ['', '2023', '2024'],
      ['exports', '11.9', '15.1'],
      ['imports', '', ''],
      ['of goods', '7.8', '3.1'],
      ['of services', '6.5', '0.9'],
    ];
    const words = texts.flatMap((own, at) => row(own, xs, 112 + at * 12));
    const down = [45, 140, 210, 280].map((at) => across(at, 100, 166));
    const page = pageOf(words, { across: [100, 166].map((at) => across(at, 45, 280)), down });
    expect(textsOf(page, findTables(page)[0])).to.deep.equal(texts);
  });

  it('keep a label of two lines in the row that it is centred beside', () => {
    const xs = [50, 150, 220, 290];
    const words = [
      ...row(['Model', 'Plain', 'Focused', 'Difference'], xs, 112),
      ...row(['Gemma', '11.68', '7.68', '4.00'], xs, 130),
      ...line('Phi', 50, 142),
      ...row(['23.23', '22.50', '0.73'], xs.slice(1), 148),
      ...line('mini', 50, 154),
      ...row(['Llama', '24.10', '23.12', '0.98'], xs, 166),
    ];
    const down = [45, 140, 210, 280, 360].map((at) => across(at, 100, 172));
    const page = pageOf(words, { across: [100, 117, 172].map((at) => across(at, 45, 360)), down });
    expect(textsOf(page, findTables(page)[0])).to.deep.equal([
      ['Model', 'Plain', 'Focused', 'Difference'],
      ['Gemma', '11.68', '7.68', '4.00'],
      ['Phi mini', '23.23', '22.50', '0.73'],
      ['Llama', '24.10', '23.12', '0.98'],
    ]);
  });
});

describe('text that is not a table', () => {
  it('has rows in letters of different sizes', () => {
    const xs = [60, 210, 360];
    const scaled = (size: number, texts: readonly string[], base: number): TableWord[] =>
      row(texts, xs, base).map((word) => ({
        ...word,
        size,
        box: [word.box[0], base - 0.8 * size, word.box[2], base + 0.2 * size],
      }));
    const words = [
      ...scaled(30, ['2.5', '1st', '70%'], 100),
      ...scaled(14, ['tonnes', 'plant', 'power'], 128),
      ...row(['share of plants', 'number of lines', 'from the coast'], xs, 146),
      ...row(['in the region', 'on that system', 'of the country'], xs, 158),
      ...row(['in the past year', 'of pipes at sea', 'by the station'], xs, 170),
    ];
    expect(findTables(pageOf(words))).to.deep.equal([]);
  });

  it('is between rules that are alike, but not aligned', () => {
    const words = [
      ...row(['(a) Spiral', '(b) Sine curve'], [80, 290], 120),
      ...row(['Figure 1.8:', 'Examples of spaces'], [50, 170], 140),
      ...row(['n is 1', 'n is 2'], [90, 240], 160),
      ...row(['Let C be', 'a curve in the plane'], [60, 200], 180),
      ...line('The theorem of Jordan', 60, 215),
    ];
    const page = pageOf(words, { across: [60, 200, 225].map((at) => across(at, 45, 450)) });
    expect(findTables(page)).to.deep.equal([]);
  });
});
