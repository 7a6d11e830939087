import { statSync } from 'node:fs';
import { openPdf, type PdfDocument } from './pdfium.ts';

const cacheSize = 2;
const cache = new Map<string, PdfDocument>();

/** Closes all open documents. Called when the project changes. */
export function closeCachedPdfs(): void {
  for (const document of cache.values()) document.close();
  cache.clear();
}

/**
 * Opens a PDF, or returns it if it is still open from the previous page. Callers must not close it.
 * A caller that changes the document in memory passes a `state`, which keeps that document separate
 * from the unchanged document.
 */
export async function openCachedPdf(path: string, state = ''): Promise<PdfDocument> {
  const { size, mtimeMs, ino } = statSync(path);
  const key = `${state}:${ino}:${size}:${mtimeMs}:${path}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const document = await openPdf(path);
  for (const [oldest, stale] of cache) {
    if (cache.size < cacheSize) break;
    stale.close();
    cache.delete(oldest);
  }
  cache.set(key, document);
  return document;
}
