import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { applyRetention } from '../../src/erasure/retention/apply.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { stepTask } from '../support/tasks.ts';
import { postRaw } from '../support/uploads.ts';

const path = '/v1/retention-rules';

describe('retention rules', () => {
  let service: TestApi;
  let api: TestApi;
  let worker: Database;
  before(async () => {
    service = await startApi();
    worker = await openDatabase(service.database.workerUrl, { poolSize: 4 });
  });
  beforeEach(async () => {
    api = await service.withProjects();
  });
  after(async () => {
    await worker.destroy();
    await service.close();
  });

  const post = async (to: string, body: object, status = 201) => {
    const response = await api.call('POST', to, { body });
    expect(response.status, response.text).to.equal(status);
    return response.json;
  };
  /** An object that was created, with its job, a number of days ago. */
  const object = async (name: string, days: number): Promise<string> => {
    const { id } = (await postRaw(api, name, `${name}.txt`)).json;
    await api.rows(
      `UPDATE object SET created_at = now() - $2 * interval '1 day' WHERE project_id = $1 AND id = $3`,
      [api.projectId, days, id],
    );
    return id;
  };
  const makeOutput = (id: string, source: string) =>
    api.rows('UPDATE object SET derived_from = $3 WHERE project_id = $1 AND id = $2', [
      api.projectId,
      id,
      source,
    ]);
  const collection = async (...ids: string[]): Promise<string> =>
    (
      await post('/v1/collections', {
        name: 'C',
        members: ids.map((id) => ({ resource_type: 'object', resource_id: id })),
      })
    ).id;
  const rule = async (term: object, collectionId?: string): Promise<string> => {
    const scope = collectionId
      ? { type: 'collection', collection_id: collectionId }
      : { type: 'project' };
    return (await post(path, { scope, rule: term })).id;
  };
  const preview = async () => (await api.call('GET', `${path}/preview`)).json.data;
  /** Runs the task until it has seen all objects. */
  const apply = async () => {
    await stepTask(worker, 'retention.apply', api.projectId, applyRetention);
    await stepTask(worker, 'retention.apply', api.projectId, applyRetention);
  };
  const left = async (): Promise<string[]> =>
    (await api.call('GET', '/v1/objects')).json.data.map(({ id }: { id: string }) => id);

  it('delete old objects with the objects made from them, once each, in the events and the audit', async () => {
    const old = await object('old', 31);
    const output = await object('output', 1);
    const young = await object('young', 29);
    await makeOutput(output, old);
    const id = await rule({ type: 'delete_after', days: 30 });
    expect(await preview()).to.deep.equal([
      { object_id: old, filename: 'old.txt', bytes: 3, rule_id: id, outputs: 1, kept_by: null },
    ]);
    await apply();
    expect(await left()).to.deep.equal([young]);
    const events = await api.rows(
      `SELECT category, type, resource_id FROM event WHERE project_id = $1
         AND type IN ('dam.object.expired', 'dam.object.purged') ORDER BY ordinal`,
      [api.projectId],
    );
    expect(events).to.deep.equal([
      { category: 'audit', type: 'dam.object.expired', resource_id: old },
      { category: 'domain', type: 'dam.object.purged', resource_id: output },
      { category: 'domain', type: 'dam.object.purged', resource_id: old },
    ]);
  });

  it('count from the end of the last job, and wait while one is running', async () => {
    const [done, running, none] = [
      await object('done', 90),
      await object('running', 90),
      await object('none', 90),
    ];
    for (const id of [done, running]) {
      const jobs = [];
      for (let n = 0; n < 2; n++) {
        const body = { source_object_id: id, operations: [{ op: 'classify' }] };
        jobs.push((await post('/v1/documents/jobs', body, 202)).id);
      }
      await api.rows(
        `UPDATE job SET state = 'succeeded', finished_at = now() - interval '8 days'
         WHERE id = ANY($1)`,
        [id === done ? jobs : jobs.slice(1)],
      );
    }
    await rule({ type: 'delete_after_last_job', days: 7 });
    expect((await preview()).map((one: { object_id: string }) => one.object_id)).to.deep.equal([
      done,
    ]);
    await apply();
    expect((await left()).sort()).to.deep.equal([running, none].sort());
  });

  it('of a collection apply to nested collections, and end with it', async () => {
    const [inside, outside] = [await object('inside', 9), await object('outside', 9)];
    const top = await collection();
    const nested = await collection(inside);
    await api.call('PATCH', `/v1/collections/${nested}`, { body: { parent_id: top } });
    await rule({ type: 'delete_after', days: 7 }, top);
    await apply();
    expect(await left()).to.deep.equal([outside]);
    await api.rows('DELETE FROM collection WHERE id = $1', [top]);
    expect((await api.call('GET', path)).json.data).to.deep.equal([]);
  });

  it('are overridden by policies and by keep_until, which the preview names', async () => {
    const [held, kept, source, output] = [
      await object('held', 9),
      await object('kept', 9),
      await object('source', 9),
      await object('output', 9),
    ];
    await makeOutput(output, source);
    await api.call('PATCH', `/v1/objects/${held}`, { body: { tags: ['court'] } });
    const policy = await post('/v1/dam/security/policies', {
      name: 'Court',
      mode: 'enforce',
      scope: { type: 'tag', tags: ['court'] },
      actions: ['delete'],
      rules: [{ type: 'legal_hold', reason: 'Trial' }],
    });
    await rule({ type: 'delete_after', days: 7 });
    const until = '2999-01-01T00:00:00.000Z';
    const keep = await rule({ type: 'keep_until', until }, await collection(kept, output));
    const keptBy = { type: 'retention_rule', id: keep, rule_type: 'keep_until' };
    const reasons = (await preview()).map((one: { object_id: string; kept_by: object }) => [
      one.object_id,
      one.kept_by,
    ]);
    expect(reasons).to.deep.equal([
      [held, { type: 'policy', id: policy.id, rule_type: 'legal_hold', object_id: held }],
      [kept, { ...keptBy, object_id: kept }],
      [source, { ...keptBy, object_id: output }],
      [output, { ...keptBy, object_id: output }],
    ]);
    await apply();
    expect(await left()).to.have.length(4);
    await api.rows(`UPDATE retention_rule SET until = now() WHERE id = $1`, [keep]);
    await apply();
    expect(await left()).to.deep.equal([held]);
  });

  it('are applied in batches, again every hour while there are rules', async () => {
    for (let n = 0; n < 55; n++) await object(`many-${n}`, 9);
    const id = await rule({ type: 'delete_after', days: 7 });
    await stepTask(worker, 'retention.apply', api.projectId, applyRetention);
    expect(await left()).to.have.length(5);
    await apply();
    expect(await left()).to.have.length(0);
    const tasks = () =>
      api.rows<{ soon: boolean }>(
        `SELECT due_at < now() + interval '2 hours' AS soon FROM task
         WHERE project_id = $1 AND kind = 'retention.apply'`,
        [api.projectId],
      );
    expect(await tasks()).to.deep.equal([{ soon: true }]);
    const removed = await api.call('DELETE', `${path}/${id}`, { headers: { 'if-match': '"1"' } });
    expect(removed.status).to.equal(204);
    await apply();
    expect(await tasks()).to.deep.equal([]);
  });

  it('reject times in the past, unknown and smart collections', async () => {
    const scope = { type: 'project' };
    const past = { type: 'keep_until', until: '2020-01-01T00:00:00Z' };
    expect((await post(path, { scope, rule: past }, 422)).errors[0].pointer).to.equal(
      '/rule/until',
    );
    const smart = await post('/v1/collections', { name: 'S', kind: 'smart', query: { q: 'x' } });
    const term = { type: 'delete_after', days: 7 };
    const onSmart = { type: 'collection', collection_id: smart.id };
    expect((await post(path, { scope: onSmart, rule: term }, 422)).errors[0].code).to.equal(
      'smart_collection',
    );
    const unknown = { type: 'collection', collection_id: `col_${'0'.repeat(26)}` };
    expect((await post(path, { scope: unknown, rule: term }, 422)).code).to.equal(
      'reference_not_found',
    );
    const id = await rule(term);
    const patch = (body: object, match: string) =>
      api.call('PATCH', `${path}/${id}`, { body, headers: { 'if-match': match } });
    expect((await patch({ rule: { ...term, days: 9 } }, '"1"')).json.version).to.equal(2);
    expect((await patch({ rule: { ...term, days: 9 } }, '"2"')).json.version).to.equal(2);
    expect((await patch({ rule: past }, '"2"')).status).to.equal(422);
    expect((await patch({ rule: term }, '"1"')).status).to.equal(412);
  });
});
