import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { findPgBouncer, type Pooler, startPooler } from './pgbouncer.ts';
import { startReceiver } from './receiver.ts';
import { openService, type TestService } from './service.ts';

type Mode = 'session' | 'transaction' | 'statement';

/** The service behind Debian's PgBouncer. */
export interface PooledService {
  service: TestService;
  /** One in transaction mode, and connections through it. */
  pooler: Pooler;
  database: Database;
  /** Starts another. */
  start(mode: Mode, settings?: Record<string, string>): Promise<Pooler>;
  /** Uses the API and the workers through a pooler. */
  exercise(via: Pooler, ownUrl: { DATABASE_SESSION_URL?: string }): Promise<void>;
  close(): Promise<void>;
}

/** @returns null on a machine without PgBouncer */
export async function openPooledService(): Promise<PooledService | null> {
  const program = await findPgBouncer();
  if (!program) return null;
  const service = await openService();
  const receiver = await startReceiver();
  const { apiUrl, workerUrl, relayUrl, superuserUrl } = service.database;
  const urls = [apiUrl, workerUrl, relayUrl, superuserUrl];
  const start: PooledService['start'] = (mode, settings) =>
    startPooler(program, mode, urls, settings);
  const pooler = await start('transaction');
  const database = await openDatabase(pooler.through(apiUrl), { poolSize: 8, statementSeconds: 7 });
  const serve: PooledService['exercise'] = async (via, ownUrl) => {
    const pooledUrls = {
      DATABASE_URL: via.through(service.database.apiUrl),
      DATABASE_WORKER_URL: via.through(service.database.workerUrl),
      DATABASE_RELAY_URL: via.through(service.database.relayUrl),
    };
    const server = await service.startServer({ ...pooledUrls, ...ownUrl });
    const worker = service.startWorker('relay,webhooks,maintenance', pooledUrls);
    receiver.requests.length = 0;
    const hook = await service.call('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['dam.*'],
      secret: receiver.secret,
    });
    expect(hook.status).to.equal(201);
    // More at once than the pooler has sessions.
    const objects = await Promise.all(
      Array.from({ length: 12 }, (_, at) => service.upload(Buffer.from(`text ${at}`), `${at}.txt`)),
    );
    for (const { id } of objects) {
      const read = await service.call('GET', `/v1/objects/${id}`);
      expect(read.status).to.equal(200);
      expect((await service.call('DELETE', `/v1/objects/${id}`)).status).to.equal(204);
    }
    const listed = await service.call('GET', '/v1/objects?include=facets&limit=5');
    expect(listed.status).to.equal(200);
    await receiver.untilReceived(2 * objects.length);
    const events = await service.call('GET', '/v1/events?limit=100');
    const ids = ((await events.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    const receivedIds = receiver.requests.map(({ headers }) => headers['webhook-id']!);
    expect(new Set(receivedIds).size).to.equal(receivedIds.length);
    expect(ids).to.include.members(receivedIds);
    const { id } = (await hook.json()) as { id: string };
    const removed = await service.call('DELETE', `/v1/webhooks/${id}`, undefined, {
      'If-Match': '*',
    });
    expect(removed.status).to.equal(204);
    await Promise.all([server.stop(), worker.stop()]);
  };
  return {
    service,
    pooler,
    database,
    start,
    exercise: serve,
    close: async () => {
      await database.destroy();
      await service.close();
      await receiver.close();
      await pooler.close();
    },
  };
}
