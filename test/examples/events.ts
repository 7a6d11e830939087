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
  await tell('listEvents', 'On from there, of one object', 200, {
    query: { after: newest.id, resource_id: object },
  });
  await tell('listEvents', 'All of a kind, a line each', 200, {
    headers: { accept: 'application/x-ndjson' },
    query: { type: 'dam.object.*' },
  });
  await tell('listEvents', 'With a cursor that is none', 400, { query: { cursor: 'garbage' } });
  await tell('getEvent', 'An event', 200, { params: { id: newest.id } });
  await tell('streamEvents', 'From the first event on', 200, {
    query: { after: '0', type: 'dam.object.updated' },
    headers: { accept: 'text/event-stream' },
    until: 'dam.object.updated',
  });
  await tell('acknowledgeEvents', 'Everything up to a sequence', 200, {
    body: { up_to_sequence: 2 },
  });
  await tell('acknowledgeEvents', 'Both ways at once', 422, {
    body: { event_ids: [newest.id], up_to_sequence: 2 },
  });
  await tell('listEventTypes', 'The catalogue, here its first type', 200, {
    shorten: ({ data }) => ({ data: data.slice(0, 1) }),
  });
  await ask('getEvent', 404, { params: { id: 'evt_01kjq8t4c0000000000000000z' } });
}

export async function consumers(scene: Teller): Promise<void> {
  const { tell } = scene;
  await history(scene);
  const body = { name: 'search-index', event_types: ['dam.object.*'], start: 'earliest' };
  const made = await tell('createConsumer', 'From the earliest event on', 201, { body });
  const params = { id: made.json.id };
  await tell('createConsumer', 'A name that is taken', 409, { body });
  await tell('listConsumers', 'By its name', 200, { query: { name: 'search-index' } });
  const read = await tell('readConsumerEvents', 'What comes next', 200, {
    params,
    query: { limit: '1', wait_seconds: '5' },
  });
  await tell('commitConsumer', 'Done with it, and confirmed', 200, {
    params,
    headers: { 'if-match': read.headers.get('etag') ?? '' },
    body: { sequence: read.json.commit_sequence, ack: true },
  });
  await tell('commitConsumer', 'Another reader was faster', 412, {
    params,
    headers: { 'if-match': read.headers.get('etag') ?? '' },
    body: { sequence: read.json.commit_sequence },
  });
  await tell('getConsumer', 'How far it is', 200, { params });
  await tell('seekConsumer', 'Back to the beginning', 200, { params, body: { to: 'earliest' } });
  await tell('deleteConsumer', 'No longer needed', 204, { params });
}
