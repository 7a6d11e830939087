import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { applyToBox, compose, turn } from './geometry.ts';
import { noticeOf } from './pdf/empty-page.ts';
import { readPages } from './pdf/text-layer.ts';
import { straighten } from './pdf/text-run.ts';
import type { Assembled, Box, EmptyPage, PageResult } from './results.ts';
import type { TextRequest } from './text/calls.ts';

async function put(out: WriteStream, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain');
}

async function writePages(
  { pagesFile, empty = [], outPath }: TextRequest,
  frame: {
    open: string;
    close: string;
    between: string;
    render: (page: PageResult) => string;
    renderEmpty: (page: EmptyPage) => string;
  },
): Promise<Assembled> {
  const out = createWriteStream(outPath);
  const done = finished(out);
  done.catch(() => {});
  let pages = 0;
  try {
    await put(out, frame.open);
    const write = async (text: string): Promise<void> => {
      await put(out, `${pages === 0 ? '' : frame.between}${text}`);
      pages += 1;
    };
    const left = [...empty];
    const skipped = new Set(empty.map(({ page }) => page));
    const writeEmpty = async (before: number): Promise<void> => {
      while (left[0] && left[0].page < before) await write(frame.renderEmpty(left.shift()!));
    };
    for await (const page of readPages(pagesFile)) {
      if (skipped.has(page.page)) continue;
      await writeEmpty(page.page);
      await write(frame.render(page));
    }
    await writeEmpty(Infinity);
    out.end(frame.close);
    await done;
  } catch (error) {
    out.destroy();
    throw error;
  }
  return { bytes: (await stat(outPath)).size, pages, leftEmpty: [] };
}

/** Writes the text of the pages as UTF-8, with a form feed between pages. */
export function assembleText(request: TextRequest): Promise<Assembled> {
  return writePages(request, {
    open: '',
    close: '',
    between: '\f',
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
export function assembleWords(request: TextRequest): Promise<Assembled> {
  return writePages(request, {
    open: '{"pages":[',
    close: ']}\n',
    between: ',',
    renderEmpty: (page) =>
      `\n${JSON.stringify({
        page: page.page,
        width: round(page.widthPt),
        height: round(page.heightPt),
        words: [],
        notice: noticeOf(page),
      })}`,
    render: (page) => {
      const turned = turn(page.widthPt, page.heightPt, page.orientation);
      const straight = straighten(page);
      const map = straight ? compose(turned, straight) : turned;
      const upright = page.orientation % 180 === 0;
      const words = page.words.map(({ text, box, confidence }) => {
        const placed: Box = applyToBox(map, box);
        return { text, box: placed.map(round), confidence: Math.round(confidence * 1e3) / 1e3 };
      });
      const record = {
        page: page.page,
        width: upright ? page.widthPt : page.heightPt,
        height: upright ? page.heightPt : page.widthPt,
        words,
      };
      return `\n${JSON.stringify(record)}`;
    },
  });
}
