import {
  decodePDFRawStream,
  PDFArray,
  type PDFDict,
  PDFName,
  PDFNull,
  PDFRawStream,
} from 'pdf-lib';
import { EngineError } from '../../../errors.ts';
import { bareJpeg } from '../../../imaging/strip/jpeg.ts';
import { valueIn } from '../values.ts';
import { bareJpx } from './jpx.ts';

/** Names of a stream's filters, in the order they are undone. */
export function filtersOf({ dict }: PDFRawStream): string[] {
  const filter = valueIn(dict, 'Filter');
  const list = filter instanceof PDFArray ? filter.asArray() : [filter];
  return list.flatMap((item) => (item instanceof PDFName ? [item.decodeText()] : []));
}

/** The coded bytes of a stream's last filter, the others undone; undefined where they cannot be had. */
export function codedBytes(stream: PDFRawStream): Buffer | undefined {
  const filters = filtersOf(stream);
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
 * A copy of a picture in a PDF, whose dictionary has been copied to `dict`, without what else than
 * pixels its format can carry. Coded more than once, it is coded by its last filter only.
 */
export function withoutPictureMetadata(stream: PDFRawStream, dict: PDFDict): PDFRawStream {
  const filters = filtersOf(stream);
  const filter = filters.at(-1);
  const strip = filter === 'DCTDecode' ? strippedJpeg : filter === 'JPXDecode' ? bareJpx : null;
  const bytes = strip && codedBytes(stream);
  if (!bytes || !filter) return PDFRawStream.of(dict, stream.contents);
  if (filters.length > 1) {
    dict.set(PDFName.of('Filter'), PDFName.of(filter));
    const parameters = valueIn(dict, 'DecodeParms');
    const own = parameters instanceof PDFArray ? parameters.asArray().at(-1) : undefined;
    dict.delete(PDFName.of('DecodeParms'));
    if (own && own !== PDFNull) dict.set(PDFName.of('DecodeParms'), own);
  }
  return PDFRawStream.of(dict, new Uint8Array(strip(bytes)));
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
