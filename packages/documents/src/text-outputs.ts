import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { applyToBox, compose, turn } from './geometry.ts';
import { noticeOf } from './pdf/empty-page.ts';
import { readPages } from './pdf/text-layer.ts';
import { deskewMatrixOf } from './pdf/text-run.ts';
import type { AssemblyResult, Box, EmptyPage, PageResult } from './results.ts';
import type { TextRequest } from './text/calls.ts';

async function writeChunk(out: WriteStream, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain');
}

async function writePages(
  { pagesFile, empty = [], outPath }: TextRequest,
  format: {
    prefix: string;
    suffix: string;
    separator: string;
    render: (page: PageResult) => string;
    renderEmpty: (page: EmptyPage) => string;
  },
): Promise<AssemblyResult> {
  const out = createWriteStream(outPath);
  const done = finished(out);
  done.catch(() => {});
  let pages = 0;
  try {
    await writeChunk(out, format.prefix);
    const write = async (text: string): Promise<void> => {
      await writeChunk(out, `${pages === 0 ? '' : format.separator}${text}`);
      pages += 1;
    };
    const remainingEmpty = [...empty];
    const emptyNumbers = new Set(empty.map(({ page }) => page));
    const writeEmpty = async (before: number): Promise<void> => {
      while (remainingEmpty[0] && remainingEmpty[0].page < before)
        await write(format.renderEmpty(remainingEmpty.shift()!));
    };
    for await (const page of readPages(pagesFile)) {
      if (emptyNumbers.has(page.page)) continue;
      await writeEmpty(page.page);
      await write(format.render(page));
    }
    await writeEmpty(Infinity);
    out.end(format.suffix);
    await done;
  } catch (error) {
    out.destroy();
    throw error;
  }
  return { bytes: (await stat(outPath)).size, pages, leftEmpty: [] };
}

/** Writes the text of the pages as UTF-8, with a form feed between pages. */
export function assembleText(request: TextRequest): Promise<AssemblyResult> {
  return writePages(request, {
    prefix: '',
    suffix: '',
    separator: '\f',
    render: (page) => page.text,
    renderEmpty: (page) => `[${noticeOf(page)}]\n`,
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/**
 * Writes `{"pages": [{page, width, height, words: [{text, box, confidence}]}]}`. Coordinates are in
 * points on the page as the searchable PDF displays it: rotated and deskewed if requested. A failed
 * page has no words and a `notice`.
 */
export function assembleWords(request: TextRequest): Promise<AssemblyResult> {
  return writePages(request, {
    prefix: '{"pages":[',
    suffix: ']}\n',
    separator: ',',
    renderEmpty: (page) =>
      `\n${JSON.stringify({
        page: page.page,
        width: round(page.widthPt),
        height: round(page.heightPt),
        words: [],
        notice: noticeOf(page),
      })}`,
    render: (page) => {
      const turnMatrix = turn(page.widthPt, page.heightPt, page.orientation);
      const deskewMatrix = deskewMatrixOf(page);
      const map = deskewMatrix ? compose(turnMatrix, deskewMatrix) : turnMatrix;
      const isUpright = page.orientation % 180 === 0;
      const words = page.words.map(({ text, box, confidence }) => {
        const displayed: Box = applyToBox(map, box);
        return { text, box: displayed.map(round), confidence: Math.round(confidence * 1e3) / 1e3 };
      });
      const record = {
        page: page.page,
        width: isUpright ? page.widthPt : page.heightPt,
        height: isUpright ? page.heightPt : page.widthPt,
        words,
      };
      return `\n${JSON.stringify(record)}`;
    },
  });
}
