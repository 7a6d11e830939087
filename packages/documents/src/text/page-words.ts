import { writeFile } from 'node:fs/promises';
import { readExistingPage } from '../ocr/existing-page.ts';
import { openCachedPdf } from '../pdf/document-cache.ts';
import { describeImage } from '../source/images.ts';
import { checkMime } from '../source/mime.ts';
import {
  maxPageWords,
  type PageWords,
  type PageWordsRequest,
  type PageWordsResult,
} from './calls.ts';

/** Reads the words in a page of the file. Pictures contain no words. Throws EngineError. */
export async function readPageWords(request: PageWordsRequest): Promise<PageWordsResult> {
  const found = await extractWords(request);
  await writeFile(request.outPath, JSON.stringify(found));
  return { words: found.words.length };
}

async function extractWords({ path, mime, page }: PageWordsRequest): Promise<PageWords> {
  if ((await checkMime(path, mime)) !== 'application/pdf') {
    const { widthPt, heightPt } = await describeImage(path, page);
    return { widthPt, heightPt, words: [] };
  }
  const { widthPt, heightPt, words } = await readExistingPage(await openCachedPdf(path), page);
  const kept = words.slice(0, maxPageWords);
  return { widthPt, heightPt, words: kept.map(({ text, box, line }) => ({ text, box, line })) };
}
