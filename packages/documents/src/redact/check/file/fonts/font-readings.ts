import { decodeStream } from '../filters.ts';
import type { ParsedFile } from '../parse.ts';
import { type Dictionary, isDictionary, nameIn, PdfName, type PdfValue } from '../syntax.ts';
import { codeKey, readCMap } from './cmap.ts';
import { readGlyphTexts } from './truetype.ts';

/** Returns the text that a font shows for the bytes of a string. */
export type FontReading = (bytes: Uint8Array) => string;

const replacementCharacter = '\ufffd';

/**
 * Returns all readings of strings in a font: by its ToUnicode map, by its encoding, and by the
 * character table of its font program. They may differ, and each of them may reveal a value.
 * @throws ParseFault if the font is malformed
 */
export function readingsOf(file: ParsedFile, font: Dictionary): FontReading[] {
  const readings: FontReading[] = [];
  const toUnicode = file.objectOf(font.get('ToUnicode'));
  const isComposite = nameIn(font, 'Subtype') === 'Type0';
  if (toUnicode?.stream) {
    const { lengths, texts } = readCMap(decodeStream(toUnicode, file.resolve).bytes);
    const length = lengths.length === 1 ? (lengths[0] ?? 1) : isComposite ? 2 : 1;
    readings.push((bytes) =>
      splitCodes(bytes, isComposite ? length : 1)
        .map((code) => texts.get(codeKey(length, code)) ?? replacementCharacter)
        .join(''),
    );
  }
  readings.push(...(isComposite ? readComposite(file, font) : [readSimple(file, font)]));
  return readings;
}

function splitCodes(bytes: Uint8Array, length: number): number[] {
  const found: number[] = [];
  for (let at = 0; at + length <= bytes.length; at += length) {
    let code = 0;
    for (let byte = 0; byte < length; byte += 1) code = code * 256 + (bytes[at + byte] ?? 0);
    found.push(code);
  }
  return found;
}

/** Encodings of the predefined CMaps (32000-1 table 118), identified by a part of their names. */
const knownEncodings: readonly [RegExp, string][] = [
  [/UCS2|UTF16/, 'utf-16be'],
  [/UTF8/, 'utf-8'],
  [/RKSJ/, 'shift_jis'],
  [/^EUC-/, 'euc-jp'],
  [/^GB|^GBK/, 'gb18030'],
  [/^KSC/, 'euc-kr'],
  [/^B5|^ETen|^HKscs/, 'big5'],
];

/** Returns the readings of a font whose strings are glyph codes. */
function readComposite(file: ParsedFile, font: Dictionary): FontReading[] {
  const encoding = file.resolve(font.get('Encoding'));
  if (encoding instanceof PdfName) {
    const known = knownEncodings.find(([pattern]) => pattern.test(encoding.text));
    if (known) {
      const decoder = new TextDecoder(known[1]);
      return [(bytes) => decoder.decode(bytes)];
    }
  }
  const [descendant] = [file.resolve(font.get('DescendantFonts'))].flat();
  const cidFont = file.resolve(descendant);
  if (!isDictionary(cidFont)) return [];
  const program = programOf(file, cidFont);
  if (!program) return [];
  const texts = readGlyphTexts(program);
  if (texts.size === 0) return [];
  const encodingStream = file.objectOf(font.get('Encoding'));
  const cmap = encodingStream?.stream
    ? readCMap(decodeStream(encodingStream, file.resolve).bytes)
    : undefined;
  const mapObject = file.objectOf(cidFont.get('CIDToGIDMap'));
  const map = mapObject?.stream ? decodeStream(mapObject, file.resolve).bytes : undefined;
  const length = cmap?.lengths[0] ?? 2;
  return [
    (bytes) =>
      splitCodes(bytes, length)
        .map((code) => {
          const cid = cmap ? (cmap.glyphs.get(codeKey(length, code)) ?? 0) : code;
          const glyph = map ? (map[cid * 2] ?? 0) * 256 + (map[cid * 2 + 1] ?? 0) : cid;
          return texts.get(glyph) ?? replacementCharacter;
        })
        .join(''),
  ];
}

function programOf(file: ParsedFile, font: Dictionary): Uint8Array | undefined {
  const descriptor = file.resolve(font.get('FontDescriptor'));
  if (!isDictionary(descriptor)) return undefined;
  const program = file.objectOf(descriptor.get('FontFile2') ?? descriptor.get('FontFile3'));
  return program?.stream ? decodeStream(program, file.resolve).bytes : undefined;
}

/** Returns the reading of a font with one byte per character. */
function readSimple(file: ParsedFile, font: Dictionary): FontReading {
  const encoding = file.resolve(font.get('Encoding'));
  const base =
    encoding instanceof PdfName
      ? encoding.text
      : isDictionary(encoding)
        ? nameIn(encoding, 'BaseEncoding')
        : undefined;
  const decoder = new TextDecoder(base === 'MacRomanEncoding' ? 'macintosh' : 'windows-1252');
  const table = Array.from({ length: 256 }, (_, code) => decoder.decode(Uint8Array.of(code)));
  let at = 0;
  const differences = isDictionary(encoding) ? file.resolve(encoding.get('Differences')) : null;
  for (const item of Array.isArray(differences) ? differences : []) {
    const entry: PdfValue = file.resolve(item);
    if (typeof entry === 'number') at = entry;
    else if (entry instanceof PdfName) {
      if (at >= 0 && at < 256) table[at] = textOfGlyph(entry.text);
      at += 1;
    }
  }
  return (bytes) => [...bytes].map((byte) => table[byte] ?? replacementCharacter).join('');
}

const glyphTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'zero one two three four five six seven eight nine'
      .split(' ')
      .map((name, digit) => [name, `${digit}`]),
  ),
  space: ' ',
  hyphen: '-',
  period: '.',
  comma: ',',
  colon: ':',
  slash: '/',
  at: '@',
  underscore: '_',
  plus: '+',
  quotesingle: "'",
  parenleft: '(',
  parenright: ')',
  germandbls: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  oslash: 'ø',
  Oslash: 'Ø',
  lslash: 'ł',
  Lslash: 'Ł',
  dotlessi: 'ı',
  eth: 'ð',
  thorn: 'þ',
  fi: 'fi',
  fl: 'fl',
  ff: 'ff',
  ffi: 'ffi',
  ffl: 'ffl',
};

/**
 * Returns the text of a glyph by its name, without accents, because values are compared without
 * accents. The name of a ligature may list its parts (`f_i`).
 */
function textOfGlyph(name: string): string {
  const [baseName = name] = name.split('.');
  return baseName.split('_').map(textOfPart).join('');
}

function textOfPart(name: string): string {
  const known = glyphTexts[name];
  if (known !== undefined) return known;
  const accented =
    /^([A-Za-z])(?:acute|grave|circumflex|dieresis|tilde|ring|cedilla|caron|breve|macron|ogonek|dotaccent|hungarumlaut|small)?$/.exec(
      name,
    );
  if (accented?.[1]) return accented[1];
  const code = /^(?:uni|u)([0-9A-F]{4,6})$/.exec(name)?.[1];
  const point = code === undefined ? undefined : Number.parseInt(code.slice(0, 6), 16);
  return point !== undefined && point <= 0x10ffff
    ? String.fromCodePoint(point)
    : replacementCharacter;
}
