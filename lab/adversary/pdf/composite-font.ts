import type { CorpusFont } from '../../../test/support/corpus/fonts.ts';
import { literal, type PdfWriter, ref } from '../../../test/support/corpus/pdf-writer.ts';
import { liberation } from '../../../test/support/corpus/truetype.ts';

const alphanumeric = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
/** Pairs that occur in most values, as one glyph each. */
const pairs = 'er an on ar in ma le th nd ri ll or te 12 34 56 78 90 00 11 il co'.split(' ');
const punctuationNames: Record<string, string> = {
  ' ': 'space',
  '-': 'hyphen',
  '.': 'period',
  ',': 'comma',
  '@': 'at',
  ':': 'colon',
  '+': 'plus',
  '(': 'parenleft',
  ')': 'parenright',
};
const digitNames = 'zero one two three four five six seven eight nine'.split(' ');

/** The name of a letter, in the forms of the glyph list. */
function nameOf(letter: string, naming: 'single' | 'composite', at: number): string {
  const name =
    punctuationNames[letter] ?? (/\d/.test(letter) ? digitNames[Number(letter)]! : letter);
  if (naming === 'single' || punctuationNames[letter]) return name;
  const hex = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return [name, `uni${hex}`, `u${hex}`, `${name}.alt`][at % 4]!;
}

/**
 * A font of drawings without a map, in which only the glyph names identify the letters. `composite`
 * has glyphs for several letters (`e_r`, `one_two`) and names such as `uni0041` and `a.alt`.
 */
export function compositeFont(
  writer: PdfWriter,
  name: string,
  naming: 'single' | 'composite',
): CorpusFont {
  const font = liberation();
  const signs = [
    ...Object.keys(punctuationNames),
    ...alphanumeric,
    ...(naming === 'composite' ? pairs : []),
  ];
  const widthOf = (text: string): number =>
    [...text].reduce((sum, letter) => sum + font.widthOf(letter), 0);
  const scale = font.unitsPerEm / 1000;
  const glyphs = signs.map((sign, at) => {
    let x = 0;
    const drawing = [...sign].map((letter) => {
      const drawn = `q 1 0 0 1 ${Math.round(x)} 0 cm\n${font.pathOf(letter)}f Q\n`;
      x += font.widthOf(letter) * scale;
      return drawn;
    });
    const width = Math.round(widthOf(sign) * scale);
    const [x0, y0, x1, y1] = font.box;
    const program = `${width} 0 ${x0} ${y0} ${2 * x1} ${y1} d1\n${drawing.join('')}`;
    const parts = [...sign].map((letter) =>
      nameOf(letter, sign.length > 1 ? 'single' : naming, at),
    );
    return {
      sign,
      name: parts.join('_'),
      width,
      code: 33 + at,
      program: writer.stream('', program),
    };
  });
  const codes = new Map(glyphs.map(({ sign, code }) => [sign, code]));
  const procedures = glyphs.map((glyph) => `/${glyph.name} ${ref(glyph.program)}`);
  const [x0, y0, x1, y1] = font.box;
  const number = writer.add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [${x0} ${y0} ${2 * x1} ${y1}] /FontMatrix [${1 / font.unitsPerEm} 0 0 ${1 / font.unitsPerEm} 0 0] /CharProcs << ${procedures.join(' ')} >> /Encoding << /Type /Encoding /Differences [33 ${glyphs.map((glyph) => `/${glyph.name}`).join(' ')}] >> /FirstChar 33 /LastChar ${32 + glyphs.length} /Widths [${glyphs.map(({ width }) => width).join(' ')}] /Resources << >> >>`,
  );
  const show = (text: string): string => {
    let shown = '';
    for (let at = 0; at < text.length; ) {
      const pair = text.slice(at, at + 2);
      const sign = codes.has(pair) ? pair : text[at]!;
      shown += String.fromCharCode(codes.get(sign) ?? 33);
      at += sign.length;
    }
    return literal(shown);
  };
  return {
    resource: `/${name} ${ref(number)}`,
    name,
    show,
    width: (text, size) => (widthOf(text) * size) / 1000,
    codes: () => null,
    isMapped: true,
  };
}
