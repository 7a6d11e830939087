import { type ApiClient, createApiClient } from '../api/client.ts';
import { createTenants, type Tenant } from '../api/tenants.ts';
import type { Bench } from '../bench.ts';
import { type Outbox, openOutbox } from '../outbox.ts';
import {
  freePort,
  type Program,
  serverEnvironment,
  startBuilt,
  untilReady,
  workerEnvironment,
} from '../programs.ts';
import { type BenchReceiver, startReceiver } from '../webhooks/receiver.ts';

/**
 * The shared environment of all turns: APIs that keep running, tenants, a receiver, and how workers
 * are started.
 */
export interface TestBed {
  bench: Bench;
  outbox: Outbox;
  receiver: BenchReceiver;
  tenants: Tenant[];
  apis: { port: number; pid: number }[];
  client: ApiClient;
  /** Starts workers of some queues, and waits until all of them run. */
  startWorkers(count: number, queues: string): Promise<Program[]>;
  close(): Promise<void>;
}

export async function openTestBed(bench: Bench, apiCount: number): Promise<TestBed> {
  const env = serverEnvironment(bench, 0);
  const apis = await Promise.all(
    Array.from({ length: apiCount }, async () => {
      const port = await freePort();
      return { port, program: startBuilt('server', { ...env, PORT: String(port) }) };
    }),
  );
  const outbox = await openOutbox(bench, 16, env.SECRET_KEY);
  const receiver = await startReceiver(100);
  for (const { port } of apis) await untilReady(port);
  const tenants = await createTenants(bench, 4, 4);
  const { projectId, secrets } = tenants[0]!;
  return {
    bench: bench,
    outbox,
    receiver,
    tenants,
    apis: apis.map(({ port, program }) => ({ port, pid: program.pid })),
    client: createApiClient(apis[0]!.port, { projectId, secret: secrets[0]! }),
    async startWorkers(count, queues) {
      const started = await Promise.all(
        Array.from({ length: count }, async () => {
          const port = await freePort();
          const program = startBuilt('worker', {
            ...workerEnvironment(bench, { secretKey: env.SECRET_KEY, queues }),
            METRICS_PORT: String(port),
          });
          return { port, program };
        }),
      );
      try {
        for (const { port } of started) await untilReady(port, '/healthz');
      } catch (error) {
        await Promise.all(started.map(({ program }) => program.kill()));
        throw error;
      }
      return started.map(({ program }) => program);
    },
    async close() {
      await Promise.all(apis.map(({ program }) => program.stop()));
      await receiver.close();
      await outbox.close();
    },
  };
}

export const pidsOf = (programs: readonly { pid: number }[]): number[] =>
  programs.map(({ pid }) => pid);

/** Waits until a query of the superuser returns no row. */
export async function untilEmpty(bench: Bench, sql: string, pauseMs = 25): Promise<void> {
  const end = performance.now() + 900_000;
  while ((await bench.query(`${sql} LIMIT 1`)).length > 0) {
    if (performance.now() > end) throw new Error(`Timed out: ${sql}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
