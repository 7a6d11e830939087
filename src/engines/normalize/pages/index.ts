import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { EngineError } from '../../errors.ts';
import type { Normalized, NormalizePagesRequest } from '../calls.ts';
import type { DocBlock, NormalDocument } from '../document.ts';
import { writeDocument } from '../write/index.ts';
import { isPageLayout, type PageLayout, textOf } from './layout.ts';

export { readPageLayout } from './read-page.ts';

async function* readLayouts(path: string): AsyncGenerator<PageLayout> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const value: unknown = JSON.parse(line);
    if (!isPageLayout(value)) {
      throw new EngineError('invalid_argument', 'A page layout is malformed.');
    }
    yield value;
  }
}

function blocksOf(layout: PageLayout): DocBlock[] {
  const { page } = layout;
  return layout.blocks.map((block): DocBlock => {
    const { box, confidence } = block;
    if (block.kind === 'picture') return { role: 'picture', page, box, confidence, alt: block.alt };
    if (block.kind === 'table') {
      const { rows, columns, cells } = block;
      return { role: 'table', page, box, confidence, rows, columns, cells, caption: null };
    }
    const text = block.lines.map(textOf).join(' ');
    const spans = [{ text, marks: [], href: null }];
    return { role: 'paragraph', page, box, confidence, text, spans };
  });
}

/** Makes one document of the layouts of its pages, and writes it. Throws EngineError. */
export async function normalizePages(request: NormalizePagesRequest): Promise<Normalized> {
  const pages: { page: number; widthPt: number; heightPt: number; name: null }[] = [];
  const blocks: DocBlock[] = [];
  let about: Pick<NormalDocument, 'title' | 'language'> | undefined;
  for await (const layout of readLayouts(request.layoutsFile)) {
    const { page, widthPt, heightPt, title, language } = layout;
    about ??= { title, language };
    pages.push({ page, widthPt, heightPt, name: null });
    blocks.push(...blocksOf(layout));
  }
  return writeDocument({ title: null, language: null, ...about, pages, blocks }, request.write);
}
