import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import type { OutputOptions } from '@scriptorium/documents/normalize/calls';
import { callOptions } from './limits.ts';

/** The pages of a PDF or image after `ocr`, each in a separate file. */
export type RecognisedFile = {
  path: string;
  mime: string;
  pages: { page: number; pageFile: string }[];
};

export async function recognise(
  engines: Engines,
  path: string,
  mime: string,
  workFolder: string,
): Promise<RecognisedFile> {
  mkdirSync(workFolder, { recursive: true });
  const { pages } = await engines.inspect({ path, mime }, callOptions);
  const files: RecognisedFile['pages'] = [];
  for (const { number: page } of pages) {
    const pageFile = join(workFolder, `page-${page}.json`);
    writeFileSync(
      pageFile,
      JSON.stringify(await engines.recognisePage({ path, mime, page }, callOptions)),
    );
    files.push({ page, pageFile });
  }
  return { path, mime, pages: files };
}

/** Normalises a file with pages, from the result of `ocr`. */
export async function normalizePaged(
  engines: Engines,
  source: RecognisedFile,
  write: OutputOptions,
  workFolder: string,
) {
  const { path, mime, pages } = source;
  const layoutsFile = join(workFolder, 'layouts.ndjson');
  const layouts: string[] = [];
  for (const { page, pageFile } of pages) {
    const request = { path, mime, page, number: page, pageFile, redacted: [] };
    layouts.push(`${JSON.stringify(await engines.readPageLayout(request, callOptions))}\n`);
  }
  writeFileSync(layoutsFile, layouts.join(''));
  return engines.normalizePages({ layoutsFile, write }, callOptions);
}

/** Converts a file to Markdown. */
export async function toMarkdown(
  engines: Engines,
  path: string,
  mime: string,
  workFolder: string,
): Promise<string> {
  const markdown = join(workFolder, 'out.md');
  const write = { markdown, json: null, chunks: null, chunkTokens: 800, overlapTokens: 80 };
  if (mime === 'application/pdf' || mime.startsWith('image/')) {
    await normalizePaged(
      engines,
      await recognise(engines, path, mime, workFolder),
      write,
      workFolder,
    );
  } else await engines.normalizeFile({ path, mime, write }, callOptions);
  return readFileSync(markdown, 'utf8');
}
