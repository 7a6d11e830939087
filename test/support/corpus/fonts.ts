import { literal, type PdfWriter, ref } from './pdf-writer.ts';
import { liberation, type TrueType } from './truetype.ts';

/** A font in a PDF of the corpus, and how text is shown in it. */
export interface CorpusFont {
  /** Its entry in /Font of the resources. */
  resource: string;
  name: string;
  /** A string operand for Tj. */
  show(text: string): string;
  /** In points, at this size. */
  width(text: string, size: number): number;
  /** The bytes of the text in the content, in hex; those of ASCII are not repeated. */
  codes(text: string): string | null;
  /** Whether tools can tell letters from its codes. */
  isMapped: boolean;
}

export const printableAscii = String.fromCharCode(
  ...Array.from({ length: 95 }, (_, index) => 32 + index),
);
const alphabet = `${printableAscii}äöüßéèêÅåøØñç€–“”`;

function widthIn(font: TrueType): (text: string, size: number) => number {
  return (text, size) =>
    ([...text].reduce((sum, letter) => sum + font.widthOf(letter), 0) * size) / 1000;
}

/** Adds one of the fonts that every reader has; Liberation Sans has Helvetica's widths. */
export function standardFont(
  writer: PdfWriter,
  name: string,
  base: 'Helvetica' | 'Helvetica-Bold' | 'Courier' = 'Helvetica',
  mapLetter?: (letter: string) => string,
): CorpusFont {
  const entries = [...printableAscii].map(
    (letter) => [hex4(letter.charCodeAt(0)).slice(2), mapLetter?.(letter) ?? letter] as const,
  );
  const map = mapLetter ? ` /ToUnicode ${ref(toUnicode(writer, entries))}` : '';
  const number = writer.add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding${map} >>`,
  );
  return {
    resource: `/${name} ${ref(number)}`,
    name,
    show: literal,
    width:
      base === 'Courier'
        ? (text, size) => text.length * 0.6 * size
        : widthIn(liberation(base === 'Helvetica' ? 'Regular' : 'Bold')),
    codes: () => null,
    isMapped: true,
  };
}

function descriptor(writer: PdfWriter, font: TrueType, program: number, flags: number): number {
  const scale = (value: number): number => Math.round((value / font.unitsPerEm) * 1000);
  return writer.add(
    `<< /Type /FontDescriptor /FontName /AAAAAA+LiberationSans /Flags ${flags} /FontBBox [${font.box.map(scale).join(' ')}] /ItalicAngle 0 /Ascent ${scale(font.ascent)} /Descent ${scale(font.descent)} /CapHeight 700 /StemV 80 /FontFile2 ${ref(program)} >>`,
  );
}

function toUnicode(writer: PdfWriter, entries: readonly (readonly [string, string])[]): number {
  const digits = entries[0]?.[0].length ?? 4;
  const range = `<${'0'.repeat(digits)}> <${'F'.repeat(digits)}>`;
  const blocks: string[] = [];
  for (let from = 0; from < entries.length; from += 100) {
    const block = entries.slice(from, from + 100);
    const rows = block.map(([code, letter]) => {
      const unicode = Buffer.from(letter, 'utf16le').swap16().toString('hex').toUpperCase();
      return `<${code}> <${unicode}>`;
    });
    blocks.push(`${block.length} beginbfchar\n${rows.join('\n')}\nendbfchar\n`);
  }
  return writer.stream(
    '',
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n1 begincodespacerange ${range} endcodespacerange\n${blocks.join('')}endcmap CMapName currentdict /CMap defineresource pop end end`,
  );
}

const hex4 = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');

/**
 * A composite font, Identity-H: codes are glyph numbers. Without ToUnicode nothing in the file says
 * which letters they are, since the embedded program has no names and no cmap.
 */
export function cidFont(
  writer: PdfWriter,
  name: string,
  options: { isMapped: boolean; says?: (letter: string) => string; alphabet?: string },
): CorpusFont {
  const font = liberation();
  const characters = options.alphabet ?? alphabet;
  const letters = [...characters];
  const program = writer.stream('', font.subset(characters));
  const widths = letters.map((letter) => `${font.glyphOf(letter)} [${font.widthOf(letter)}]`);
  const descendant = writer.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+LiberationSans /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${ref(descriptor(writer, font, program, 4))} /DW 500 /W [${widths.join(' ')}] /CIDToGIDMap /Identity >>`,
  );
  const map = options.isMapped
    ? ` /ToUnicode ${ref(
        toUnicode(
          writer,
          letters.map((letter) => [hex4(font.glyphOf(letter)), options.says?.(letter) ?? letter]),
        ),
      )}`
    : '';
  const number = writer.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+LiberationSans /Encoding /Identity-H /DescendantFonts [${ref(descendant)}]${map} >>`,
  );
  const codes = (text: string): string =>
    [...text].map((letter) => hex4(font.glyphOf(letter))).join('');
  return {
    resource: `/${name} ${ref(number)}`,
    name,
    show: (text) => `<${codes(text)}>`,
    width: widthIn(font),
    codes,
    isMapped: options.isMapped,
  };
}

