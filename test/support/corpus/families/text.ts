import { cidFont, standardFont, subsetFont, type3Font } from '../fonts.ts';
import { type DrawMode, drawText, type Maker, sheet, type TextLine } from '../maker.ts';
import type { Built, Family } from './family.ts';

type MakeFont = Parameters<typeof withFont>[1];

/** Two pages of prose in one font. */
function withFont(
  maker: Maker,
  makeFont: (maker: Maker) => ReturnType<typeof standardFont>,
  options: { channel: string; mode?: DrawMode; mayBurn?: boolean; pages?: number },
): Built {
  const font = makeFont(maker);
  const { channel, mode = 'plain', mayBurn = false, pages = 2 } = options;
  for (let page = 1; page <= pages; page += 1) {
    const lines = maker.prose({ channel, page, font }, 14, 2);
    if (font.isMapped) maker.requireKept(page, lines);
    maker.page(drawText(lines, { font, mode, pick: maker.pick }), { fonts: [font] });
  }
  return { pdf: maker.writer.toBuffer(maker.root().trailer), mayBurn };
}

const helvetica: MakeFont = ({ writer }) => standardFont(writer, 'F1');

const plain: Family = {
  name: 'plain',
  count: 12,
  build: (maker, index) =>
    withFont(
      maker,
      ({ writer }) =>
        standardFont(
          writer,
          'F1',
          (['Helvetica', 'Helvetica-Bold', 'Courier'] as const)[index % 3],
        ),
      { channel: 'plain text', pages: 1 + (index % 3) },
    ),
};

const modes = ['kerned', 'runs', 'glyphs', 'quotes', 'spaced', 'shuffled'] as const;

const runs: Family = {
  name: 'runs',
  count: 18,
  build: (maker, index) => {
    const mode = modes[index % modes.length]!;
    return withFont(maker, helvetica, { channel: `text in runs, ${mode}`, mode });
  },
};

