import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '@scriptorium/contracts/certificates/canonical';
import { expect } from 'chai';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { eventually } from '../support/eventually.ts';
import { openService, type TestService } from '../support/service.ts';
import { findTraces } from '../support/traces.ts';

const name = 'Zyx Quorl';
/** More than one transaction erases. */
const objects = 30;

interface SignedReport {
  report: Record<string, unknown>;
  signature: { public_key: string; value: string };
}

/** The fields of an erasure that are read here. */
interface Answer {
  id: string;
  state: string;
  found: Record<string, number>;
  report: SignedReport & { report: { erased: Record<string, number>; kept: unknown[] } };
}

/** Kills the worker in the middle, with Redis flushed. `erasure/*` interrupts every transaction. */
describe('erasures', () => {
  let service: TestService;
  let redis: Redis;
  beforeEach(async () => {
    service = await openService();
    redis = connectFailFast(service.redis.url, createLogger('silent', 'test'));
    await eventually(async () => redis.status === 'ready');
    await service.startServer();
    service.startWorker('relay,webhooks');
  });
  afterEach(async () => {
    redis.disconnect();
    await service.close();
  });

  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(service.owner, (tx) => query<Row>(tx, sql, values));
  const json = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    (await (await service.call(method, path, body)).json()) as Answer;
  const traces = () => findTraces({ rows, storageRoot: service.storageRoot }, redis, [name]);
  const countObjects = async (): Promise<number> =>
    (await rows<{ n: number }>('SELECT count(*)::integer AS n FROM object'))[0]!.n;
  const uploadAll = async (count = objects): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      ids.push((await service.upload(Buffer.from(`${at}: ${name}`), `${name} ${at}.txt`)).id);
    }
    return ids.sort();
  };

  /**
   * Stops the work of a worker at a locked row, kills the worker, flushes Redis, and lets another
   * worker continue.
   */
  const killAt = async (objectId: string, begin: () => Promise<unknown>): Promise<void> => {
    const doomed = service.startWorker('maintenance');
    const blocker = service.owner.createQueryRunner();
    await blocker.startTransaction();
    try {
      await blocker.query('SELECT 1 FROM object WHERE id = $1 FOR UPDATE', [objectId]);
      await begin();
      await eventually(async () => {
        const waiting = await rows(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query ~ 'object|erase_rows'`,
        );
        return waiting.length > 0;
      });
      await doomed.kill();
      await redis.flushall();
    } finally {
      await blocker.rollbackTransaction();
      await blocker.release();
    }
    service.startWorker('maintenance');
  };

  const expectSigned = ({ report, signature }: SignedReport): void => {
    const x = Buffer.from(signature.public_key, 'base64').toString('base64url');
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
    const signed = Buffer.from(canonicalJson(report));
    expect(verify(null, signed, key, Buffer.from(signature.value, 'base64'))).to.equal(true);
  };

  it('of a person continue after the death of the worker and the loss of Redis', async () => {
    const ids = await uploadAll();
    const other = await service.upload(Buffer.from('of another'), 'kept.txt');
    const searcher = service.startWorker('maintenance');
    const { id } = await json('POST', '/v1/erasures', { values: [name], objects: 'purge' });
    const path = `/v1/erasures/${id}`;
    const hasState = (state: string) =>
      eventually(async () => {
        const erasure = await json('GET', path);
        return erasure.state === state ? erasure : null;
      });
    expect((await hasState('ready')).found.object).to.equal(objects);
    await searcher.stop();

    // The newest objects are erased first, so the oldest is in the second transaction.
    await killAt(ids[0]!, () => json('POST', `${path}/confirm`, {}));
    const { report } = await hasState('finished');
    expect(report.report.erased.object).to.equal(objects);
    expect(report.report.kept).to.deep.equal([]);
    expectSigned(report);
    expect(await rows('SELECT id FROM object')).to.deep.equal([{ id: other.id }]);
    const events = await rows(`SELECT 1 FROM event WHERE type = 'access.erasure.finished'`);
    expect(events).to.have.length(1);
    expect(await traces()).to.deep.equal([]);
  });

  it('of a project continue after the death of the worker and the loss of Redis', async () => {
    const ids = await uploadAll();
    expect(await traces()).to.not.deep.equal([]);
    await killAt(ids[0]!, async () => {
      await json('DELETE', '/v1/projects/self', { name: 'flow' });
      // Requests in progress have a minute to end.
      await rows(`UPDATE task SET due_at = now() WHERE kind = 'project.delete'`);
    });
    expect(await countObjects()).to.equal(objects);
    const deletion = await eventually(async () => {
      const [found] = await rows<{ report: SignedReport }>(
        'SELECT report FROM project_deletion WHERE finished_at IS NOT NULL',
      );
      return found;
    });
    expectSigned(deletion.report);
    expect(deletion.report.report.rows_deleted).to.include({ object: objects });
    expect(deletion.report.report.files_deleted).to.equal(objects);
    expect(await countObjects()).to.equal(0);
    expect(await traces()).to.deep.equal([]);
    expect(await rows('SELECT id FROM project')).to.deep.equal([]);
  });

  it('by retention rules continue after the death of the worker, and leave what a hold keeps', async () => {
    // More than one transaction deletes.
    const ids = await uploadAll(56);
    const held = [ids[3]!, ids[53]!];
    for (const id of held) await json('PATCH', `/v1/objects/${id}`, { tags: ['trial'] });
    await json('POST', '/v1/dam/security/policies', {
      name: 'Trial',
      mode: 'enforce',
      scope: { type: 'tag', tags: ['trial'] },
      actions: ['delete'],
      rules: [{ type: 'legal_hold', reason: 'Trial' }],
    });
    await rows(`UPDATE object SET created_at = now() - interval '31 days'`);
    await killAt(ids.at(-1)!, () =>
      json('POST', '/v1/retention-rules', {
        scope: { type: 'project' },
        rule: { type: 'delete_after', days: 30 },
      }),
    );
    await eventually(async () => (await countObjects()) === held.length);
    const left = await rows<{ id: string }>('SELECT id FROM object ORDER BY id');
    expect(left.map(({ id }) => id)).to.deep.equal(held);
    const expired = await rows<{ resource_id: string }>(
      `SELECT resource_id FROM event WHERE type = 'dam.object.expired' ORDER BY resource_id`,
    );
    expect(expired.map(({ resource_id }) => resource_id)).to.deep.equal(
      ids.filter((id) => !held.includes(id)),
    );
  });
});
