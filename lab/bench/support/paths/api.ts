import { load } from '../api/load.ts';
import { naiveRequests, ourRequests, type Requests } from '../api/requests.ts';
import { createTenants } from '../api/tenants.ts';
import type { Arm } from '../arms.ts';
import type { BenchGround } from '../ground.ts';
import { startNaiveApi } from '../naive/api.ts';
import { freePort, serverEnvironment, startBuilt, untilReady } from '../programs.ts';
import { fillApiHistory } from './history.ts';

/** Requests to this service's API and to the naive one, over a number of connections. */
export interface ApiArms {
  /** The naive handler: bare, with key and log, and with assigned identifiers as well. */
  bare: Arm;
  checked: Arm;
  named: Arm;
  /** Jobs of sixteen keys of four projects in turn, and of a single key. */
  jobs: Arm;
  one: Arm;
  keys: Arm;
  /** Changes of the tags of objects, with and without the object counters. */
  tags: Arm;
  uncounted: Arm;
  /** Reads of a job, by this service and the naive ones. */
  reads: Arm;
  findOne: Arm;
}

export interface ApiLengths {
  /** Seconds of a turn. */
  seconds: number;
  /** Seconds for V8 to compile hot code, as in a server that has been running for a minute. */
  warmUp: number;
  /** Number of rows in each table of one project before the first turn. */
  history?: number;
}

/** Starts the API and the naive one on the same Postgres and Redis, and warms both up. */
export async function openApiArms(
  ground: BenchGround,
  { seconds, warmUp, history = 0 }: ApiLengths,
): Promise<{ over(connections: number): ApiArms; close(): Promise<void> }> {
  const port = await freePort();
  const tenants = await createTenants(ground, 4, 4);
  if (history > 0) await fillApiHistory(ground, tenants, history);
  const server = startBuilt('server', serverEnvironment(ground, port));
  const naive = await startNaiveApi(ground, 16);
  const stores = { Postgres: [ground.postgresPid], Redis: [ground.redisPid] };
  const close = async (): Promise<void> => {
    await naive.close();
    await server.stop();
  };

  const send = async (
    to: number,
    status: number,
    request: Requests,
    of: number,
    length: number,
  ) => {
    const { rate, latencies } = await load({
      port: to,
      connections: of,
      seconds: length,
      status,
      request,
    });
    return { operations: latencies.length, rate, latencies };
  };

  try {
    await untilReady(port);
    const ours = ourRequests(tenants);
    const theirs = naiveRequests(naive.secrets, tenants[0]!.objectId);
    await send(port, 202, ours.jobs, 16, warmUp);
    await send(naive.port, 202, theirs.checked, 16, warmUp);
    await send(naive.port, 202, theirs.named, 16, warmUp / 4);
    await send(naive.port, 202, theirs.bare, 16, warmUp / 4);
    await send(port, 201, ours.keys, 8, warmUp / 4);
    const { change: tags } = await ours.objects(ground);
    await send(port, 200, tags, 8, warmUp / 4);
    await ground.analyze();
    const [ourReads, theirReads] = [await ours.reads(ground), await theirs.reads(ground)];
    await send(port, 200, ourReads, 8, warmUp / 4);
    await send(naive.port, 200, theirReads, 8, warmUp / 4);

    const over = (connections: number): ApiArms => {
      const requests = (to: 'ours' | 'naive', status: number, next: Requests): Arm => {
        const at = { ours: { port, pid: server.pid }, naive }[to];
        return {
          watched: { Node: [at.pid], ...stores },
          run: () => send(at.port, status, next, connections, seconds),
        };
      };
      const retag = (counted: boolean): Arm => ({
        ...requests('ours', 200, tags),
        async prepare() {
          const does = counted ? 'ENABLE' : 'DISABLE';
          const names = ['object_count_added', 'object_count_changed', 'object_count_removed'];
          const changes = names.map((name) => `${does} TRIGGER ${name}`);
          await ground.ask(`ALTER TABLE object ${changes.join(', ')}`);
        },
      });
      return {
        bare: requests('naive', 202, theirs.bare),
        checked: requests('naive', 202, theirs.checked),
        named: requests('naive', 202, theirs.named),
        jobs: requests('ours', 202, ours.jobs),
        one: requests('ours', 202, ours.jobsOfOne),
        keys: requests('ours', 201, ours.keys),
        tags: retag(true),
        uncounted: retag(false),
        reads: requests('ours', 200, ourReads),
        findOne: requests('naive', 200, theirReads),
      };
    };
    return { over, close };
  } catch (error) {
    await close();
    throw error;
  }
}
