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
  const made = await tell('createWebhook', 'For all that happens to objects', 201, { body });
  const params = { id: made.json.id };
  await tell('createWebhook', 'An address inside', 422, {
    body: { ...body, url: 'https://10.0.0.7/hooks' },
  });
  await tell('listWebhooks', 'All of them', 200);
  await tell('getWebhook', 'A webhook', 200, { params });
  await tell('testWebhook', 'What it is sent and what it answers', 200, { params });
  await tell('updateWebhook', 'Fewer types of event', 200, {
    params,
    headers: { 'if-match': '"1"' },
    body: { event_types: ['dam.object.available', 'dam.object.trashed'] },
  });

  receiver.answer({ status: 500, body: 'The index is being rebuilt.' });
  const object = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const pending = { params, query: { state: 'pending' } };
  const tried = ({ json }: { json: { data: { attempts_made: number; state: string }[] } }) =>
    json.data[0] !== undefined && json.data[0].attempts_made > 0;
  const failed = await until('listDeliveries', pending, tried);
  await tell('pauseWebhook', 'Keep what it is owed for later', 200, { params });
  const delivery = { ...params, delivery_id: failed.json.data[0].id };
  await ask('enableWebhook', 200, { params });
  receiver.answer(204);
  await tell('redeliver', 'Once more, now', 202, { params: delivery });
  await until('getDelivery', { params: delivery }, ({ json }) => json.state === 'succeeded');
  await tell('listDeliveries', 'Those that have arrived', 200, {
    params,
    query: { state: 'succeeded' },
  });
  await tell('getDelivery', 'With all its attempts', 200, { params: delivery });
  await tell('listEventDeliveries', 'Whom an event was sent to', 200, {
    query: { event_id: failed.json.data[0].event_id },
  });

  await tell('disableWebhook', 'Nothing more is sent', 200, { params });
  await ask('trashObject', 204, { params: { id: object.json.id } });
  await until(
    'listDeliveries',
    { params, query: { state: 'skipped' } },
    ({ json }) => json.data.length === 1,
  );
  await tell('enableWebhook', 'From now on again', 200, { params });
  const since = '2026-01-01T00:00:00.000Z';
  await tell('replayWebhook', 'How many would be sent', 200, {
    params,
    body: { since, only: 'missing', dry_run: true },
  });
  const replay = await tell('replayWebhook', 'What it has missed', 202, {
    params,
    body: { since, only: 'missing' },
  });
  const replayed = { ...params, replay_id: replay.json.id };
  await until('getReplay', { params: replayed }, ({ json }) => json.state === 'completed');
  await tell('getReplay', 'How far it is', 200, { params: replayed });
  await tell('listReplays', 'All of them', 200, { params });
  await tell('cancelDeliveries', 'Give up what it is still owed', 200, {
    params,
    body: { event_types: ['dam.object.trashed'] },
  });
  await tell('rotateWebhookSecret', 'For an hour both secrets sign', 200, {
    params,
    body: { overlap_seconds: 3600 },
  });
  await tell('deleteWebhook', 'Without If-Match', 428, { params });
  const now = await ask('getWebhook', 200, { params });
  await tell('deleteWebhook', 'No longer needed', 204, {
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
  await tell('cancelReplay', 'Before it is done', 200, {
    params: { ...params, replay_id: replay.json.id },
  });
}
