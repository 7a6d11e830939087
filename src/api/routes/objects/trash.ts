import { TrashEmptied } from '@scriptorium/contracts/wire/library/objects';
import { emptyTrash } from '../../../library/objects/ending/empty-trash.ts';
import { accepted, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';

export const emptyTrashRoute = route({
  method: 'POST',
  path: '/v1/trash/empty',
  operationId: 'emptyTrash',
  tag: 'Objects',
  summary: 'Empty the trash.',
  description:
    'Objects that a policy keeps (`legal_hold`, `retention`) remain and are counted as `held`. Up to 50 objects are purged before the response. If more remain, the response is 202 and the rest is purged in the background; `GET /v1/objects?state=trashed` shows the progress. Objects trashed after the request are not purged. The request is safe to repeat.',
  scopes: ['objects:purge'],
  responses: { 200: TrashEmptied, 202: TrashEmptied },
  handler: async ({ tx, origin }) => {
    const counts = await emptyTrash(tx, origin);
    return counts.remaining > 0 ? accepted(counts, '/v1/objects?state=trashed') : ok(counts);
  },
});
