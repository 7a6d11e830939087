import { EngineError } from '@scriptorium/sandbox/errors';
import {
  decodePDFRawStream,
  PDFArray,
  type PDFDict,
  PDFName,
  PDFNull,
  PDFRawStream,
} from 'pdf-lib';
import { jpegWithoutExif } from '../../../../imaging/strip/jpeg.ts';
import { lookUp } from '../build/values.ts';
import { stripJpx } from './jpx.ts';

/** Returns the names of a stream's filters, in decoding order. */
export function streamFilters({ dict }: PDFRawStream): string[] {
  const filter = lookUp(dict, 'Filter');
  const list = filter instanceof PDFArray ? filter.asArray() : [filter];
  return list.flatMap((item) => (item instanceof PDFName ? [item.decodeText()] : []));
}

/**
 * Returns the bytes encoded by a stream's last filter, with the other filters decoded; undefined if
 * decoding fails.
 */
export function codedBytes(stream: PDFRawStream): Buffer | undefined {
  const filters = streamFilters(stream);
  if (filters.length < 2) return Buffer.from(stream.contents);
  const dict = stream.dict.clone();
  dict.set(PDFName.of('Filter'), dict.context.obj(filters.slice(0, -1)));
  dict.delete(PDFName.of('DecodeParms'));
  try {
    return Buffer.from(decodePDFRawStream(PDFRawStream.of(dict, stream.contents)).decode());
  } catch {
    return undefined;
  }
}

/**
 * Returns a copy of a picture of a PDF that contains only pixels. Its dictionary was already copied
 * to `dict`. Of several filters, only the last one is kept.
 */
export function withoutPictureMetadata(stream: PDFRawStream, dict: PDFDict): PDFRawStream {
  const filters = streamFilters(stream);
  const filter = filters.at(-1);
  const strip = filter === 'DCTDecode' ? stripJpeg : filter === 'JPXDecode' ? stripJpx : null;
  const bytes = strip && codedBytes(stream);
  if (!bytes || !filter) return PDFRawStream.of(dict, stream.contents);
  if (filters.length > 1) {
    dict.set(PDFName.of('Filter'), PDFName.of(filter));
    const parameters = lookUp(dict, 'DecodeParms');
    const lastParameters = parameters instanceof PDFArray ? parameters.asArray().at(-1) : undefined;
    dict.delete(PDFName.of('DecodeParms'));
    if (lastParameters && lastParameters !== PDFNull)
      dict.set(PDFName.of('DecodeParms'), lastParameters);
  }
  return PDFRawStream.of(dict, new Uint8Array(strip(bytes)));
}

/**
 * Returns a JPEG with only the segments that a PDF needs. A JPEG that cannot be parsed is returned
 * unchanged.
 */
function stripJpeg(bytes: Buffer): Buffer {
  try {
    return jpegWithoutExif(bytes);
  } catch (error) {
    if (error instanceof EngineError) return bytes;
    throw error;
  }
}
