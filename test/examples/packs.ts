import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

const ended = /^(succeeded|partially_succeeded|failed|cancelled)$/;

/** A pack of one document from start to end, and a citation of it. */
export async function packs({ tell, ask, until }: Teller): Promise<void> {
  const made = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const source = { object_ids: [made.json.id] };
  const pack = await tell('createPack', 'A pack of one document', 202, {
    body: { name: 'Board minutes', source, options: { chunk_tokens: 400, overlap_tokens: 40 } },
  });
  await tell('createPack', 'Two sources at once', 422, {
    body: { name: 'Board minutes', source: { ...source, filter: { mime: ['text/markdown'] } } },
  });
  const params = { id: pack.json.id };
  const built = await until('getPack', { params }, ({ json }) => ended.test(json.state));
  await tell('getPack', 'A finished pack', 200, { params });
  await tell('listPacks', 'Packs that succeeded', 200, { query: { state: 'succeeded' } });
  await tell('listPackDocuments', 'The documents of a pack', 200, { params });
  await tell('listPackChanges', 'A pack that refreshes none', 409, { params });
  const refreshed = await ask('createPack', 202, {
    body: { name: 'Board minutes', source, refreshes: pack.json.id, options: built.json.options },
  });
  const later = { params: { id: refreshed.json.id } };
  await until('getPack', later, ({ json }) => ended.test(json.state));
  await tell('listPackChanges', 'Nothing has changed', 200, later);
  await tell('cancelPack', 'A pack that has ended', 409, { params });
  await tell('retryPack', 'A pack with all of its documents', 409, { params });
  const archive = await ask('getObjectContent', 200, {
    params: { id: built.json.output.object_id },
  });
  const [chunk] = /chk_[0-9a-f]{24}_0/.exec(archive.text) ?? [''];
  await tell('getCitation', 'Where the text of a chunk is', 200, { params: { id: chunk } });
  await tell('getCitation', 'An unknown chunk', 404, {
    params: { id: 'chk_000000000000000000000000_0' },
  });
}

/** A pack that is cancelled and built again. No worker runs here. */
export async function waitingPacks({ tell, ask }: Teller): Promise<void> {
  const made = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const body = { name: 'Minutes', source: { object_ids: [made.json.id] } };
  const pack = await ask('createPack', 202, { body });
  const params = { id: pack.json.id };
  await tell('cancelPack', 'Cancel a pack', 202, { params });
  await tell('cancelPack', 'Cancel a cancelled pack again', 200, { params });
  const again = await tell('retryPack', 'Retry a pack that was cancelled', 202, { params });
  await ask('cancelPack', 202, { params: { id: again.json.id } });
}
