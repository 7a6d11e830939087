import { type ClientAction, expectStatus, idOf } from './action.ts';

/**
 * A client that sends several requests with one Idempotency-Key gets one effect and the same
 * response.
 */
const repeat: ClientAction = async ({ client }) => {
  const name = `k${client.ledger.entries.length}`;
  const create = (first: number) =>
    client.send('POST', '/v1/collections', {
      body: { name },
      headers: { 'Idempotency-Key': name },
      first,
    });
  // Concurrently, to different servers; then again.
  const [one, other] = await Promise.all([create(0), create(1)]);
  const again = await create(0);
  for (const response of [one, other, again]) if (!expectStatus(client, response, 201)) return;
  const isReplayed = again.headers.get('idempotent-replayed') === 'true';
  if (!isReplayed || [other, again].some(({ bytes }) => !bytes.equals(one.bytes))) {
    client.ledger.violations.push(`${again.entry.id} was not answered as ${one.entry.id} was`);
  }
  // Only the server knows which of them took effect.
  one.entry.effects.push(`dam.collection.created ${idOf(one)}`);
  client.ledger.collections.set(idOf(one), {
    id: idOf(one),
    name,
    state: 'available',
    members: new Set<string>(),
    project: client.project.id,
    client: client.number,
  });
};

/** The same key with another body is rejected. */
const reuseKey: ClientAction = async ({ client }) => {
  const name = `u${client.ledger.entries.length}`;
  const headers = { 'Idempotency-Key': name };
  const first = await client.send('POST', '/v1/collections', { body: { name }, headers });
  if (!expectStatus(client, first, 201)) return;
  first.entry.effects.push('dam.collection.created');
  client.ledger.collections.set(idOf(first), {
    id: idOf(first),
    name,
    state: 'available',
    members: new Set<string>(),
    project: client.project.id,
    client: client.number,
  });
  const other = await client.send('POST', '/v1/collections', {
    body: { name: `${name}x` },
    headers,
  });
  expectStatus(client, other, 422);
};

const acknowledge: ClientAction = async ({ client }) => {
  const list = await client.send('GET', '/v1/events?published=false&limit=20');
  if (!expectStatus(client, list, 200) || !Array.isArray(list.json.data)) return;
  const ids = list.json.data.map(({ id }: { id: string }) => id);
  if (ids.length === 0) return;
  const response = await client.send('POST', '/v1/events/ack', {
    body: { event_ids: ids },
    isKeyed: true,
  });
  if (!expectStatus(client, response, 200)) return;
  for (const id of ids) client.ledger.acknowledged.add(id);
};

export const repeatActions = { repeat, reuseKey, acknowledge };
