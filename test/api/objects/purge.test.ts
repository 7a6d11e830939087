import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { continueEmptyTrash } from '../../../src/library/objects/ending/empty-trash.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { onePixelPng } from '../../support/fixtures.ts';
import { addPolicy } from '../../support/policies.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { takeTask } from '../../support/tasks.ts';
import { postRaw } from '../../support/uploads.ts';

describe('purging', () => {
  let api: TestApi;
  let relay: TestRelay;
  let names = 0;
  before(async () => {
    api = await startApi();
    relay = await openRelay(api);
  });
  after(async () => {
    await relay.close();
    await api.close();
  });
  beforeEach(async () => {
    await api.rows(`DELETE FROM policy`);
    await api.rows(`DELETE FROM object`);
  });

  const upload = async (): Promise<{ id: string; image_id: string }> => {
    const { status, json } = await postRaw(api, onePixelPng, `purge-${++names}.png`);
    expect(status).to.equal(201);
    return json;
  };
  const purge = (id: string, query = '') =>
    api.call('DELETE', `/v1/objects/${id}?purge=true${query}`);
  const status = async (path: string) => (await api.call('GET', path)).status;
  const hold = (tag: string) =>
    addPolicy(api, {
      name: 'Hold',
      scope: { type: 'tag', tags: [tag] },
      actions: ['delete'],
      rules: [{ type: 'legal_hold', reason: 'Case 7' }],
    });

  it('starts from the image ID that an upload returns, even a repeated one', async () => {
    const name = `purge-${++names}.png`;
    const first = await postRaw(api, onePixelPng, name);
    const again = await postRaw(api, onePixelPng, name);
    expect([first.status, again.status]).to.deep.equal([201, 200]);
    expect(first.json.image_id).to.match(/^img_/);
    expect(again.json.image_id).to.equal(first.json.image_id);
    expect((await api.call('GET', `/v1/images/${first.json.image_id}`)).json.object_id).to.equal(
      first.json.id,
    );
  });

  it('deletes an object and its image at once, from the library and from the trash', async () => {
    for (const trashed of [false, true]) {
      const { id, image_id } = await upload();
      if (trashed) await api.call('DELETE', `/v1/objects/${id}`);
      expect((await purge(id)).status).to.equal(204);
      expect(await status(`/v1/objects/${id}`)).to.equal(404);
      expect(await status(`/v1/images/${image_id}`)).to.equal(404);
      expect((await purge(id)).status).to.equal(404);
      const events = await api.rows<{ type: string; actor_type: string }>(
        `SELECT type, actor_type FROM event WHERE resource_id IN ($1, $2) AND type LIKE '%purged' ORDER BY ordinal`,
        [id, image_id],
      );
      expect(events).to.deep.equal([
        { type: 'dam.object.purged', actor_type: 'api_key' },
        { type: 'dam.image.purged', actor_type: 'api_key' },
      ]);
    }
  });

  it('requires its own scope, which moving to the trash does not', async () => {
    const { id } = await upload();
    const weak = await api.issue(['objects:write', 'objects:read']);
    const rejected = await api.call('DELETE', `/v1/objects/${id}?purge=true`, weak);
    expect([rejected.status, rejected.json.code, rejected.json.required_scopes]).to.deep.equal([
      403,
      'insufficient_scope',
      ['objects:purge'],
    ]);
    expect((await api.call('DELETE', `/v1/objects/${id}?purge=false`, weak)).status).to.equal(204);
    const emptied = await api.call('POST', '/v1/trash/empty', { ...weak, body: {} });
    expect([emptied.status, emptied.json.code]).to.deep.equal([403, 'insufficient_scope']);
    expect((await api.call('GET', `/v1/objects/${id}`)).json.state).to.equal('trashed');
  });

  it('purges outputs with their source, all or none', async () => {
    const [source, made, last] = [await upload(), await upload(), await upload()];
    await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [made.id, source.id]);
    await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [last.id, made.id]);
    await api.call('DELETE', `/v1/objects/${last.id}`);
    await api.call('PATCH', `/v1/objects/${made.id}`, { body: { tags: ['held'] } });
    const policy = await hold('held');
    const denied = await purge(source.id, '&cascade=outputs');
    expect([denied.status, denied.json.code]).to.deep.equal([403, 'policy_denied']);
    for (const { id } of [source, made, last]) {
      expect(await status(`/v1/objects/${id}`)).to.equal(200);
    }
    await api.rows('DELETE FROM policy WHERE id = $1', [policy]);
    expect((await purge(source.id, '&cascade=outputs')).status).to.equal(204);
    for (const { id } of [source, made, last]) {
      expect(await status(`/v1/objects/${id}`)).to.equal(404);
    }
  });

  it('respects a legal hold, also in the trash', async () => {
    const { id } = await upload();
    await api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['kept'] } });
    await api.call('DELETE', `/v1/objects/${id}`);
    await hold('kept');
    const rejected = await purge(id);
    expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'policy_denied']);
    expect(await status(`/v1/objects/${id}`)).to.equal(200);
  });

  it('respects a retention period, also in the trash, until it ends', async () => {
    const { id } = await upload();
    await api.call('DELETE', `/v1/objects/${id}`);
    await addPolicy(api, { actions: ['delete'], rules: [{ type: 'retention', min_days: 30 }] });
    const aged = (days: number) =>
      api.rows(`UPDATE object SET created_at = now() - $2 * interval '1 day' WHERE id = $1`, [
        id,
        days,
      ]);
    await aged(29);
    const rejected = await purge(id);
    expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'policy_denied']);
    expect(await status(`/v1/objects/${id}`)).to.equal(200);
    await aged(31);
    expect((await purge(id)).status).to.equal(204);
  });

  it('respects If-Match', async () => {
    const { id } = await upload();
    const stale = await api.call('DELETE', `/v1/objects/${id}?purge=true`, {
      headers: { 'if-match': '"9"' },
    });
    expect(stale.status).to.equal(412);
    expect(await status(`/v1/objects/${id}`)).to.equal(200);
  });

  it('returns 404 for an object of another project, and for none', async () => {
    const { id } = await upload();
    const foreign = await api.call('DELETE', `/v1/objects/${id}?purge=true`, api.other);
    expect(foreign.status).to.equal(404);
    expect((await purge(newId('object'))).status).to.equal(404);
    expect(await status(`/v1/objects/${id}`)).to.equal(200);
  });

  it('is rejected for an object that is still being read', async () => {
    const { id } = await upload();
    await api.rows(`UPDATE object SET state = 'processing' WHERE id = $1`, [id]);
    expect((await purge(id)).status).to.equal(409);
  });

  it('empties the trash except for what a policy keeps, and can be repeated', async () => {
    const [one, two, kept, live] = [await upload(), await upload(), await upload(), await upload()];
    await api.call('PATCH', `/v1/objects/${kept.id}`, { body: { tags: ['kept'] } });
    for (const { id } of [one, two, kept]) await api.call('DELETE', `/v1/objects/${id}`);
    await hold('kept');
    const empty = () => api.call('POST', '/v1/trash/empty', { body: {} });
    const first = await empty();
    expect([first.status, first.json]).to.deep.equal([200, { purged: 2, held: 1, remaining: 0 }]);
    const again = await empty();
    expect([again.status, again.json]).to.deep.equal([200, { purged: 0, held: 1, remaining: 0 }]);
    expect(await status(`/v1/objects/${live.id}`)).to.equal(200);
    const other = await api.call('POST', '/v1/trash/empty', { ...api.other, body: {} });
    expect(other.json).to.deep.equal({ purged: 0, held: 0, remaining: 0 });
  });

  it('leaves a full trash to a task, which keeps resources trashed later', async () => {
    const [project] = await api.rows<{ id: string }>(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, trashed_at)
       SELECT 'obj_' || lpad(n::text, 26, '0'), $1, 'trashed', 'f', 'text/plain', 1, repeat('c', 64), 'upload', now()
       FROM generate_series(1, 120) n RETURNING project_id AS id`,
      [api.projectId],
    );
    const answer = await api.call('POST', '/v1/trash/empty', { body: {} });
    expect([answer.status, answer.json]).to.deep.equal([
      202,
      { purged: 50, held: 0, remaining: 70 },
    ]);
    const late = await upload();
    await api.call('DELETE', `/v1/objects/${late.id}`);
    const tasks = () =>
      api.rows<{ id: string }>(`SELECT id FROM task WHERE kind = 'trash.empty' ORDER BY id`);
    for (const left of [20 + 1, 1]) {
      const [task] = await tasks();
      await continueEmptyTrash({}, await takeTask(relay.worker, task!.id));
      const [row] = await api.rows<{ n: number }>(
        `SELECT count(*)::integer AS n FROM object WHERE project_id = $1 AND state = 'trashed'`,
        [project!.id],
      );
      expect(row!.n).to.equal(left);
    }
    const actors = await api.rows<{ actor_type: string }>(
      `SELECT DISTINCT actor_type FROM event WHERE type = 'dam.object.purged'
       AND resource_id LIKE 'obj_000000%'`,
    );
    expect(actors).to.deep.equal([{ actor_type: 'api_key' }]);
  });
});
