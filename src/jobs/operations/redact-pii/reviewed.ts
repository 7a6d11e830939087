import { type FoundType, isDrawnType } from '@scriptorium/contracts/documents/entities';
import type { PagePlan, PlannedPage } from '@scriptorium/documents';
import type { KeptAreas, PlannedRemoval } from '@scriptorium/documents/redact/contract/plan';
import { writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import { areCovered } from '@scriptorium/documents/redact/find/locate';
import type { Box } from '@scriptorium/documents/results';
import {
  type DecidedFinding,
  type Decisions,
  type Detected,
  type DetectedFinding,
  groupByPage,
} from '../../reviews/findings.ts';
import { callOptionsOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { layOutRemovals, paintedRegions } from './layout.ts';
import { readAllPlans, spreadMs, spreadPlans, storedPlans } from './plans.ts';

type Work = StepWork<'redact_pii'>;

/**
 * The findings for people to decide about before anything is removed: the values that would be
 * removed without a review.
 */
export async function detectToReview(work: Work): Promise<Detected> {
  const planned = await spreadPlans(work);
  const laidOutPages = await layOutRemovals(work, planned);
  const findings = planned.flatMap((plan) => {
    if (plan.state === 'failed') return [];
    const regions = laidOutPages.get(plan.page);
    return plan.removals
      .toSorted(byPosition)
      .map((removal) => findingOf(plan.page, removal, paintedRegions(removal.boxes, regions)));
  });
  return { findings };
}

function byPosition(a: PlannedRemoval, b: PlannedRemoval): number {
  const [[, y0 = 0] = [], [, y1 = 0] = []] = [a.boxes[0], b.boxes[0]];
  return Math.round(y0 - y1) || (a.boxes[0]?.[0] ?? 0) - (b.boxes[0]?.[0] ?? 0);
}

function findingOf(page: number, removal: PlannedRemoval, painted: Box[]): DetectedFinding {
  const { type, score, value, boxes, source, direction, here, parts } = removal;
  return {
    page,
    type,
    score,
    removal: painted,
    content: {
      text: value === '' ? null : value,
      boxes,
      readFrom: source,
      ...(direction === undefined ? {} : { direction }),
      ...(here ? { here } : {}),
      ...(parts ? { parts } : {}),
    },
  };
}

/** A finding as something to remove. */
function removalOf({ type, score, content }: DecidedFinding): PlannedRemoval {
  const { text, boxes, readFrom = 'ocr', direction, here, parts } = content;
  return {
    // Types are those of the detector, or were validated.
    type: type as FoundType,
    score: score ?? 1,
    value: text ?? '',
    boxes,
    source: readFrom,
    ...(direction === undefined ? {} : { direction }),
    ...(here ? { here } : {}),
    ...(parts ? { parts } : {}),
  };
}

/**
 * The stored plans of the pages with exactly the accepted and added findings. A value that people
 * kept somewhere is not claimed to be removed.
 */
export async function decidedPlans(work: Work, { findings }: Decisions): Promise<PlannedPage[]> {
  const { engines, source, signal } = work;
  const [plansFile, outPath] = [await work.newFile(), await work.newFile()];
  const removals = groupByPage(findings.filter(({ decision }) => decision === 'accepted'));
  const pages: number[] = [];
  async function* streamDecidedPlans(): AsyncGenerator<PlannedPage> {
    for await (const plan of storedPlans(work)) {
      pages.push(plan.page);
      yield plan.state === 'failed' ? plan : withRemovals(plan, removals.get(plan.page) ?? []);
    }
  }
  await writePlans(plansFile, streamDecidedPlans());
  await engines.settlePlans(
    { plansFile, outPath },
    callOptionsOf(source, spreadMs.document + spreadMs.page * pages.length, signal),
  );
  return readAllPlans(outPath, pages);
}

/** A plan that removes only some findings. */
export function withRemovals(
  plan: PagePlan & { state: 'planned' },
  findings: readonly DecidedFinding[],
): PlannedPage {
  const removals = findings.map(removalOf);
  return { ...plan, removals, ...keptIn(plan, removals) };
}

/** The areas of a page that stay, with the findings that are not text and were rejected. */
function keptIn(
  { kept, removals: found }: PagePlan,
  removals: readonly PlannedRemoval[],
): Pick<PagePlan, 'kept'> {
  if (!kept) return {};
  const covered = removals.flatMap(({ boxes }) => boxes);
  const all: KeptAreas = { ...kept };
  for (const { type, boxes } of found) {
    if (!isDrawnType(type) || areCovered(boxes, covered)) continue;
    all[type] = [...(all[type] ?? []), ...boxes];
  }
  return { kept: all };
}
