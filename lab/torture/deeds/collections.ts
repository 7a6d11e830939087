import type { KnownCollection } from '../ledger.ts';
import { type Deed, expectStatus, idOf, type Scene, tookEffect } from './deed.ts';
import { someObject } from './objects.ts';

function someCollection({ client, pick }: Scene): KnownCollection | undefined {
  const own = [...client.ledger.collections.values()].filter(
    (one) =>
      one.client === client.number &&
      one.project === client.project.id &&
      one.state === 'available',
  );
  return own[pick(Math.max(own.length, 1))];
}

const collect: Deed = async (scene) => {
  const { client } = scene;
  const member = someObject(scene, ({ state }) => state === 'available');
  const name = `c${client.ledger.entries.length}`;
  const members = member ? [{ resource_type: 'object', resource_id: member.id }] : [];
  const answer = await client.send('POST', '/v1/collections', {
    body: { name, members },
    isKeyed: true,
  });
  if (!expectStatus(client, answer, 201)) return;
  answer.entry.effects.push(
    'dam.collection.created',
    ...members.map(() => 'dam.collection_member.added'),
  );
  client.ledger.collections.set(idOf(answer), {
    ...{ id: idOf(answer), name, state: 'available' },
    project: client.project.id,
    client: client.number,
    members: new Set(member ? [member.id] : []),
  });
};

const rename: Deed = async (scene) => {
  const { client } = scene;
  const collection = someCollection(scene);
  if (!collection) return;
  const name = `r${client.ledger.entries.length}`;
  const answer = await client.send('PATCH', `/v1/collections/${collection.id}`, { body: { name } });
  if (!expectStatus(client, answer, 200)) return;
  answer.entry.effects.push('dam.collection.updated');
  collection.name = name;
};

const addMember: Deed = async (scene) => {
  const { client } = scene;
  const collection = someCollection(scene);
  const object = someObject(scene, ({ state }) => state === 'available');
  if (!collection || !object) return;
  const isNew = !collection.members.has(object.id);
  const answer = await client.send('POST', `/v1/collections/${collection.id}/members`, {
    body: { resource_type: 'object', resource_id: object.id },
    isKeyed: true,
  });
  if (!expectStatus(client, answer, isNew ? 201 : 200)) return;
  if (isNew) answer.entry.effects.push('dam.collection_member.added');
  collection.members.add(object.id);
};

const removeMember: Deed = async (scene) => {
  const { client, pick } = scene;
  const collection = someCollection(scene);
  const members = [...(collection?.members ?? [])];
  const member = members[pick(Math.max(members.length, 1))];
  if (!collection || member === undefined) return;
  const answer = await client.send(
    'DELETE',
    `/v1/collections/${collection.id}/members/object/${member}`,
  );
  if (!tookEffect(client, answer, [204], [404])) return;
  answer.entry.effects.push('dam.collection_member.removed');
  collection.members.delete(member);
};

const trashCollection: Deed = async (scene) => {
  const collection = someCollection(scene);
  if (!collection) return;
  const answer = await scene.client.send('DELETE', `/v1/collections/${collection.id}`);
  if (!tookEffect(scene.client, answer, [204], [404, 409])) return;
  answer.entry.effects.push('dam.collection.trashed');
  collection.state = 'trashed';
};

export const collectionDeeds = { collect, rename, addMember, removeMember, trashCollection };
