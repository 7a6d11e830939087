import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { JobRecord } from '../../src/contracts/wire/jobs.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { eventually, inPassing } from '../support/eventually.ts';
import { openLine } from '../support/line.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { scannedPdf } from '../support/samples.ts';
import { openService, type Program, type TestService } from '../support/service.ts';

const pages = 6;

/**
 * The main job while its parts are killed, flushed and cut off. Each test starts the real
 * processes, breaks something during the job, and then requires the same: the job succeeds, each
 * page has one result, each event reaches the receiver, and nothing is left over.
 */
describe('the main job', () => {
  let service: TestService;
  let receiver: Receiver;
  let pdf: Buffer;
  before(async () => {
    pdf = await scannedPdf(
      Array.from({ length: pages }, (_, at) => [`This is page number ${at + 1} of the fault test`]),
    );
  });
  beforeEach(async () => {
    service = await openService();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
  });

  let objectId: string;
  const begin = async (): Promise<JobRecord> => {
    const response = await service.call('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['*'],
      secret: receiver.secret,
    });
    expect(response.status).to.equal(201);
    objectId = (await service.upload(pdf, 'fault.pdf')).id;
    return startJob();
  };
  const startJob = () => service.startOcr(objectId, { output: ['searchable_pdf', 'text'] });
  /** The job in the middle of its pages, or another one if its middle was over before it was seen. */
  const midJob = (begun: JobRecord): Promise<JobRecord> => {
    let { id } = begun;
    return inPassing(async () => {
      const job = await service.job(id);
      if (job.progress.pages_completed > pages - 3) ({ id } = await startJob());
      return job.progress.pages_completed >= 1 && job.id === id ? job : null;
    });
  };
  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(service.owner, (tx) => query<Row>(tx, sql, values));

  /** What every fault must leave behind. */
  const expectWhole = async (id: string): Promise<void> => {
    const job = await service.finished(id);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    expect(job.progress).to.include({ percent: 100, pages_completed: pages, pages_failed: 0 });
    expect(job.outputs).to.have.length(2);
    const results = await rows<{ page: number; state: string; text: string }>(
      'SELECT page, state, text FROM job_page WHERE job_id = $1 ORDER BY page',
      [id],
    );
    expect(results.map(({ page }) => page)).to.deep.equal(
      Array.from({ length: pages }, (_, at) => at + 1),
    );
    for (const { page, text } of results) expect(text).to.include(`number ${page} of`);
    const progressed = await rows<{ percent: number }>(
      `SELECT (data->>'percent')::integer AS percent FROM event
       WHERE resource_id = $1 AND type = 'documents.job.progressed' ORDER BY sequence`,
      [id],
    );
    const percents = progressed.map(({ percent }) => percent);
    expect(percents).to.deep.equal([...new Set(percents)].sort((a, b) => a - b));
    const ends = await rows(
      `SELECT FROM event WHERE resource_id = $1 AND type = 'documents.job.succeeded'`,
      [id],
    );
    expect(ends).to.have.length(1);
    await eventually(async () => {
      const owed = await rows<{ id: string }>(
        `SELECT id FROM event WHERE category = 'domain' ORDER BY ordinal`,
      );
      const got = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
      const missing = owed.filter((event) => !got.has(event.id));
      if (missing.length > 0) throw new Error(`${missing.length} events have not arrived.`);
      return true;
    });
    expect(receiver.requests.filter(({ verified }) => !verified)).to.have.length(0);
    const published = await eventually(async () => {
      const open = await rows(
        `SELECT FROM event WHERE category = 'domain' AND published_at IS NULL`,
      );
      return open.length === 0;
    });
    expect(published).to.equal(true);
    const left = await rows('SELECT FROM task WHERE resource_id = $1', [id]);
    expect(left).to.have.length(0);
  };

  it('survives the death of an OCR worker in mid-page while another runs', async () => {
    await service.startServer();
    service.startWorker('relay,webhooks');
    const doomed = service.startWorker('ocr');
    service.startWorker('ocr');
    const { id } = await midJob(await begin());
    await doomed.kill();
    await expectWhole(id);
  });

  it('survives the death of the relay when another takes over', async () => {
    await service.startServer();
    const doomed = service.startWorker('relay');
    service.startWorker('webhooks,ocr');
    const { id } = await midJob(await begin());
    await doomed.kill();
    service.startWorker('relay');
    await expectWhole(id);
  });

  it('survives a crash and restart of the API after its response', async () => {
    const server: Program = await service.startServer();
    service.startWorker('all');
    const { id } = await begin();
    await server.kill();
    await service.startServer();
    await expectWhole(id);
  });

  it('survives the death of the webhook worker during delivery', async () => {
    await service.startServer();
    service.startWorker('relay,ocr');
    const doomed = service.startWorker('webhooks');
    const { id } = await midJob(await begin());
    await doomed.kill();
    service.startWorker('webhooks');
    await expectWhole(id);
  });

  it('survives repeated flushes of Redis', async () => {
    await service.startServer();
    service.startWorker('all');
    const { id } = await begin();
    const redis = new Redis(service.redis.url);
    for (const least of [1, 3, 5]) {
      await inPassing(async () => (await service.job(id)).progress.pages_completed >= least);
      await redis.flushall();
    }
    redis.disconnect();
    await expectWhole(id);
  });

  it('survives an outage of Redis that outlasts a blocking read', async () => {
    await service.startServer();
    service.startWorker('all');
    const { id } = await midJob(await begin());
    await service.redis.kill();
    // The API continues to respond and accept work while wake-ups are unavailable.
    const object = await service.upload(pdf, 'while-redis-is-down.pdf');
    const second = await service.startOcr(object.id, { output: ['text'] });
    const down = Date.now();
    await eventually(async () => {
      expect((await service.call('GET', '/v1/events?limit=1')).status).to.equal(200);
      return Date.now() - down > 20_000;
    });
    await service.redis.restart();
    await service.finished(second.id);
    await expectWhole(id);
  });

  it('survives an outage of both Postgres and Redis without losing a process', async () => {
    const { database, redis } = service;
    const lines = [await openLine(database.apiUrl), await openLine(redis.url)] as const;
    const [toPostgres, toRedis] = lines;
    const env = {
      DATABASE_URL: toPostgres.through(database.apiUrl),
      DATABASE_WORKER_URL: toPostgres.through(database.workerUrl),
      DATABASE_RELAY_URL: toPostgres.through(database.relayUrl),
      REDIS_URL: toRedis.through(redis.url),
    };
    try {
      const programs = [await service.startServer(env), service.startWorker('all', env)];
      const ended: string[] = [];
      for (const { exited, output } of programs) void exited.then(() => ended.push(output()));
      const { id } = await midJob(await begin());
      for (const line of lines) line.cut();
      // Both processes notice, more than once.
      await eventually(async () => {
        expect(ended).to.deep.equal([]);
        expect((await fetch(`${service.url}/readyz`)).status).to.equal(503);
        const failed = programs[1]?.output().match(/a loop round failed/g) ?? [];
        return failed.length >= 20;
      });
      for (const line of lines) line.restore();
      await expectWhole(id);
      expect(ended).to.deep.equal([]);
    } finally {
      for (const line of lines) await line.close();
    }
  });

  it('continues after a worker that is told to stop returns its work and exits', async () => {
    await service.startServer();
    service.startWorker('relay,webhooks');
    const leaving = service.startWorker('ocr');
    const { id } = await midJob(await begin());
    expect(await leaving.stop()).to.equal(0);
    const held = await rows(`SELECT FROM task WHERE state = 'running'`);
    expect(held).to.have.length(0);
    service.startWorker('ocr');
    await expectWhole(id);
    const crashes = await rows('SELECT FROM task WHERE crashes > 0');
    expect(crashes).to.have.length(0);
  });
});
