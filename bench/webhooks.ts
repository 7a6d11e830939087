import { Pool } from 'undici';
import { newId } from '../src/contracts/ids.ts';
import { newSecret, parseSecret, headers as signedHeaders } from '../src/webhooks/sign.ts';
import { cpuMs } from './support/cpu.ts';
import { calibrate, interleave, median, ratio } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { openOutbox, smallEvent } from './support/outbox.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';
import { machineMs, startReceiver } from './support/receiver.ts';

/**
 * Webhooks delivered a second, with attempt rows, leases and retries, against an undici Pool of fifty
 * connections that posts as many bodies of the same size, signed alike, and remembers nothing. The
 * receiver is a process of its own and answers 204. A backlog for endpoints that were paused is sent
 * when they are enabled: to one endpoint, and to a hundred; a third figure begins before the first
 * commit.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const events = Number(process.env.EVENTS ?? 20_000);
const warmUp = Math.min(events, 2_000);
const connections = 50;

buildPrograms();
const ground = await openBenchGround();
const outbox = await openOutbox(ground);
const receiver = await startReceiver(100);
const worker = startBuilt(
  'worker',
  workerEnvironment(ground, { secretKey: outbox.secretKey, queues: 'relay,webhooks' }),
);

/** Endpoints that get the same number of webhooks: every event of a project is owed to all of its. */
interface Variant {
  name: string;
  projects: { id: string; endpoints: string[] }[];
  /** The identifiers of all. */
  endpoints: string[];
  /** Deliveries made so far. */
  sent: number;
}

async function openVariant(name: string, projects: number, perProject: number): Promise<Variant> {
  const variant: Variant = { name, projects: [], endpoints: [], sent: 0 };
  for (let at = 0; at < projects; at++) {
    const id = await ground.project();
    const endpoints = await Promise.all(
      Array.from({ length: perProject }, (_, index) =>
        outbox.addEndpoint(id, {
          url: `${receiver.origins[at * perProject + index]}/${at}-${index}`,
          state: 'paused',
          max_in_flight: connections,
        }),
      ),
    );
    variant.projects.push({ id, endpoints });
    variant.endpoints.push(...endpoints);
  }
  return variant;
}

async function setAll(variant: Variant, state: 'enabled' | 'paused'): Promise<void> {
  await Promise.all(
    variant.projects.map(({ id, endpoints }) => outbox.setState(id, endpoints, state)),
  );
}

async function raw(): Promise<number> {
  const pool = new Pool(receiver.origins[0]!, { connections });
  const key = parseSecret(newSecret());
  const body = JSON.stringify({ pad: 'x'.repeat(Math.max(0, Math.round(bodyBytes) - 10)) });
  const { all } = await receiver.expect(events);
  const start = machineMs();
  let left = events;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const timestamp = Math.floor(Date.now() / 1_000);
        const answer = await pool.request({
          path: '/raw',
          method: 'POST',
          headers: signedHeaders({ id: newId('event'), timestamp, body, secrets: [key] }),
          body,
        });
        await answer.body.dump();
      }
    }),
  );
  const { at } = await all;
  await pool.close();
  return (events * 1_000) / (at - start);
}

/** Sends a backlog: everything is numbered and fanned out before the clock starts. */
async function backlog(variant: Variant, count = events): Promise<number> {
  const perProject = count / variant.endpoints.length;
  await Promise.all(variant.projects.map(({ id }) => outbox.recordMany(id, perProject)));
  await untilOpen(variant, count);
  return receive(variant, count, () => setAll(variant, 'enabled'));
}

/** Sends what eight writers record meanwhile, five events in a transaction. */
async function fromCommit(variant: Variant, count = events): Promise<number> {
  await setAll(variant, 'enabled');
  return receive(variant, count, async () => {
    let left = count;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (left > 0) {
          const some = Math.min(5, left);
          left -= some;
          await outbox.record(variant.projects[0]!.id, ...Array.from({ length: some }, smallEvent));
        }
      }),
    );
  });
}

