import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  type PDFPageLeaf,
  PDFStream,
} from 'pdf-lib';
import { decodeStream } from '../../../../pdf/streams.ts';

/** Returns the value of a key, with references resolved; undefined for null. */
export function lookUp(dict: PDFDict | undefined, key: string): PDFObject | undefined {
  const value = dict?.lookup(PDFName.of(key));
  return value === PDFNull ? undefined : value;
}

export function dictOf(dict: PDFDict | undefined, key: string): PDFDict | undefined {
  const value = lookUp(dict, key);
  return value instanceof PDFDict ? value : undefined;
}

export function nameValue(dict: PDFDict | undefined, key: string): string | undefined {
  const value = lookUp(dict, key);
  return value instanceof PDFName ? value.decodeText() : undefined;
}

export function numberValue(dict: PDFDict | undefined, key: string): number | undefined {
  const value = lookUp(dict, key);
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

/** Returns the numbers of an array; undefined if the value is not an array. */
export function numbersIn(dict: PDFDict | undefined, key: string): number[] | undefined {
  const value = lookUp(dict, key);
  if (!(value instanceof PDFArray)) return undefined;
  return value.asArray().map((_, at) => {
    const item = value.lookup(at);
    return item instanceof PDFNumber ? item.asNumber() : 0;
  });
}

/**
 * Returns the content streams of a page, joined as PDF readers join them; undefined if one of them
 * cannot be decoded.
 */
export function contentOf(leaf: PDFPageLeaf): Buffer | undefined {
  const contents = lookUp(leaf, 'Contents');
  const parts =
    contents instanceof PDFArray
      ? contents.asArray().map((_, at) => contents.lookup(at))
      : [contents];
  const bytes: Buffer[] = [];
  for (const part of parts) {
    if (!(part instanceof PDFStream)) continue;
    const decodedPart = decodeStream(part);
    if (!decodedPart) return undefined;
    bytes.push(decodedPart, Buffer.from('\n'));
  }
  return Buffer.concat(bytes);
}
