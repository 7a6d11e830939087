import type { LaidOutPage, PlannedPage } from '@scriptorium/documents';
import { area, sharedArea } from '@scriptorium/documents/geometry';
import { writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import type { Box } from '@scriptorium/documents/results';
import { callOf, fileOf } from '../calls.ts';
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
  const laid = await engines.layOutPages(
    { ...fileOf(source), plansFile, box: options.box, workPath },
    callOf(source, deadlineMs, signal),
  );
  return new Map(laid.map(({ page, regions }) => [page, regions]));
}

/** The regions painted to hide some planned boxes, each once. */
export function paintedOver(boxes: readonly Box[], regions: LaidOutPage['regions'] = []): Box[] {
  const around = regions.filter(({ planned }) =>
    planned.some((box) => boxes.some((one) => sharedArea(box, one) > 0.99 * area(one))),
  );
  return around.flatMap(({ painted }) => painted);
}
