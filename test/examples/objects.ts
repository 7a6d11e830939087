import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function objects({ tell, ask, settle }: Teller): Promise<void> {
  const form = new FormData();
  form.set('file', new File([minutes], 'minutes.md'));
  form.set('tags', '["board", "2026"]');
  form.set('metadata', '{"case": 7}');
  const made = await tell('uploadObject', 'A file with tags, as a form', 201, { body: form });
  const params = { id: made.json.id };
  await tell('uploadObject', 'The same file again', 200, {
    headers: rawFile('minutes.md'),
    body: minutes,
  });
  await tell('uploadObject', 'A program, which new projects deny', 403, {
    headers: rawFile('setup.sh'),
    body: '#!/bin/sh\necho hello\n',
  });
  await tell('listObjects', 'Text files with a tag, newest first', 200, {
    query: { tag: 'board', mime: 'text/*', limit: '1', include: 'total' },
  });
  await tell('listObjects', 'An unknown parameter', 400, { query: { colour: 'red' } });
  await tell('getObject', 'An object', 200, { params });
  await tell('getObject', 'An unknown object', 404, {
    params: { id: 'obj_01kjq8t4c0000000000000000z' },
  });
  await tell('updateObject', 'Replace the tags and add metadata', 200, {
    params,
    headers: { 'if-match': '"1"' },
    body: { tags: ['board', 'minutes'], metadata: { room: 'B2' } },
  });
  await tell('getObjectContent', 'The whole file', 200, { params });
  await tell('getObjectContent', 'The first line', 206, {
    params,
    headers: { range: 'bytes=0-30' },
  });
  await tell('getObjectContent', 'A range after the end', 416, {
    params,
    headers: { range: 'bytes=9000-' },
  });
  await settle();
  await tell('listObjectDownloads', 'Who downloaded an object', 200, { params });
  await tell('archiveObjects', 'An unknown object', 422, {
    body: { ids: [made.json.id, 'obj_01kjq8t4c0000000000000000z'] },
  });
  await tell('archiveObjects', 'Download objects as one archive', 200, {
    body: { ids: [made.json.id] },
  });
  const signed = await tell('createSignedUrl', 'A URL for one hour', 201, {
    params,
    body: { ttl_seconds: 3600, disposition: 'inline' },
  });
  const token = String(signed.json.url).split('/s/')[1]!;
  await tell('useSignedUrl', 'Without an API key', 200, { params: { token }, key: null });
  await tell('useSignedUrl', 'An invalid signature', 403, {
    params: { token: 'bm90IG91cnM.none' },
    key: null,
  });
  await ask('startClassification', 202, { body: { source_object_id: made.json.id } });
  await tell('listObjectJobs', 'Jobs on an object', 200, { params, query: { limit: '10' } });
  await ask('createCollection', 201, {
    body: { name: 'Board', members: [{ resource_type: 'object', resource_id: made.json.id }] },
  });
  await tell('listObjectCollections', 'Collections that contain an object', 200, { params });
  const other = await ask('uploadObject', 201, { headers: rawFile('draft.md'), body: '# Draft\n' });
  const draft = { id: other.json.id };
  await tell('trashObject', 'Move an object to the trash', 204, { params: draft });
  await tell('getObjectContent', 'An object in the trash', 409, { params: draft });
  await tell('restoreObject', 'Restore an object', 200, { params: draft });
  await tell('trashObject', 'Purge an object immediately', 204, {
    params: draft,
    query: { purge: 'true' },
  });
  const last = await ask('uploadObject', 201, { headers: rawFile('old.md'), body: '# Old\n' });
  await ask('trashObject', 204, { params: { id: last.json.id } });
  await tell('emptyTrash', 'Empty the trash', 200, { body: {} });
}
