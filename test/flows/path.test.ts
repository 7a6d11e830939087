import { Session } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import type { Route } from '../../src/api/frame/route.ts';
import { routes } from '../../src/api/routes/index.ts';
import { openDatabase } from '../../src/db/database.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { checkout } from '../support/run.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

/** Files that are not entered by each of these do not count: what runs once, or by a timer. */
const requests = 4;
/** The first requests open connections and prepare statements. */
const warmUps = 2;

/**
 * Who follows a request through the code opens each file in which a function of it runs. These bounds
 * keep that possible: a new file on the path replaces another. LIST=1 prints the files.
 */
describe('the files that one POST of a job enters', () => {
  let redis: TestRedis;
  let api: TestApi;
  let workers: TestWorkers;
  let receiver: Receiver;
  let objectId: string;
  const functions = watchFunctions();
  let beforeHandler: Set<string> | null = null;
  let wake = (): void => undefined;

  before(async () => {
    [redis, receiver] = await Promise.all([startPrivateRedis(), startReceiver()]);
    api = await startApi({
      routes: routes.map(noted),
      settings: { checkResponses: false },
      deps: async ({ seal }, urls) => {
        const [worker, relay] = await Promise.all([
          openDatabase(urls.workerUrl),
          openDatabase(urls.relayUrl),
        ]);
        workers = await prepareWorkers({ worker, relay }, redis.url, {
          seal: seal.seal,
          unseal: seal.open,
        });
        return { wake: () => wake() };
      },
    });
    objectId = newId('object');
    await api.rows(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, pages, source_kind)
       VALUES ($1, $2, 'available', 'a.pdf', 'application/pdf', 1, repeat('0', 64), 1, 'upload')`,
      [objectId, api.projectId],
    );
  });
  after(async () => {
    functions.close();
    await workers.stop(1_000);
    await Promise.all([workers.deps.database.destroy(), workers.deps.relayDatabase?.destroy()]);
    await receiver.close();
    await api.close();
    await redis.remove();
  });

  /** The route that creates jobs, with a note of what ran before its handler. */
  function noted(route: Route): Route {
    if (route.kind !== 'json' || route.operationId !== 'createJob') return route;
    return {
      ...route,
      handler(call: Parameters<typeof route.handler>[0]) {
        beforeHandler ??= functions.take();
        return route.handler(call);
      },
    };
  }
  async function createJob(): Promise<void> {
    const { status } = await api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: objectId, operations: [{ op: 'ocr' }] },
    });
    expect(status).to.equal(202);
  }
  /** The files that each of several requests enters. `until` resolves at the end of what counts. */
  async function filesOf(until: () => Promise<Set<string>>): Promise<string[]> {
    const found: Set<string>[] = [];
    for (let at = 0; at < warmUps + requests; at++) {
      functions.take();
      beforeHandler = null;
      await createJob();
      found.push(await until());
    }
    const [first, ...others] = found.slice(warmUps);
    const files = [...first!].filter((file) => others.every((set) => set.has(file))).sort();
    if (process.env.LIST) console.log(files.join('\n'), files.length);
    return files;
  }

  it('are at most 35 before the handler, without those of jobs', async () => {
    const files = await filesOf(async () => beforeHandler!);
    const ofJobs = /^src\/(api\/routes|jobs|policies)\//;
    expect(files.length).to.be.greaterThan(20);
    expect(files.filter((file) => !ofJobs.test(file)).length).to.be.at.most(35);
  });

  it('are at most 100 until its webhook is received and stored', async () => {
    workers.start('relay', 'webhooks');
    wake = workers.deps.wake;
    await eventually(
      async () => (await api.rows('SELECT FROM event WHERE sequence IS NULL')).length === 0,
    );
    const webhook = await api.call('POST', '/v1/webhooks', {
      body: { url: receiver.url, secret: receiver.secret, event_types: ['documents.job.created'] },
    });
    expect(webhook.status, webhook.text).to.equal(201);
    let sent = 0;
    const files = await filesOf(async () => {
      await receiver.untilReceived(++sent);
      await eventually(async () => (await api.rows('SELECT FROM due_delivery')).length === 0);
      return new Set([...beforeHandler!, ...functions.take()]);
    });
    expect(files.length).to.be.within(60, 100);
  });
});

/** Which functions of the service run in this process. */
function watchFunctions() {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    /** The files with functions that ran since the last call. */
    take(): Set<string> {
      const files = new Set<string>();
      session.post('Profiler.takePreciseCoverage', (error, { result }) => {
        if (error) throw error;
        for (const { url, functions } of result) {
          const ran = functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
          if (!url.startsWith('file:') || !ran) continue;
          const file = relative(checkout, fileURLToPath(url.split('?')[0]!))
            .split(sep)
            .join('/')
            .replace(/^dist\/compiled\//, '');
          if (file.startsWith('src/')) files.add(file);
        }
      });
      return files;
    },
    close: () => session.disconnect(),
  };
}
