import type { Bench } from '../bench.ts';
import { createSmallEvent, type Outbox } from '../outbox.ts';
import { fillEventHistory } from '../paths/history.ts';
import { type BenchReceiver, machineMs } from './receiver.ts';

/**
 * Endpoints that receive the same number of webhooks: every event of a project goes to all of its
 * endpoints.
 */
export interface Variant {
  projects: { id: string; endpoints: string[] }[];
  /** The identifiers of all endpoints. */
  endpoints: string[];
  /** The identifier of the last event whose delivery was checked, or the floor of those to come. */
  lastCheckedEvent: string;
}

/** The sender of deliveries, and their receiver. */
export interface WebhookSetup {
  bench: Bench;
  outbox: Outbox;
  receiver: BenchReceiver;
}

/**
 * Adds projects with paused endpoints that allow as many concurrent requests as raw uses.
 * @param history ended deliveries of the first endpoint; no worker may run yet
 */
export async function openVariant(
  { bench, outbox, receiver }: WebhookSetup,
  projects: number,
  perProject: number,
  history = 0,
): Promise<Variant> {
  const variant: Variant = { projects: [], endpoints: [], lastCheckedEvent: '' };
  for (let at = 0; at < projects; at++) {
    const id = await bench.createProject();
    const endpoints = await Promise.all(
      Array.from({ length: perProject }, (_, index) =>
        outbox.addEndpoint(id, {
          url: `${receiver.origins[at * perProject + index]}/${at}-${index}`,
          state: 'paused',
          max_in_flight: 50,
        }),
      ),
    );
    variant.projects.push({ id, endpoints });
    variant.endpoints.push(...endpoints);
  }
  const [first] = variant.projects;
  if (first && history > 0) {
    await fillEventHistory(
      bench,
      { projectId: first.id, endpointId: first.endpoints[0]! },
      history,
    );
  }
  const [now] = await bench.query<{ floor: string }>(
    `SELECT id_floor('evt', clock_timestamp()) AS floor`,
  );
  return { ...variant, lastCheckedEvent: now!.floor };
}

async function setEndpointStates(
  { outbox }: WebhookSetup,
  variant: Variant,
  state: 'enabled' | 'paused',
): Promise<void> {
  await Promise.all(
    variant.projects.map(({ id, endpoints }) => outbox.setState(id, endpoints, state)),
  );
}

/** Records events for paused endpoints, and waits until all are numbered and fanned out. */
export async function prepareBacklog(
  setup: WebhookSetup,
  variant: Variant,
  count: number,
): Promise<void> {
  const perProject = count / variant.endpoints.length;
  await Promise.all(variant.projects.map(({ id }) => setup.outbox.recordMany(id, perProject)));
  await untilPending(setup, variant, count);
}

/** Deliveries per second, and the size of their bodies. */
interface SendResult {
  rate: number;
  bytes: number;
}

/** Sends the backlog. */
export function sendBacklog(
  setup: WebhookSetup,
  variant: Variant,
  count: number,
): Promise<SendResult> {
  return receive(setup, variant, count, () => setEndpointStates(setup, variant, 'enabled'));
}

/** Sends the events that eight writers record meanwhile, five events per transaction. */
export async function sendFromCommit(
  setup: WebhookSetup,
  variant: Variant,
  count: number,
): Promise<SendResult> {
  await setEndpointStates(setup, variant, 'enabled');
  return receive(setup, variant, count, () =>
    inEightLoops(count, (size, at) =>
      setup.outbox.record(
        variant.projects[at % variant.projects.length]!.id,
        ...Array.from({ length: size }, createSmallEvent),
      ),
    ),
  );
}

/** Runs this many in eight concurrent loops, five at a time; `at` counts the groups of five. */
export async function inEightLoops(
  count: number,
  work: (count: number, at: number) => Promise<unknown>,
): Promise<void> {
  let remaining = count;
  let at = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (remaining > 0) {
        const size = Math.min(5, remaining);
        remaining -= size;
        await work(size, at++);
      }
    }),
  );
}

/** Measures from `begin` to the last receipt, then checks the stored attempts. */
async function receive(
  setup: WebhookSetup,
  variant: Variant,
  count: number,
  begin: () => Promise<void>,
): Promise<SendResult> {
  const { all } = await setup.receiver.expect(count);
  const start = machineMs();
  await begin();
  const { at, bytes } = await all;
  await untilPending(setup, variant, 0);
  await setEndpointStates(setup, variant, 'paused');
  await checkAttempts(setup, variant, count);
  return { rate: (count * 1_000) / (at - start), bytes: Math.round(bytes) };
}

/** Waits until this many deliveries are pending, including those in progress. */
async function untilPending(
  { bench }: WebhookSetup,
  variant: Variant,
  count: number,
): Promise<void> {
  const end = performance.now() + 120_000;
  for (;;) {
    const [row] = await bench.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM due_delivery WHERE endpoint_id = ANY($1)',
      [variant.endpoints],
    );
    if (row!.n === count) return;
    if (performance.now() > end)
      throw new Error(`${row!.n} deliveries are pending. Expected ${count}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Checks that every delivery of a turn succeeded, and has the record of its successful attempt. */
async function checkAttempts(
  { bench }: WebhookSetup,
  variant: Variant,
  count: number,
): Promise<void> {
  const [row] = await bench.query<{ deliveries: number; attempts: number; last: string }>(
    `SELECT count(DISTINCT d.id)::integer AS deliveries, count(*)::integer AS attempts,
       max(d.event_id) AS last
     FROM delivery d JOIN attempt_record a ON a.event_id = d.event_id AND a.delivery_id = d.id
     WHERE d.endpoint_id = ANY($1) AND d.event_id > $2 AND a.event_id > $2
       AND d.state = 'succeeded' AND a.outcome = 'succeeded'`,
    [variant.endpoints, variant.lastCheckedEvent],
  );
  if (row!.deliveries !== count) {
    throw new Error(`${row!.deliveries} of ${count} deliveries have their attempt.`);
  }
  variant.lastCheckedEvent = row!.last;
  const sentTwice = row!.attempts - count;
  if (sentTwice > 0) process.stderr.write(`    ${sentTwice} were sent twice\n`);
}
