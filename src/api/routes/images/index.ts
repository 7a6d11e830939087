import { ImageRecord } from '../../../contracts/wire/images.ts';
import { findImage, presentImage } from '../../../library/images/load.ts';
import { ok } from '../../reply.ts';
import { route } from '../../route.ts';
import { listImageCollections } from '../collections/holding.ts';

const tag = 'Images';

const get = route({
  method: 'GET',
  path: '/v1/images/{id}',
  operationId: 'getImage',
  tag,
  summary: 'Get an image, in the trash or not.',
  scopes: ['images:read'],
  params: { id: 'image' },
  responses: { 200: ImageRecord },
  load: (call) => findImage(call.tx, call.key.projectId, call.params.id),
  handler: async ({ resource }) => ok(presentImage(resource), { version: resource.version }),
});

export const imageRoutes = [get, listImageCollections];
