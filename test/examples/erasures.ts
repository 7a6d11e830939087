import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

const body = { values: ['Asha Bell', 'asha.bell@example.com'] };

/** Played before any worker starts: the search does not end by itself. */
export async function waitingErasure({ tell }: Teller): Promise<void> {
  const made = await tell('createErasure', 'Search for a person', 202, { body });
  const params = { id: made.json.id };
  await tell('confirmErasure', 'Before the search has ended', 409, { params, body: {} });
  await tell('cancelErasure', 'Cancel an erasure', 204, { params });
}

export async function erasures({ tell, ask, until }: Teller): Promise<void> {
  const file = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  await ask('updateObject', 200, {
    params: { id: file.json.id },
    body: { metadata: { client: 'Asha Bell' } },
  });
  const made = await ask('createErasure', 202, { body });
  const params = { id: made.json.id };
  await until('getErasure', { params }, ({ json }) => json.state === 'ready');
  await tell('getErasure', 'The search has ended', 200, { params });
  await tell('listErasureResources', 'The resources that contain a value', 200, { params });
  await tell('confirmErasure', 'Erase the values', 202, { params, body: {} });
  await until('getErasure', { params }, ({ json }) => json.state === 'finished');
  await tell('listErasures', 'The erasures of the project', 200, {});
}