/** From `begin` to the last receipt, in deliveries a second; then checks what was written down. */
async function receive(
  variant: Variant,
  count: number,
  begin: () => Promise<void>,
): Promise<number> {
  const { all } = await receiver.expect(count);
  const before = cpus();
  const start = machineMs();
  await begin();
  const { at, bytes } = await all;
  bodyBytes = bytes;
  await untilOpen(variant, 0);
  const used = cpus().map(({ name, ms }, index) => {
    const each = (ms - before[index]!.ms) / count;
    return `${name} ${each.toFixed(2)}`;
  });
  process.stderr.write(`    ms of CPU a delivery: ${used.join(', ')}\n`);
  await setAll(variant, 'paused');
  await checkAttempts(variant, count);
  return (count * 1_000) / (at - start);
}

function cpus(): { name: string; ms: number }[] {
  const pids = {
    worker: worker.pid,
    Postgres: ground.postgresPid,
    Redis: ground.redisPid,
    receiver: receiver.pid,
  };
  return Object.entries(pids).map(([name, pid]) => ({ name, ms: cpuMs(pid) }));
}

/** Waits until so many deliveries are pending, those on their way included. */
async function untilOpen(variant: Variant, count: number): Promise<void> {
  const end = performance.now() + 120_000;
  for (;;) {
    const [row] = await ground.ask<{ n: number }>(
      `SELECT count(*)::integer AS n FROM delivery
       WHERE endpoint_id = ANY($1) AND state = 'pending'`,
      [variant.endpoints],
    );
    if (row!.n === count) return;
    if (performance.now() > end) throw new Error(`${row!.n} deliveries are open, not ${count}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Every delivery so far must have succeeded, and have the row of the attempt that did. */
async function checkAttempts(variant: Variant, count: number): Promise<void> {
  variant.sent += count;
  const [row] = await ground.ask<{ deliveries: number; attempts: number }>(
    `SELECT count(DISTINCT d.id)::integer AS deliveries, count(*)::integer AS attempts
     FROM delivery d JOIN attempt_record a ON a.event_id = d.event_id AND a.delivery_id = d.id
     WHERE d.endpoint_id = ANY($1) AND d.state = 'succeeded' AND a.outcome = 'succeeded'`,
    [variant.endpoints],
  );
  if (row!.deliveries !== variant.sent) {
    throw new Error(`${row!.deliveries} of ${variant.sent} deliveries have their attempt's row.`);
  }
  const twice = row!.attempts - variant.sent;
  if (twice > 0) process.stderr.write(`    ${twice} so far were sent twice\n`);
}

let bodyBytes = 0;
try {
  const one = await openVariant('one endpoint', 1, 1);
  const hundred = await openVariant('a hundred endpoints', 4, 25);
  await backlog(one, warmUp);
  await backlog(hundred, warmUp);
  await raw();
  await ground.analyze();
  const found = await interleave(rounds, {
    raw,
    one: () => backlog(one),
    hundred: () => backlog(hundred),
    commit: () => fromCommit(one),
  });
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  const say = (rates: number[]): string => `${median(rates).toFixed(0)} a second`;
  console.log(
    `raw undici, 50 connections, ${bodyBytes.toFixed(0)} bytes, signed: ${say(found.raw)}`,
  );
  console.log(`a backlog to one endpoint:             ${say(found.one)}`);
  console.log(`a backlog to a hundred endpoints:      ${say(found.hundred)}`);
  console.log(`from the first commit, one endpoint:   ${say(found.commit)}`);
  console.log(`ratio, one endpoint: ${ratio(found.one, found.raw)}`);
  console.log(`ratio, a hundred endpoints: ${ratio(found.hundred, found.raw)}`);
  console.log(`ratio, from the first commit: ${ratio(found.commit, found.raw)}`);
} finally {
  await worker.stop();
  await receiver.close();
  await outbox.close();
  await ground.close();
}
