import {
  type CorpusFont,
  cidFont,
  printable,
  standardFont,
  subsetFont,
  type3Font,
} from '../../../test/support/corpus/fonts.ts';
import { drawText, type Maker, sheet, textOfLine } from '../../../test/support/corpus/maker.ts';
import { utf16 } from '../../../test/support/corpus/pdf-writer.ts';
import { permuted, someLines, type Trick, types } from '../trick.ts';
import { compositeFont } from './composite-font.ts';
import { paint, pdf } from './page.ts';

type Says = (letter: string) => string;

const letters = printable.replace(' ', '');
const alphanumeric = letters.replace(/[^A-Za-z0-9]/g, '');

/** The ways in which a map may misrepresent the drawn letters. */
const lies: Record<string, (maker: Maker) => Says> = {
  shifted: ({ pick }) => {
    const by = 1 + pick(20);
    return (letter) =>
      letter === ' ' ? letter : letters[(letters.indexOf(letter) + by) % letters.length]!;
  },
  permuted: ({ pick }) => {
    const others = permuted(alphanumeric, pick);
    return (letter) => others.get(letter) ?? letter;
  },
  // Words are right, and every number is wrong.
  digits: ({ pick }) => {
    const others = permuted('0123456789', pick);
    return (letter) => others.get(letter) ?? letter;
  },
  // Most letters are right.
  few: ({ pick }) => {
    const some = Array.from({ length: 6 }, () => alphanumeric[pick(alphanumeric.length)]!).join('');
    const others = permuted([...new Set(some)].join(''), pick);
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
const makers: Record<string, (maker: Maker, name: string, says: Says) => CorpusFont> = {
  cid: ({ writer }, name, says) => cidFont(writer, name, { mapped: true, says }),
  subset: ({ writer }, name, says) => subsetFont(writer, name, { mapped: true, says }),
  type3: ({ writer }, name, says) => type3Font(writer, name, 'mapped', says),
};

/** A page in a font with a false map; most pages have an honest font as well. */
function lying(
  name: string,
  makeFont: (maker: Maker, name: string, honest: boolean) => CorpusFont,
): Trick {
  return {
    name,
    build(maker, honest) {
      const odd = makeFont(maker, 'F2', honest);
      const plain = standardFont(maker.writer, 'F1');
      const isAlone = maker.pick(3) === 0;
      const above = isAlone ? [] : maker.prose({ channel: 'honest font', page: 1, types }, 6, 1);
      const lines = someLines(maker, name);
      maker.page(
        drawText(above, { font: plain }) +
          drawText(lines, { font: odd, y: isAlone ? sheet.height - 60 : sheet.height / 2 }),
        { fonts: [plain, odd] },
      );
      return pdf(maker);
    },
  };
}

const truth: Says = (letter) => letter;

const maps: readonly Trick[] = Object.entries(lies).flatMap(([lie, saysOf]) =>
  Object.entries(makers).map(([kind, make]) =>
    lying(`font ${lie} ${kind}`, (maker, name, honest) => {
      const says = saysOf(maker);
      return make(maker, name, honest ? truth : says);
    }),
  ),
);

/** Codes are those of ASCII, and the program draws other letters for them. */
const program = lying('font program swapped', (maker, name, honest) => {
  const others = permuted(letters, maker.pick);
  const codeOf = (letter: string): number =>
    (honest ? letter : (others.get(letter) ?? letter)).charCodeAt(0);
  const codes = new Map([...printable].map((letter) => [letter, codeOf(letter)]));
  return subsetFont(maker.writer, name, {
    mapped: maker.pick(2) === 0,
    codes,
    says: saysOf(codes),
  });
});

function saysOf(codes: ReadonlyMap<string, number>): Says {
  return (letter) => String.fromCharCode(codes.get(letter) ?? 32);
}

/** Glyph names are those of other letters. */
const names = lying('font type3 misnamed', (maker, name, honest) => {
  const others = permuted(alphanumeric, maker.pick);
  return type3Font(maker.writer, name, 'named', honest ? truth : (one) => others.get(one) ?? one);
});

/** Nothing identifies the letters. */
const unmapped = lying('font unmapped', (maker, name, honest) => {
  const { writer } = maker;
  const kind = maker.pick(3);
  if (kind === 0) return cidFont(writer, name, { mapped: honest });
  if (kind === 1) return subsetFont(writer, name, { mapped: honest });
  return type3Font(writer, name, honest ? 'mapped' : 'unmapped');
});

/** Several letters in one glyph, named according to the glyph list. */
const composite = lying('font composite names', (maker, name, honest) =>
  compositeFont(maker.writer, name, honest ? 'single' : 'composite'),
);

/** Fonts with the same name, of which the first page's is honest. */
const byPage: Trick = {
  name: 'font subset by page',
  build(maker, honest) {
    const says = lies.permuted!(maker);
    for (const page of [1, 2, 3]) {
      const isHonest = honest || page !== 2;
      const font = cidFont(maker.writer, 'F1', { mapped: true, says: isHonest ? truth : says });
      const lines = maker.prose({ channel: `font of page ${page}`, page, types }, 8, 2, false);
      maker.page(drawText(lines, { font }), { fonts: [font] });
    }
    return pdf(maker);
  },
};

/** Each letter of a line in one of two fonts, one of which has a false map. */
const byLetter: Trick = {
  name: 'font changes by letter',
  build(maker, honest) {
    const says = lies.permuted!(maker);
    const fonts = [
      cidFont(maker.writer, 'F1', { mapped: true }),
      cidFont(maker.writer, 'F2', { mapped: true, says: honest ? truth : says }),
    ];
    const content = someLines(maker, 'fonts by letter').map((line, row) => {
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
const actualText = [true, false].map((shows) =>
  paint(`actual text ${shows ? 'lies' : 'tells'}`, ({ maker, lines, font, honest }) => {
    const content = lines.map((line, row) => {
      const text = textOfLine(line);
      const other = maker.filler(4);
      const [drawn, said] = honest ? [text, text] : shows ? [text, other] : [other, text];
      const at = { font, y: 330 - row * sheet.leading };
      return `/Span << /ActualText ${utf16(said)} >> BDC\n${drawText([maker.plain(drawn)], at)}EMC\n`;
    });
    return { content: content.join('') };
  }),
);

export const fontTricks: readonly Trick[] = [
  ...maps,
  ...[program, names, unmapped, composite, byPage, byLetter],
  ...actualText,
];
