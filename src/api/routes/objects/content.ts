import { contentDisposition } from '../../../library/files/filename.ts';
import { chooseDelivery } from '../../../library/objects/delivery.ts';
import { findObject, requireAvailable } from '../../../library/objects/load.ts';
import { storedBytes } from '../../downloads/stored-bytes.ts';
import { strippedBytes } from '../../downloads/stripped-bytes.ts';
import { streamRoute } from '../../frame/route.ts';

export const getObjectContent = streamRoute({
  method: 'GET',
  path: '/v1/objects/{id}/content',
  operationId: 'getObjectContent',
  tag: 'Objects',
  summary: 'Download the bytes of an object.',
  description:
    'Whole, or one range of them (RFC 9110 §14). The ETag is the SHA-256 of the whole. Always as an attachment, with the type that the bytes have.',
  scopes: ['objects:download'],
  // Capped by how many run at once instead.
  rate: 'none',
  concurrency: 32,
  params: { id: 'object' },
  produces: [],
  responses: { 200: null, 206: null },
  problems: ['policy_denied', 'state_conflict', 'range_not_satisfiable'],
  load: async (call) => {
    const object = await findObject(call.tx, call.key.projectId, call.params.id);
    return object && chooseDelivery(call.tx, call.origin, object);
  },
  handler: async (call) => {
    const { ctx, headers, deps, key } = call;
    const { object, strip } = call.resource;
    requireAvailable(object);
    const { sha256, bytes } = strip ? await strippedBytes(call, object, strip) : object;
    return storedBytes({
      method: ctx.method,
      headers,
      storage: deps.storage,
      projectId: key.projectId,
      sha256,
      bytes,
      answer: {
        'Content-Type': object.mime,
        'Content-Disposition': contentDisposition(object.filename),
        // Kept, but asked for again each time: a key may have been revoked meanwhile.
        'Cache-Control': 'private, no-cache',
      },
    });
  },
});
