import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { EngineError } from '../../errors.ts';
import type { Normalized, NormalizePagesRequest } from '../calls.ts';
import { writeDocument } from '../write/index.ts';
import { documentOf } from './document/index.ts';
import { isPageLayout, type PageLayout } from './layout.ts';

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

/** Makes one document from the layouts of its pages, and writes it. Throws EngineError. */
export async function normalizePages(request: NormalizePagesRequest): Promise<Normalized> {
  const layouts: PageLayout[] = [];
  for await (const layout of readLayouts(request.layoutsFile)) layouts.push(layout);
  const { sparsePages, ...document } = documentOf(layouts);
  const unread = [...new Set(layouts.flatMap((layout) => layout.unread ?? []))].sort();
  const written = await writeDocument(document, request.write);
  return { ...written, sparsePages, attached: [], attachedLeftOut: 0, unread };
}
