import { createHash } from 'node:crypto';
import { previewWidth } from '@scriptorium/contracts/documents/preview';
import { pagedMimes, sourceMimes } from '@scriptorium/contracts/documents/sources';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import {
  type PageImageMime,
  pageImageMimes,
} from '@scriptorium/contracts/wire/library/page-images';
import type { TaskPayload } from '@scriptorium/contracts/work/tasks';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { enforceOrRedact } from '../enforce-or-redact.ts';

/** How a page is displayed. */
export interface PageView {
  page: number;
  width: number;
  mime: PageImageMime;
  /** `[x, y, width, height]` in points of the page as displayed. */
  boxes: number[][];
}

/** The preview of a document, which is drawn on arrival and shown in lists. */
export const previewView: PageView = {
  page: 1,
  width: previewWidth,
  mime: pageImageMimes[0],
  boxes: [],
};

/** Variants with this prefix are deleted after a while, since they can be made again. */
export const pageVariantPrefix = 'page:';

/** The name of a page's picture among the variants of its object. */
export function pageVariant({ page, width, mime, boxes }: PageView): string {
  const format = mime.slice('image/'.length);
  const name = `${pageVariantPrefix}${page}:${width}:${format}`;
  if (boxes.length === 0) return name;
  return `${name}:${createHash('sha256').update(JSON.stringify(boxes)).digest('hex').slice(0, 32)}`;
}

/** The payload of the task that draws a page. */
export function drawTaskPayload(objectId: string, view: PageView): TaskPayload<'object.draw'> {
  return { object_id: objectId, ...view };
}

/**
 * Chooses the object whose page is shown, by the policies: the requested one, or its redaction.
 * @throws PolicyDenied (403)
 */
export async function chooseShownObject(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
): Promise<StoredObject> {
  const attempt = { action: 'read', replaceable: true } as const;
  return (await enforceOrRedact(tx, origin, object, attempt)).object;
}

/**
 * Requires that an object has pages that can be drawn, including this one.
 * @throws Problem 404 for a page after the last one, 409 `state_conflict` for files without pages
 */
export function requirePage({ id, mime, pages }: StoredObject, page: number): void {
  if (!sourceMimes.some((known) => known === mime)) {
    throw new Problem(
      'state_conflict',
      `'${id}' has no pages that can be drawn. Only PDF, PNG, JPEG, TIFF, WebP, Office, e-mail, EPUB and text files have them.`,
    );
  }
  if (pages !== null && page > pages) throw notFound('page', String(page));
}

/**
 * Requires that an object has pages whose words have positions, including this one.
 * @throws Problem 404 for a page after the last one, 409 `state_conflict` for other files
 */
export function requireTextPage(object: StoredObject, page: number): void {
  if (!pagedMimes.some((known) => known === object.mime)) {
    throw new Problem(
      'state_conflict',
      `'${object.id}' has no pages with word positions. Only PDF, PNG, JPEG, TIFF and WebP files have them.`,
    );
  }
  requirePage(object, page);
}

/**
 * Requires that the project has not requested too many pictures that are not drawn yet.
 * @throws Problem 429 `rate_limited`
 */
export async function rejectTooManyDrawings(tx: Tx, projectId: string): Promise<void> {
  const [row] = await prepared<{ n: number }>(
    tx,
    `SELECT count(*)::integer AS n FROM (
       SELECT FROM object_variant WHERE project_id = $1 AND sha256 IS NULL
         AND error IS NULL LIMIT ${limits.page_images_in_progress}) pending`,
    [projectId],
  );
  if (row!.n < limits.page_images_in_progress) return;
  throw new Problem(
    'rate_limited',
    `${limits.page_images_in_progress} pages of the project are being drawn, which is the maximum. Retry in a moment.`,
    { headers: { 'Retry-After': '2' } },
  );
}

/**
 * The condition on variants `t` that are pictures drawn some time ago. They are drawn again on request.
 */
export const expiredPageImagesCondition = `t.variant LIKE '${pageVariantPrefix}%'
  AND (t.sha256 IS NOT NULL OR t.error IS NOT NULL)
  AND t.created_at < now() - interval '${limits.page_image_retention_days} days'`;
