import type { Teller } from './teller.ts';

export async function keys({ tell }: Teller): Promise<void> {
  const body = {
    name: 'Nightly import',
    scopes: ['objects:write', 'images:read'],
    allowed_cidrs: ['192.0.2.0/24'],
    expires_at: '2099-12-31T00:00:00.000Z',
  };
  const made = await tell('createKey', 'A key for a job that runs by night', 201, { body });
  const params = { id: made.json.id };
  await tell('createKey', 'With two faults, told at once', 422, {
    body: { name: '', scopes: ['objects:fly'] },
  });
  await tell('listKeys', 'All keys that may be used', 200, { query: { state: 'active' } });
  await tell('getOwnKey', 'What the key may do', 200);
  await tell('getKey', 'A key', 200, { params });
  await tell('getKey', 'A key that is not there', 404, {
    params: { id: 'key_01kjq8t4c0000000000000000z' },
  });
  await tell('updateKey', 'Another name', 200, {
    params,
    headers: { 'if-match': '"1"' },
    body: { name: 'Nightly import, Bristol' },
  });
  await tell('updateKey', 'A change on an old version', 412, {
    params,
    headers: { 'if-match': '"1"' },
    body: { name: 'Weekly import' },
  });
  const few = { name: 'Reader', scopes: ['objects:read'] };
  const reader = await tell('createKey', 'A key that may only read', 201, { body: few });
  await tell('createKey', 'By a key that may only read', 403, {
    key: reader.json.api_key,
    body: few,
  });
  await tell('rollKey', 'The old one stays good for an hour', 201, {
    params,
    body: { overlap_seconds: 3600 },
  });
  await tell('revokeKey', 'A key that is no longer needed', 204, {
    params: { id: reader.json.id },
  });
}
