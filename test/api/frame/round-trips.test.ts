import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createApp } from '../../../src/api/app.ts';
import { clientLimits } from '../../../src/api/connections/limits.ts';
import { listen } from '../../../src/api/listen.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { openPostgresProxy, type PostgresProxy } from '../../support/postgres-proxy.ts';

describe('the round trips of a request', () => {
  let api: TestApi;
  let wire: PostgresProxy;
  let database: Database;
  let close: () => Promise<void>;
  let url: string;
  before(async () => {
    api = await startApi();
    wire = await openPostgresProxy(api.database.apiUrl);
    database = await openDatabase(wire.url, { poolSize: 8 });
    const running = await listen(
      createApp({ ...api.deps, database, metrics: new Registry() }, undefined, clientLimits),
      '127.0.0.1',
      0,
      clientLimits,
    );
    url = `http://127.0.0.1:${running.port}`;
    close = () => running.stop();
  });
  after(async () => {
    await close();
    await database.destroy();
    await wire.close();
    await api.close();
  });

  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Pick<ApiResponse, 'status' | 'json'> & { packets: string[] }> => {
    wire.packets();
    const answer = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${api.key}`,
        'X-Service-Project-ID': api.projectId,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = await answer.json();
    return { status: answer.status, json, packets: wire.packets() };
  };
  const bearing = (key: string) => ({ Authorization: `Bearer ${key}` });
  const newObject = async (): Promise<string> => {
    const id = newId('object');
    await api.rows(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, pages, source_kind)
       VALUES ($1, $2, 'available', 'a.pdf', 'application/pdf', 1, repeat('0', 64), 1, 'upload')`,
      [id, api.projectId],
    );
    return id;
  };

  it('are two for a job, whatever it writes', async () => {
    const source_object_id = await newObject();
    const body = { source_object_id, operations: [{ op: 'redact_pii' }] };
    // A key's first request logs in separately, and connections still have to prepare statements.
    await call('POST', '/v1/documents/jobs', body);
    for (const headers of [{}, { 'Idempotency-Key': newId('request') }]) {
      const { status, packets } = await call('POST', '/v1/documents/jobs', body, headers);
      expect([status, packets.length]).to.deep.equal([202, 2]);
    }
    const { status, packets } = await call('POST', '/v1/documents/ocr', { source_object_id });
    expect([status, packets.length]).to.deep.equal([202, 2]);
  });

  it('are three for an edit of images: login, reads and writes', async () => {
    const ids = [newId('image'), newId('image')];
    for (const id of ids) {
      const object = await newObject();
      const insert = 'INSERT INTO image (id, project_id, object_id) VALUES ($1, $2, $3)';
      await api.rows(insert, [id, api.projectId, object]);
    }
    for (const [title, tags] of [['One'], ['Two', ['a']]] as const) {
      const patch = { title, ...(tags && { tags }) };
      await call('PATCH', '/v1/images', { ids, patch: { title: null } });
      const { status, json, packets } = await call('PATCH', '/v1/images', { ids, patch });
      expect([status, json.updated, packets.length]).to.deep.equal([200, 2, 3]);
    }
  });

  it('are one and a commit for a replayed request', async () => {
    const body = { source_object_id: await newObject(), operations: [{ op: 'ocr' }] };
    const headers = { 'Idempotency-Key': newId('request') };
    const first = await call('POST', '/v1/documents/jobs', body, headers);
    const second = await call('POST', '/v1/documents/jobs', body, headers);
    expect([second.status, second.json]).to.deep.equal([202, first.json]);
    expect(second.packets).to.have.length(2);
  });

  it('are one for a read, which follows the current rights of the key', async () => {
    const id = await newObject();
    const key = await api.issue(['objects:read']);
    const read = () => call('GET', `/v1/objects/${id}`, undefined, bearing(key.key));
    // A key's first request logs in separately.
    await read();
    const { status, json, packets } = await read();
    expect([status, json.id, packets]).to.deep.equal([200, id, ['BEBES']]);

    const narrow = `UPDATE api_key SET scopes = '{keys:read}' WHERE id = $1`;
    await api.rows(narrow, [key.keyId]);
    const narrowed = await read();
    expect([narrowed.status, narrowed.json.code]).to.deep.equal([403, 'insufficient_scope']);

    await api.rows(`UPDATE api_key SET scopes = '{objects:read}' WHERE id = $1`, [key.keyId]);
    expect((await read()).status).to.equal(200);
    await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [key.keyId]);
    const revoked = await read();
    expect([revoked.status, revoked.json.code]).to.deep.equal([401, 'api_key_revoked']);
  });

  it('start no write for a key that has lost its scope', async () => {
    const id = await newObject();
    const key = await api.issue(['objects:read', 'objects:write']);
    const rename = (filename: string) =>
      call('PATCH', `/v1/objects/${id}`, { filename }, bearing(key.key));
    expect((await rename('one.pdf')).status).to.equal(200);
    await api.rows(`UPDATE api_key SET scopes = '{objects:read}' WHERE id = $1`, [key.keyId]);
    expect((await rename('two.pdf')).status).to.equal(403);
    const rows = await api.rows('SELECT filename FROM object WHERE id = $1', [id]);
    expect(rows).to.deep.equal([{ filename: 'one.pdf' }]);
  });

  it('prefetch nothing for a body without identifiers', async () => {
    for (const body of [{}, { source_object_id: 7 }, { source_object_id: newId('job') }, []]) {
      const { status } = await call('POST', '/v1/documents/jobs', body);
      expect(status).to.equal(422);
    }
  });
});
