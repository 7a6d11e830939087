import {
  type CorpusFont,
  cidFont,
  printableAscii,
  standardFont,
  subsetFont,
  type3Font,
} from '../../../test/support/corpus/fonts.ts';
import { drawText, type Maker, sheet, textOfLine } from '../../../test/support/corpus/maker.ts';
import { utf16 } from '../../../test/support/corpus/pdf-writer.ts';
import { makeLines, permute, type Trick, trickTypes } from '../trick.ts';
import { compositeFont } from './composite-font.ts';
import { paint, pdf } from './page.ts';

type LetterMap = (letter: string) => string;

const letters = printableAscii.replace(' ', '');
const alphanumeric = letters.replace(/[^A-Za-z0-9]/g, '');

/** The ways in which a map may misrepresent the drawn letters. */
const falseMaps: Record<string, (maker: Maker) => LetterMap> = {
  shifted: ({ pick }) => {
    const by = 1 + pick(20);
    return (letter) =>
      letter === ' ' ? letter : letters[(letters.indexOf(letter) + by) % letters.length]!;
  },
  permuted: ({ pick }) => {
    const others = permute(alphanumeric, pick);
    return (letter) => others.get(letter) ?? letter;
  },
  // Words are right, and every number is wrong.
  digits: ({ pick }) => {
    const others = permute('0123456789', pick);
    return (letter) => others.get(letter) ?? letter;
  },
  // Most letters are right.
  few: ({ pick }) => {
    const some = Array.from({ length: 6 }, () => alphanumeric[pick(alphanumeric.length)]!).join('');
    const others = permute([...new Set(some)].join(''), pick);
    return (letter) => others.get(letter) ?? letter;
  },
  // Letters of another script that look the same.
  homoglyphs: () => {
    const alike = new Map(
      [...'aeopcxyiABEHKMOPCTX'].map((one, at) => [one, 'аеорсхуіАВЕНКМОРСТХ'[at]!]),
    );
    return (letter) => alike.get(letter) ?? letter;
  },
  private: () => (letter) =>
    letter === ' ' ? letter : String.fromCharCode(0xe000 + letter.charCodeAt(0)),
  spaces: () => () => ' ',
  'zero-width': () => () => '\u200b',
};

/** Fonts with arbitrary character maps. */
const makers: Record<string, (maker: Maker, name: string, mapLetter: LetterMap) => CorpusFont> = {
  cid: ({ writer }, name, mapLetter) => cidFont(writer, name, { isMapped: true, says: mapLetter }),
  subset: ({ writer }, name, mapLetter) =>
    subsetFont(writer, name, { isMapped: true, says: mapLetter }),
  type3: ({ writer }, name, mapLetter) => type3Font(writer, name, 'mapped', mapLetter),
};

/** A page in a font with a false map; most pages have an honest font as well. */
function fontTrick(
  name: string,
  makeFont: (maker: Maker, name: string, isHonest: boolean) => CorpusFont,
): Trick {
  return {
    name,
    build(maker, isHonest) {
      const testedFont = makeFont(maker, 'F2', isHonest);
      const plain = standardFont(maker.writer, 'F1');
      const isAlone = maker.pick(3) === 0;
      const above = isAlone
        ? []
        : maker.prose({ channel: 'honest font', page: 1, types: trickTypes }, 6, 1);
      const lines = makeLines(maker, name);
      maker.page(
        drawText(above, { font: plain }) +
          drawText(lines, { font: testedFont, y: isAlone ? sheet.height - 60 : sheet.height / 2 }),
        { fonts: [plain, testedFont] },
      );
      return pdf(maker);
    },
  };
}

const trueMap: LetterMap = (letter) => letter;

const falseMapTricks: readonly Trick[] = Object.entries(falseMaps).flatMap(([falseMap, makeMap]) =>
  Object.entries(makers).map(([kind, make]) =>
    fontTrick(`font ${falseMap} ${kind}`, (maker, name, isHonest) => {
      const mapLetter = makeMap(maker);
      return make(maker, name, isHonest ? trueMap : mapLetter);
    }),
  ),
);

