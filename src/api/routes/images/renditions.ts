import { Type } from 'typebox';
import { notFound, Problem } from '../../../contracts/problems.ts';
import {
  type RenditionName,
  renditionMimes,
  renditionNames,
} from '../../../contracts/wire/images.ts';
import { findRendition, requireRenditions } from '../../../library/images/renditions.ts';
import { enforce } from '../../../policies/enforce.ts';
import { storedBytes } from '../../downloads/stored-bytes.ts';
import { streamRoute } from '../../frame/route.ts';

export const getRendition = streamRoute({
  method: 'GET',
  path: '/v1/images/{id}/renditions/{name}',
  operationId: 'getRendition',
  tag: 'Images',
  summary: 'Get a smaller picture of an image, ready to be shown.',
  description:
    '`thumb` fits into 160 × 160 pixels, the others are at most as wide as they say; none is larger than the image. WebP or AVIF by `Accept`; WebP when both will do. Upright, sRGB, without metadata. While a worker has yet to make it: 409, `retryable` and with `Retry-After`; when the image cannot be read: 409, not `retryable`, with the reason.',
  scopes: ['images:read'],
  // Capped by how many run at once instead.
  rate: 'none',
  concurrency: 32,
  writes: true,
  params: { id: 'image', name: Type.Enum([...renditionNames], { title: 'rendition' }) },
  produces: renditionMimes,
  responses: { 200: null, 206: null },
  problems: ['policy_denied', 'state_conflict', 'range_not_satisfiable'],
  load: async ({ tx, key, origin, params }) => {
    // The frame has held the name against its schema.
    const name = params.name as RenditionName;
    const image = await findRendition(tx, key.projectId, params.id, name);
    // By itself the frame would say that there is no such name.
    if (!image) throw notFound('image', params.id);
    await enforce(tx, origin, { action: 'read', objectId: image.objectId });
    return image;
  },
  handler: async ({ ctx, headers, resource: image, deps, key }) => {
    requireRenditions(image);
    const offers = renditionMimes.filter((mime) => image.formats.some((of) => of.mime === mime));
    const chosen = ctx.accepts([...offers]) || null;
    const format = image.formats.find(({ mime }) => mime === chosen);
    if (!format) {
      throw new Problem('not_acceptable', `There is only ${offers.join(' and ')} of this.`);
    }
    return storedBytes({
      method: ctx.method,
      headers,
      storage: deps.storage,
      projectId: key.projectId,
      sha256: format.sha256,
      bytes: format.bytes,
      answer: {
        'Content-Type': format.mime,
        'Content-Disposition': 'inline',
        // A grid shows the same pictures again and again, and an image's never change; but what one
        // may see does: an hour, in the cache of the one who asked, and for this key alone.
        'Cache-Control': 'private, max-age=3600',
        Vary: 'Accept, Authorization',
      },
    });
  },
});
