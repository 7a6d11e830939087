import { runLoad } from '../api/load.ts';
import { createNaiveRequests, createRequests, type NextRequest } from '../api/requests.ts';
import { createTenants } from '../api/tenants.ts';
import type { Arm } from '../arms.ts';
import type { Bench } from '../bench.ts';
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

export interface ApiOptions {
  /** Seconds of a turn. */
  seconds: number;
  /** Seconds for V8 to compile hot code, as in a server that has been running for a minute. */
  warmUp: number;
  /** Number of rows in each table of one project before the first turn. */
  history?: number;
}

/** Starts the API and the naive one on the same Postgres and Redis, and warms both up. */
export async function openApiArms(
  bench: Bench,
  { seconds, warmUp, history = 0 }: ApiOptions,
): Promise<{ armsFor(connections: number): ApiArms; close(): Promise<void> }> {
  const port = await freePort();
  const tenants = await createTenants(bench, 4, 4);
  if (history > 0) await fillApiHistory(bench, tenants, history);
  const server = startBuilt('server', serverEnvironment(bench, port));
  const naive = await startNaiveApi(bench, 16);
  const stores = { Postgres: [bench.postgresPid], Redis: [bench.redisPid] };
  const close = async (): Promise<void> => {
    await naive.close();
    await server.stop();
  };

  const send = async (
    targetPort: number,
    status: number,
    request: NextRequest,
    connections: number,
    length: number,
  ) => {
    const { rate, latencies } = await runLoad({
      port: targetPort,
      connections,
      seconds: length,
      status,
      request,
    });
    return { operations: latencies.length, rate, latencies };
  };

  try {
    await untilReady(port);
    const serviceRequests = createRequests(tenants);
    const peerRequests = createNaiveRequests(naive.secrets, tenants[0]!.objectId);
    await send(port, 202, serviceRequests.jobs, 16, warmUp);
    await send(naive.port, 202, peerRequests.checked, 16, warmUp);
    await send(naive.port, 202, peerRequests.named, 16, warmUp / 4);
    await send(naive.port, 202, peerRequests.bare, 16, warmUp / 4);
    await send(port, 201, serviceRequests.keys, 8, warmUp / 4);
    const { change: tags } = await serviceRequests.objects(bench);
    await send(port, 200, tags, 8, warmUp / 4);
    await bench.analyze();
    const [serviceReads, peerReads] = [
      await serviceRequests.reads(bench),
      await peerRequests.reads(bench),
    ];
    await send(port, 200, serviceReads, 8, warmUp / 4);
    await send(naive.port, 200, peerReads, 8, warmUp / 4);

    const over = (connections: number): ApiArms => {
      const requestArm = (to: 'ours' | 'naive', status: number, next: NextRequest): Arm => {
        const target = { ours: { port, pid: server.pid }, naive }[to];
        return {
          processes: { Node: [target.pid], ...stores },
          run: () => send(target.port, status, next, connections, seconds),
        };
      };
      const tagArm = (counted: boolean): Arm => ({
        ...requestArm('ours', 200, tags),
        async prepare() {
          const action = counted ? 'ENABLE' : 'DISABLE';
          const names = ['object_count_added', 'object_count_changed', 'object_count_removed'];
          const changes = names.map((name) => `${action} TRIGGER ${name}`);
          await bench.query(`ALTER TABLE object ${changes.join(', ')}`);
        },
      });
      return {
        bare: requestArm('naive', 202, peerRequests.bare),
        checked: requestArm('naive', 202, peerRequests.checked),
        named: requestArm('naive', 202, peerRequests.named),
        jobs: requestArm('ours', 202, serviceRequests.jobs),
        one: requestArm('ours', 202, serviceRequests.jobsOfOne),
        keys: requestArm('ours', 201, serviceRequests.keys),
        tags: tagArm(true),
        uncounted: tagArm(false),
        reads: requestArm('ours', 200, serviceReads),
        findOne: requestArm('naive', 200, peerReads),
      };
    };
    return { armsFor: over, close };
  } catch (error) {
    await close();
    throw error;
  }
}
