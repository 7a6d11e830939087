import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream, StandardFontEmbedder } from 'pdf-lib';
import { decodeStream } from '../../../../pdf/streams.ts';
import { dictOf, nameValue, numbersIn, numberValue } from '../build/values.ts';

/** The properties of a font that are needed to locate its glyphs. */
export interface Font {
  isType3: boolean;
  /** False if widths or code lengths are unknown. Text in such a font can be kept but not split. */
  hasMetrics: boolean;
  bytesPerCode: 1 | 2;
  /** Returns the width of a code in text space, where 1 is the font size. */
  widthOf(code: number): number;
}

const unknownFont: Font = { isType3: false, hasMetrics: false, bytesPerCode: 1, widthOf: () => 1 };

/** Reads a font dictionary (PDF 32000-1 §9.6, §9.7). Does not throw on a malformed dictionary. */
export function readFont(dict: PDFDict | undefined): Font {
  if (!dict) return unknownFont;
  const subtype = nameValue(dict, 'Subtype');
  if (subtype === 'Type0') return readComposite(dict);
  const widths = readWidths(dict);
  if (subtype === 'Type3') {
    const scale = numbersIn(dict, 'FontMatrix')?.[0] ?? 0.001;
    return {
      isType3: true,
      hasMetrics: true,
      bytesPerCode: 1,
      widthOf: (c) => (widths?.(c) ?? 0) * scale,
    };
  }
  const widthOf = widths ?? standardWidths(dict);
  if (!widthOf) return unknownFont;
  return {
    isType3: false,
    hasMetrics: true,
    bytesPerCode: 1,
    widthOf: (code) => widthOf(code) / 1000,
  };
}

