import { readJsonLines } from '../../files/json-lines.ts';
import type { NormalizationResult, NormalizePagesRequest } from '../calls.ts';
import { writeDocument } from '../write/index.ts';
import { documentOf } from './document/index.ts';
import { isPageLayout, type PageLayout } from './layout.ts';

export { readPageLayout } from './read-page.ts';

/**
 * Builds one document from the layouts of its pages, and writes the outputs. Throws EngineError.
 */
export async function normalizePages(request: NormalizePagesRequest): Promise<NormalizationResult> {
  const layouts: PageLayout[] = [];
  for await (const layout of readJsonLines(request.layoutsFile, isPageLayout)) layouts.push(layout);
  const { sparsePages, ...document } = documentOf(layouts);
  const unread = [...new Set(layouts.flatMap((layout) => layout.unread ?? []))].sort();
  const written = await writeDocument(document, request.write);
  return { ...written, sparsePages, attached: [], attachedLeftOut: 0, unread };
}
