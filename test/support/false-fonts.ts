import { type CorpusFont, cidFont, standardFont, subsetFont, type3Font } from './corpus/fonts.ts';
import { PdfWriter, ref } from './corpus/pdf-writer.ts';

/** The text that a font declares for a letter that it draws. */
export type LetterMap = (letter: string) => string;

const isBetween = (letter: string, first: string, last: string): boolean =>
  letter >= first && letter <= last;

/** The letter or digit some places further on, as with a map that is shifted. */
export function shiftLetters(distance: number): LetterMap {
  const shift = (letter: string, first: string, count: number): string => {
    const at = letter.charCodeAt(0) - first.charCodeAt(0);
    return String.fromCharCode(first.charCodeAt(0) + ((at + distance) % count));
  };
  return (letter) => {
    if (isBetween(letter, 'a', 'z')) return shift(letter, 'a', 26);
    if (isBetween(letter, 'A', 'Z')) return shift(letter, 'A', 26);
    return isBetween(letter, '0', '9') ? shift(letter, '0', 10) : letter;
  };
}

/** Only digits are others. */
export const permuteDigits: LetterMap = (letter) =>
  isBetween(letter, '0', '9') ? '3809172645'.charAt(Number(letter)) : letter;

/** Makes a font that says something, in a file. */
export type MakeFont = (writer: PdfWriter, name: string, mapLetter?: LetterMap) => CorpusFont;

/** Fonts of several kinds, honest by default. */
export const fontKinds: Readonly<Record<string, MakeFont>> = {
  'a standard font': (writer, name, mapLetter) =>
    standardFont(writer, name, 'Helvetica', mapLetter),
  'a composite font': (writer, name, mapLetter = (letter) => letter) =>
    cidFont(writer, name, { isMapped: true, says: mapLetter }),
  'a subset with codes out of order': (writer, name, mapLetter = (letter) => letter) =>
    subsetFont(writer, name, { isMapped: true, says: mapLetter }),
  'a font of type 3': (writer, name, mapLetter) => type3Font(writer, name, 'mapped', mapLetter),
};

const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюя';
const greek = 'αβγδεζηθικλμνξοπρστυφχψω';
const withCapitals = (small: string): string => `${small}${small.toUpperCase()}`;

/** Fonts with the letters of other scripts, which known fonts have too. */
export const scriptFonts: Readonly<Record<string, { letters: string; make: MakeFont }>> =
  Object.fromEntries(
    Object.entries({ Cyrillic: cyrillic, Greek: greek }).map(([script, letters]) => {
      const alphabet = ` .,0123456789${withCapitals(letters)}`;
      const make: MakeFont = (writer, name, mapLetter) =>
        cidFont(writer, name, {
          isMapped: true,
          says: mapLetter ?? ((letter) => letter),
          alphabet,
        });
      return [script, { letters, make }];
    }),
  );

/** The letter some places further on in an alphabet, small or capital. */
export const shiftInAlphabet =
  (letters: string, distance: number): LetterMap =>
  (letter) => {
    const small = letter.toLowerCase();
    const at = letters.indexOf(small);
    if (at < 0) return letter;
    const next = letters.charAt((at + distance) % letters.length);
    return small === letter ? next : next.toUpperCase();
  };

/** Strokes across and down, as letters of no Latin script have, different for each letter. */
function strokesOf(letter: string): string {
  const bits = Math.imul(letter.charCodeAt(0), 0x9e3779b1) >>> 0;
  const strokes = Array.from({ length: 10 }, (_, at) => {
    if (((bits >>> at) & 1) === 0) return '';
    const place = 150 + (at >> 1) * 260;
    return at % 2 === 0 ? `100 ${place} 1100 90 re\n` : `${place} 100 90 1250 re\n`;
  });
  return `600 100 90 1250 re\n${strokes.join('')}`;
}

/** A font of letters that look like those of no known font. */
export const unknownFont: MakeFont = (writer, name, mapLetter) =>
  type3Font(writer, name, 'mapped', mapLetter, strokesOf);

/** Text in a font. */
export type FontLine = readonly [font: CorpusFont, text: string];

/** Makes a PDF of pages of lines, each in a separate font. */
export function pdfOfLines(
  writer: PdfWriter,
  pages: readonly (readonly FontLine[])[],
  { size = 14, leading = 22 } = {},
): Buffer {
  const tree = writer.reserve();
  const kids = pages.map((lines) => {
    const content = lines.map(
      ([font, text], at) =>
        `BT /${font.name} ${size} Tf 60 ${720 - at * leading} Td ${font.show(text)} Tj ET\n`,
    );
    const fonts = [...new Set(lines.map(([font]) => font.resource))].join(' ');
    const stream = writer.stream('', content.join(''));
    return writer.add(
      `<< /Type /Page /Parent ${ref(tree)} /MediaBox [0 0 612 792] /Contents ${ref(stream)} /Resources << /Font << ${fonts} >> >> >>`,
    );
  });
  writer.set(tree, `<< /Type /Pages /Kids [${kids.map(ref).join(' ')}] /Count ${kids.length} >>`);
  const root = writer.add(`<< /Type /Catalog /Pages ${ref(tree)} >>`);
  return writer.toBuffer(`/Root ${ref(root)}`);
}

/** A page in one font, which says something. */
export function pdfInFont(make: MakeFont, lines: readonly string[], mapLetter?: LetterMap): Buffer {
  const writer = new PdfWriter();
  const font = make(writer, 'F1', mapLetter);
  return pdfOfLines(writer, [lines.map((text) => [font, text])]);
}
