import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import type { Write } from '@scriptorium/documents/normalize/calls';
import { call } from './limits.ts';

/** The pages of a PDF or image after `ocr`, each in a separate file. */
export type Pages = { path: string; mime: string; pages: { page: number; pageFile: string }[] };

export async function recognise(
  engines: Engines,
  path: string,
  mime: string,
  work: string,
): Promise<Pages> {
  mkdirSync(work, { recursive: true });
  const { pages } = await engines.inspect({ path, mime }, call);
  const files: Pages['pages'] = [];
  for (const { number: page } of pages) {
    const pageFile = join(work, `page-${page}.json`);
    writeFileSync(
      pageFile,
      JSON.stringify(await engines.recognisePage({ path, mime, page }, call)),
    );
    files.push({ page, pageFile });
  }
  return { path, mime, pages: files };
}

/** Normalises a file with pages, from the result of `ocr`. */
export async function normalizePaged(engines: Engines, source: Pages, write: Write, work: string) {
  const { path, mime, pages } = source;
  const layoutsFile = join(work, 'layouts.ndjson');
  const layouts: string[] = [];
  for (const { page, pageFile } of pages) {
    const request = { path, mime, page, number: page, pageFile, redacted: [] };
    layouts.push(`${JSON.stringify(await engines.readPageLayout(request, call))}\n`);
  }
  writeFileSync(layoutsFile, layouts.join(''));
  return engines.normalizePages({ layoutsFile, write }, call);
}

/** Converts a file to Markdown. */
export async function toMarkdown(
  engines: Engines,
  path: string,
  mime: string,
  work: string,
): Promise<string> {
  const markdown = join(work, 'out.md');
  const write = { markdown, json: null, chunks: null, chunkTokens: 800, overlapTokens: 80 };
  if (mime === 'application/pdf' || mime.startsWith('image/')) {
    await normalizePaged(engines, await recognise(engines, path, mime, work), write, work);
  } else await engines.normalizeFile({ path, mime, write }, call);
  return readFileSync(markdown, 'utf8');
}
