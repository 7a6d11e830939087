import { checkMime } from '../../source/mime.ts';
import { readPlans } from '../contract/plan-file.ts';
import type { LaidOutPage, LayOutRequest } from '../contract/requests.ts';
import { layOutPdf } from './pdf/index.ts';
import { layOutPicture } from './picture/index.ts';
import { layOutTiff } from './picture/tiff.ts';
import { requireSinglePlan } from './single-plan.ts';

/**
 * Computes the boxes that redaction would paint on the planned pages. A page that becomes a picture
 * has the same boxes.
 * @throws EngineError if the file cannot be read
 */
export async function layOutPages(request: LayOutRequest): Promise<LaidOutPage[]> {
  const mime = await checkMime(request.path, request.mime);
  const plans = await readPlans(request.plansFile);
  if (mime === 'application/pdf') return layOutPdf(request, plans);
  if (mime === 'image/tiff') return layOutTiff(request, plans);
  return [await layOutPicture(request, requireSinglePlan(plans))];
}
