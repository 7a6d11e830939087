import { writeFile } from 'node:fs/promises';
import { isUnpaged } from '@scriptorium/contracts/documents/sources';
import { closeSources, openCachedPdf } from '../pdf/cached.ts';
import { inspect } from '../source/inspect.ts';
import type { OwnText, OwnTextRequest } from './calls.ts';

/** The maximum length of a file's text in UTF-16 units. Text beyond it is not searched. */
const maxOwnText = 4e6;

/** Reads the text of a file, up to `maxOwnText`. Throws EngineError. */
export async function readOwnText({ path, mime, outPath }: OwnTextRequest): Promise<OwnText> {
  const { pages } = await inspect(path, mime);
  const lines: string[] = [];
  let room = maxOwnText;
  const add = (page: number, text: string): void => {
    const own = text.replaceAll('\0', ' ').slice(0, room);
    room -= own.length;
    if (own.trim() !== '') lines.push(`${JSON.stringify({ page, text: own })}\n`);
  };
  if (mime === 'application/pdf') {
    const { textOfPdfPage } = await import('./pdf.ts');
    const document = await openCachedPdf(path);
    for (const { number, hasText } of pages) {
      if (room <= 0) break;
      if (hasText) add(number, await textOfPdfPage(document, number));
    }
    closeSources();
  } else if (isUnpaged(mime)) {
    const { textOfFile } = await import('./file.ts');
    for (const [page, texts] of await textOfFile(path, mime)) add(page, texts.join('\n'));
  }
  await writeFile(outPath, lines);
  return { pages: pages.length };
}
