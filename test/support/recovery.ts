import { newId } from '@scriptorium/contracts/ids';
import { systemOrigin } from '@scriptorium/contracts/origin';
import { inProject, inTransaction } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { acknowledgeEvents } from '../../src/outbox/feed/acknowledge.ts';
import { cancelBacklog } from '../../src/webhooks/backlog.ts';
import { findDelivery } from '../../src/webhooks/deliveries/read.ts';
import { redeliver } from '../../src/webhooks/deliveries/redeliver.ts';
import { expireDeliveryLeases } from '../../src/webhooks/delivery/ending/expire-leases.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  toClaimedDeliveries,
} from '../../src/webhooks/delivery/sending/claim.ts';
import { settleDeliveries } from '../../src/webhooks/delivery/settling/settle.ts';
import type { SentAttempt } from '../../src/webhooks/delivery/settling/verdict.ts';
import type { DialResult } from '../../src/webhooks/dialing/dial.ts';
import { findEndpoint, lockToChange } from '../../src/webhooks/endpoints/read.ts';
import { deleteEndpoint } from '../../src/webhooks/endpoints/remove.ts';
import {
  disableOnRequest,
  enableEndpoint,
  pauseEndpoint,
} from '../../src/webhooks/endpoints/state.ts';
import { cancelReplay } from '../../src/webhooks/replays/cancel.ts';
import { planReplay, startReplay } from '../../src/webhooks/replays/start.ts';
import { foldTallies } from '../../src/webhooks/stats/stat-queries.ts';
import { type DatabaseFixture, originOf } from './database-fixture.ts';
import { numberRound } from './relay-rounds.ts';
import { runReplayStep } from './replays.ts';
import { runEndingStep } from './webhook-end.ts';
import { openWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

const schedule = [0, 0];
const steps = { 'webhook.replay': runReplayStep, 'webhook.end': runEndingStep };
const selections = ['failed', 'missing', 'all'] as const;
type Pick = (below: number) => number;

/** A project with endpoints, and everything that can happen to what they are owed. */
export interface RecoveryScenario {
  fixture: WebhookFixture;
  /** Random deeds, by name, with their relative frequency. */
  actions: readonly (readonly [
    name: string,
    weight: number,
    deed: (pick: Pick) => Promise<unknown>,
  ])[];
  /**
   * Events that reached an endpoint: `event endpoint`. Whole only when one deed follows the other.
   */
  reached: Set<string>;
  acknowledged: Set<string>;
  /** Returns inconsistencies in the tables; none if all is well. */
  faults(): Promise<object[]>;
  /** Lets everything come to its end. */
  settleAll(): Promise<void>;
}

export async function openRecoveryScenario(
  database: DatabaseFixture,
  endpoints: number,
): Promise<RecoveryScenario> {
  const bench = await openWebhookFixture(database);
  const { projectId } = bench;
  const origin = originOf(projectId);
  const claimed: ClaimedDelivery[] = [];
  const reached = new Set<string>();
  const acknowledged = new Set<string>();
  const add = () => bench.addEndpoint({ url: 'http://127.0.0.1:9/', types: ['*'] });
  const ids: string[] = [];
  while (ids.length < endpoints) ids.push((await add()).id);
  const pickEndpoint = (pick: Pick): string => ids[pick(ids.length)]!;
  const inFixtureProject = <T>(work: Parameters<typeof inProject<T>>[2]) =>
    inProject(database.api, projectId, work);
  const withEndpoint = (
    pick: Pick,
    work: (
      tx: Parameters<Parameters<typeof inFixtureProject>[0]>[0],
      endpoint: WebhookEndpoint,
    ) => Promise<unknown>,
  ) => {
    const id = pickEndpoint(pick);
    return inFixtureProject(async (tx) => {
      const endpoint = await lockToChange(tx, projectId, id);
      if (endpoint) await work(tx, endpoint);
    });
  };

  const claim = async (id: string): Promise<void> => {
    await bench.rows(
      'UPDATE webhook_flow SET window_size = 100, held_until = NULL, hold_seconds = NULL WHERE endpoint_id = $1',
      [id],
    );
    claimed.push(...(await inTransaction(database.worker, (tx) => claimDeliveries(tx, [id], 10))));
  };
  /** As a relay does that sends itself. */
  const numberAndClaim = async (): Promise<void> => {
    const { dispatch } = await inTransaction(database.relay, (tx) =>
      numberRound(tx, { free: 20, unstored: [] }),
    );
    claimed.push(...toClaimedDeliveries((await dispatch).immediate));
  };
  const finish = async (pick: Pick, max: number): Promise<void> => {
    const sent: SentAttempt[] = [];
    while (claimed.length > 0 && sent.length < max) {
      const [delivery] = claimed.splice(pick(claimed.length), 1);
      sent.push({ delivery: delivery!, result: randomResult(pick) });
    }
    if (sent.length === 0) return;
    const leased = await bench.rows<{ id: string; epoch: number }>(
      `SELECT id, lease_epoch AS epoch FROM due_delivery
       WHERE id = ANY($1) AND lease_until IS NOT NULL`,
      [sent.map(({ delivery }) => delivery.id)],
    );
    await inTransaction(database.worker, (tx) => settleDeliveries(tx, sent, schedule));
    for (const { delivery, result } of sent) {
      const ownsLease = leased.some(
        ({ id, epoch }) => id === delivery.id && epoch === delivery.epoch,
      );
      if (ownsLease && result.outcome === 'answered' && result.status === 200) {
        reached.add(`${delivery.eventId} ${delivery.endpoint.id}`);
      }
    }
  };
  /** Runs a task of webhooks, if there is one. */
  const step = async (pick: Pick, kind: keyof typeof steps): Promise<void> => {
    const pendingTasks = await bench.rows<{ resource_id: string }>(
      `SELECT resource_id FROM task
       WHERE project_id = $1 AND kind = $2 AND state = 'pending' ORDER BY id`,
      [projectId, kind],
    );
    if (pendingTasks.length > 0)
      await steps[kind](database.worker, pendingTasks[pick(pendingTasks.length)]!.resource_id);
  };

  const deeds: RecoveryScenario['actions'] = [
    ['record', 5, async () => void (await bench.recordTrashed(newId('object')))],
    ['relay', 4, () => bench.relay()],
    ['number and lease', 4, numberAndClaim],
    ['claim', 10, (pick) => claim(pickEndpoint(pick))],
    ['settle', 12, (pick) => finish(pick, 1 + pick(8))],
    [
      'lose a lease',
      2,
      async (pick) => {
        await bench.rows(
          `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id IN (
             SELECT id FROM due_delivery WHERE project_id = $1 AND lease_until IS NOT NULL
             ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
          [projectId, 1 + pick(3)],
        );
        await inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, schedule));
      },
    ],
    [
      'redeliver',
      8,
      (pick) =>
        withEndpoint(pick, async (tx, endpoint) => {
          const found = await bench.rows<{ id: string }>(
            'SELECT id FROM delivery WHERE endpoint_id = $1 ORDER BY id',
            [endpoint.id],
          );
          const one = found[pick(Math.max(found.length, 1))];
          const delivery = one && (await findDelivery(tx, projectId, endpoint.id, one.id));
          if (delivery) await redeliver(tx, systemOrigin(endpoint.projectId), endpoint, delivery);
        }),
    ],
    [
      'replay',
      5,
      (pick) =>
        withEndpoint(pick, async (tx, endpoint) => {
          const plan = await planReplay(
            tx,
            endpoint,
            {
              since: '2020-01-01T00:00:00Z',
              only: selections[pick(3)]!,
              dry_run: false,
            },
            { readsAudit: true },
          );
          await startReplay(tx, origin, plan);
        }),
    ],
    ['go on with a replay', 10, (pick) => step(pick, 'webhook.replay')],
    ['go on ending what is owed', 4, (pick) => step(pick, 'webhook.end')],
    [
      'cancel a replay',
      2,
      async (pick) => {
        const running = await bench.rows<{ id: string }>(
          `SELECT resource_id AS id FROM task WHERE project_id = $1 AND kind = 'webhook.replay'`,
          [projectId],
        );
        const one = running[pick(Math.max(running.length, 1))];
        if (one) await inFixtureProject((tx) => cancelReplay(tx, origin, one.id));
      },
    ],
    [
      'cancel the backlog',
      2,
      (pick) =>
        cancelBacklog(
          inFixtureProject,
          origin,
          pickEndpoint(pick),
          pick(2) === 0 ? {} : { event_types: ['dam.object.trashed'] },
        ),
    ],
    ['count attempts', 3, () => inTransaction(database.relay, foldTallies)],
    ['pause', 1, (pick) => withEndpoint(pick, (tx, one) => pauseEndpoint(tx, origin, one))],
    ['enable', 6, (pick) => withEndpoint(pick, (tx, one) => enableEndpoint(tx, origin, one))],
    ['disable', 1, (pick) => withEndpoint(pick, (tx, one) => disableOnRequest(tx, origin, one))],
    [
      'delete',
      1,
      async (pick) => {
        await withEndpoint(pick, (tx, endpoint) => deleteEndpoint(tx, origin, endpoint));
        for (const [at, id] of ids.entries()) {
          if (!(await bench.readEndpoint(id))) ids[at] = (await add()).id;
        }
      },
    ],
    [
      'acknowledge',
      1,
      async (pick) => {
        const found = await bench.rows<{ id: string }>(
          `SELECT id FROM event WHERE project_id = $1 AND category = 'domain'
             AND sequence IS NOT NULL ORDER BY id`,
          [projectId],
        );
        const one = found[pick(Math.max(found.length, 1))];
        if (!one) return;
        await inFixtureProject((tx) => acknowledgeEvents(tx, projectId, [one.id]));
        acknowledged.add(one.id);
      },
    ],
  ];

  return {
    fixture: bench,
    actions: deeds,
    reached,
    acknowledged,
    faults: async () => [
      ...(await bench.rows(deliveryFaults, [projectId])),
      ...(await bench.rows(attemptFaults, [projectId])),
    ],
    async settleAll() {
      // All there are: one whose removal was rejected is none of those in play, and still there.
      const all = await bench.rows<{ id: string }>(
        'SELECT id FROM webhook_endpoint WHERE project_id = $1',
        [projectId],
      );
      for (const { id } of all) {
        await inFixtureProject(async (tx) => {
          const endpoint = await findEndpoint(tx, projectId, id);
          if (endpoint) await enableEndpoint(tx, origin, endpoint);
        });
      }
      for (;;) {
        await bench.relay();
        // Those that are gone too: what became due for them meanwhile ends with them.
        const due = await bench.rows<{ id: string }>(
          'SELECT DISTINCT endpoint_id AS id FROM due_delivery WHERE project_id = $1',
          [projectId],
        );
        for (const { id } of due) await claim(id);
        while (claimed.length > 0) await finish(() => 0, 100);
        await bench.rows(
          `UPDATE due_delivery SET lease_until = now() - interval '1 second'
           WHERE project_id = $1 AND lease_until IS NOT NULL`,
          [projectId],
        );
        await inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, schedule));
        const tasks = await bench.rows<{ kind: keyof typeof steps }>(
          'SELECT kind FROM task WHERE project_id = $1 AND kind = ANY($2)',
          [projectId, Object.keys(steps)],
        );
        for (const { kind } of tasks) await step(() => 0, kind);
        if (due.length + tasks.length === 0) return;
      }
    },
  };
}

/** Returns a random response of an endpoint, mostly a success. */
function randomResult(pick: Pick): DialResult {
  const roll = pick(40);
  const timings = { dns: null, connect: null, tls: null, first_byte: 1, total: 1 };
  const answered = { outcome: 'answered', excerpt: '', timings } as const;
  if (roll < 22) return { ...answered, status: 200 };
  if (roll < 37) return { ...answered, status: 500 };
  if (roll < 39) return { ...answered, status: 500, instruction: 'abort' };
  return { ...answered, status: 410 };
}

/** Inconsistencies in a project's deliveries and events. */
export const deliveryFaults = `
  WITH effective AS (
    SELECT d.*, due.id AS due_id, coalesce(due.resume_state, d.state) AS so
    FROM delivery d LEFT JOIN due_delivery due ON due.id = d.id WHERE d.project_id = $1
  ), counted AS (
    SELECT e.id, e.owed, e.delivered, e.published_at,
      coalesce(n.endpoints, 0) AS endpoints, coalesce(n.settled, 0) AS settled
    FROM event e LEFT JOIN (
      SELECT event_id, count(DISTINCT endpoint_id) FILTER (WHERE so <> 'cancelled') AS endpoints,
        count(DISTINCT endpoint_id) FILTER (WHERE so = 'succeeded') AS settled
      FROM effective GROUP BY event_id) n ON n.event_id = e.id
    WHERE e.project_id = $1 AND e.sequence IS NOT NULL
  )
  SELECT 'pending without being due, or due without being pending' AS fault, id FROM effective
    WHERE (state = 'pending') <> (due_id IS NOT NULL)
  UNION ALL
  SELECT 'due without a delivery', id FROM due_delivery
    WHERE project_id = $1 AND id NOT IN (SELECT id FROM effective)
  UNION ALL
  SELECT 'counted wrong: ' || concat_ws('/', owed, endpoints, delivered, settled), id FROM counted
    WHERE (owed, delivered) IS DISTINCT FROM (endpoints, settled)
  UNION ALL
  SELECT 'not published, though all have it', id FROM counted
    WHERE settled > 0 AND settled >= endpoints AND published_at IS NULL`;

/**
 * The attempts of a project's webhooks whose outcome is known are counted once, as tallies or
 * folded.
 */
export const attemptFaults = `
  SELECT format('has %s attempts, counted %s by stretches of %s minutes', made.n, known.n, grain) AS fault, e.id
  FROM webhook_endpoint e, unnest(ARRAY[5, 60]) AS grain, LATERAL (
    SELECT count(*) AS n
    FROM delivery d JOIN attempt_record a ON a.event_id = d.event_id AND a.delivery_id = d.id
    WHERE d.endpoint_id = e.id AND a.outcome <> 'unknown') made, LATERAL (
    SELECT coalesce((
        SELECT sum(o) FROM webhook_stat s, unnest(s.outcomes) AS o
        WHERE s.endpoint_id = e.id AND s.minutes = grain), 0)
      + coalesce((
        SELECT sum(cardinality(t.cells)) FROM webhook_tally t WHERE t.endpoint_id = e.id), 0) AS n) known
  WHERE e.project_id = $1 AND made.n <> known.n`;
