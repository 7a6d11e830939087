import { decodePDFRawStream, PDFRawStream, type PDFStream } from 'pdf-lib';

/** The bytes of a stream without its filters; undefined if they cannot be decoded. */
export function decoded(stream: PDFStream | undefined): Buffer | undefined {
  if (!(stream instanceof PDFRawStream)) return undefined;
  try {
    return Buffer.from(decodePDFRawStream(stream).decode());
  } catch {
    return undefined;
  }
}
