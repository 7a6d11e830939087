import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function shares({ tell, ask }: Teller): Promise<void> {
  const upload = { headers: rawFile('minutes.md'), body: minutes };
  const object = (await ask('uploadObject', 201, upload)).json.id;
  const members = [{ resource_type: 'object', resource_id: object }];
  const collection = (
    await ask('createCollection', 201, { body: { name: 'Harbour board', members } })
  ).json.id;
  const made = await tell('createShare', 'A collection, for two weeks', 201, {
    body: {
      collection_id: collection,
      title: 'Minutes of the harbour board',
      password: 'low tide at nine',
      expires_at: new Date(Date.now() + 14 * 24 * 3_600_000).toISOString(),
    },
  });
  const tokenOf = (share: { json: { url: string } }) => share.json.url.split('/l/')[1]!;
  const visit = { params: { token: tokenOf(made) }, key: null };
  const headers = { accept: 'application/json' };
  await tell('openShare', 'With the password', 204, {
    ...visit,
    headers,
    body: { password: 'low tide at nine' },
  });
  const single = await tell('createShare', 'An object, to be downloaded once', 201, {
    body: { object_id: object, max_downloads: 1 },
  });
  await tell('useShare', 'A file', 200, {
    params: { token: tokenOf(single) },
    key: null,
    headers,
  });
  const inbox = await tell('createShare', 'A link for uploads', 201, {
    body: {
      kind: 'upload',
      collection_id: collection,
      title: 'Photos of the regatta',
      accept: ['image/*'],
      max_files: 500,
    },
  });
  await tell('uploadToShare', 'A file, without an API key', 201, {
    params: { token: tokenOf(inbox) },
    key: null,
    headers: { ...headers, 'content-type': 'application/octet-stream', 'x-filename': 'crest.svg' },
    body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>',
  });
  await tell('createShare', 'A limit that the kind does not have', 422, {
    body: { object_id: object, max_files: 3 },
  });
  const narrow = await ask('createKey', 201, {
    body: { name: 'Newsletter', scopes: ['shares:read', 'shares:write', 'objects:read'] },
  });
  await tell('createShare', 'A caller that has less than the link would grant', 403, {
    key: narrow.json.api_key,
    body: { object_id: object },
  });
  const params = { id: made.json.id };
  await tell('listShares', 'Links that work', 200, { query: { state: 'active' } });
  await tell('getShare', 'A share', 200, { params });
  await tell('updateShare', 'Previews only, without a password', 200, {
    params,
    body: { allow_download: false, password: null },
  });
  await tell('revokeShare', 'Revoke a share', 204, { params });
  await tell('updateShare', 'A revoked share', 409, { params, body: { title: 'Minutes' } });
}
