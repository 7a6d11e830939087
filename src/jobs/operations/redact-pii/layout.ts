import type { LaidOutPage, PlannedPage } from '@scriptorium/documents';
import { area, sharedArea } from '@scriptorium/documents/geometry';
import { writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import type { Box } from '@scriptorium/documents/results';
import { callOptionsOf, fileOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';

/** The time limit for a document, and the additional time for each of its pages. */
const layOutMs = { document: 120_000, page: 2_000 };

/** The boxes that removal would paint, by page. */
export async function layOutRemovals(
  work: StepWork<'redact_pii'>,
  planned: readonly PlannedPage[],
): Promise<Map<number, LaidOutPage['regions']>> {
  const { engines, source, options, signal } = work;
  const [plansFile, workPath] = [await work.newFile(), await work.newFile()];
  await writePlans(plansFile, planned);
  const deadlineMs = layOutMs.document + layOutMs.page * planned.length;
  const laidOutPages = await engines.layOutPages(
    { ...fileOf(source), plansFile, box: options.box, workPath },
    callOptionsOf(source, deadlineMs, signal),
  );
  return new Map(laidOutPages.map(({ page, regions }) => [page, regions]));
}

/** The painted regions that hide some planned boxes, each once. */
export function paintedRegions(boxes: readonly Box[], regions: LaidOutPage['regions'] = []): Box[] {
  const matching = regions.filter(({ planned }) =>
    planned.some((box) => boxes.some((target) => sharedArea(box, target) > 0.99 * area(target))),
  );
  return matching.flatMap(({ painted }) => painted);
}
