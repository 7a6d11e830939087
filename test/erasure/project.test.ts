import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { Readable } from 'node:stream';
import { canonicalJson } from '@scriptorium/contracts/certificates/canonical';
import { newId } from '@scriptorium/contracts/ids';
import type { DeletionReport } from '@scriptorium/contracts/wire/projects';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { deleteProject } from '../../src/erasure/project/delete.ts';
import { createLogger } from '../../src/logger.ts';
import type { TaskRun } from '../../src/outbox/task-run.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { closeQueues, openQueues, type Queues } from '../../src/queues/hints.ts';
import { openAdmin } from '../support/admin.ts';
import { startApi, type Tenant, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { makeFixtures } from '../support/fixtures.ts';
import { projectRows } from '../support/project-rows.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { takeTask } from '../support/tasks.ts';
import { findTraces } from '../support/traces.ts';
import { postRaw } from '../support/uploads.ts';

const path = '/v1/projects/self';

describe('deletion of a project', () => {
  let api: TestApi;
  let worker: Database;
  let redis: TestRedis;
  let connection: Redis;
  let queues: Queues;
  before(async () => {
    api = await startApi();
    worker = await openDatabase(api.database.workerUrl, { poolSize: 4 });
    redis = await startPrivateRedis();
    connection = connectFailFast(redis.url, createLogger('silent', 'test'));
    await eventually(async () => expect(connection.status).to.equal('ready'));
    queues = openQueues(connection);
  });
  after(async () => {
    await closeQueues(queues);
    connection.disconnect();
    await redis.remove();
    await worker.destroy();
    await api.close();
  });

  const remove = (tenant: Tenant, name: string) =>
    api.call('DELETE', path, { ...tenant, body: { name } });
  const deps = () => ({
    database: worker,
    storage: api.deps.storage,
    queues,
    seal: api.deps.seal.seal,
    unseal: api.deps.seal.open,
  });
  /** Takes the task, also one that a killed worker has left. */
  const take = async ({ projectId }: Tenant): Promise<TaskRun<'project.delete'> | null> => {
    const [task] = await api.rows<{ id: string }>(
      `WITH freed AS (
         UPDATE task SET state = 'pending', lease_until = NULL
         WHERE kind = 'project.delete' AND project_id = $1 RETURNING id)
       SELECT id FROM freed`,
      [projectId],
    );
    return task ? takeTask<'project.delete'>(worker, task.id) : null;
  };
  const run = async (tenant: Tenant) => deleteProject(deps(), (await take(tenant))!);
  const rowsOf = async (projectId: string): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const table of Object.keys(projectRows)) {
      const [row] = await api.rows<{ n: number }>(
        `SELECT count(*)::integer AS n FROM ${table} WHERE project_id = $1`,
        [projectId],
      );
      counts[table] = row!.n;
    }
    return counts;
  };

  it('requires the scope, and the name of the project', async () => {
    const { key } = await api.issue(['objects:read', 'policies:write', 'keys:write']);
    expect((await api.call('DELETE', path, { key, body: { name: 'One' } })).json.code).to.equal(
      'insufficient_scope',
    );
    const wrong = await remove(api, 'Two');
    expect([wrong.status, wrong.json.errors[0].pointer]).to.deep.equal([422, '/name']);
    expect((await api.call('DELETE', path)).status).to.be.within(400, 422);
    expect((await api.call('GET', path)).json).to.include({ id: api.projectId, name: 'One' });
  });

  it('is prevented by holds, which the problem names', async () => {
    const { id } = (await postRaw(api, 'kept', 'kept.txt')).json;
    const policy = async (rule: object, scope: object): Promise<string> =>
      (
        await api.call('POST', '/v1/dam/security/policies', {
          body: { name: 'Court', mode: 'enforce', scope, actions: ['delete'], rules: [rule] },
        })
      ).json.id;
    const hold = await policy(
      { type: 'legal_hold', reason: 'Trial' },
      { type: 'tag', tags: ['t'] },
    );
    const held = await remove(api, 'One');
    expect([held.status, held.json.code]).to.deep.equal([409, 'held_by_policy']);
    expect(held.json.held_by).to.deep.equal([
      { policy_id: hold, name: 'Court', rule_type: 'legal_hold' },
    ]);
    const drop = (policyId: string) =>
      api.call('DELETE', `/v1/dam/security/policies/${policyId}`, { headers: { 'if-match': '*' } });
    await drop(hold);
    const retention = await policy({ type: 'retention', min_days: 7 }, { type: 'project' });
    expect((await remove(api, 'One')).json.held_by[0].policy_id).to.equal(retention);
    await api.rows(`UPDATE object SET created_at = now() - interval '8 days' WHERE id = $1`, [id]);
    await drop(retention);
  });

  it('removes every row, byte and hint, wherever it is interrupted, and nothing of another project', async () => {
    const marks = ['Zyx-Tag', 'Zyx-Name', 'Zyx-Content', 'Zyx-Title', 'Zyx-Part', 'Zyx-Mail'];
    const tenant: Tenant = api;
    await makeFixtures(api, tenant);
    const made = await postRaw(api, 'Zyx-Content', 'Zyx-Name.txt', tenant);
    await api.call('PATCH', `/v1/objects/${made.json.id}`, {
      body: { tags: ['Zyx-Tag'], metadata: { note: 'Zyx-Title' } },
    });
    await api.call('POST', '/v1/shares', { body: { object_id: made.json.id, title: 'Zyx-Title' } });
    await api.call('POST', '/v1/members/invitations', {
      body: { role: 'viewer', name: 'Zyx-Mail' },
    });
    await api.rows(`UPDATE person SET email = 'Zyx-Mail', created_at = now() - interval '2 hours'`);
    const upload = newId('upload');
    await api.rows(
      projectRows
        .upload!.replace("'upl_' || substr($1, 5)", `'${upload}'`)
        .replace("'f'", "'Zyx-Part'"),
      [tenant.projectId],
    );
    await api.deps.storage.partials.append(
      tenant.projectId,
      upload,
      0,
      Readable.from(['Zyx-Part']),
      { maxBytes: 100 },
    );
    await postRaw(api, 'of the other', 'other.txt', api.other);
    await api.rows(`DELETE FROM project_quota WHERE project_id = $1`, [tenant.projectId]);
    const untouched = await rowsOf(api.other.projectId);
    const [task] = await api.rows<{ id: string }>(
      `SELECT id FROM task WHERE project_id = $1 LIMIT 1`,
      [tenant.projectId],
    );
    await queues.ocr.add('hint', { task_id: task!.id });
    await queues.webhooks.add('hint', { endpoint_id: 'whk_of_the_project' });
    const before = await findTraces(api, connection, [...marks, task!.id]);
    for (const mark of [...marks, task!.id]) {
      expect(before.join('\n'), mark).to.include(mark);
    }

    const requested = await remove(tenant, 'One');
    expect([requested.status, requested.json.project_id]).to.deep.equal([202, tenant.projectId]);
    const events = await api.rows('SELECT actor_id, data FROM event WHERE type = $1', [
      'access.project.deletion_requested',
    ]);
    expect(events).to.deep.equal([
      { actor_id: tenant.keyId, data: { deletion_id: requested.json.id } },
    ]);
    expect(await api.call('GET', '/v1/objects')).to.have.property('status', 409);
    expect((await api.call('GET', '/v1/objects')).json.code).to.equal('project_deleting');
    expect((await remove(tenant, 'One')).json.code).to.equal('project_deleting');

    // Each attempt is killed one transaction later than the one before, with Redis flushed.
    let attempts = 0;
    for (let survived = 0; ; survived += 1) {
      const taken = await take(tenant);
      const [deletion] = await api.rows<{ done: boolean }>(
        'SELECT finished_at IS NOT NULL AS done FROM project_deletion WHERE project_id = $1',
        [tenant.projectId],
      );
      if (deletion!.done) break;
      let left = survived;
      const killAfter = <W>(work: W): W => {
        if (left-- <= 0) throw new Error('killed');
        return work;
      };
      const mortal: TaskRun<'project.delete'> = {
        ...taken!,
        inProject: async (work) => killAfter(taken!.inProject)(work),
        finish: async (lock, work) => killAfter(taken!.finish)(lock, work),
      };
      await deleteProject(deps(), mortal).catch((error: Error) => {
        expect(error.message).to.equal('killed');
      });
      attempts += 1;
      if (survived % 10 === 3) await connection.flushall();
      if (survived % 10 === 5) await queues.ocr.add('hint', { task_id: task!.id });
    }
    expect(attempts).to.be.greaterThan(50);

    expect((await api.call('GET', '/v1/objects')).json.code).to.equal('api_key_invalid');
    const left = await rowsOf(tenant.projectId);
    // The record of the deletion, and the task that checks once more.
    expect(Object.entries(left).filter(([, n]) => n > 0)).to.deep.equal([
      ['project_deletion', 1],
      ['task', 1],
    ]);
    expect(
      await api.rows('SELECT id FROM project WHERE id = $1', [tenant.projectId]),
    ).to.deep.equal([]);
    expect(await findTraces(api, connection, [...marks, task!.id])).to.deep.equal([]);
    expect(await rowsOf(api.other.projectId)).to.deep.equal(untouched);
    expect((await api.call('GET', '/v1/objects', api.other)).json.data).to.have.length(1);
  });

  it('leaves a signed report for the operator', async () => {
    const admin = openAdmin(api.database);
    const { deletions } = (await admin.json(0, 'project', 'deletions')) as {
      deletions: { project_id: string; state: string; report: DeletionReport }[];
    };
    const [first] = deletions;
    expect(first).to.include({ project_id: api.projectId, state: 'finished' });
    const { report, signature } = first!.report;
    expect(report).to.include({ project_id: api.projectId, version: 1 });
    expect(report.requested_by).to.deep.equal({ type: 'api_key', id: api.keyId });
    expect(report.rows_deleted).to.include.keys('object', 'event', 'webhook_endpoint');
    expect(report.files_deleted).to.be.greaterThan(1);
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: Buffer.from(signature.public_key!, 'base64').toString('base64url'),
      },
    });
    const signed = Buffer.from(canonicalJson(report));
    expect(verify(null, signed, key, Buffer.from(signature.value, 'base64'))).to.equal(true);
  });

  it('removes what requests in progress left behind, a day later', async () => {
    const { sha256 } = (await postRaw(api, 'late', 'late.txt', api.other)).json;
    const received = await api.deps.storage.receive(api.projectId, Readable.from(['late']), {
      maxBytes: 10,
    });
    await received.commit();
    await received.discard();
    await api.rows(projectRows.denial!, [api.projectId]);
    await run(api);
    const left = await rowsOf(api.projectId);
    expect(Object.entries(left).filter(([, n]) => n > 0)).to.deep.equal([['project_deletion', 1]]);
    expect(await api.deps.storage.stat(api.projectId, sha256)).to.equal(null);
    expect(await api.deps.storage.stat(api.other.projectId, sha256)).not.to.equal(null);
  });

  it('removes rows of every table that belongs to projects', async () => {
    const tenant = api.other;
    for (const [table, insert] of Object.entries(projectRows)) {
      if (table === 'project_deletion') continue;
      await api.rows(insert, [tenant.projectId]).catch((error: Error) => {
        if (!error.message.includes('duplicate key')) throw error;
      });
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const sealed = api.deps.seal.seal(pem, ['certificate_key', tenant.projectId]);
    await api.rows('UPDATE certificate_key SET private_key = $2 WHERE project_id = $1', [
      tenant.projectId,
      sealed,
    ]);
    const full = await rowsOf(tenant.projectId);
    expect(Object.entries(full).filter(([, n]) => n === 0)).to.deep.equal([
      ['project_deletion', 0],
    ]);
    const admin = openAdmin(api.database);
    await admin.json(0, 'project', 'delete', tenant.projectId, '--name', 'Two');
    expect((await admin.run('project', 'delete', tenant.projectId, '--name', 'Two')).code).to.equal(
      1,
    );
    await run(tenant);
    await run(tenant);
    const left = await rowsOf(tenant.projectId);
    expect(Object.entries(left).filter(([, n]) => n > 0)).to.deep.equal([['project_deletion', 1]]);
  });
});
