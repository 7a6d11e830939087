import { expect } from 'chai';
import type { LevelPage } from '../../../packages/documents/src/model/words/level-page.ts';
import { tablesOf } from '../../../packages/documents/src/normalize/pages/page-tables.ts';
import {
  findTables,
  type TableWord,
} from '../../../packages/documents/src/normalize/pages/tables/index.ts';
import { across, line, pageOf, textsOf } from './table-pages.ts';

const prose = (base: number): TableWord[] =>
  Array.from({ length: 5 }, (_, at) =>
    line(
      'the council wrote that a river is to be kept clean by all who live beside its banks',
      50,
      base + at * 12,
    ),
  ).flat();

describe('table detection', () => {
  it('finds cells between crossing lines, including merged cells', () => {
    const page = pageOf(
      [
        ...line('Name', 55, 112),
        ...line('Size', 155, 112),
        ...line('Both', 55, 132),
        ...line('Pine', 55, 152),
        ...line('12', 155, 152),
        ...line('tall', 55, 164),
      ],
      {
        across: [100, 120, 140, 170].map((at) => across(at, 50, 250)),
        down: [
          across(50, 100, 170),
          { at: 150, from: 100, to: 120, thickness: 0.5 },
          { at: 150, from: 140, to: 170, thickness: 0.5 },
          across(250, 100, 170),
        ],
      },
    );
    const [table, ...others] = findTables(page);
    expect(others).to.deep.equal([]);
    expect(table?.foundBy).to.equal('lattice');
    expect(textsOf(page, table)).to.deep.equal([
      ['Name', 'Size'],
      ['Both 1x2'],
      ['Pine tall', '12'],
    ]);
  });

  it('separates the columns of a body that only has a line around it', () => {
    const rows = ['Pine', 'Oak', 'Elm', 'Ash'].flatMap((name, at) => [
      ...line(name, 55, 132 + at * 14),
      ...line(`${at}42`, 155, 132 + at * 14),
      ...line(`${at} cm`, 255, 132 + at * 14),
    ]);
    const head = [...line('Tree', 55, 112), ...line('Age', 155, 112), ...line('Width', 255, 112)];
    const page = pageOf([...head, ...rows], {
      across: [100, 118, 182].map((at) => across(at, 50, 350)),
      down: [
        across(50, 100, 182),
        across(150, 100, 118),
        across(250, 100, 118),
        across(350, 100, 182),
      ],
    });
    expect(textsOf(page, findTables(page)[0]).slice(0, 3)).to.deep.equal([
      ['Tree', 'Age', 'Width'],
      ['Pine', '042', '0 cm'],
      ['Oak', '142', '1 cm'],
    ]);
  });

  it('closes the sides of a grid that are not drawn', () => {
    const page = pageOf(
      [
        ...line('a', 60, 112),
        ...line('b', 160, 112),
        ...line('c', 60, 132),
        ...line('d', 160, 132),
      ],
      { across: [100, 120, 140].map((at) => across(at, 50, 250)), down: [across(150, 100, 140)] },
    );
    expect(textsOf(page, findTables(page)[0])).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('finds a table with rules around and under its header, and spanning headings', () => {
    const rows = ['Pine', 'Oak', 'Elm', 'Ash'].flatMap((name, at) => [
      ...line(name, 55, 155 + at * 12),
      ...line(`1${at}.5`, 160, 155 + at * 12),
      ...line(`2${at}.5`, 230, 155 + at * 12),
      ...line(`3${at}`, 300, 155 + at * 12),
    ]);
    const page = pageOf(
      [
        ...prose(20),
        ...line('Growth in year', 170, 120),
        ...line('Tree', 55, 138),
        ...line('2019', 160, 138),
        ...line('2020', 230, 138),
        ...line('Age', 300, 138),
        ...rows,
        ...prose(240),
      ],
      { across: [...[108, 143, 196].map((at) => across(at, 50, 350)), across(125, 155, 255)] },
    );
    const tables = findTables(page);
    expect(tables).to.have.length(1);
    expect(tables[0]).to.include({ foundBy: 'rules', headerRows: 2, rows: 6, columns: 4 });
    expect(textsOf(page, tables[0]).slice(0, 3)).to.deep.equal([
      ['', 'Growth in year 1x2', ''],
      ['Tree', '2019', '2020', 'Age'],
      ['Pine', '10.5', '20.5', '30'],
    ]);
  });

  it('finds columns by their alignment alone, and joins the lines of a cell', () => {
    const rows = ['Pine tree', 'Oak', 'Elm tree', 'Ash', 'Fir'].flatMap((name, at) => [
      ...line(name, 55, 135 + at * 30),
      ...line('grows on wet', 150, 135 + at * 30),
      ...line('ground', 150, 147 + at * 30),
      ...line(`${at}42`, 300, 135 + at * 30),
    ]);
    const head = [
      ...line('Tree', 55, 105, true),
      ...line('Place', 150, 105, true),
      ...line('Count', 300, 105, true),
    ];
    const page = pageOf([...prose(20), ...head, ...rows, ...prose(320)]);
    const tables = findTables(page);
    expect(tables).to.have.length(1);
    expect(tables[0]).to.include({ foundBy: 'alignment', headerRows: 1, columns: 3 });
    expect(textsOf(page, tables[0]).slice(0, 3)).to.deep.equal([
      ['Tree', 'Place', 'Count'],
      ['Pine tree', 'grows on wet ground', '042'],
      ['Oak', 'grows on wet ground', '142'],
    ]);
  });

  it('keeps rows apart beside labels and cells that are centred between their lines', () => {
    const rows = [0, 1, 2, 3].flatMap((at) => [
      ...line(`Part ${at}`, 150, 120 + at * 18),
      ...line(`${at}42`, 300, 120 + at * 18),
    ]);
    const labels = [...line('North', 55, 129), ...line('South', 55, 165)];
    const head = [...line('Place', 55, 100), ...line('Part', 150, 100), ...line('Count', 300, 100)];
    const page = pageOf([...head, ...rows, ...labels]);
    expect(textsOf(page, findTables(page)[0])).to.deep.equal([
      ['Place', 'Part', 'Count'],
      ['North', 'Part 0', '042'],
      ['', 'Part 1', '142'],
      ['South', 'Part 2', '242'],
      ['', 'Part 3', '342'],
    ]);
    const wrapped = ['Oak', 'Elm', 'Ash', 'Fir'].flatMap((name, at) => [
      ...line(name, 55, 126 + at * 30),
      ...line('grows on wet', 150, 120 + at * 30),
      ...line('ground', 150, 132 + at * 30),
      ...line(`${at}42`, 300, 126 + at * 30),
    ]);
    const centred = pageOf([...head, ...wrapped]);
    expect(textsOf(centred, findTables(centred)[0]).slice(1, 3)).to.deep.equal([
      ['Oak', 'grows on wet ground', '042'],
      ['Elm', 'grows on wet ground', '142'],
    ]);
  });

  it('separates columns that are close together where no space is between them', () => {
    const rows = ['Pine tree', 'Oak', 'Elm tree', 'Ash tree'].flatMap((name, at) => [
      ...line(name, 55, 112 + at * 18),
      ...line(`${at}42`, 155, 112 + at * 18),
      ...line('on wet ground', 173, 112 + at * 18),
    ]);
    const spaced = rows.map(
      (word): TableWord => ({
        ...word,
        blankBefore: /^(tree|wet|ground)$/.test(word.text),
        blankAfter: /^(Pine|Elm|on|wet)$/.test(word.text),
      }),
    );
    const page = pageOf(spaced);
    const [, second] = textsOf(page, findTables(page)[0]);
    expect(second).to.deep.equal(['Oak', '142', 'on wet ground']);
  });

  it('separates tables that follow each other, by their heads', () => {
    const table = (names: string[], top: number, at: number[]): TableWord[] => [
      ...names.flatMap((name, index) => line(name, at[index] ?? 0, top, true)),
      ...[1, 2, 3].flatMap((row) =>
        names.flatMap((_, index) =>
          line(index === 0 ? `Item ${row}` : `${row}${index}5`, at[index] ?? 0, top + row * 14),
        ),
      ),
    ];
    const page = pageOf([
      ...table(['Tree', 'Age', 'Size'], 100, [55, 200, 300]),
      ...table(['Bird', 'Eggs', 'Wing', 'Tail'], 170, [55, 150, 240, 330]),
    ]);
    const tables = findTables(page);
    expect(tables.map(({ rows, columns }) => [rows, columns])).to.deep.equal([
      [4, 3],
      [4, 4],
    ]);
  });

  it('gives each head its column, also if it is aligned to another side', () => {
    const rows = [0, 1, 2, 3].flatMap((at) => [
      ...line(`Item ${at}`, 55, 120 + at * 16),
      ...line(`${at}42`, 235, 120 + at * 16),
      ...line(`${at}7`, 340, 120 + at * 16),
    ]);
    const head = [...line('Tree', 55, 100), ...line('Part', 150, 100), ...line('Age', 265, 100)];
    const page = pageOf([...head, ...rows], {
      across: [90, 106, 180].map((at) => across(at, 50, 350)),
    });
    expect(textsOf(page, findTables(page)[0])[0]).to.deep.equal(['Tree', 'Part', 'Age']);
  });

  it('counts columns from the right in right-to-left text', () => {
    const names = ['ثلاثة', 'اثنان', 'واحد'];
    const words = ['أحمد', 'سارة', 'ليلى'].flatMap((name, row) =>
      [line(`${row}5`, 55, 112 + row * 20), line(name, 155, 112 + row * 20)].flat(),
    );
    const page = pageOf(
      [...line(names[0] ?? '', 155, 92), ...line(names[2] ?? '', 55, 92), ...words],
      {
        across: [80, 100, 120, 140, 160].map((at) => across(at, 50, 250)),
        down: [across(50, 80, 160), across(150, 80, 160), across(250, 80, 160)],
      },
    );
    expect(textsOf(page, findTables(page)[0])).to.deep.equal([
      ['ثلاثة', 'واحد'],
      ['أحمد', '05'],
      ['سارة', '15'],
      ['ليلى', '25'],
    ]);
  });

  it('does not take prose, lists, contents, forms or underlined headings for tables', () => {
    const columns = Array.from({ length: 12 }, (_, at) => [
      ...line('the council wrote that a river is kept clean', 50, 100 + at * 12),
      ...line('by all who live beside its banks or near them', 320, 100 + at * 12),
    ]).flat();
    const list = Array.from({ length: 6 }, (_, at) => [
      ...line(`${at + 1}.`, 50, 300 + at * 14),
      ...line(`point number ${at * 37} of these`, 75, 300 + at * 14),
    ]).flat();
    const contents = ['Rivers', 'Banks', 'Cleaning them', 'Costs'].flatMap((name, at) => [
      ...line(`${name} ${'.'.repeat(30)}`, 50, 420 + at * 14),
      ...line(String(at * 9 + 3), 400, 420 + at * 14),
    ]);
    const form = ['Name:', 'Street:', 'Town:', 'Born:'].flatMap((label, at) => [
      ...line(label, 50, 520 + at * 16),
      ...line(`${at}99`, 150, 520 + at * 16),
    ]);
    const heading = line('Underlined heading', 50, 640);
    const page = pageOf([...columns, ...list, ...contents, ...form, ...heading], {
      across: [across(642, 50, 143), across(700, 50, 550), across(760, 50, 550)],
    });
    expect(findTables(page)).to.deep.equal([]);
  });

  it('splits rows between two rules where lines end early', () => {
    const names = [
      ['plain', 'theorem', 'Theoreme'],
      ['', 'lemma', 'Lemme'],
      ['', 'proposition', 'Proposition'],
    ];
    const words = [
      ...['Style', 'English', 'French'].flatMap((text, at) => line(text, 50 + at * 120, 112)),
      ...names.flatMap((row, at) =>
        row.flatMap((text, column) =>
          text === '' ? [] : line(text, 50 + column * 120, 132 + at * 12),
        ),
      ),
      ...['remark', 'example', 'Exemple'].flatMap((text, at) => line(text, 50 + at * 120, 176)),
      ...['case', 'case', 'Cas'].flatMap((text, at) => line(text, 50 + at * 120, 196)),
    ];
    const page = pageOf(words, {
      across: [100, 119, 162, 182, 202].map((at) => across(at, 45, 400)),
    });
    const [table] = findTables(page);
    expect(textsOf(page, table).map(([, english]) => english)).to.deep.equal([
      'English',
      'theorem',
      'lemma',
      'proposition',
      'example',
      'case',
    ]);
  });

  it('takes two columns of text for a table only if a caption calls them one', () => {
    const rows = ['river bank', 'forest edge', 'open field', 'stone wall'].flatMap((text, at) => [
      ...line(text, 50, 132 + at * 14),
      ...line(text.split(' ').reverse().join(' and '), 200, 132 + at * 14),
    ]);
    expect(findTables(pageOf(rows))).to.deep.equal([]);
    const page = pageOf([...line('Table 3: Places by what is near them', 50, 112), ...rows]);
    const [table] = findTables(page);
    expect([table?.rows, table?.columns]).to.deep.equal([4, 2]);
  });

  it('does not take contents without leaders for a table', () => {
    const chapters = ['Rivers', 'Banks', 'Floods', 'Bridges', 'Boats'].flatMap((text, at) => [
      ...line(String(at + 1), 50, 132 + at * 14, true),
      ...line(text, 80, 132 + at * 14, true),
      ...line(String(3 + at * 4), 400, 132 + at * 14, true),
    ]);
    expect(findTables(pageOf(chapters))).to.deep.equal([]);
  });

  it('does not take a code listing or the shaded footer of a slide for a table', () => {
    const listing = ['author', 'title', 'year', 'city'].flatMap((text, at) => [
      ...line(text, 50, 132 + at * 14),
      ...line(`let${at}`, 120, 132 + at * 14),
      ...line(String(1900 + at * 7), 180, 132 + at * 14),
    ]);
    const levelOf = (mono: boolean): LevelPage => ({
      words: listing.map((word) => ({
        ...word,
        blankBefore: true,
        blankAfter: true,
        confidence: 1,
        source: 'pdf',
        mark: -1,
        href: null,
        italic: false,
        mono,
        math: false,
      })),
      rotatedWords: [],
      width: 600,
      height: 800,
      toLevel: null,
      toDisplay: null,
    });
    const none = { across: [], down: [], fills: [] };
    const counts = [false, true].map((mono) => {
      const level = levelOf(mono);
      return tablesOf(level, none, level.words).fixedItems.length;
    });
    expect(counts).to.deep.equal([1, 0]);
    const foot = pageOf(
      [
        ...line('A. Speaker', 60, 772),
        ...line('Some Institute', 360, 772),
        ...line('Talk', 60, 788),
        ...line('1 / 16', 360, 788),
      ],
      {
        fills: [
          [0, 760, 600, 776],
          [0, 776, 600, 792],
        ],
      },
    );
    expect(findTables(foot)).to.deep.equal([]);
  });

  it('finds a table below two columns of text, and between the clauses of a contract', () => {
    const columns = [0, 1, 2, 3, 4, 5].flatMap((at) => [
      ...line('the river is to be kept clean by all who live', 50, 100 + at * 12),
      ...line('beside its banks and by those who cross over', 320, 100 + at * 12),
    ]);
    const sums = ['Milk', 'Cream', 'Butter', 'Cheese'].flatMap((name, at) => [
      ...line(name, 50, 220 + at * 14),
      ...line(`${at}1,208`, 400, 220 + at * 14),
      ...line(`${at}9,870`, 500, 220 + at * 14),
    ]);
    const below = pageOf([...columns, ...sums]);
    expect(textsOf(below, findTables(below)[0])[0]).to.deep.equal(['Milk', '01,208', '09,870']);
    const clause = (number: string, base: number): TableWord[] => [
      ...line(number, 50, base),
      ...line('The price is paid in four stages by the owner to the yard, each in full', 90, base),
    ];
    const stages = ['Signing', 'Planking', 'Engine', 'Delivery'].flatMap((name, at) => [
      ...line(name, 160, 224 + at * 12),
      ...line('on the day', 270, 224 + at * 12),
      ...line(`£${at}6,600`, 380, 224 + at * 12),
    ]);
    const contract = pageOf([...clause('3.1', 200), ...clause('3.2', 212), ...stages]);
    const [table, ...others] = findTables(contract);
    expect(others).to.deep.equal([]);
    expect(textsOf(contract, table)[0]).to.deep.equal(['Signing', 'on the day', '£06,600']);
    expect(table?.rows).to.equal(4);
  });

  it('does not take the text between the bars of a slide for a table', () => {
    const slide = pageOf(
      [
        ...line('What we ask', 20, 20),
        ...line('1', 40, 300),
        ...line('Keep all three lines', 60, 300),
        ...line('2', 40, 330),
        ...line('Extend one to the depot', 60, 330),
        ...line('A. Speaker', 20, 792),
        ...line('Night buses', 260, 792),
        ...line('5 / 5', 520, 792),
      ],
      {
        fills: [
          [0, 0, 600, 30],
          [0, 780, 200, 800],
          [200, 780, 400, 800],
          [400, 780, 600, 800],
        ],
      },
    );
    expect(findTables(slide)).to.deep.equal([]);
  });

  it('does not take a chart with crossing lines for a table', () => {
    const grid = [0, 1, 2, 3, 4, 5].map((at) => at * 40 + 100);
    const labels = grid.flatMap((at, index) => [
      ...line(String(index), 85, at + 3),
      ...line(String(index * 2), at - 3, 315),
    ]);
    const page = pageOf([...labels, ...line('peak', 180, 190)], {
      across: grid.map((at) => across(at, 100, 300)),
      down: grid.map((at) => across(at, 100, 300)),
    });
    expect(findTables(page)).to.deep.equal([]);
  });

  it('covers every position of a table once, and no word twice', () => {
    const words = Array.from({ length: 400 }, (_, at) =>
      line(String(at * 7), 50 + (at % 8) * 60, 60 + Math.floor(at / 8) * 14),
    ).flat();
    const page = pageOf(words);
    const [table] = findTables(page);
    const places = (table?.cells ?? []).reduce(
      (sum, cell) => sum + cell.rowSpan * cell.columnSpan,
      0,
    );
    expect(places).to.equal((table?.rows ?? 0) * (table?.columns ?? 0));
    expect(table?.columns).to.equal(8);
    const used = (table?.cells ?? []).flatMap((cell) => cell.words);
    expect(new Set(used).size).to.equal(400);
    expect(used).to.have.length(400);
  });
});
