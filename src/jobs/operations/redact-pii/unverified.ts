import { OperationFailed } from '../operation-failed.ts';

/** What each check of a redacted file found, in words. */
const reasons: Readonly<Record<string, string>> = {
  text_pdfium: 'text of removed values is left on a page',
  text_pdfjs: 'text of removed values is left on a page',
  occlusion: 'something is drawn under a box',
  pictures: 'a picture shows something under a box',
  ocr_regions: 'something can be read on or next to a box',
  unread_text: 'a page has writing that could not be read, and so was not searched',
  structure: 'the file has a part that may hide data',
  streams: 'a removed value is in the data of the file',
  picture_metadata: 'a picture has more than pixels in it',
  look_at_page: 'a page could not be checked in time or memory',
  look_at_file: 'the file could not be checked in time or memory',
  pages: 'the file does not have the expected pages',
};

/** Why removal of a page or file was not proven, by the names of the failed checks. */
export function reasonsFor(names: readonly string[]): string {
  return [...new Set(names)]
    .sort()
    .map((name) => (reasons[name] ? `${reasons[name]} (${name})` : name))
    .join('; ');
}

/** The failure of an operation whose output shows removed values, or could not be checked. */
export function unverified(names: readonly string[]): OperationFailed {
  return new OperationFailed({
    code: 'redaction_not_verified',
    message:
      `The redacted file was discarded because it failed its checks: ${reasonsFor(names)}. ` +
      'Print the document to a new PDF or scan it at 300 dpi, or select other pages with `pages`.',
    retryable: false,
  });
}
