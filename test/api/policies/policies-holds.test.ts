import { Readable } from 'node:stream';
import { newId } from '@scriptorium/contracts/ids';
import type { PolicyRule } from '@scriptorium/contracts/rules';
import { expect } from 'chai';
import { inProject, query } from '../../../src/db/transaction.ts';
import { retainBytes } from '../../../src/library/bytes/retain.ts';
import { createOutput } from '../../../src/library/objects/arrival/outputs.ts';
import { purgeObject } from '../../../src/library/objects/ending/purge.ts';
import { findObject } from '../../../src/library/objects/load.ts';
import { decideAction } from '../../../src/policies/enforce.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { originOf } from '../../support/database-fixture.ts';
import { eventually } from '../../support/eventually.ts';
import { onePixelPng } from '../../support/fixtures.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { takeTask } from '../../support/tasks.ts';
import { postRaw } from '../../support/uploads.ts';

describe('legal holds', () => {
  let api: TestApi;
  let relay: TestRelay;
  before(async () => {
    api = await startApi();
    relay = await openRelay(api);
  });
  after(async () => {
    await relay.close();
    await api.close();
  });
  beforeEach(async () => {
    await api.rows('DELETE FROM policy');
  });

  let names = 0;
  const upload = async (): Promise<string> =>
    (await postRaw(api, onePixelPng, `held-${++names}.png`)).json.id;
  const tag = (id: string, ...tags: string[]) =>
    api.call('PATCH', `/v1/objects/${id}`, { body: { tags } });
  const tagged = async (...tags: string[]): Promise<string> => {
    const id = await upload();
    await tag(id, ...tags);
    return id;
  };
  const hold: PolicyRule = { type: 'legal_hold', reason: 'Case 7' };
  const policy = (scope: object, changed: object = {}): Promise<string> =>
    addPolicy(api, { name: 'Hold', scope, actions: ['delete'], rules: [hold], ...changed });
  const change = async (id: string, body: object) => {
    const { version } = (await api.call('GET', `${policiesPath}/${id}`)).json;
    const headers = { 'if-match': `"${version}"` };
    const answer = await api.call('PATCH', `${policiesPath}/${id}`, { body, headers });
    expect(answer.status, answer.text).to.equal(200);
  };
  const red = { type: 'tag', tags: ['red'] };
  const trash = async (id: string) => (await api.call('DELETE', `/v1/objects/${id}`)).status;
  const collection = async (body: object = {}): Promise<string> =>
    (await api.call('POST', '/v1/collections', { body: { name: 'Case', ...body } })).json.id;
  const add = (into: string, resource_type: string, resource_id: string) =>
    api.call('POST', `/v1/collections/${into}/members`, { body: { resource_type, resource_id } });
  const imageOf = async (id: string): Promise<string> =>
    (await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [id]))[0]!.id;

  it('from a tag stay when the tag is removed', async () => {
    const before = await tagged('red');
    const id = await policy(red);
    const after = await tagged('red');
    const form = new FormData();
    form.append('file', new Blob(['text']), 'tagged.txt');
    form.append('tags', 'red');
    const packed = new Response(form);
    const uploaded = await api.call('POST', '/v1/objects', {
      body: Buffer.from(await packed.arrayBuffer()),
      headers: { 'content-type': packed.headers.get('content-type')! },
    });
    const through = await upload();
    await api.call('PATCH', '/v1/images', {
      body: { id: await imageOf(through), add_tags: ['red'] },
    });
    const held = [before, after, uploaded.json.id, through];
    for (const object of held) {
      await tag(object);
      expect(await trash(object)).to.equal(403);
    }
    expect(await trash(await tagged('blue'))).to.equal(204);
    await change(id, { mode: 'disabled' });
    expect(await trash(held[0]!)).to.equal(204);
    // The objects left the scope: enabling the policy again does not hold them again.
    await change(id, { mode: 'enforce' });
    expect(await trash(held[1]!)).to.equal(204);
  });

  it('end with the rule or the policy, but not with its scope', async () => {
    const object = await tagged('red');
    const id = await policy(red);
    await tag(object);
    await change(id, { scope: { type: 'tag', tags: ['blue'] } });
    expect(await trash(object)).to.equal(403);
    await change(id, { rules: [{ type: 'retention', min_days: 1 }] });
    expect(await trash(object)).to.equal(204);
    const other = await tagged('green');
    const second = await policy({ type: 'tag', tags: ['green'] });
    await tag(other);
    expect(await trash(other)).to.equal(403);
    await api.call('DELETE', `${policiesPath}/${second}`, { headers: { 'if-match': '*' } });
    expect(await trash(other)).to.equal(204);
  });

  it('from a collection stay when the resource leaves it', async () => {
    const root = await collection();
    const inner = await collection({ parent_id: root });
    const [direct, nested, viaImage, late] = await Promise.all([
      upload(),
      upload(),
      upload(),
      upload(),
    ]);
    await add(root, 'object', direct);
    await add(inner, 'object', nested);
    await policy({ type: 'collection', ids: [root] });
    await add(inner, 'image', await imageOf(viaImage));
    // A branch that is moved into it brings all of its members.
    const elsewhere = await collection();
    await add(elsewhere, 'object', late);
    expect(
      (await api.call('PATCH', `/v1/collections/${elsewhere}`, { body: { parent_id: inner } }))
        .status,
    ).to.equal(200);
    for (const [from, type, resource] of [
      [root, 'object', direct],
      [inner, 'object', nested],
      [inner, 'image', await imageOf(viaImage)],
      [elsewhere, 'object', late],
    ] as const) {
      const left = await api.call('DELETE', `/v1/collections/${from}/members/${type}/${resource}`);
      expect(left.status).to.equal(204);
    }
    for (const object of [direct, nested, viaImage, late]) {
      expect(await trash(object), object).to.equal(403);
    }
    expect(await trash(await upload())).to.equal(204);
  });

  it('cannot be based on a smart collection', async () => {
    const smart = await collection({ kind: 'smart', query: { q: 'harbour' } });
    const body = {
      name: 'Hold',
      mode: 'enforce',
      scope: { type: 'collection', ids: [smart] },
      actions: ['delete'],
      rules: [hold],
    };
    const { json } = await api.call('POST', policiesPath, { body });
    expect([json.code, json.errors[0].pointer, json.errors[0].code]).to.deep.equal([
      'validation_failed',
      '/scope/ids/0',
      'smart_collection',
    ]);
  });

  it('are placed if a policy and a tag are set concurrently, in either order', async () => {
    for (let turn = 0; turn < 8; turn++) {
      const object = await upload();
      const [id] = await Promise.all([
        policy({ type: 'tag', tags: [`t${turn}`] }),
        tag(object, `t${turn}`),
      ]);
      await tag(object);
      expect(await trash(object), `${turn}`).to.equal(403);
      await api.call('DELETE', `${policiesPath}/${id}`, { headers: { 'if-match': '*' } });
    }
  });

  const outputOf = async (sourceId: string): Promise<string> => {
    const received = await api.deps.storage.receive(
      api.projectId,
      Readable.from([Buffer.from(`output ${newId('object')}`)]),
      { maxBytes: 1000 },
    );
    return inProject(relay.worker, api.projectId, async (tx) =>
      createOutput(tx, originOf(api.projectId), {
        source: (await findObject(tx, api.projectId, sourceId))!,
        jobId: newId('job'),
        suffix: '.txt',
        mime: 'text/plain',
        content: await retainBytes(tx, api.projectId, received),
      }),
    );
  };
  const purge = async (id: string): Promise<void> => {
    await api.rows(
      `UPDATE object SET state = 'trashed', trashed_at = now() - interval '31 days' WHERE id = $1`,
      [id],
    );
    const [task] = await inProject(relay.worker, api.projectId, (tx) =>
      query<{ id: string }>(
        tx,
        `INSERT INTO task (id, project_id, queue, kind, payload)
         VALUES ($2, $1, 'maintenance', 'object.purge', jsonb_build_object('object_id', $3::text))
         RETURNING id`,
        [api.projectId, newId('task'), id],
      ),
    );
    await purgeObject({}, await takeTask<'object.purge'>(relay.worker, task!.id));
  };

  it('and scopes pass to the outputs of an object, even after it is purged', async () => {
    const source = await tagged('red');
    await policy(red, { rules: [hold, { type: 'retention', min_days: 30 }] });
    const output = await outputOf(source);
    const second = await outputOf(output);
    expect(await trash(output)).to.equal(403);
    await tag(source);
    expect(await trash(second)).to.equal(403);

    await api.rows('DELETE FROM policy');
    const scoped = await tagged('red');
    const made = await outputOf(scoped);
    await purge(scoped);
    expect((await api.call('GET', `/v1/objects/${scoped}`)).status).to.equal(404);
    await policy(red, { actions: ['download'], rules: [{ type: 'max_bytes', bytes: 1 }] });
    expect((await api.call('GET', `/v1/objects/${made}/content`)).status).to.equal(403);
    // Outputs held when the source was purged stay held.
    const held = await tagged('green');
    const kept = await outputOf(held);
    const id = await policy({ type: 'tag', tags: ['green'] }, { mode: 'audit' });
    await tag(held);
    await purge(held);
    await change(id, { mode: 'enforce' });
    expect(await trash(kept)).to.equal(403);
  });

  it('and scopes pass to outputs of outputs, at any depth', async () => {
    const source = await tagged('red');
    let last = source;
    for (let at = 0; at < 40; at++) last = await outputOf(last);
    await policy(red, { actions: ['download'], rules: [{ type: 'max_bytes', bytes: 1 }] });
    expect((await api.call('GET', `/v1/objects/${last}/content`)).status).to.equal(403);
  });

  it('keep an object in the trash for as long as they last', async () => {
    const object = await upload();
    expect(await trash(object)).to.equal(204);
    const id = await policy({ type: 'project' });
    await purge(object);
    expect((await api.call('GET', `/v1/objects/${object}`)).json.state).to.equal('trashed');
    const tasks = await api.rows(
      `SELECT FROM task WHERE kind = 'object.purge' AND payload ->> 'object_id' = $1
         AND due_at BETWEEN now() + interval '23 hours' AND now() + interval '25 hours'`,
      [object],
    );
    expect(tasks).to.have.length(1);
    const [denied] = await api.rows<{ data: object }>(
      `SELECT data FROM event WHERE type = 'dam.policy.denied' AND resource_id = $1`,
      [id],
    );
    expect(denied!.data).to.deep.equal({
      action: 'delete',
      rule_type: 'legal_hold',
      resource_id: object,
    });
    await change(id, { mode: 'disabled' });
    await purge(object);
    expect((await api.call('GET', `/v1/objects/${object}`)).status).to.equal(404);
  });

  it('that were confirmed are respected by a trash or a purge that started earlier', async () => {
    const object = await upload();
    let answered = false;
    let made: Promise<unknown> | undefined;
    await inProject(relay.worker, api.projectId, async (tx) => {
      const asked = { action: 'delete', objectId: object, by: 'worker' } as const;
      expect((await decideAction(tx, originOf(api.projectId), asked)).decision).to.equal('allow');
      made = policy({ type: 'project' }).then(() => {
        answered = true;
      });
      // It waits for changes that were already allowed.
      await eventually(async () => {
        const waiting = await api.rows(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return waiting.length === 1;
      });
      expect(answered).to.equal(false);
    });
    await made;
    expect(await trash(object)).to.equal(403);
  });

  it('of many objects are placed by one statement', async () => {
    await api.rows(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, tags)
       SELECT 'obj_' || lpad(n::text, 26, '0'), $1, 'available', 'n', 'text/plain', 1, 's', 'upload', '{many}'
       FROM generate_series(1, 2000) AS n`,
      [api.projectId],
    );
    const id = await policy({ type: 'tag', tags: ['many'] });
    const [held] = await api.rows<{ n: number }>(
      'SELECT count(*)::integer AS n FROM object_hold WHERE policy_id = $1',
      [id],
    );
    expect(held!.n).to.equal(2000);
  });
});
