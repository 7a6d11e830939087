import { checkMime } from '../../source/mime.ts';
import { readPlans } from '../contract/plan-file.ts';
import { type RemovalReport, valuesOf } from '../contract/report.ts';
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
