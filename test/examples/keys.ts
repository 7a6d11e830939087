import type { Teller } from './teller.ts';

export async function keys({ tell }: Teller): Promise<void> {
  const body = {
    name: 'Nightly import',
    scopes: ['objects:write', 'images:read'],
    allowed_cidrs: ['192.0.2.0/24'],
    expires_at: '2099-12-31T00:00:00.000Z',
  };
  const made = await tell('createKey', 'A key for a nightly job', 201, { body });
  const params = { id: made.json.id };
  await tell('createKey', 'Two faults in one request', 422, {
    body: { name: '', scopes: ['objects:fly'] },
  });
  await tell('listKeys', 'Active keys', 200, { query: { state: 'active' } });
  await tell('getOwnKey', 'The key of the request', 200);
  await tell('getKey', 'A key', 200, { params });
  await tell('getKey', 'An unknown key', 404, {
    params: { id: 'key_01kjq8t4c0000000000000000z' },
  });
  await tell('updateKey', 'Rename a key', 200, {
    params,
    headers: { 'if-match': '"1"' },
    body: { name: 'Nightly import, Bristol' },
  });
  await tell('updateKey', 'An outdated version', 412, {
    params,
    headers: { 'if-match': '"1"' },
    body: { name: 'Weekly import' },
  });
  const few = { name: 'Reader', scopes: ['objects:read'] };
  const reader = await tell('createKey', 'A read-only key', 201, { body: few });
  await tell('createKey', 'With a read-only key', 403, {
    key: reader.json.api_key,
    body: few,
  });
  await tell('rollKey', 'Roll a key with one hour of overlap', 201, {
    params,
    body: { overlap_seconds: 3600 },
  });
  await tell('revokeKey', 'Revoke a key', 204, {
    params: { id: reader.json.id },
  });
}
