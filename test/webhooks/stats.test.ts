import { failureClasses, latencyBounds } from '@scriptorium/contracts/webhook-outcomes';
import { statsPeriodNames } from '@scriptorium/contracts/wire/webhook-stats';
import { expect } from 'chai';
import { inProject, inTransaction } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { claimDeliveries } from '../../src/webhooks/delivery/sending/claim.ts';
import { settleDeliveries } from '../../src/webhooks/delivery/settling/settle.ts';
import { settleFirstSuccesses } from '../../src/webhooks/delivery/settling/settle-first.ts';
import type { DialResult } from '../../src/webhooks/dialing/dial.ts';
import { deleteEndpoint } from '../../src/webhooks/endpoints/remove.ts';
import {
  addCells,
  emptyCounters,
  percentile,
  presentCounters,
} from '../../src/webhooks/stats/counters.ts';
import { readStats } from '../../src/webhooks/stats/read.ts';
import { foldTallies, removeOldStats } from '../../src/webhooks/stats/stat-queries.ts';
import { cellOf, responseMs } from '../../src/webhooks/stats/tally.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { createPick } from '../support/random.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const answered = (status: number, total: number): DialResult => ({
  outcome: 'answered',
  status,
  excerpt: '',
  timings: { dns: null, connect: null, tls: null, first_byte: total, total },
});
const failed = (code: string): DialResult =>
  ({ outcome: 'failed', error: { code, message: '' }, timings: null }) as never;

