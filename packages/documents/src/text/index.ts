import { writeFile } from 'node:fs/promises';
import { isUnpaged } from '@scriptorium/contracts/documents/sources';
import { closeCachedPdfs, openCachedPdf } from '../pdf/document-cache.ts';
import { inspect } from '../source/inspect.ts';
import type { OwnTextRequest, OwnTextResult } from './calls.ts';

/** The maximum length of a file's text in UTF-16 units. Text beyond it is not searched. */
const maxTextLength = 4e6;

/** Reads the text of a file, up to `maxTextLength`. Throws EngineError. */
export async function readOwnText({ path, mime, outPath }: OwnTextRequest): Promise<OwnTextResult> {
  const { pages } = await inspect(path, mime);
  const lines: string[] = [];
  let remaining = maxTextLength;
  const add = (page: number, text: string): void => {
    const pageText = text.replaceAll('\0', ' ').slice(0, remaining);
    remaining -= pageText.length;
    if (pageText.trim() !== '') lines.push(`${JSON.stringify({ page, text: pageText })}\n`);
  };
  if (mime === 'application/pdf') {
    const { textOfPdfPage } = await import('./pdf.ts');
    const document = await openCachedPdf(path);
    for (const { number, hasText } of pages) {
      if (remaining <= 0) break;
      if (hasText) add(number, await textOfPdfPage(document, number));
    }
    closeCachedPdfs();
  } else if (isUnpaged(mime)) {
    const { textsByPage } = await import('./file.ts');
    for (const [page, texts] of await textsByPage(path, mime)) add(page, texts.join('\n'));
  }
  await writeFile(outPath, lines);
  return { pages: pages.length };
}
