import { PDFArray, type PDFContext, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';

/**
 * The font "GlyphLessFont" of the Tesseract project (Apache-2.0): a TrueType font of 572 bytes
 * whose only glyph is empty and half an em wide. Text in this font can be found, selected and
 * copied.
 */
const fontFile = Buffer.from(
  [
    'AAEAAAAKAIAAAwAgT1MvMlbeyJQAAAEoAAAAYGNtYXAACgA0AAABkAAAAB5nbHlmFSJBJAAAAbgAAAAYaGVhZAt4',
    '8WUAAACsAAAANmhoZWEMAgQCAAAA5AAAACRobXR4BAAAAAAAAYgAAAAIbG9jYQAMAAAAAAGwAAAABm1heHAABAAF',
    'AAABCAAAACBuYW1l8usW2gAAAdAAAABLcG9zdAABAAEAAAIcAAAAIAABAAAAAQAAsJRxEF8PPPUEBwgAAAAAAM+a',
    '/G4AAAAA1MOn8gAAAAAEAAgAAAAAEAACAAAAAAAAAAEAAAgA//8AAAQAAAAAAAQAAAEAAAAAAAAAAAAAAAAAAAAC',
    'AAEAAAACAAQAAQAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAwAAAZAABQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAUA',
    'AQABAAAAAAAAAAAAAAAAAAAAAAAAAAAAR09PRwBAAAAAAAAB//8AAAABAAGAAAAAAAAAAAAAAAAAAAABAAAAAAAA',
    'BAAAAAAAAAIAAQAAAAAAFAADAAAAAAAUAAYACgAAAAAAAAAAAAAAAAAMAAAAAQAAAAAEAAgAAAMAADEhESEEAPwA',
    'CAAAAAADACoAAAADAAAABQAWAAAAAQAAAAAABQALABYAAwABBAkABQAWAAAAVgBlAHIAcwBpAG8AbgAgADEALgAw',
    'VmVyc2lvbiAxLjAAAAEAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAA=',
  ].join(''),
  'base64',
);

/** Advance of every glyph, in ems. */
export const glyphAdvance = 0.5;

/** First and last UTF-16 surrogate. A single surrogate is not a character. */
const firstSurrogate = 0xd800;
const lastSurrogate = 0xdfff;

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}

function utf16Hex(text: string): string {
  let digits = '';
  for (let at = 0; at < text.length; at += 1) digits += hex(text.charCodeAt(at));
  return digits;
}

/**
 * Assigns codes to characters. A character of the basic plane is its own code. Any other character
 * gets a code from the surrogate range with a separate mapping, because readers decode a pair of
 * surrogates as two unknown characters.
 */
export type Encoding = {
  /** Returns the two-byte codes in hexadecimal, and their number. */
  encode(text: string): { digits: string; codes: number };
  astral: ReadonlyMap<string, number>;
};

export function createEncoding(): Encoding {
  const astral = new Map<string, number>();
  const codeOf = (character: string): number => {
    const point = character.codePointAt(0) ?? 0xfffd;
    if (point <= 0xffff) return point >= firstSurrogate && point <= lastSurrogate ? 0xfffd : point;
    let code = astral.get(character);
    if (code === undefined) {
      code = firstSurrogate + astral.size;
      // The range has 2,048 codes, far more than any text needs.
      if (code > lastSurrogate) return 0xfffd;
      astral.set(character, code);
    }
    return code;
  };
  const encode = (text: string) => {
    let digits = '';
    let codes = 0;
    for (const character of text) {
      digits += hex(codeOf(character));
      codes += 1;
    }
    return { digits, codes };
  };
  return { encode, astral };
}

/**
 * Returns the CMap from codes to Unicode (PDF 32000-1 §9.10.3). A range must not span two high
 * bytes.
 */
function toUnicodeCMap(astral: ReadonlyMap<string, number>): string {
  const blocks: string[] = [];
  const ranges: string[] = [];
  for (let high = 0; high <= 0xff; high += 1) {
    const from = high << 8;
    if (from >= firstSurrogate && from <= lastSurrogate) continue;
    ranges.push(`<${hex(from)}> <${hex(from | 0xff)}> <${hex(from)}>`);
  }
  const add = (kind: string, entries: string[]): void => {
    for (let at = 0; at < entries.length; at += 100) {
      const part = entries.slice(at, at + 100);
      blocks.push(`${part.length} begin${kind}\n${part.join('\n')}\nend${kind}`);
    }
  };
  add('bfrange', ranges);
  add(
    'bfchar',
    [...astral].map(([character, code]) => `<${hex(code)}> <${utf16Hex(character)}>`),
  );
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}

/** Writes the font into a document under `ref`, after all text has been encoded. */
export function writeGlyphlessFont(context: PDFContext, ref: PDFRef, encoding: Encoding): void {
  // All codes map to glyph 1.
  const glyphMap = new Uint8Array(0x20000);
  for (let at = 1; at < glyphMap.length; at += 2) glyphMap[at] = 1;
  const file = context.register(context.flateStream(fontFile, { Length1: fontFile.length }));
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: 'GlyphLessFont',
      Flags: 5,
      FontBBox: [0, -200, glyphAdvance * 1000, 800],
      Ascent: 800,
      Descent: -200,
      CapHeight: 800,
      ItalicAngle: 0,
      StemV: 80,
      FontFile2: file,
    }),
  );
  const descendants = PDFArray.withContext(context);
  descendants.push(
    context.register(
      context.obj({
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: 'GlyphLessFont',
        CIDSystemInfo: {
          Registry: PDFHexString.of('41646F6265'),
          Ordering: PDFHexString.of('4964656E74697479'),
          Supplement: 0,
        },
        CIDToGIDMap: context.register(context.flateStream(glyphMap)),
        FontDescriptor: descriptor,
        DW: glyphAdvance * 1000,
      }),
    ),
  );
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: 'GlyphLessFont',
    Encoding: 'Identity-H',
    ToUnicode: context.register(context.flateStream(toUnicodeCMap(encoding.astral))),
  });
  font.set(PDFName.of('DescendantFonts'), descendants);
  context.assign(ref, font);
}
