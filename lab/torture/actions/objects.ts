import { onePixelPng } from '../../../test/support/fixtures.ts';
import { hashOf } from '../../../test/support/uploads.ts';
import type { Client } from '../client.ts';
import type { Bytes, KnownObject } from '../ledger.ts';
import {
  type ActionContext,
  type ClientAction,
  expectStatus,
  hasTakenEffect,
  idOf,
} from './action.ts';

/** An object of this client in one of these states; undefined if it has none. */
export function pickObject(
  { client, pick }: ActionContext,
  isSuitable: (object: KnownObject) => boolean,
): KnownObject | undefined {
  const candidates = [...client.ledger.objects.values()].filter(
    (object) =>
      object.client === client.number && object.project === client.project.id && isSuitable(object),
  );
  return candidates[pick(Math.max(candidates.length, 1))];
}

function addObject(
  client: Client,
  object: Pick<KnownObject, 'id' | 'filename' | 'isImage'>,
  bytes: Buffer,
): KnownObject {
  const added: KnownObject = {
    ...object,
    project: client.project.id,
    client: client.number,
    sha256: hashOf(bytes),
    bytes: bytes.length,
    state: 'available',
    marker: null,
    isPinned: false,
    downloadAttempts: 0,
    downloadedAt: [],
  };
  client.ledger.objects.set(object.id, added);
  return added;
}

const uploadEvents = ['dam.object.created', 'dam.object.available'];
const imageUploadEvents = [...uploadEvents, 'dam.image.created'];

/** A text or a picture that no other object has: it contains the number of the request. */
function makeContent(
  client: Client,
  pick: ActionContext['pick'],
): { filename: string; bytes: Bytes; isImage: boolean } {
  const number = client.ledger.entries.length;
  const name = `${client.project.name}-${client.number}-${number}`;
  if (pick(6) === 0) {
    // Bytes after the end of a picture change its hash but not its appearance.
    return {
      filename: `${name}.png`,
      bytes: Buffer.concat([onePixelPng, Buffer.from(name)]),
      isImage: true,
    };
  }
  const lines = Array.from(
    { length: 2 + pick(20) },
    (_, at) => `Line ${at} of ${name} has ${pick(1e6)}.`,
  );
  return {
    filename: `${name}.md`,
    bytes: Buffer.from(`# ${name}\n\n${lines.join('\n')}\n`),
    isImage: false,
  };
}

async function uploadObject(
  client: Client,
  filename: string,
  bytes: Bytes,
  isImage: boolean,
): Promise<void> {
  const response = await client.send('POST', '/v1/objects', {
    bytes,
    isKeyed: true,
    headers: { 'Content-Type': 'application/octet-stream', 'X-Filename': filename },
  });
  if (!expectStatus(client, response, 201)) return;
  response.entry.effects.push(...(isImage ? imageUploadEvents : uploadEvents));
  if (response.json.sha256 !== hashOf(bytes))
    client.ledger.violations.push(`${filename} has another hash`);
  const object = addObject(client, { id: idOf(response), filename, isImage }, bytes);
  // An accepted change is visible at once.
  if (!isImage) await fetchContent(client, object);
}

const upload: ClientAction = async ({ client, pick }) => {
  const { filename, bytes, isImage } = makeContent(client, pick);
  await uploadObject(client, filename, bytes, isImage);
};

/** The same bytes under another name: two rows, one file. */
const uploadShared: ClientAction = async ({ client, pick }) => {
  const { filename, bytes, isImage } = makeContent(client, pick);
  await uploadObject(client, filename, bytes, isImage);
  await uploadObject(client, `again-${filename}`, bytes, isImage);
};

const tusHeaders = { 'Tus-Resumable': '1.0.0' };

/** A resumable upload in pieces, continued at the server's offset after every lost response. */
const uploadResumably: ClientAction = async ({ client, pick }) => {
  const { filename, bytes, isImage } = makeContent(client, pick);
  const created = await client.send('POST', '/v1/uploads', {
    headers: {
      ...tusHeaders,
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': `filename ${Buffer.from(filename).toString('base64')}`,
    },
  });
  if (!expectStatus(client, created, 201)) return;
  const path = created.headers.get('location') ?? '';
  // The event belongs to the request with the last bytes, which only the server knows.
  created.entry.what += ` (${filename})`;
  const step = 1 + pick(bytes.length);
  for (;;) {
    const state = await client.send('GET', path);
    if (!expectStatus(client, state, 200)) return;
    const { object_id: objectId, offset } = state.json;
    if (typeof objectId === 'string') {
      created.entry.effects.push(
        ...(isImage ? imageUploadEvents : uploadEvents).map((type) => `${type} ${objectId}`),
      );
      addObject(client, { id: objectId, filename, isImage }, bytes);
      return;
    }
    if (state.json.state !== 'uploading') {
      client.ledger.violations.push(`${path} is ${String(state.json.state)}`);
      return;
    }
    if (Number(offset) === bytes.length) {
      // All bytes have arrived, and their request was lost before it finished the upload.
      await client.send('HEAD', path, { headers: tusHeaders });
      continue;
    }
    const sent = await client.send('PATCH', path, {
      bytes: bytes.subarray(Number(offset), Number(offset) + step),
      headers: {
        ...tusHeaders,
        'Content-Type': 'application/offset+octet-stream',
        'Upload-Offset': String(offset),
      },
    });
    // Another attempt stored these bytes; the next request for the offset shows it.
    if (!hasTakenEffect(client, sent, [204], [409, 410])) return;
  }
};

