import { EngineError } from '../errors.ts';
import { checkMime } from '../source.ts';
import type { PlannedPage, RedactPagesRequest } from './calls.ts';
import { redactPdf } from './pdf/index.ts';
import { redactPicture } from './picture/index.ts';
import { redactTiff } from './picture/tiff.ts';
import type { RemovalReport } from './plan.ts';
import { readPlans } from './plans.ts';

/**
 * Removes from pages of a PDF or picture what is planned to go and writes what remains: a PDF for a
 * PDF or TIFF, a picture of the same kind for any other. Pages that are not in the plan are not in
 * the output. Throws EngineError.
 */
export async function redactPages(request: RedactPagesRequest): Promise<RemovalReport> {
  const mime = await checkMime(request.path, request.mime);
  const plans = await readPlans(request.plansFile);
  const pages =
    mime === 'application/pdf'
      ? await redactPdf(request, plans)
      : mime === 'image/tiff'
        ? await redactTiff(request, plans)
        : [await redactPicture(request, mime, onlyPage(plans))];
  return { pages, values: valuesOf(plans) };
}

function onlyPage(plans: readonly PlannedPage[]): PlannedPage {
  const [plan, more] = plans;
  if (!plan || more) throw new EngineError('invalid_argument', 'A picture has one page.');
  return plan;
}

/** Every value that goes, once, in order of pages. */
function valuesOf(plans: readonly PlannedPage[]): RemovalReport['values'] {
  const values = new Map<string, RemovalReport['values'][number]>();
  for (const plan of plans) {
    for (const { type, value } of plan.state === 'planned' ? plan.removals : []) {
      values.set(`${type} ${value}`, { type, value });
    }
  }
  return [...values.values()];
}
