import { statSync } from 'node:fs';
import { openPdf, type PdfDocument } from './pdfium.ts';

const cacheSize = 2;
const cache = new Map<string, PdfDocument>();

/** Closes every open document. Called between projects. */
export function closeSources(): void {
  for (const document of cache.values()) document.close();
  cache.clear();
}

/**
 * Opens a PDF, or returns the one still open from the previous page. Do not close it. Callers that
 * change the document in memory pass a `state`, which keeps it separate from the unchanged
 * document.
 */
export async function openCachedPdf(path: string, state = ''): Promise<PdfDocument> {
  const { size, mtimeMs, ino } = statSync(path);
  const key = `${state}:${ino}:${size}:${mtimeMs}:${path}`;
  const known = cache.get(key);
  if (known) return known;
  const document = await openPdf(path);
  for (const [oldest, stale] of cache) {
    if (cache.size < cacheSize) break;
    stale.close();
    cache.delete(oldest);
  }
  cache.set(key, document);
  return document;
}
