import { newSecret } from '../../../src/webhooks/sign.ts';
import type { KnownEndpoint } from '../ledger.ts';
import {
  type ActionContext,
  type ClientAction,
  expectStatus,
  hasTakenEffect,
  idOf,
} from './action.ts';
import { objectActions } from './objects.ts';

function pickEndpoint({ client, pick }: ActionContext): KnownEndpoint | undefined {
  const candidates = [...client.ledger.endpoints.values()].filter(
    (one) =>
      one.client === client.number &&
      one.project === client.project.id &&
      one.deletionRequestedAt === null,
  );
  return candidates[pick(Math.max(candidates.length, 1))];
}

/** More endpoints would each receive everything. */
const maxEndpoints = 2;

const subscriptions = [
  ['*'],
  ['dam.object.*'],
  ['dam.collection.*', 'dam.collection_member.*'],
  ['documents.*'],
];

const subscribe: ClientAction = async (context) => {
  const { client, pick, receiver } = context;
  const openEndpoints = [...client.ledger.endpoints.values()].filter(
    (one) => one.client === client.number && one.deletionRequestedAt === null,
  );
  if (openEndpoints.length >= maxEndpoints) return;
  await subscribeTo(context, subscriptions[pick(subscriptions.length)]!, receiver);
};

export async function subscribeTo(
  { client }: Pick<ActionContext, 'client'>,
  types: string[],
  receiver: string,
): Promise<void> {
  const path = `/hooks/${client.ledger.entries.length}`;
  const secret = newSecret();
  const response = await client.send('POST', '/v1/webhooks', {
    body: { url: receiver + path, event_types: types, secret },
    isKeyed: true,
  });
  if (!expectStatus(client, response, 201)) return;
  response.entry.effects.push('webhooks.endpoint.created');
  client.ledger.endpoints.set(idOf(response), {
    id: idOf(response),
    path,
    secrets: [{ secret, replacedAt: null }],
    types,
    project: client.project.id,
    client: client.number,
    createdAt: Date.now(),
    state: 'enabled',
    pauses: [],
    deletionRequestedAt: null,
    deletedAt: null,
  });
}

/** Deliveries of events while an endpoint is paused wait, and are sent once it is enabled. */
const pauseAndEnable: ClientAction = async (context) => {
  const endpoint = pickEndpoint(context);
  if (!endpoint || !(await changeState(context, endpoint, 'pause', 'paused'))) return;
  const pause: KnownEndpoint['pauses'][number] = { from: Date.now(), to: null };
  endpoint.pauses.push(pause);
  await objectActions.upload(context);
  pause.to = Date.now();
  await changeState(context, endpoint, 'enable', 'enabled');
};

async function changeState(
  { client }: ActionContext,
  endpoint: KnownEndpoint,
  verb: 'pause' | 'enable',
  state: KnownEndpoint['state'],
): Promise<boolean> {
  const response = await client.send('POST', `/v1/webhooks/${endpoint.id}/${verb}`, {
    isKeyed: true,
  });
  if (!expectStatus(client, response, 200)) return false;
  response.entry.effects.push(`webhooks.endpoint.${state}`);
  endpoint.state = state;
  return true;
}

const rotate: ClientAction = async (context) => {
  const { client } = context;
  const endpoint = pickEndpoint(context);
  if (!endpoint) return;
  const response = await client.send('POST', `/v1/webhooks/${endpoint.id}/rotate-secret`, {
    body: { overlap_seconds: 0 },
    isKeyed: true,
  });
  if (!expectStatus(client, response, 200, 201)) return;
  response.entry.effects.push('webhooks.endpoint.secret_rotated');
  const { secret } = response.json;
  if (typeof secret === 'string') {
    for (const one of endpoint.secrets) one.replacedAt ??= Date.now();
    endpoint.secrets.push({ secret, replacedAt: null });
  } else client.ledger.violations.push(`${response.entry.id} showed no secret`);
};

const unsubscribe: ClientAction = async (context) => {
  const { client } = context;
  const endpoint = pickEndpoint(context);
  if (!endpoint) return;
  endpoint.deletionRequestedAt = Date.now();
  const current = await client.send('GET', `/v1/webhooks/${endpoint.id}`);
  if (!expectStatus(client, current, 200)) return;
  const response = await client.send('DELETE', `/v1/webhooks/${endpoint.id}`, {
    headers: { 'If-Match': '*' },
  });
  if (!hasTakenEffect(client, response, [204], [404, 412])) return;
  response.entry.effects.push('webhooks.endpoint.deleted');
  endpoint.deletedAt = Date.now();
};

export const webhookActions = { subscribe, pauseAndEnable, rotate, unsubscribe };
