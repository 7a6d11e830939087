import { downloadOf } from '../../../library/downloads/download-of.ts';
import { chooseDelivery } from '../../../library/objects/delivery.ts';
import { findObject, requireAvailable } from '../../../library/objects/load.ts';
import { countDownload } from '../../downloads/count.ts';
import { deliver } from '../../downloads/deliver.ts';
import { streamRoute } from '../../frame/route.ts';

export const getObjectContent = streamRoute({
  method: 'GET',
  path: '/v1/objects/{id}/content',
  operationId: 'getObjectContent',
  tag: 'Objects',
  summary: 'Download the bytes of an object.',
  description:
    'Returns all bytes or a single range (RFC 9110 §14), always as an attachment with the detected media type. The ETag is the SHA-256 of the whole file.',
  scopes: ['objects:download'],
  // Limited by concurrency instead.
  rate: 'none',
  concurrency: 32,
  writes: true,
  params: { id: 'object' },
  produces: [],
  hasEtag: true,
  responses: { 200: null, 206: null },
  problems: ['policy_denied', 'state_conflict', 'range_not_satisfiable'],
  load: async (call) => {
    const object = await findObject(call.tx, call.key.projectId, call.params.id);
    return object && chooseDelivery(call.tx, call.origin, object);
  },
  handler: async (call) => {
    requireAvailable(call.resource.object);
    const { deps, signal, inProject, headers, ctx, params, resource } = call;
    const download = { deps, signal, inProject, headers, method: ctx.method };
    const reply = await deliver(download, resource, 'attachment');
    return countDownload(call, reply, downloadOf(params.id, resource, 'direct'));
  },
});
