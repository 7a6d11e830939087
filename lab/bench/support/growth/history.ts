import { fillHistory } from './fill.ts';
import { type HistoryTargets, historyRequests, type Subject } from './history-requests.ts';

/** Events, deliveries and jobs: as many of each, over twelve weeks. */
export const history: Subject = {
  fill: ({ tenant: { projectId }, endpointId }, client, size) =>
    fillHistory(client, { projectId, endpointId }, size),

  async requests(send, { tenant: { objectId }, endpointId }, size) {
    const first = async (path: string): Promise<string> => {
      const [found] = (await send('GET', path)).data;
      if (!found) throw new Error(`${path} is empty.`);
      return found.id;
    };
    const middle = Math.floor(size / 2);
    const consumer = await send('POST', '/events/consumers', {
      name: 'growth',
      category: 'domain',
    });
    await send('POST', `/events/consumers/${consumer.id}/seek`, { sequence: middle });
    const targets: HistoryTargets = {
      objectId,
      endpointId,
      middleSequence: middle,
      consumerId: consumer.id,
      jobId: await first('/documents/jobs?limit=1'),
      eventId: await first(`/events?limit=1&after=${middle}`),
      deliveryId: await first(`/webhooks/${endpointId}/deliveries?limit=1&state=succeeded`),
    };
    return Object.fromEntries(
      Object.entries(historyRequests).map(([name, request]) => [
        name,
        () => request(send, targets),
      ]),
    );
  },
};
