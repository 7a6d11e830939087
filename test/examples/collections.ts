import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function collections({ tell, ask }: Teller): Promise<void> {
  const upload = async (name: string) =>
    (await ask('uploadObject', 201, { headers: rawFile(name), body: `${minutes}${name}\n` })).json
      .id;
  const [first, second] = [await upload('minutes-1.md'), await upload('minutes-2.md')];
  const made = await tell('createCollection', 'With a first member', 201, {
    body: {
      name: 'Harbour board',
      description: 'What the board decided.',
      tags: ['board'],
      members: [{ resource_type: 'object', resource_id: first }],
    },
  });
  const params = { id: made.json.id };
  const child = await tell('createCollection', 'A nested smart collection', 201, {
    body: {
      name: 'Cranes',
      kind: 'smart',
      parent_id: made.json.id,
      query: { q: 'crane', orientation: ['portrait'] },
    },
  });
  await tell('listCollections', 'Collections at the root', 200, { query: { parent_id: 'root' } });
  await tell('listCollections', 'Collections that contain an object', 200, {
    query: { resource_type: 'object', resource_id: first },
  });
  const read = await tell('getCollection', 'A collection', 200, { params });
  await tell('updateCollection', 'Rename a collection', 200, {
    params,
    headers: { 'if-match': read.headers.get('etag') ?? '' },
    body: { name: 'Harbour board, 2026' },
  });
  await tell('updateCollection', 'A collection in its own child', 409, {
    params,
    body: { parent_id: child.json.id },
  });
  await tell('addCollectionMember', 'Add a member', 201, {
    params,
    body: { resource_type: 'object', resource_id: second },
  });
  await tell('addCollectionMember', 'An existing member', 200, {
    params,
    body: { resource_type: 'object', resource_id: second },
  });
  await tell('addCollectionMember', 'An unknown resource', 422, {
    params,
    body: { resource_type: 'object', resource_id: 'obj_01kjq8t4c0000000000000000z' },
  });
  await tell('moveCollectionMember', 'Move a member to the front', 200, {
    params: { ...params, type: 'object', rid: second },
    body: { before: { resource_type: 'object', resource_id: first } },
  });
  await tell('listCollectionMembers', 'Members in their order', 200, {
    params,
    query: { limit: '2', include: 'total' },
  });
  await tell('removeCollectionMember', 'Remove a member', 204, {
    params: { ...params, type: 'object', rid: second },
  });
  await tell('removeCollectionMember', 'A resource that is not a member', 404, {
    params: { ...params, type: 'object', rid: second },
  });
  await tell('changeCollectionMembers', 'Replace a member', 200, {
    params,
    body: {
      add: [{ resource_type: 'object', resource_id: second }],
      remove: [{ resource_type: 'object', resource_id: first }],
    },
  });
  await tell('trashCollection', 'Move a collection and its children to the trash', 204, { params });
  await tell('restoreCollection', 'Restore a collection', 200, { params });
}
