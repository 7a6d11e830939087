import { limits } from '@scriptorium/contracts/limits';
import { DownloadList, DownloadQuery } from '@scriptorium/contracts/wire/library/downloads';
import { countDownloads, listDownloads, recordedSince } from '../../../library/downloads/list.ts';
import { findObject } from '../../../library/objects/load.ts';
import { route } from '../../frame/route.ts';
import { page, pageStart, wantsTotal } from '../../requests/cursor.ts';

export const listObjectDownloads = route({
  method: 'GET',
  path: '/v1/objects/{id}/downloads',
  operationId: 'listObjectDownloads',
  tag: 'Objects',
  summary: 'List who downloaded an object, the latest first.',
  description: `One entry for each actor, content and way: with a key or a session, by a signed URL, in an archive, by a shared link. Downloads of another object that delivered this one, its redaction, are included. They appear within seconds and stay for ${limits.event_retention_days} days after the last one. Previews are not recorded. Requires \`audit:read\`, since it shows what people do; \`dam.object.downloaded\` and \`dam.share.downloaded\` are the events.`,
  scopes: ['objects:read', 'audit:read'],
  params: { id: 'object' },
  query: DownloadQuery,
  responses: { 200: DownloadList },
  load: (call) => findObject(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, resource: object } = call;
    const [rows, since, total] = await Promise.all([
      listDownloads(tx, object, pageStart(call)),
      recordedSince(tx, object),
      wantsTotal(call) ? countDownloads(tx, object) : null,
    ]);
    const reply = await page(call, rows, {
      present: ({ row }) => row,
      position: ({ position }) => position,
      count: () => total,
    });
    return { ...reply, body: { ...reply.body, recorded_since: since.toISOString() } };
  },
});
