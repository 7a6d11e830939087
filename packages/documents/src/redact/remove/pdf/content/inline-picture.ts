import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from 'pdf-lib';
import { dictOf } from '../build/values.ts';
import { isStringOperand, type Operand, type RewriteOperation, stringBytes } from './operands.ts';

/** Abbreviations in inline images (PDF 32000-1 §8.9.7). */
const fullKeys: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
};
const fullValues: Readonly<Record<string, string>> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  I: 'Indexed',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};

/** Reads one value of the dictionary and advances `at`. */
function readValue(
  context: PDFContext,
  operands: readonly Operand[],
  cursor: { at: number },
): PDFObject {
  const operand = operands[cursor.at];
  cursor.at += 1;
  const text = operand?.text ?? 'null';
  if (text === '[') {
    const array = PDFArray.withContext(context);
    while (cursor.at < operands.length && operands[cursor.at]?.text !== ']') {
      array.push(readValue(context, operands, cursor));
    }
    cursor.at += 1;
    return array;
  }
  if (text === '<' && operands[cursor.at]?.text === '<') {
    cursor.at += 1;
    const dict = PDFDict.withContext(context);
    while (cursor.at < operands.length && operands[cursor.at]?.text !== '>') {
      const key = operands[cursor.at]?.text.slice(1) ?? '';
      cursor.at += 1;
      dict.set(PDFName.of(key), readValue(context, operands, cursor));
    }
    cursor.at += 2;
    return dict;
  }
  if (text.startsWith('/')) return PDFName.of(fullValues[text.slice(1)] ?? text.slice(1));
  if (text === 'true' || text === 'false') return text === 'true' ? PDFBool.True : PDFBool.False;
  if (operand && isStringOperand(operand)) return context.obj(stringBytes(operand));
  return PDFNumber.of(Number.parseFloat(text) || 0);
}

/** Converts an inline image to an equivalent stream. */
export function readInlinePicture(
  context: PDFContext,
  bytes: Uint8Array,
  { operands, start, end }: RewriteOperation,
  resources: PDFDict | undefined,
): PDFRawStream {
  const dict = context.obj({ Type: 'XObject', Subtype: 'Image' });
  const cursor = { at: 0 };
  while (cursor.at < operands.length) {
    const key = operands[cursor.at]?.text.slice(1) ?? '';
    cursor.at += 1;
    dict.set(PDFName.of(fullKeys[key] ?? key), readValue(context, operands, cursor));
  }
  const space = dict.get(PDFName.of('ColorSpace'));
  if (space instanceof PDFName) {
    // The name refers to the page's resources.
    const named = dictOf(resources, 'ColorSpace')?.get(space);
    if (named) dict.set(PDFName.of('ColorSpace'), named);
  }
  if (space instanceof PDFArray && space.get(0) === PDFName.of('Indexed')) {
    const table = space.get(3);
    if (table instanceof PDFArray) {
      const colours = table
        .asArray()
        .map((item) => (item instanceof PDFNumber ? item.asNumber() : 0));
      space.set(3, context.register(context.stream(Uint8Array.from(colours))));
    }
  }
  // One white-space character follows ID, and one precedes EI.
  return PDFRawStream.of(dict, bytes.slice(start + 3, Math.max(start + 3, end - 3)));
}