/** Secrets that go on in the next line. */
const wrapped: Family = {
  name: 'wrapped',
  count: 10,
  build(maker) {
    const font = helvetica(maker);
    const wish = { channel: 'text over two lines', page: 1 };
    const lines: TextLine[] = [];
    for (let count = 0; count < 3; count += 1) {
      lines.push(maker.plain(maker.filler(5)));
      const types = ['PERSON', 'IBAN_CODE', 'CREDIT_CARD', 'ADDRESS'] as const;
      const line = maker.line({ ...wish, types }, false);
      const found = line.at(-1)!;
      // Values whose form has no spaces stay on their line.
      const spaces = [...found.text.matchAll(/ /g)].map(({ index }) => index);
      const at = spaces.length > 0 ? maker.pickOne(spaces) : found.text.length;
      lines.push([...line.slice(0, -1), { ...found, text: found.text.slice(0, at) }]);
      const rest = { ...found, text: found.text.slice(at + 1) };
      const tail = { text: `${rest.text === '' ? '' : ' '}${maker.filler(3)}`, secret: null };
      lines.push(rest.text === '' ? [tail] : [rest, tail]);
    }
    maker.requireKept(1, lines);
    maker.page(drawText(lines, { font }), { fonts: [font] });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** A ruled table: a label in one cell, the value in the next, words in the third. */
const tables: Family = {
  name: 'tables',
  count: 8,
  build(maker, index) {
    const font = helvetica(maker);
    const columns = [36, 150, 320];
    let content = '';
    for (let row = 0; row < 8; row += 1) {
      const y = 530 - row * 24;
      const cells: TextLine[] =
        row % 3 === 1
          ? ((line) => [[line[0]!], [line[1]!]])(
              maker.line({ channel: 'table', page: 1, types: ['US_SSN', 'EMAIL_ADDRESS'] }, false),
            )
          : [maker.plain(maker.pickOne(['window', 'garden'])), maker.plain(maker.filler(2))];
      cells.push(maker.plain(maker.filler(1)));
      maker.requireKept(1, cells);
      // Cells in the order of columns, or the other way round.
      const order = index % 2 ? [2, 1, 0] : [0, 1, 2];
      for (const column of order) {
        const size = column === 0 ? 7 : column === 1 ? 8 : 10;
        content += drawText([cells[column]!], { font, x: columns[column]!, y, size });
      }
      content += `0.5 w 30 ${y - 8} 360 24 re S 146 ${y - 8} m 146 ${y + 16} l 316 ${y - 8} m 316 ${y + 16} l S\n`;
    }
    maker.page(content, { fonts: [font] });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** Two columns side by side. */
const columns: Family = {
  name: 'columns',
  count: 6,
  build(maker) {
    const font = helvetica(maker);
    const types = ['US_SSN', 'PHONE_NUMBER', 'PERSON'] as const;
    const content = [30, 225].map((x) => {
      const lines = Array.from({ length: 16 }, (_, row) =>
        row % 6 === 3
          ? maker.line({ channel: 'column', page: 1, types }, false)
          : maker.plain(maker.filler(3)),
      );
      maker.requireKept(1, lines);
      return drawText(lines, { font, x, size: 8, leading: 14 });
    });
    maker.page(content.join(''), { fonts: [font] });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

const cid: Family = {
  name: 'cid',
  count: 12,
  build: (maker, index) =>
    withFont(maker, ({ writer }) => cidFont(writer, 'F1', { isMapped: true }), {
      channel: 'CID font with ToUnicode',
      mode: (['plain', 'kerned', 'runs'] as const)[index % 3]!,
    }),
};

const cidUnmapped: Family = {
  name: 'cid-unmapped',
  count: 8,
  build: (maker) =>
    withFont(maker, ({ writer }) => cidFont(writer, 'F1', { isMapped: false }), {
      channel: 'CID font without ToUnicode',
      mayBurn: true,
      pages: 1,
    }),
};

const subset: Family = {
  name: 'subset',
  count: 10,
  build: (maker, index) =>
    withFont(maker, ({ writer }) => subsetFont(writer, 'F1', { isMapped: index % 2 === 0 }), {
      channel: `subset font with${index % 2 === 0 ? '' : 'out'} ToUnicode`,
      mayBurn: index % 2 === 1,
      pages: 1,
    }),
};

const type3: Family = {
  name: 'type3',
  count: 9,
  build: (maker, index) => {
    const kind = (['named', 'mapped', 'unmapped'] as const)[index % 3]!;
    return withFont(maker, ({ writer }) => type3Font(writer, 'F1', kind), {
      channel: `Type 3 font, ${kind}`,
      mayBurn: true,
      pages: 1,
    });
  },
};

/** A font without a character mapping, next to one with a mapping. */
const fontsMixed: Family = {
  name: 'fonts-mixed',
  count: 4,
  build(maker, index) {
    const font = helvetica(maker);
    const unmappedFont =
      index % 2
        ? type3Font(maker.writer, 'F2', 'mapped')
        : cidFont(maker.writer, 'F2', { isMapped: false });
    const top = maker.prose({ channel: 'text beside an odd font', page: 1 }, 8, 2);
    const bottom = maker.prose(
      { channel: 'odd font beside text', page: 1, font: unmappedFont },
      8,
      2,
    );
    maker.requireKept(1, top);
    maker.page(
      drawText(top, { font }) + drawText(bottom, { font: unmappedFont, y: sheet.height / 2 - 60 }),
      { fonts: [font, unmappedFont] },
    );
    return { pdf: maker.writer.toBuffer(maker.root().trailer), mayBurn: true };
  },
};

/** The same secret again, written another way, on another page. */
const repeated: Family = {
  name: 'repeated',
  count: 6,
  build(maker) {
    const font = helvetica(maker);
    const first = maker.prose({ channel: 'text, again on page 2', page: 1 }, 8, 2);
    maker.requireKept(1, first);
    maker.page(drawText(first, { font }), { fonts: [font] });
    // No context on the second page: only who remembers the first finds it there.
    const second = maker.secrets.slice(0, 2).flatMap((secret): TextLine[] => [
      maker.plain(maker.filler(5)),
      [
        { text: `${maker.filler(2)} `, secret: null },
        { text: secret.value, secret },
      ],
    ]);
    maker.requireKept(2, second);
    maker.page(drawText(second, { font, mode: 'runs', pick: maker.pick }), { fonts: [font] });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

export const textFamilies = [
  plain,
  runs,
  wrapped,
  tables,
  columns,
  cid,
  cidUnmapped,
  subset,
  type3,
  fontsMixed,
  repeated,
];
