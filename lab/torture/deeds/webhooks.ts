import { newSecret } from '../../../src/webhooks/sign.ts';
import type { KnownEndpoint } from '../ledger.ts';
import { type Deed, expectStatus, idOf, type Scene, tookEffect } from './deed.ts';
import { objectDeeds } from './objects.ts';

function someEndpoint({ client, pick }: Scene): KnownEndpoint | undefined {
  const own = [...client.ledger.endpoints.values()].filter(
    (one) =>
      one.client === client.number && one.project === client.project.id && one.endedAt === null,
  );
  return own[pick(Math.max(own.length, 1))];
}

/** More endpoints would each receive everything. */
const maxOpen = 2;

const subscriptions = [
  ['*'],
  ['dam.object.*'],
  ['dam.collection.*', 'dam.collection_member.*'],
  ['documents.*'],
];

const subscribe: Deed = async (scene) => {
  const { client, pick, receiver } = scene;
  const open = [...client.ledger.endpoints.values()].filter(
    (one) => one.client === client.number && one.endedAt === null,
  );
  if (open.length >= maxOpen) return;
  await subscribeTo(scene, subscriptions[pick(subscriptions.length)]!, receiver);
};

export async function subscribeTo(
  { client }: Pick<Scene, 'client'>,
  types: string[],
  receiver: string,
): Promise<void> {
  const path = `/hooks/${client.ledger.entries.length}`;
  const secret = newSecret();
  const answer = await client.send('POST', '/v1/webhooks', {
    body: { url: receiver + path, event_types: types, secret },
    isKeyed: true,
  });
  if (!expectStatus(client, answer, 201)) return;
  answer.entry.effects.push('webhooks.endpoint.created');
  client.ledger.endpoints.set(idOf(answer), {
    ...{ id: idOf(answer), path, secrets: [{ secret, replacedAt: null }], types },
    project: client.project.id,
    client: client.number,
    createdAt: Date.now(),
    state: 'enabled',
    pauses: [],
    ...{ endedAt: null, goneAt: null },
  });
}

/** Deliveries of events while an endpoint is paused wait, and are sent once it is enabled. */
const pauseAndEnable: Deed = async (scene) => {
  const endpoint = someEndpoint(scene);
  if (!endpoint || !(await turn(scene, endpoint, 'pause', 'paused'))) return;
  const pause: KnownEndpoint['pauses'][number] = { from: Date.now(), to: null };
  endpoint.pauses.push(pause);
  await objectDeeds.upload(scene);
  pause.to = Date.now();
  await turn(scene, endpoint, 'enable', 'enabled');
};

async function turn(
  { client }: Scene,
  endpoint: KnownEndpoint,
  verb: 'pause' | 'enable',
  state: KnownEndpoint['state'],
): Promise<boolean> {
  const answer = await client.send('POST', `/v1/webhooks/${endpoint.id}/${verb}`, {
    isKeyed: true,
  });
  if (!expectStatus(client, answer, 200)) return false;
  answer.entry.effects.push(`webhooks.endpoint.${state}`);
  endpoint.state = state;
  return true;
}

const rotate: Deed = async (scene) => {
  const { client } = scene;
  const endpoint = someEndpoint(scene);
  if (!endpoint) return;
  const answer = await client.send('POST', `/v1/webhooks/${endpoint.id}/rotate-secret`, {
    body: { overlap_seconds: 0 },
    isKeyed: true,
  });
  if (!expectStatus(client, answer, 200, 201)) return;
  answer.entry.effects.push('webhooks.endpoint.secret_rotated');
  const { secret } = answer.json;
  if (typeof secret === 'string') {
    for (const one of endpoint.secrets) one.replacedAt ??= Date.now();
    endpoint.secrets.push({ secret, replacedAt: null });
  } else client.ledger.violations.push(`${answer.entry.id} showed no secret`);
};

const unsubscribe: Deed = async (scene) => {
  const { client } = scene;
  const endpoint = someEndpoint(scene);
  if (!endpoint) return;
  endpoint.endedAt = Date.now();
  const current = await client.send('GET', `/v1/webhooks/${endpoint.id}`);
  if (!expectStatus(client, current, 200)) return;
  const answer = await client.send('DELETE', `/v1/webhooks/${endpoint.id}`, {
    headers: { 'If-Match': '*' },
  });
  if (!tookEffect(client, answer, [204], [404, 412])) return;
  answer.entry.effects.push('webhooks.endpoint.deleted');
  endpoint.goneAt = Date.now();
};

export const webhookDeeds = { subscribe, pauseAndEnable, rotate, unsubscribe };