/**
 * A simple font whose codes are out of order, as producers number the letters they embed. `codes`
 * number them otherwise, without a gap; `says` is what its map makes of a letter that is drawn.
 */
export function subsetFont(
  writer: PdfWriter,
  name: string,
  options: {
    isMapped: boolean;
    codes?: ReadonlyMap<string, number>;
    says?: (letter: string) => string;
  },
): CorpusFont {
  const font = liberation();
  const letters = [...printableAscii];
  const codeOf =
    options.codes ?? new Map(letters.map((letter, index) => [letter, 33 + ((index * 37) % 95)]));
  const byCode = letters
    .map((letter) => [codeOf.get(letter) ?? 0, letter] as const)
    .sort(([a], [b]) => a - b);
  const program = writer.stream(
    '',
    font.subset(
      printableAscii,
      new Map(byCode.map(([code, letter]) => [code, font.glyphOf(letter)])),
    ),
  );
  const map = options.isMapped
    ? ` /ToUnicode ${ref(
        toUnicode(
          writer,
          byCode.map(([code, letter]) => [hex4(code).slice(2), options.says?.(letter) ?? letter]),
        ),
      )}`
    : '';
  const first = byCode[0]?.[0] ?? 0;
  const number = writer.add(
    `<< /Type /Font /Subtype /TrueType /BaseFont /AAAAAA+LiberationSans /FirstChar ${first} /LastChar ${first + byCode.length - 1} /Widths [${byCode.map(([, letter]) => font.widthOf(letter)).join(' ')}] /FontDescriptor ${ref(descriptor(writer, font, program, 4))}${map} >>`,
  );
  const codes = (text: string): string =>
    [...text].map((letter) => hex4(codeOf.get(letter) ?? 33).slice(2)).join('');
  return {
    resource: `/${name} ${ref(number)}`,
    name,
    show: (text) => `<${codes(text)}>`,
    width: widthIn(font),
    codes,
    isMapped: options.isMapped,
  };
}

/**
 * A font of drawings. `named` glyphs tell their letters, `mapped` ones by ToUnicode, others not.
 * `says` is what they tell of a letter that is drawn; names must differ. `pathOf` draws a letter,
 * by default as Liberation.
 */
export function type3Font(
  writer: PdfWriter,
  name: string,
  kind: 'named' | 'mapped' | 'unmapped',
  mapLetter: (letter: string) => string = (letter) => letter,
  pathOf: (letter: string) => string = liberation().pathOf,
): CorpusFont {
  const font = liberation();
  const letters = [...printableAscii];
  const glyphName = (letter: string): string =>
    kind === 'named'
      ? (standardNames[mapLetter(letter)] ?? mapLetter(letter))
      : `g${letter.charCodeAt(0)}`;
  const codeOf = (letter: string): number =>
    kind === 'named' ? mapLetter(letter).charCodeAt(0) : 33 + ((letter.charCodeAt(0) * 41) % 95);
  const procedures = letters.map((letter) => {
    const width = Math.round((font.widthOf(letter) * font.unitsPerEm) / 1000);
    const drawing = `${width} 0 ${font.box.join(' ')} d1\n${pathOf(letter)}f\n`;
    return `/${glyphName(letter)} ${ref(writer.stream('', drawing))}`;
  });
  const byCode = letters
    .map((letter) => [codeOf(letter), letter] as const)
    .sort(([a], [b]) => a - b);
  const first = byCode[0]?.[0] ?? 0;
  const widths = byCode.map(([, letter]) =>
    Math.round((font.widthOf(letter) * font.unitsPerEm) / 1000),
  );
  const map =
    kind === 'mapped'
      ? ` /ToUnicode ${ref(
          toUnicode(
            writer,
            byCode.map(([code, letter]) => [hex4(code).slice(2), mapLetter(letter)]),
          ),
        )}`
      : '';
  const number = writer.add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [${font.box.join(' ')}] /FontMatrix [${1 / font.unitsPerEm} 0 0 ${1 / font.unitsPerEm} 0 0] /CharProcs << ${procedures.join(' ')} >> /Encoding << /Type /Encoding /Differences [${first} ${byCode.map(([, letter]) => `/${glyphName(letter)}`).join(' ')}] >> /FirstChar ${first} /LastChar ${first + byCode.length - 1} /Widths [${widths.join(' ')}] /Resources << >>${map} >>`,
  );
  const codes = (text: string): string =>
    [...text].map((letter) => hex4(codeOf(letter)).slice(2)).join('');
  return {
    resource: `/${name} ${ref(number)}`,
    name,
    show: (text) => `<${codes(text)}>`,
    width: widthIn(font),
    codes: kind === 'named' ? () => null : codes,
    isMapped: kind !== 'unmapped',
  };
}

/** Adobe's glyph names for what is not a letter. */
const standardNames: Record<string, string> = Object.fromEntries(
  'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at'
    .split(' ')
    .map((name, index) => [String.fromCharCode(32 + index), name])
    .concat(
      'bracketleft backslash bracketright asciicircum underscore grave'
        .split(' ')
        .map((name, index) => [String.fromCharCode(91 + index), name]),
      'braceleft bar braceright asciitilde'
        .split(' ')
        .map((name, index) => [String.fromCharCode(123 + index), name]),
    ),
);
