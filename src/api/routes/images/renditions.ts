import { minCopyWidth } from '@scriptorium/contracts/downloads';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import {
  type RenditionName,
  renditionMimes,
  renditionNames,
} from '@scriptorium/contracts/wire/library/images';
import { Type } from 'typebox';
import { findRendition, requireRenditions } from '../../../library/images/renditions.ts';
import { enforce } from '../../../policies/enforce.ts';
import { countPicture } from '../../downloads/count.ts';
import { pictureCaching } from '../../downloads/picture-caching.ts';
import { storedBytesReply } from '../../downloads/stored-bytes.ts';
import { streamRoute } from '../../frame/route.ts';

export const getRendition = streamRoute({
  method: 'GET',
  path: '/v1/images/{id}/renditions/{name}',
  operationId: 'getRendition',
  tag: 'Images',
  summary: 'Get a rendition of an image for display.',
  description:
    '`thumb` fits into 160 × 160 pixels; the others have the maximum width in their name. Renditions are never larger than the image. `Accept` selects WebP or AVIF; WebP is preferred. Renditions are upright, sRGB and without metadata. While a rendition is being made, the response is 409 with `retryable: true` and `Retry-After`. If the image cannot be read, it is 409 with `retryable: false`.',
  scopes: ['images:read'],
  // Limited by concurrency instead.
  rate: 'none',
  concurrency: 32,
  writes: true,
  params: { id: 'image', name: Type.Enum([...renditionNames], { title: 'rendition' }) },
  produces: renditionMimes,
  hasEtag: true,
  responses: { 200: null, 206: null },
  problems: ['policy_denied', 'state_conflict', 'range_not_satisfiable'],
  load: async ({ tx, key, origin, params }) => {
    // The frame has validated the name.
    const name = params.name as RenditionName;
    const image = await findRendition(tx, key.projectId, params.id, name);
    // Otherwise the frame would report the name as not found.
    if (!image) throw notFound('image', params.id);
    await enforce(tx, origin, { action: 'read', objectId: image.objectId });
    return image;
  },
  handler: async (call) => {
    const { ctx, headers, params, resource: image, deps, key } = call;
    requireRenditions(image);
    const offers = renditionMimes.filter((mime) => image.formats.some((of) => of.mime === mime));
    const chosen = ctx.accepts([...offers]) || null;
    const format = image.formats.find(({ mime }) => mime === chosen);
    if (!format) {
      throw new Problem(
        'not_acceptable',
        `The rendition is available as ${offers.join(' and ')} only. Change the Accept header.`,
      );
    }
    const reply = await storedBytesReply({
      method: ctx.method,
      headers,
      storage: deps.storage,
      projectId: key.projectId,
      sha256: format.sha256,
      bytes: format.bytes,
      responseHeaders: {
        'Content-Type': format.mime,
        'Content-Disposition': 'inline',
        ...pictureCaching,
      },
    });
    if (params.name !== `w${minCopyWidth}`) return reply;
    const { objectId } = image;
    const picture = { objectId, deliveredObjectId: objectId };
    return countPicture(call, reply, { ...picture, content: 'rendition' });
  },
});
