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
  summary: 'List the downloads of an object, latest first.',
  description: `Returns one entry for each actor, content and channel: with a key or session, by a signed URL, in an archive, or by a shared link. Includes downloads of another object that delivered this object as its redaction. Entries appear within seconds, and are retained for ${limits.event_retention_days} days after the last one. Previews are not recorded. Requires \`audit:read\`, because it shows the activity of people. The events are \`dam.object.downloaded\` and \`dam.share.downloaded\`.`,
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
