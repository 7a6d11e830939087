import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PDFArray, type PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';

/**
 * A font of DejaVu embedded in a PDF, with the glyphs that are used. It has the letters of Latin,
 * Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic, but not of Chinese, Japanese, Korean, Thai
 * and the scripts of India. Letters are neither joined nor put in order from right to left.
 */
export interface EmbeddedFont {
  has(character: string): boolean;
  /** The width of a text, in points. */
  width(text: string, size: number): number;
  /** The codes of a text, for the operator `Tj`. */
  encode(text: string): PDFHexString;
  /** The name to use the font under in the resources of a page. */
  ref: PDFRef;
  /** Writes the font into the document. Call it once, after all texts have been encoded. */
  write(): void;
}

const fontFiles = { regular: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' } as const;

/** Adds a font to a document. */
export async function embedFont(
  document: PDFDocument,
  weight: keyof typeof fontFiles,
): Promise<EmbeddedFont> {
  const { resolve } = createRequire(import.meta.url);
  const folder = join(dirname(resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const font = readTrueType(await readFile(join(folder, fontFiles[weight])));
  const ref = document.context.nextRef();
  const used = new Map<number, string>([[0, '\ufffd']]);
  const glyphOf = (character: string): number => font.glyphs.get(character.codePointAt(0)!) ?? 0;
  return {
    ref,
    has: (character) => glyphOf(character) !== 0,
    width: (text, size) =>
      ([...text].reduce((sum, character) => sum + font.advance(glyphOf(character)), 0) * size) /
      font.unitsPerEm,
    encode: (text) => {
      const codes = [...text].map((character) => {
        const glyph = glyphOf(character);
        if (!used.has(glyph)) used.set(glyph, character);
        return hex(glyph);
      });
      return PDFHexString.of(codes.join(''));
    },
    write: () => writeFont(document, ref, `SUBSET+${fontFiles[weight].slice(0, -4)}`, font, used),
  };
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');

interface TrueType {
  tables: Map<string, Buffer>;
  unitsPerEm: number;
  ascent: number;
  descent: number;
  box: number[];
  /** The glyph of each character, by code point. */
  glyphs: Map<number, number>;
  advance(glyph: number): number;
  /** The outline of a glyph; empty for spaces. */
  outline(glyph: number): Buffer;
  glyphCount: number;
}

/** Reads the parts of a TrueType font that a subset needs. The file is ours, so it is trusted. */
function readTrueType(file: Buffer): TrueType {
  const tables = new Map<string, Buffer>();
  for (let at = 12, left = file.readUInt16BE(4); left > 0; at += 16, left -= 1) {
    const offset = file.readUInt32BE(at + 8);
    const table = file.subarray(offset, offset + file.readUInt32BE(at + 12));
    tables.set(file.toString('latin1', at, at + 4), table);
  }
  const table = (name: string): Buffer => tables.get(name)!;
  const [head, hhea, hmtx, loca, glyf] = ['head', 'hhea', 'hmtx', 'loca', 'glyf'].map(table);
  const metrics = hhea!.readUInt16BE(34);
  const isLong = head!.readInt16BE(50) === 1;
  const position = (glyph: number): number =>
    isLong ? loca!.readUInt32BE(4 * glyph) : 2 * loca!.readUInt16BE(2 * glyph);
  return {
    tables,
    unitsPerEm: head!.readUInt16BE(18),
    ascent: hhea!.readInt16BE(4),
    descent: hhea!.readInt16BE(6),
    box: [36, 38, 40, 42].map((at) => head!.readInt16BE(at)),
    glyphs: readCharacterMap(table('cmap')),
    advance: (glyph) => hmtx!.readUInt16BE(4 * Math.min(glyph, metrics - 1)),
    outline: (glyph) => glyf!.subarray(position(glyph), position(glyph + 1)),
    glyphCount: table('maxp').readUInt16BE(4),
  };
}

/** Reads the segments of the character map of format 12, which has all characters. */
function readCharacterMap(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let record = 4, left = cmap.readUInt16BE(2); left > 0; record += 8, left -= 1) {
    const at = cmap.readUInt32BE(record + 4);
    if (cmap.readUInt16BE(at) !== 12) continue;
    for (let group = at + 16, rest = cmap.readUInt32BE(at + 12); rest > 0; group += 12, rest -= 1) {
      const [first, last] = [cmap.readUInt32BE(group), cmap.readUInt32BE(group + 4)];
      const glyph = cmap.readUInt32BE(group + 8);
      for (let code = first; code <= last; code += 1) glyphs.set(code, glyph + code - first);
    }
  }
  return glyphs;
}

/** Adds the glyphs that composite glyphs consist of. */
function withComponents(font: TrueType, glyphs: Iterable<number>): Set<number> {
  const all = new Set(glyphs);
  for (const glyph of all) {
    const outline = font.outline(glyph);
    if (outline.length === 0 || outline.readInt16BE(0) >= 0) continue;
    let at = 10;
    let flags: number;
    do {
      flags = outline.readUInt16BE(at);
      all.add(outline.readUInt16BE(at + 2));
      at += 4 + (flags & 1 ? 4 : 2);
      if (flags & 0x08) at += 2;
      else if (flags & 0x40) at += 4;
      else if (flags & 0x80) at += 8;
    } while (flags & 0x20);
  }
  return all;
}

/** Returns a font file in which all glyphs but those keep their number, but not their outline. */
function subset(font: TrueType, glyphs: Set<number>): Buffer {
  const outlines: Buffer[] = [];
  const loca = Buffer.alloc(4 * (font.glyphCount + 1));
  let length = 0;
  for (let glyph = 0; glyph < font.glyphCount; glyph += 1) {
    loca.writeUInt32BE(length, 4 * glyph);
    if (!glyphs.has(glyph)) continue;
    const outline = font.outline(glyph);
    const padded = Buffer.concat([outline, Buffer.alloc(-outline.length & 3)]);
    outlines.push(padded);
    length += padded.length;
  }
  loca.writeUInt32BE(length, 4 * font.glyphCount);
  const head = Buffer.from(font.tables.get('head')!);
  head.writeInt16BE(1, 50);
  const tables = new Map<string, Buffer>([
    ['glyf', Buffer.concat(outlines)],
    ['head', head],
    ['loca', loca],
  ]);
  for (const name of ['cvt ', 'fpgm', 'hhea', 'hmtx', 'maxp', 'prep']) {
    const table = font.tables.get(name);
    if (table) tables.set(name, table);
  }
  return writeTables(tables);
}

/** Writes tables as a font file. Checksums are zero: readers of PDF do not check them. */
function writeTables(tables: ReadonlyMap<string, Buffer>): Buffer {
  const names = [...tables.keys()].sort();
  const header = Buffer.alloc(12 + 16 * names.length);
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(names.length, 4);
  const parts: Buffer[] = [header];
  let offset = header.length;
  for (const [index, name] of names.entries()) {
    const table = tables.get(name)!;
    const at = 12 + 16 * index;
    header.write(name, at, 'latin1');
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(table.length, at + 12);
    parts.push(table, Buffer.alloc(-table.length & 3));
    offset += table.length + (-table.length & 3);
  }
  return Buffer.concat(parts);
}

function writeFont(
  { context }: PDFDocument,
  ref: PDFRef,
  name: string,
  font: TrueType,
  used: ReadonlyMap<number, string>,
): void {
  const toPdf = (units: number): number => Math.round((units * 1000) / font.unitsPerEm);
  const file = subset(font, withComponents(font, used.keys()));
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: font.box.map(toPdf),
      ItalicAngle: 0,
      Ascent: toPdf(font.ascent),
      Descent: toPdf(font.descent),
      CapHeight: toPdf(font.ascent),
      StemV: 80,
      FontFile2: context.register(context.flateStream(file, { Length1: file.length })),
    }),
  );
  const widths = context.obj(
    [...used.keys()]
      .sort((a, b) => a - b)
      .flatMap((glyph) => [context.obj(glyph), context.obj([toPdf(font.advance(glyph))])]),
  );
  const descendants = PDFArray.withContext(context);
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: {
      Registry: PDFHexString.fromText('Adobe'),
      Ordering: PDFHexString.fromText('Identity'),
      Supplement: 0,
    },
    CIDToGIDMap: 'Identity',
    FontDescriptor: descriptor,
  });
  descendant.set(PDFName.of('W'), widths);
  descendants.push(context.register(descendant));
  const type0 = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    ToUnicode: context.register(context.flateStream(toUnicode(used))),
  });
  type0.set(PDFName.of('DescendantFonts'), descendants);
  context.assign(ref, type0);
}

/** The CMap from glyphs to characters, so that the text can be searched and copied. */
function toUnicode(used: ReadonlyMap<number, string>): string {
  const entries = [...used].map(
    ([glyph, character]) =>
      `<${hex(glyph)}> <${Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at))).join('')}>`,
  );
  const blocks: string[] = [];
  for (let at = 0; at < entries.length; at += 100) {
    const part = entries.slice(at, at + 100);
    blocks.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def',
    '1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange',
    ...blocks,
    'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend',
  ].join('\n');
}
