import { PDFArray, PDFName, type PDFRawStream } from 'pdf-lib';
import { EngineError } from '../../../errors.ts';
import { bareJpeg } from '../../../imaging/strip/jpeg.ts';
import { valueIn } from '../values.ts';

/** Names of a stream's filters, in the order they are undone. */
export function filtersOf({ dict }: PDFRawStream): string[] {
  const filter = valueIn(dict, 'Filter');
  const list = filter instanceof PDFArray ? filter.asArray() : [filter];
  return list.flatMap((item) => (item instanceof PDFName ? [item.decodeText()] : []));
}

/** The coded pixels of a picture in a PDF without what else its format can carry. */
export function withoutPictureMetadata(stream: PDFRawStream): Uint8Array {
  const bytes = Buffer.from(stream.contents);
  const [filter, more] = filtersOf(stream);
  if (more !== undefined) return stream.contents;
  if (filter === 'DCTDecode') return new Uint8Array(strippedJpeg(bytes));
  if (filter === 'JPXDecode') return new Uint8Array(strippedJpx(bytes));
  return stream.contents;
}

/** A JPEG as a PDF needs it; one that cannot be taken apart stays as it is. */
function strippedJpeg(bytes: Buffer): Buffer {
  try {
    return bareJpeg(bytes);
  } catch (error) {
    if (error instanceof EngineError) return bytes;
    throw error;
  }
}

/** Boxes of JP2 files that hold no picture (ISO 15444-1 annex I). */
const wordyBoxes: ReadonlySet<string> = new Set(['xml ', 'uuid', 'uinf', 'jp2i', 'asoc', 'free']);

function strippedJpx(bytes: Buffer): Buffer {
  // A bare codestream has no boxes.
  if (bytes.length < 12 || bytes.toString('latin1', 4, 8) !== 'jP  ') return bytes;
  const kept: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    // 0 runs to the end of the file; 1 announces a length of eight bytes.
    const end = length === 0 || length === 1 ? bytes.length : at + length;
    if (end <= at || end > bytes.length) return bytes;
    if (!wordyBoxes.has(bytes.toString('latin1', at + 4, at + 8)))
      kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
