import { sources } from '@scriptorium/contracts/documents/sources';
import { callOptionsOf, inspectSource } from '../calls.ts';
import { expiredPage, readEarlierResult, toStored, unpagedPage } from '../earlier-result.ts';
import type { OperationWork } from '../operation.ts';
import { writeOutputs } from './outputs.ts';

/** A range of pages must fit into the time limit of its task. */
const layoutMs = 50_000;

/** Produces text for language models: first the layout of each page, then the document. */
export const normalizeWork: OperationWork<'normalize_for_llm'> = {
  open: inspectSource,

  async page(work, page) {
    const { engines, source, signal, pageInSource } = work;
    if (!sources[source.mime].paged) return unpagedPage(page);
    const earlier = await readEarlierResult(work, page);
    if (!earlier) return expiredPage(page);
    const layout = await engines.readPageLayout(
      {
        path: source.path,
        mime: source.mime,
        page: await pageInSource(page),
        number: page,
        ...earlier,
      },
      callOptionsOf(source, layoutMs, signal),
    );
    return {
      page,
      state: 'succeeded',
      result: { blocks: layout.blocks.length, width: layout.widthPt, height: layout.heightPt },
      text: null,
      words: await toStored(layout),
    };
  },

  assemble: writeOutputs,
};
