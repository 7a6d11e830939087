import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function webhooks(scene: Teller): Promise<void> {
  const { tell, ask, until, receiver } = scene;
  const body = {
    url: receiver.url,
    event_types: ['dam.object.*'],
    description: 'Search index',
    max_per_second: 20,
  };
  const made = await tell('createWebhook', 'For all events of objects', 201, { body });
  const params = { id: made.json.id };
  await tell('createWebhook', 'A private address', 422, {
    body: { ...body, url: 'https://10.0.0.7/hooks' },
  });
  await tell('listWebhooks', 'All webhooks', 200);
  await tell('getWebhook', 'A webhook', 200, { params });
  await tell('testWebhook', 'Send a test message', 200, { params });
  await tell('updateWebhook', 'Fewer event types', 200, {
    params,
    headers: { 'if-match': '"1"' },
    body: { event_types: ['dam.object.available', 'dam.object.trashed'] },
  });

  receiver.respondWith({ status: 500, body: 'The index is being rebuilt.' });
  const object = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const pending = { params, query: { state: 'pending' } };
  const tried = ({ json }: { json: { data: { attempts_made: number; state: string }[] } }) =>
    json.data[0] !== undefined && json.data[0].attempts_made > 0;
  const failed = await until('listDeliveries', pending, tried);
  await tell('pauseWebhook', 'Pause a webhook', 200, { params });
  const delivery = { ...params, delivery_id: failed.json.data[0].id };
  await ask('enableWebhook', 200, { params });
  receiver.respondWith(204);
  await tell('redeliver', 'Send a delivery again', 202, { params: delivery });
  await until('getDelivery', { params: delivery }, ({ json }) => json.state === 'succeeded');
  await tell('listDeliveries', 'Successful deliveries', 200, {
    params,
    query: { state: 'succeeded' },
  });
  await tell('getDelivery', 'A delivery with its attempts', 200, { params: delivery });
  await tell('listEventDeliveries', 'The deliveries of an event', 200, {
    query: { event_id: failed.json.data[0].event_id },
  });

  await tell('getWebhookStats', 'The last 24 hours', 200, { params, query: { period: '24h' } });
  await tell('disableWebhook', 'Disable a webhook', 200, { params });
  await ask('trashObject', 204, { params: { id: object.json.id } });
  await until(
    'listDeliveries',
    { params, query: { state: 'skipped' } },
    ({ json }) => json.data.length === 1,
  );
  await tell('enableWebhook', 'Enable a webhook', 200, { params });
  const since = '2026-01-01T00:00:00.000Z';
  await tell('replayWebhook', 'Count without sending', 200, {
    params,
    body: { since, only: 'missing', dry_run: true },
  });
  const replay = await tell('replayWebhook', 'Send missed events', 202, {
    params,
    body: { since, only: 'missing' },
  });
  const replayed = { ...params, replay_id: replay.json.id };
  await until('getReplay', { params: replayed }, ({ json }) => json.state === 'completed');
  await tell('getReplay', 'A replay', 200, { params: replayed });
  await tell('listReplays', 'All replays', 200, { params });
  await tell('cancelDeliveries', 'Cancel the pending deliveries', 200, {
    params,
    body: { event_types: ['dam.object.trashed'] },
  });
  await tell('retryDeliveries', 'Send what waits for its next retry', 200, { params });
  await tell('rotateWebhookSecret', 'Sign with both secrets for an hour', 200, {
    params,
    body: { overlap_seconds: 3600 },
  });
  await tell('deleteWebhook', 'Without If-Match', 428, { params });
  const now = await ask('getWebhook', 200, { params });
  await tell('deleteWebhook', 'Delete a webhook', 204, {
    params,
    headers: { 'if-match': now.headers.get('etag') ?? '' },
  });
}

/** A replay that has not started can be cancelled. */
export async function waitingReplay({ tell, ask }: Teller): Promise<void> {
  const made = await ask('createWebhook', 201, {
    body: { url: 'http://127.0.0.1:9/hooks', event_types: ['*'] },
  });
  const params = { id: made.json.id };
  await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const replay = await ask('replayWebhook', 202, {
    params,
    body: { since: '2026-01-01T00:00:00.000Z' },
  });
  await tell('cancelReplay', 'Cancel a running replay', 200, {
    params: { ...params, replay_id: replay.json.id },
  });
}
