import type { Detector } from '@scriptorium/pii/finding';
import type { Extraction } from '../../contract/embedded.ts';
import { type PagePlan, type PlannedPage, textPage } from '../../contract/plan.ts';
import { plansIn, writePlans } from '../../contract/plan-file.ts';
import type { EmbeddedPlans, ExtractEmbeddedRequest } from '../../contract/requests.ts';
import type { FoundValue } from '../../values/doubtful-values.ts';
import { readDecidedRemovals } from '../decided-removals.ts';
import { findingsIn, openFile } from '../open.ts';
import { shownTexts } from '../redact.ts';
import type { Stream } from '../stream.ts';
import { createFileCollector, writeFoundFiles } from './extract.ts';

/** Reads the plans of the pages of embedded files. */
export async function readEmbeddedPlans(path: EmbeddedPlans | undefined): Promise<PagePlan[]> {
  const plans: PagePlan[] = [];
  if (path === undefined) return plans;
  for await (const plan of plansIn(path)) {
    if (plan.state === 'planned' && plan.page !== textPage) plans.push(plan);
  }
  return plans;
}

/**
 * Extracts the files inside a file, and writes the plan of its text, so that they are searched
 * together.
 * @throws EngineError if the file is empty, too large, damaged or of an unsupported type
 */
export async function extractEmbedded(
  request: ExtractEmbeddedRequest,
  detector: Detector,
): Promise<Extraction> {
  const { path, mime, decided, filesPath, textPlan } = request;
  const collector = createFileCollector();
  const { reading } = await openFile(path, mime, collector.files);
  const extraction = await writeFoundFiles(collector.found, filesPath);
  if (extraction.files.length === 0) return extraction;
  // If the text differs from the reviewed text, the removal fails later.
  const found = decided
    ? ((await readDecidedRemovals(reading, decided))?.values ?? []).map((value) => ({
        ...value,
        score: 1,
      }))
    : (await findingsIn(reading, detector, request)).findings.flat();
  await writePlans(textPlan, [planOfText(found, reading.streams)]);
  return extraction;
}

/** Returns the values and the text of a file as a page without places. */
function planOfText(found: readonly FoundValue[], streams: readonly Stream[]): PlannedPage {
  return {
    state: 'planned',
    page: textPage,
    widthPt: 0,
    heightPt: 0,
    removals: found.map(({ type, value, score }) => ({
      type,
      value,
      score,
      boxes: [],
      source: 'pdf',
    })),
    redactedText: '',
    readings: [{ source: 'pdf', text: shownTexts(streams).join('\n'), boxes: [] }],
  };
}