/** Codes are those of ASCII, and the program draws other letters for them. */
const swappedProgram = fontTrick('font program swapped', (maker, name, isHonest) => {
  const others = permute(letters, maker.pick);
  const codeOf = (letter: string): number =>
    (isHonest ? letter : (others.get(letter) ?? letter)).charCodeAt(0);
  const codes = new Map([...printableAscii].map((letter) => [letter, codeOf(letter)]));
  return subsetFont(maker.writer, name, {
    isMapped: maker.pick(2) === 0,
    codes,
    says: mapOf(codes),
  });
});

function mapOf(codes: ReadonlyMap<string, number>): LetterMap {
  return (letter) => String.fromCharCode(codes.get(letter) ?? 32);
}

/** Glyph names are those of other letters. */
const misnamedGlyphs = fontTrick('font type3 misnamed', (maker, name, isHonest) => {
  const others = permute(alphanumeric, maker.pick);
  return type3Font(
    maker.writer,
    name,
    'named',
    isHonest ? trueMap : (one) => others.get(one) ?? one,
  );
});

/** Nothing identifies the letters. */
const unmapped = fontTrick('font unmapped', (maker, name, isHonest) => {
  const { writer } = maker;
  const kind = maker.pick(3);
  if (kind === 0) return cidFont(writer, name, { isMapped: isHonest });
  if (kind === 1) return subsetFont(writer, name, { isMapped: isHonest });
  return type3Font(writer, name, isHonest ? 'mapped' : 'unmapped');
});

/** Several letters in one glyph, named according to the glyph list. */
const composite = fontTrick('font composite names', (maker, name, isHonest) =>
  compositeFont(maker.writer, name, isHonest ? 'single' : 'composite'),
);

/** Fonts with the same name, of which the first page's is honest. */
const fontByPage: Trick = {
  name: 'font subset by page',
  build(maker, honest) {
    const mapLetter = falseMaps.permuted!(maker);
    for (const page of [1, 2, 3]) {
      const isHonest = honest || page !== 2;
      const font = cidFont(maker.writer, 'F1', {
        isMapped: true,
        says: isHonest ? trueMap : mapLetter,
      });
      const lines = maker.prose(
        { channel: `font of page ${page}`, page, types: trickTypes },
        8,
        2,
        false,
      );
      maker.page(drawText(lines, { font }), { fonts: [font] });
    }
    return pdf(maker);
  },
};

/** Each letter of a line in one of two fonts, one of which has a false map. */
const fontByLetter: Trick = {
  name: 'font changes by letter',
  build(maker, isHonest) {
    const mapLetter = falseMaps.permuted!(maker);
    const fonts = [
      cidFont(maker.writer, 'F1', { isMapped: true }),
      cidFont(maker.writer, 'F2', { isMapped: true, says: isHonest ? trueMap : mapLetter }),
    ];
    const content = makeLines(maker, 'fonts by letter').map((line, row) => {
      let x = sheet.margin;
      const shown = [...textOfLine(line)].map((letter) => {
        const font = fonts[maker.pick(2)]!;
        const at = `/${font.name} ${sheet.size} Tf 1 0 0 1 ${x.toFixed(2)} ${500 - row * 20} Tm`;
        x += font.width(letter, sheet.size);
        return `${at} ${font.show(letter)} Tj`;
      });
      return `BT ${shown.join('\n')} ET\n`;
    });
    maker.page(content.join(''), { fonts });
    return pdf(maker);
  },
};

/** The replacement text of marked content differs from the text, or is the only source of it. */
const actualTextTricks = [true, false].map((showsText) =>
  paint(
    `actual text ${showsText ? 'lies' : 'tells'}`,
    ({ maker, lines, font, honest: isHonest }) => {
      const content = lines.map((line, row) => {
        const text = textOfLine(line);
        const other = maker.filler(4);
        const [drawn, replacement] = isHonest
          ? [text, text]
          : showsText
            ? [text, other]
            : [other, text];
        const at = { font, y: 330 - row * sheet.leading };
        return `/Span << /ActualText ${utf16(replacement)} >> BDC\n${drawText([maker.plain(drawn)], at)}EMC\n`;
      });
      return { content: content.join('') };
    },
  ),
);

export const fontTricks: readonly Trick[] = [
  ...falseMapTricks,
  swappedProgram,
  misnamedGlyphs,
  unmapped,
  composite,
  fontByPage,
  fontByLetter,
  ...actualTextTricks,
];
