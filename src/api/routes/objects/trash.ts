import { TrashEmptied } from '../../../contracts/wire/objects.ts';
import { emptyTrash } from '../../../library/objects/ending/empty-trash.ts';
import { accepted, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';

export const emptyTrashRoute = route({
  method: 'POST',
  path: '/v1/trash/empty',
  operationId: 'emptyTrash',
  tag: 'Objects',
  summary: 'Purge what is in the trash.',
  description:
    'Objects that a policy keeps (`legal_hold`, `retention`) stay and are counted as `held`. Up to 50 objects are purged before the answer; when more are left it is 202, the rest is purged in the background, and `GET /v1/objects?state=trashed` shows how far it is. What goes to the trash after the request stays. Repeating it does no harm.',
  scopes: ['objects:purge'],
  responses: { 200: TrashEmptied, 202: TrashEmptied },
  handler: async ({ tx, origin }) => {
    const counts = await emptyTrash(tx, origin);
    return counts.remaining > 0 ? accepted(counts, '/v1/objects?state=trashed') : ok(counts);
  },
});