describe('the counters of webhooks', () => {
  let database: DatabaseFixture;
  let fixture: WebhookFixture;
  let endpoint: WebhookEndpoint;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());
  beforeEach(async () => {
    fixture = await openWebhookFixture(database);
    endpoint = await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
  });

  /** Makes an attempt with each result, and stores them together. */
  const attempt = async (results: readonly DialResult[], firstSuccesses = false) => {
    for (const _ of results) await fixture.recordTrashed();
    await fixture.relay();
    await fixture.makeDue(endpoint.id);
    const claimed = await inTransaction(database.worker, (tx) =>
      claimDeliveries(tx, [endpoint.id], results.length),
    );
    expect(claimed).to.have.length(results.length);
    const sent = claimed.map((delivery, at) => ({ delivery, result: results[at]! }));
    if (firstSuccesses) expect(await settleFirstSuccesses(database.worker, sent)).to.equal(true);
    else await inTransaction(database.worker, (tx) => settleDeliveries(tx, sent, [0, 3_600]));
    return sent;
  };
  const fold = async () => {
    while (await inTransaction(database.relay, foldTallies));
  };
  const stats = (period: (typeof statsPeriodNames)[number] = '24h') =>
    inProject(database.api, fixture.projectId, (tx) =>
      readStats(tx, fixture.projectId, endpoint.id, period),
    );
  const rows = async (table: 'webhook_tally' | 'webhook_stat'): Promise<number> =>
    (await fixture.rows(`SELECT FROM ${table} WHERE endpoint_id = $1`, [endpoint.id])).length;

  it('count attempts by outcome, in one row per endpoint and batch until they are folded', async () => {
    await attempt([answered(204, 4), answered(200, 6)], true);
    await attempt([answered(503, 40), answered(302, 2), failed('tls_failed')]);
    expect(await rows('webhook_tally')).to.equal(2);
    const before = await stats();
    expect(before.totals).to.deep.equal({
      attempts: 5,
      succeeded: 2,
      failed: 3,
      failures: { http_3xx: 1, http_5xx: 1, tls: 1 },
      p50_ms: 5,
      p95_ms: 46,
      mean_ms: 13,
    });
    await fold();
    expect(await rows('webhook_tally')).to.equal(0);
    expect(await rows('webhook_stat')).to.be.greaterThan(1);
    for (const period of statsPeriodNames) {
      expect((await stats(period)).totals, period).to.deep.equal(before.totals);
    }
    // What is folded later is added.
    await attempt([answered(404, 1), answered(204, 1)]);
    await fold();
    expect((await stats()).totals).to.deep.include({
      attempts: 7,
      succeeded: 3,
      failures: { http_3xx: 1, http_4xx: 1, http_5xx: 1, tls: 1 },
    });
  });

  it('have a point for every step of a period, and the attempts in the last ones', async () => {
    await attempt([answered(204, 4)]);
    for (const [period, points, seconds] of [
      ['24h', 96, 900],
      ['7d', 168, 3_600],
      ['30d', 120, 21_600],
    ] as const) {
      const { series, since, until, step_seconds: step } = await stats(period);
      expect([series.length, step], period).to.deep.equal([points, seconds]);
      expect([series[0]!.since, Date.parse(until) - Date.parse(since)]).to.deep.equal([
        since,
        points * seconds * 1_000,
      ]);
      // An attempt may have been made just before a step began.
      const last = series.slice(-2).map(({ attempts }) => attempts);
      expect(last[0]! + last[1]!, period).to.equal(1);
    }
  });

  it('count an attempt once, also if its commit was not confirmed and it is stored again', async () => {
    const sent = await attempt([answered(204, 4), answered(500, 4)]);
    await inTransaction(database.worker, (tx) => settleDeliveries(tx, sent, [0, 3_600]));
    expect((await stats()).totals).to.include({ attempts: 2, failed: 1 });
    // The second attempts are rows of their own.
    await fixture.makeDue(endpoint.id);
    const claimed = await inTransaction(database.worker, (tx) =>
      claimDeliveries(tx, [endpoint.id], 5),
    );
    const again = claimed.map((delivery) => ({ delivery, result: answered(500, 4) }));
    expect(again).to.have.length(1);
    for (const _ of [1, 2]) {
      await inTransaction(database.worker, (tx) => settleDeliveries(tx, again, [0, 3_600]));
    }
    expect((await stats()).totals).to.include({ attempts: 3, failed: 2 });
  });

  it('are deleted with their endpoint, and once they are too old', async () => {
    await attempt([answered(204, 4)]);
    await fold();
    await inTransaction(database.relay, (tx) =>
      tx.query(
        `UPDATE webhook_stat SET since = since - minutes * interval '13 hours' WHERE endpoint_id = $1`,
        [endpoint.id],
      ),
    );
    // By 65 hours and by 32 days.
    expect(await inTransaction(database.relay, removeOldStats)).to.equal(2);
    await attempt([answered(204, 4)]);
    await fold();
    await attempt([answered(204, 4)]);
    endpoint = await fixture.readEndpoint(endpoint.id);
    await inProject(database.api, fixture.projectId, (tx) =>
      deleteEndpoint(tx, originOf(fixture.projectId), endpoint),
    );
    expect([await rows('webhook_tally'), await rows('webhook_stat')]).to.deep.equal([0, 0]);
  });

  it('don’t make transactions that settle attempts at one endpoint wait for each other', async () => {
    for (const _ of [1, 2]) await fixture.recordTrashed();
    await fixture.relay();
    await fixture.makeDue(endpoint.id);
    const claimed = await inTransaction(database.worker, (tx) =>
      claimDeliveries(tx, [endpoint.id], 2),
    );
    const [one, two] = claimed.map((delivery) => [{ delivery, result: answered(204, 4) }]);
    // The flow has changed in the first; both deliveries are first successes.
    await fixture.rows(
      `UPDATE webhook_flow SET last_success_at = now(), window_size = 1000 WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await inTransaction(database.worker, async (tx) => {
      await settleDeliveries(tx, one!, [0]);
      // With a lock in common, this would wait for the transaction around it, for ever.
      expect(await settleFirstSuccesses(database.worker, two!)).to.equal(true);
      await inTransaction(database.relay, foldTallies);
    });
    expect((await stats()).totals).to.include({ attempts: 2, succeeded: 2 });
  });
});

describe('the classes of attempts', () => {
  it('name what kept a receiver from answering', () => {
    const totals = (code: string) => {
      const counters = emptyCounters();
      addCells(counters, [cellOf(failed(code))], responseMs(failed(code)));
      return presentCounters(counters);
    };
    for (const [code, name] of [
      ['response_timeout', 'timeout'],
      ['connection_wait_timeout', 'timeout'],
      ['connect_refused', 'connection'],
      ['connection_closed', 'connection'],
      ['tls_certificate_expired', 'tls'],
      ['dns_not_found', 'dns'],
      ['response_invalid', 'response'],
      ['destination_not_allowed', 'destination'],
      ['cancelled', 'other'],
    ] as const) {
      expect(totals(code), code).to.deep.include({ failures: { [name]: 1 }, p50_ms: null });
      expect(failureClasses).to.include(name);
    }
  });

  it('estimate percentiles in the class of the exact value', () => {
    const pick = createPick(7);
    for (let round = 0; round < 200; round++) {
      const times = Array.from({ length: 1 + pick(400) }, () => 10 ** (pick(4_100) / 1_000));
      const counters = emptyCounters();
      for (const ms of times) addCells(counters, [cellOf(answered(204, ms))], ms);
      times.sort((a, b) => a - b);
      for (const part of [0.5, 0.95]) {
        const exact = times[Math.ceil(part * times.length) - 1]!;
        const at = latencyBounds.findIndex((bound) => exact <= bound);
        const from = latencyBounds[(at === -1 ? latencyBounds.length : at) - 1] ?? 0;
        const estimate = percentile(counters.latencies, part)!;
        expect(estimate).to.be.within(from, latencyBounds[at] ?? 15_000);
      }
    }
  });
});
