import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function collections({ tell, ask }: Teller): Promise<void> {
  const upload = async (name: string) =>
    (await ask('uploadObject', 201, { headers: rawFile(name), body: `${minutes}${name}\n` })).json
      .id;
  const [first, second] = [await upload('minutes-1.md'), await upload('minutes-2.md')];
  const made = await tell('createCollection', 'With its first member', 201, {
    body: {
      name: 'Harbour board',
      description: 'What the board decided.',
      tags: ['board'],
      members: [{ resource_type: 'object', resource_id: first }],
    },
  });
  const params = { id: made.json.id };
  const child = await tell('createCollection', 'A smart one, in another', 201, {
    body: {
      name: 'Cranes',
      kind: 'smart',
      parent_id: made.json.id,
      query: { q: 'crane', orientation: ['portrait'] },
    },
  });
  await tell('listCollections', 'Those at the root', 200, { query: { parent_id: 'root' } });
  await tell('listCollections', 'Those that hold an object', 200, {
    query: { resource_type: 'object', resource_id: first },
  });
  const read = await tell('getCollection', 'A collection', 200, { params });
  await tell('updateCollection', 'Another name', 200, {
    params,
    headers: { 'if-match': read.headers.get('etag') ?? '' },
    body: { name: 'Harbour board, 2026' },
  });
  await tell('updateCollection', 'Into one of its own children', 409, {
    params,
    body: { parent_id: child.json.id },
  });
  await tell('addCollectionMember', 'One more member', 201, {
    params,
    body: { resource_type: 'object', resource_id: second },
  });
  await tell('addCollectionMember', 'A member that it has', 200, {
    params,
    body: { resource_type: 'object', resource_id: second },
  });
  await tell('addCollectionMember', 'What is not there', 422, {
    params,
    body: { resource_type: 'object', resource_id: 'obj_01kjq8t4c0000000000000000z' },
  });
  await tell('moveCollectionMember', 'To the front', 200, {
    params: { ...params, type: 'object', rid: second },
    body: { before: { resource_type: 'object', resource_id: first } },
  });
  await tell('listCollectionMembers', 'In their order', 200, {
    params,
    query: { limit: '2', include: 'total' },
  });
  await tell('removeCollectionMember', 'One member less', 204, {
    params: { ...params, type: 'object', rid: second },
  });
  await tell('removeCollectionMember', 'A resource that is not a member', 404, {
    params: { ...params, type: 'object', rid: second },
  });
  await tell('changeCollectionMembers', 'One for another', 200, {
    params,
    body: {
      add: [{ resource_type: 'object', resource_id: second }],
      remove: [{ resource_type: 'object', resource_id: first }],
    },
  });
  await tell('trashCollection', 'To the trash, with its children', 204, { params });
  await tell('restoreCollection', 'Back from the trash', 200, { params });
}
