import type { KnownCollection } from '../ledger.ts';
import {
  type ActionContext,
  type ClientAction,
  expectStatus,
  hasTakenEffect,
  idOf,
} from './action.ts';
import { pickObject } from './objects.ts';

function pickCollection({ client, pick }: ActionContext): KnownCollection | undefined {
  const candidates = [...client.ledger.collections.values()].filter(
    (one) =>
      one.client === client.number &&
      one.project === client.project.id &&
      one.state === 'available',
  );
  return candidates[pick(Math.max(candidates.length, 1))];
}

const collect: ClientAction = async (context) => {
  const { client } = context;
  const member = pickObject(context, ({ state }) => state === 'available');
  const name = `c${client.ledger.entries.length}`;
  const members = member ? [{ resource_type: 'object', resource_id: member.id }] : [];
  const response = await client.send('POST', '/v1/collections', {
    body: { name, members },
    isKeyed: true,
  });
  if (!expectStatus(client, response, 201)) return;
  response.entry.effects.push(
    'dam.collection.created',
    ...members.map(() => 'dam.collection_member.added'),
  );
  client.ledger.collections.set(idOf(response), {
    id: idOf(response),
    name,
    state: 'available',
    project: client.project.id,
    client: client.number,
    members: new Set(member ? [member.id] : []),
  });
};

const rename: ClientAction = async (context) => {
  const { client } = context;
  const collection = pickCollection(context);
  if (!collection) return;
  const name = `r${client.ledger.entries.length}`;
  const response = await client.send('PATCH', `/v1/collections/${collection.id}`, {
    body: { name },
  });
  if (!expectStatus(client, response, 200)) return;
  response.entry.effects.push('dam.collection.updated');
  collection.name = name;
};

const addMember: ClientAction = async (context) => {
  const { client } = context;
  const collection = pickCollection(context);
  const object = pickObject(context, ({ state }) => state === 'available');
  if (!collection || !object) return;
  const isNew = !collection.members.has(object.id);
  const response = await client.send('POST', `/v1/collections/${collection.id}/members`, {
    body: { resource_type: 'object', resource_id: object.id },
    isKeyed: true,
  });
  if (!expectStatus(client, response, isNew ? 201 : 200)) return;
  if (isNew) response.entry.effects.push('dam.collection_member.added');
  collection.members.add(object.id);
};

const removeMember: ClientAction = async (context) => {
  const { client, pick } = context;
  const collection = pickCollection(context);
  const members = [...(collection?.members ?? [])];
  const member = members[pick(Math.max(members.length, 1))];
  if (!collection || member === undefined) return;
  const response = await client.send(
    'DELETE',
    `/v1/collections/${collection.id}/members/object/${member}`,
  );
  if (!hasTakenEffect(client, response, [204], [404])) return;
  response.entry.effects.push('dam.collection_member.removed');
  collection.members.delete(member);
};

const trashCollection: ClientAction = async (context) => {
  const collection = pickCollection(context);
  if (!collection) return;
  const response = await context.client.send('DELETE', `/v1/collections/${collection.id}`);
  if (!hasTakenEffect(context.client, response, [204], [404, 409])) return;
  response.entry.effects.push('dam.collection.trashed');
  collection.state = 'trashed';
};

export const collectionActions = { collect, rename, addMember, removeMember, trashCollection };
