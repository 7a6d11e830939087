import { minCopyWidth } from '@scriptorium/contracts/downloads';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import type { Failure } from '@scriptorium/contracts/wire/common';
import {
  PageImageQuery,
  PageNumber,
  pageImageMimes,
  renderedWidth,
} from '@scriptorium/contracts/wire/library/page-images';
import { findObject, requireAvailable } from '../../../library/objects/load.ts';
import {
  chooseShownObject,
  drawTaskPayload,
  pageVariant,
  rejectTooManyDrawings,
  requirePage,
} from '../../../library/objects/pages/page-image.ts';
import { claimQuota } from '../../../policies/quotas.ts';
import { awaitVariant } from '../../downloads/await-variant.ts';
import { countPicture } from '../../downloads/count.ts';
import { pictureCaching } from '../../downloads/picture-caching.ts';
import { storedBytesReply } from '../../downloads/stored-bytes.ts';
import { streamRoute } from '../../frame/route.ts';

export const getPageImage = streamRoute({
  method: 'GET',
  path: '/v1/objects/{id}/pages/{n}/image',
  operationId: 'getPageImage',
  tag: 'Objects',
  summary: 'Get a picture of a page of an object, with marked areas.',
  description:
    'Draws a page of a PDF, PNG, JPEG, TIFF or WebP file. For Office, e-mail, EPUB and text files, draws the content in a plain layout: a sheet of a workbook, a slide of a presentation, or the beginning of other files. A small picture of the first slide is the thumbnail in the file, if any. `boxes` marks areas, such as those of a chunk or a finding. `Accept` selects WebP or PNG; WebP is preferred. Where a policy requires a redaction and serves it instead, the picture shows the page of the redaction. The first page of a document is drawn on arrival as WebP with `width=480`. Pictures are stored for a limited time, count towards `storage_bytes` during that time, and are reused for equal requests. If a worker has not drawn the page after 10 seconds, the response is 409 with `retryable: true` and `Retry-After`.',
  scopes: ['objects:read'],
  // Limited by concurrency and by the number of pages being drawn instead.
  rate: 'none',
  concurrency: 32,
  writes: true,
  params: { id: 'object', n: PageNumber },
  query: PageImageQuery,
  produces: pageImageMimes,
  hasEtag: true,
  responses: { 200: null, 206: null },
  problems: [
    'policy_denied',
    'quota_exceeded',
    'state_conflict',
    'range_not_satisfiable',
    'rate_limited',
  ],
  load: async ({ tx, key, origin, params }) => {
    const object = await findObject(tx, key.projectId, params.id);
    if (!object) throw notFound('object', params.id);
    return object.state === 'available' ? chooseShownObject(tx, origin, object) : object;
  },
  handler: async (call) => {
    const { ctx, deps, headers, key, params, query, resource: object } = call;
    requireAvailable(object);
    const page = Number(params.n);
    requirePage(object, page);
    const mime = pageImageMimes.find((one) => one === ctx.accepts([...pageImageMimes]));
    if (!mime) {
      const detail = `The picture is available as ${pageImageMimes.join(' and ')} only. Change the Accept header.`;
      throw new Problem('not_acceptable', detail);
    }
    const width = renderedWidth(query.width);
    const view = { page, width, mime, boxes: readBoxes(query.boxes) };
    const { sha256, bytes } = await awaitVariant(call, object, {
      variant: pageVariant(view),
      task: { kind: 'object.draw', payload: drawTaskPayload(object.id, view) },
      timeoutDetail: 'The page is being drawn. Retry in a moment.',
      toProblem: (error) => drawingFailed(page, error),
      beforeRequest: async (tx) => {
        await rejectTooManyDrawings(tx, key.projectId);
        // The size is not known yet. The error is small, since few pictures are drawn at a time.
        claimQuota(tx, key.projectId, 'storage_bytes', 1);
      },
    });
    const reply = await storedBytesReply({
      method: ctx.method,
      headers,
      storage: deps.storage,
      projectId: key.projectId,
      sha256,
      bytes,
      responseHeaders: {
        'Content-Type': mime,
        'Content-Disposition': 'inline',
        ...pictureCaching,
      },
    });
    if (width < minCopyWidth) return reply;
    const picture = { objectId: params.id, deliveredObjectId: object.id };
    return countPicture(call, reply, { ...picture, content: 'page_image' });
  },
});

/** Boxes from a query that matches the pattern, in steps of a hundredth of a point. */
function readBoxes(text: string | undefined): number[][] {
  const boxes = text === undefined ? [] : text.split(';');
  return boxes.map((box) => box.split(',').map((one) => Math.round(Number(one) * 100) / 100));
}

function drawingFailed(page: number, { code, message, retryable }: Failure): Problem {
  if (code === 'page_not_found') return notFound('page', String(page));
  return new Problem(
    'state_conflict',
    `Page ${page} cannot be drawn. ${message}`,
    retryable ? { retryable, headers: { 'Retry-After': '5' } } : {},
  );
}
