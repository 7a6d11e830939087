import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually, pollFrequently } from '../support/eventually.ts';
import { type MainJob, openMainJob } from '../support/main-job.ts';
import type { Program } from '../support/service.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

/**
 * The main job while its parts are killed, flushed and cut off. Each test starts the real
 * processes, breaks something during the job, and then requires the same.
 */
describe('the main job under faults', () => {
  let main: MainJob;
  beforeEach(async () => {
    main = await openMainJob();
  });
  afterEach(() => main.close());

  it('survives the death of the relay when another takes over', async () => {
    await main.service.startServer();
    const doomed = main.service.startWorker('relay');
    main.service.startWorker('webhooks,ocr');
    const { id } = await main.midJob(await main.begin());
    await doomed.kill();
    main.service.startWorker('relay');
    await main.expectComplete(id);
  });

  it('survives a crash and restart of the API after its response', async () => {
    const server: Program = await main.service.startServer();
    main.service.startWorker('all');
    const { id } = await main.begin();
    await server.kill();
    await main.service.startServer();
    await main.expectComplete(id);
  });

  it('survives the death of the webhook worker during delivery', async () => {
    await main.service.startServer();
    main.service.startWorker('relay,ocr');
    const doomed = main.service.startWorker('webhooks');
    const { id } = await main.midJob(await main.begin());
    await doomed.kill();
    main.service.startWorker('webhooks');
    await main.expectComplete(id);
  });

  it('survives repeated flushes of Redis', async () => {
    await main.service.startServer();
    main.service.startWorker('all');
    const { id } = await main.begin();
    const redis = new Redis(main.service.redis.url);
    for (const least of [1, 3, 5]) {
      await pollFrequently(
        async () => (await main.service.job(id)).progress.pages_completed >= least,
      );
      await redis.flushall();
    }
    redis.disconnect();
    await main.expectComplete(id);
  });

  it('survives an outage of Redis that outlasts a blocking read', async () => {
    await main.service.startServer();
    main.service.startWorker('all');
    const { id } = await main.midJob(await main.begin());
    await main.service.redis.kill();
    // The API continues to respond and accept work while wake-ups are unavailable.
    const object = await main.service.upload(main.pdf, 'while-redis-is-down.pdf');
    const second = await main.service.startOcr(object.id, { output: ['text'] });
    const down = Date.now();
    await eventually(async () => {
      expect((await main.service.call('GET', '/v1/events?limit=1')).status).to.equal(200);
      return Date.now() - down > 20_000;
    });
    await main.service.redis.restart();
    await main.service.untilFinished(second.id);
    await main.expectComplete(id);
  });

  it('survives an outage of both Postgres and Redis without losing a process', async () => {
    const { database, redis } = main.service;
    const lines = [await openTcpProxy(database.apiUrl), await openTcpProxy(redis.url)] as const;
    const [toPostgres, toRedis] = lines;
    const env = {
      DATABASE_URL: toPostgres.through(database.apiUrl),
      DATABASE_WORKER_URL: toPostgres.through(database.workerUrl),
      DATABASE_RELAY_URL: toPostgres.through(database.relayUrl),
      REDIS_URL: toRedis.through(redis.url),
    };
    try {
      const programs = [await main.service.startServer(env), main.service.startWorker('all', env)];
      const ended: string[] = [];
      for (const { exited, output } of programs) void exited.then(() => ended.push(output()));
      const { id } = await main.midJob(await main.begin());
      for (const line of lines) line.cut();
      // Both processes notice, more than once.
      await eventually(async () => {
        expect(ended).to.deep.equal([]);
        expect((await fetch(`${main.service.url}/readyz`)).status).to.equal(503);
        const failed = programs[1]?.output().match(/a loop round failed/g) ?? [];
        return failed.length >= 20;
      });
      for (const line of lines) line.restore();
      await main.expectComplete(id);
      expect(ended).to.deep.equal([]);
    } finally {
      for (const line of lines) await line.close();
    }
  });

  it('continues after a worker that is told to stop returns its work and exits', async () => {
    await main.service.startServer();
    main.service.startWorker('relay,webhooks');
    const leaving = main.service.startWorker('ocr');
    const { id } = await main.midJob(await main.begin());
    expect(await leaving.stop()).to.equal(0);
    const held = await main.rows(`SELECT FROM task WHERE state = 'running'`);
    expect(held).to.have.length(0);
    main.service.startWorker('ocr');
    await main.expectComplete(id);
    const crashes = await main.rows('SELECT FROM task WHERE crashes > 0');
    expect(crashes).to.have.length(0);
  });
});
