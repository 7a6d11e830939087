import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

/** Creates an object, changes it, and waits until both events are readable. */
async function history({ ask, until }: Teller): Promise<string> {
  const made = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const params = { id: made.json.id };
  await ask('updateObject', 200, { params, body: { tags: ['board'] } });
  await until('listEvents', {}, ({ json }) => json.latest_sequence === 3);
  return made.json.id;
}

export async function events(scene: Teller): Promise<void> {
  const { tell, ask } = scene;
  const object = await history(scene);
  const page = await tell('listEvents', 'The first two unacknowledged events', 200, {
    query: { published: 'false', limit: '2' },
  });
  const newest = page.json.data[1];
  await tell('listEvents', 'The next events of an object', 200, {
    query: { after: newest.id, resource_id: object },
  });
  await tell('listEvents', 'Export all events of a type as lines', 200, {
    headers: { accept: 'application/x-ndjson' },
    query: { type: 'dam.object.*' },
  });
  await tell('listEvents', 'An invalid cursor', 400, { query: { cursor: 'garbage' } });
  await tell('getEvent', 'An event', 200, { params: { id: newest.id } });
  await tell('streamEvents', 'Stream from the first event', 200, {
    query: { after: '0', type: 'dam.object.updated' },
    headers: { accept: 'text/event-stream' },
    until: 'dam.object.updated',
  });
  await tell('acknowledgeEvents', 'Acknowledge all events up to a sequence', 200, {
    body: { up_to_sequence: 2 },
  });
  await tell('acknowledgeEvents', 'Both events and a sequence', 422, {
    body: { event_ids: [newest.id], up_to_sequence: 2 },
  });
  await tell('listEventTypes', 'The event types (shortened)', 200, {
    shorten: ({ data }) => ({ data: data.slice(0, 1) }),
  });
  await ask('getEvent', 404, { params: { id: 'evt_01kjq8t4c0000000000000000z' } });
}

export async function consumers(scene: Teller): Promise<void> {
  const { tell } = scene;
  await history(scene);
  const body = { name: 'search-index', event_types: ['dam.object.*'], start: 'earliest' };
  const made = await tell('createConsumer', 'Start at the earliest event', 201, { body });
  const params = { id: made.json.id };
  await tell('createConsumer', 'An existing name', 409, { body });
  await tell('listConsumers', 'A consumer by its name', 200, { query: { name: 'search-index' } });
  const read = await tell('readConsumerEvents', 'Read the next events', 200, {
    params,
    query: { limit: '1', wait_seconds: '5' },
  });
  await tell('commitConsumer', 'Commit and acknowledge', 200, {
    params,
    headers: { 'if-match': read.headers.get('etag') ?? '' },
    body: { sequence: read.json.commit_sequence, ack: true },
  });
  await tell('commitConsumer', 'Another reader has already committed', 412, {
    params,
    headers: { 'if-match': read.headers.get('etag') ?? '' },
    body: { sequence: read.json.commit_sequence },
  });
  await tell('getConsumer', 'A consumer', 200, { params });
  await tell('seekConsumer', 'Seek to the beginning', 200, { params, body: { to: 'earliest' } });
  await tell('deleteConsumer', 'Delete a consumer', 204, { params });
}