function numberAt(array: PDFArray, at: number): number | undefined {
  const value = array.lookup(at);
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

function readWidths(dict: PDFDict): ((code: number) => number) | undefined {
  const widths = numbersIn(dict, 'Widths');
  if (!widths) return undefined;
  const first = numberValue(dict, 'FirstChar') ?? 0;
  const defaultWidth = numberValue(dictOf(dict, 'FontDescriptor'), 'MissingWidth') ?? 0;
  return (code) => widths[code - first] ?? defaultWidth;
}

const familyPatterns: readonly [RegExp, string][] = [
  [/^(Arial|Helvetica)/i, 'Helvetica'],
  [/^(TimesNewRoman|Times)/i, 'Times'],
  [/^Courier/i, 'Courier'],
];

const standardFaces: Readonly<Record<string, readonly [string, string, string, string]>> = {
  Helvetica: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  Times: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  Courier: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
};

type StandardName = Parameters<typeof StandardFontEmbedder.for>[0];

const isStandardName = (name: string): name is `${StandardName}` =>
  name === 'Symbol' ||
  name === 'ZapfDingbats' ||
  Object.values(standardFaces).flat().includes(name);

function standardFace(baseFont: string): StandardFontEmbedder | undefined {
  const normalisedName = baseFont.replace(/^[A-Z]{6}\+/, '').replace(/[ ,]/g, '-');
  const family = familyPatterns.find(([pattern]) => pattern.test(normalisedName))?.[1];
  const bold = /bold/i.test(normalisedName) ? 1 : 0;
  const italic = /italic|oblique/i.test(normalisedName) ? 2 : 0;
  const name = family ? standardFaces[family]?.[bold + italic] : normalisedName;
  return name && isStandardName(name) ? standardFont(name) : undefined;
}

/** Returns a standard 14 font by name. pdf-lib does not export the enumeration of names. */
export const standardFont = (name: `${StandardName}`): StandardFontEmbedder =>
  StandardFontEmbedder.for(name as StandardName);

/** Returns the widths of a standard 14 font, which files may omit (PDF 32000-1 §9.6.2.2). */
function standardWidths(dict: PDFDict): ((code: number) => number) | undefined {
  const face = standardFace(nameValue(dict, 'BaseFont') ?? '');
  if (!face) return undefined;
  const names = new Map<number, string>();
  for (const point of face.encoding.supportedCodePoints) {
    const { code, name } = face.encoding.encodeUnicodeCodePoint(point);
    names.set(code, name);
  }
  const encoding = dict.lookup(PDFName.of('Encoding'));
  const base =
    encoding instanceof PDFDict ? nameValue(encoding, 'BaseEncoding') : nameValue(dict, 'Encoding');
  if (base === undefined && face.fontName !== 'Symbol' && face.fontName !== 'ZapfDingbats') {
    // The built-in encoding differs from WinAnsi mainly in these two codes.
    names.set(0x27, 'quoteright').set(0x60, 'quoteleft');
  }
  if (encoding instanceof PDFDict) {
    const differences = encoding.lookup(PDFName.of('Differences'));
    let code = 0;
    for (const item of differences instanceof PDFArray ? differences.asArray() : []) {
      if (item instanceof PDFNumber) code = item.asNumber();
      else if (item instanceof PDFName) names.set(code++, item.decodeText());
    }
  }
  return (code) => face.font.getWidthOfGlyph(names.get(code) ?? 'space') ?? 0;
}

function readComposite(dict: PDFDict): Font {
  const descendants = dict.lookup(PDFName.of('DescendantFonts'));
  const cidFont = descendants instanceof PDFArray ? descendants.lookup(0) : undefined;
  const unknown: Font = { ...unknownFont, bytesPerCode: 2 };
  if (!(cidFont instanceof PDFDict)) return unknown;
  const cidOf = readEncoding(dict);
  if (!cidOf) return unknown;
  const widths = readCidWidths(cidFont);
  const defaultWidth = numberValue(cidFont, 'DW') ?? 1000;
  return {
    isType3: false,
    hasMetrics: true,
    bytesPerCode: 2,
    widthOf: (code) => (widths.get(cidOf(code)) ?? defaultWidth) / 1000,
  };
}

const maxCode = 0xffff;
/** Maximum number of entries in a CMap. A CMap with more entries repeats codes. */
const maxCodes = 4 * maxCode;

/**
 * Returns a function that maps two-byte codes to CIDs, for Identity and for short embedded CMaps.
 */
function readEncoding(dict: PDFDict): ((code: number) => number) | undefined {
  const encoding = dict.lookup(PDFName.of('Encoding'));
  if (encoding instanceof PDFName) {
    return encoding.decodeText() === 'Identity-H' ? (code) => code : undefined;
  }
  if (!(encoding instanceof PDFRawStream)) return undefined;
  if (encoding.dict.has(PDFName.of('UseCMap')) || numberValue(encoding.dict, 'WMode') === 1) {
    return undefined;
  }
  const text = decodeStream(encoding)?.toString('latin1');
  if (text === undefined || text.includes('/WMode 1') || / usecmap/.test(text)) return undefined;
  const spaces = sectionsOf(text, 'codespacerange');
  const codes = spaces.flatMap((body) => [...body.matchAll(/<([^<>]*)>/g)]);
  if (codes.length === 0 || codes.some(([, digits]) => digits?.length !== 4)) return undefined;
  const ranges: [number, number, number][] = [];
  for (const body of sectionsOf(text, 'cidrange')) {
    for (const [, from, to, cid] of body.matchAll(
      /<(\w{1,8})>\s{0,8}<(\w{1,8})>\s{0,8}(\d{1,8})/g,
    )) {
      ranges.push([Number.parseInt(from!, 16), Number.parseInt(to!, 16), Number(cid)]);
    }
  }
  for (const body of sectionsOf(text, 'cidchar')) {
    for (const [, code, cid] of body.matchAll(/<(\w{1,8})>\s{0,8}(\d{1,8})/g)) {
      const at = Number.parseInt(code!, 16);
      ranges.push([at, at, Number(cid)]);
    }
  }
  const cids = new Map<number, number>();
  let steps = 0;
  for (const [from, to, cid] of ranges) {
    for (let code = from; code <= Math.min(to, maxCode); code += 1) {
      steps += 1;
      if (steps > maxCodes) return undefined;
      if (!cids.has(code)) cids.set(code, cid + code - from);
    }
  }
  return (code) => cids.get(code) ?? 0;
}

/** Returns the texts between `begin…` and `end…` of a kind of section, in one pass. */
function sectionsOf(text: string, kind: string): string[] {
  const sections: string[] = [];
  for (let at = text.indexOf(`begin${kind}`); at >= 0; ) {
    const start = at + 'begin'.length + kind.length;
    const end = text.indexOf(`end${kind}`, start);
    if (end < 0) break;
    sections.push(text.slice(start, end));
    at = text.indexOf(`begin${kind}`, end);
  }
  return sections;
}

const maxCid = 0xffff;

/** Reads the W array: `c [w1 w2 …]` and `first last w` (PDF 32000-1 §9.7.4.3). */
function readCidWidths(cidFont: PDFDict): Map<number, number> {
  const widths = new Map<number, number>();
  const list = cidFont.lookup(PDFName.of('W'));
  if (!(list instanceof PDFArray)) return widths;
  for (let at = 0; at + 1 < list.size(); ) {
    const first = numberAt(list, at) ?? 0;
    const second = list.lookup(at + 1);
    if (second instanceof PDFArray) {
      for (let index = 0; index < second.size(); index += 1) {
        widths.set(first + index, numberAt(second, index) ?? 0);
      }
      at += 2;
    } else {
      const last = Math.min(numberAt(list, at + 1) ?? first, maxCid);
      const width = numberAt(list, at + 2) ?? 0;
      for (let cid = first; cid <= last; cid += 1) widths.set(cid, width);
      at += 3;
    }
  }
  return widths;
}
