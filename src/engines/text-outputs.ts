import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { EngineError } from './errors.ts';
import { applyToBox, compose, turn } from './geometry.ts';
import { readPages } from './pdf/text-layer.ts';
import { straighten } from './pdf/text-run.ts';
import type { Assembled, Box, PageResult } from './results.ts';

export type TextRequest = {
  /** Page results as NDJSON, one a line, in the order of pages. */
  pagesFile: string;
  outPath: string;
};

async function put(out: WriteStream, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain');
}

async function writePages(
  { pagesFile, outPath }: TextRequest,
  frame: { open: string; close: string; render: (page: PageResult, first: boolean) => string },
): Promise<Assembled> {
  const out = createWriteStream(outPath);
  const done = finished(out);
  done.catch(() => {});
  let pages = 0;
  try {
    await put(out, frame.open);
    for await (const page of readPages(pagesFile)) {
      await put(out, frame.render(page, pages === 0));
      pages += 1;
    }
    out.end(frame.close);
    await done;
  } catch (error) {
    out.destroy();
    throw error instanceof EngineError ? error : new Error('the text could not be written');
  }
  return { bytes: (await stat(outPath)).size, pages };
}

/** Writes the pages' text as UTF-8, pages separated by a form feed. */
export function assembleText(request: TextRequest): Promise<Assembled> {
  return writePages(request, {
    open: '',
    close: '',
    render: (page, first) => `${first ? '' : '\f'}${page.text}`,
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/**
 * Writes `{"pages": [{page, width, height, words: [{text, box, confidence}]}]}`: points of the page
 * as the searchable PDF displays it, that is turned and straightened where those were asked for.
 */
export function assembleWords(request: TextRequest): Promise<Assembled> {
  return writePages(request, {
    open: '{"pages":[',
    close: ']}\n',
    render: (page, first) => {
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
      return `${first ? '' : ','}\n${JSON.stringify(record)}`;
    },
  });
}