const patch: ClientAction = async (context) => {
  const { client } = context;
  const object = pickObject(context, ({ state }) => state === 'available');
  if (!object) return;
  const marker = `m${client.ledger.entries.length}`;
  const response = await client.send('PATCH', `/v1/objects/${object.id}`, {
    body: { metadata: { marker } },
  });
  if (!expectStatus(client, response, 200)) return;
  response.entry.effects.push('dam.object.updated');
  object.marker = marker;
};

/** A precondition that fails changes nothing. */
const patchOutdated: ClientAction = async (context) => {
  const object = pickObject(context, ({ state }) => state === 'available');
  if (!object) return;
  const response = await context.client.send('PATCH', `/v1/objects/${object.id}`, {
    body: { metadata: { marker: 'never' } },
    headers: { 'If-Match': '"0"' },
  });
  expectStatus(context.client, response, 412);
};

const trash: ClientAction = async (context) => {
  const object = pickObject(context, ({ state, isPinned }) => state === 'available' && !isPinned);
  if (!object) return;
  const response = await context.client.send('DELETE', `/v1/objects/${object.id}`);
  if (!hasTakenEffect(context.client, response, [200, 204], [409])) return;
  response.entry.effects.push(
    'dam.object.trashed',
    ...(object.isImage ? ['dam.image.trashed'] : []),
  );
  object.state = 'trashed';
};

const restore: ClientAction = async (context) => {
  const object = pickObject(context, ({ state }) => state === 'trashed');
  if (!object) return;
  const response = await context.client.send('POST', `/v1/objects/${object.id}/restore`, {
    isKeyed: true,
  });
  if (!expectStatus(context.client, response, 200)) return;
  response.entry.effects.push(
    'dam.object.restored',
    ...(object.isImage ? ['dam.image.restored'] : []),
  );
  object.state = 'available';
};

const purge: ClientAction = async (context) => {
  const { client } = context;
  const object = pickObject(context, ({ state, isPinned }) => state !== 'purged' && !isPinned);
  if (!object) return;
  const response = await client.send('DELETE', `/v1/objects/${object.id}?purge=true`);
  if (!hasTakenEffect(client, response, [200, 204], [404])) return;
  response.entry.effects.push('dam.object.purged', ...(object.isImage ? ['dam.image.purged'] : []));
  object.state = 'purged';
  for (const collection of client.ledger.collections.values()) {
    if (collection.members.delete(object.id))
      response.entry.effects.push('dam.collection_member.removed');
  }
};

const download: ClientAction = async (context) => {
  const { client } = context;
  const object = pickObject(context, ({ state, isImage }) => state === 'available' && !isImage);
  if (object) await fetchContent(client, object);
};

async function fetchContent(client: Client, object: KnownObject): Promise<void> {
  const response = await client.send('GET', `/v1/objects/${object.id}/content`);
  object.downloadAttempts += response.entry.attempts;
  if (!expectStatus(client, response, 200)) return;
  object.downloadedAt.push(response.entry.attemptedAt);
  if (hashOf(response.bytes) !== object.sha256) {
    client.ledger.violations.push(`${object.id} was delivered with other bytes`);
  }
}

/** Another project's resources can be neither found nor listed, changed nor used. */
const peek: ClientAction = async (context) => {
  const { client, pick, foreign } = context;
  const ids = foreign.objects();
  const id = ids[pick(Math.max(ids.length, 1))];
  if (id === undefined) return;
  const path = `/v1/objects/${id}`;
  expectStatus(client, await client.send('GET', path), 404);
  expectStatus(client, await client.send('GET', `${path}/content`), 404);
  const body = { metadata: { marker: 'foreign' } };
  expectStatus(client, await client.send('PATCH', path, { body }), 404);
  expectStatus(client, await client.send('DELETE', path), 404);
  const job = { source_object_id: id, operations: [{ op: 'classify' }] };
  expectStatus(
    client,
    await client.send('POST', '/v1/documents/jobs', { body: job, isKeyed: true }),
    422,
  );
  const members = [{ resource_type: 'object', resource_id: id }];
  const collection = { name: `p${client.ledger.entries.length}`, members };
  expectStatus(
    client,
    await client.send('POST', '/v1/collections', { body: collection, isKeyed: true }),
    422,
  );
  const listed = await client.send('GET', '/v1/objects?limit=200');
  if (!expectStatus(client, listed, 200)) return;
  for (const other of ids) {
    if (listed.bytes.includes(other))
      client.ledger.violations.push(`${other} is listed in ${client.project.name}`);
  }
};

export const objectActions = {
  upload,
  uploadShared,
  uploadResumably,
  patch,
  patchOutdated,
  trash,
  restore,
  purge,
  download,
  peek,
};
