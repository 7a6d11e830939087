import { checkMime } from '../../source/mime.ts';
import type { PlannedPage } from '../contract/plan.ts';
import { readPlans } from '../contract/plan-file.ts';
import type { RemovalReport } from '../contract/report.ts';
import type { RedactPagesRequest } from '../contract/requests.ts';
import { redactPdf } from './pdf/index.ts';
import { redactPicture } from './picture/index.ts';
import { redactTiff } from './picture/tiff.ts';
import { requireSinglePlan } from './single-plan.ts';

/**
 * Removes the planned content from pages of a PDF or picture and writes the remaining content. The
 * output is a PDF for a PDF or TIFF, and a picture of the same format otherwise. It does not contain
 * pages that are not in the plan.
 * @throws EngineError if the file cannot be redacted
 */
export async function redactPages(request: RedactPagesRequest): Promise<RemovalReport> {
  const mime = await checkMime(request.path, request.mime);
  const plans = await readPlans(request.plansFile);
  const pages =
    mime === 'application/pdf'
      ? await redactPdf(request, plans)
      : mime === 'image/tiff'
        ? await redactTiff(request, plans)
        : [await redactPicture(request, mime, requireSinglePlan(plans))];
  return { pages, values: valuesOf(plans) };
}

/** Returns each removed value once, in page order, with its parts that are also removed. */
function valuesOf(plans: readonly PlannedPage[]): RemovalReport['values'] {
  const values = new Map<string, RemovalReport['values'][number]>();
  for (const plan of plans) {
    for (const { type, value, here, parts } of plan.state === 'planned' ? plan.removals : []) {
      const key = `${type} ${value}`;
      if (!here) values.set(key, { type, value });
      else if (!values.has(key)) values.set(key, { type, value, here });
      for (const part of parts ?? []) values.set(`${type} ${part}`, { type, value: part });
    }
  }
  return [...values.values()];
}
