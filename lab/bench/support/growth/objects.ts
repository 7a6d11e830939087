import { fillObjects } from './fill-objects.ts';
import type { Subject } from './history-requests.ts';
import { objectRequests } from './object-requests.ts';

/** The number of the distant page. */
const farPage = 500;

/** The objects of a library, over three years. */
export const objects: Subject = {
  async fill({ bench: arm, tenant }, client, size) {
    const api = await arm.openDatabase(arm.urls.apiUrl, 1);
    await fillObjects(api, tenant.projectId, size);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  },

  async requests(send) {
    const start = await send('GET', '/objects?limit=50');
    let cursor = start.next_cursor;
    // Half of the pages of a smaller library.
    const { total } = await send('GET', '/objects?limit=1&include=total');
    for (let page = 2; page < Math.min(farPage, (total ?? 0) / 100); page++) {
      const { next_cursor } = await send('GET', `/objects?limit=50&cursor=${cursor}`);
      cursor = next_cursor ?? cursor;
    }
    const targets = { objectId: start.data[7]?.id ?? '', farCursor: cursor ?? '' };
    return Object.fromEntries(
      Object.entries(objectRequests).map(([name, request]) => [name, () => request(send, targets)]),
    );
  },
};
