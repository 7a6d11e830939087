import { OperationFailed } from '../operation-failed.ts';

/** The reason for each failed check of a redacted file, as text. */
const reasons: Readonly<Record<string, string>> = {
  text_pdfium: 'text of removed values is left on a page',
  text_pdfjs: 'text of removed values is left on a page',
  occlusion: 'something is drawn under a box',
  pictures: 'a picture shows something under a box',
  ocr_regions: 'text can be read on or next to a box',
  barcodes: 'a barcode that had to be removed can still be decoded',
  faces: 'a face that had to be removed can still be seen',
  unread_text: 'a page contains writing that could not be read, so it was not searched',
  structure: 'the file has a part that may hide data',
  streams: 'the data of the file contains a removed value',
  picture_metadata: 'a picture contains data other than pixels',
  look_at_page: 'a page could not be checked within the limits of time and memory',
  look_at_file: 'the file could not be checked within the limits of time and memory',
  pages: 'the file does not contain the expected pages',
};

/**
 * The reasons why the removal from a page or file was not verified, from the names of the failed
 * checks.
 */
export function reasonsFor(names: readonly string[]): string {
  return [...new Set(names)]
    .sort()
    .map((name) => (reasons[name] ? `${reasons[name]} (${name})` : name))
    .join('; ');
}

/** The failure of an operation whose output contains removed values, or could not be checked. */
export function verificationFailure(names: readonly string[]): OperationFailed {
  return new OperationFailed({
    code: 'redaction_not_verified',
    message:
      `The redacted file was discarded because it failed its checks: ${reasonsFor(names)}. ` +
      'Print the document to a new PDF or scan it at 300 dpi, or select other pages with `pages`.',
    retryable: false,
  });
}
