import { expect } from 'chai';
import { inProject, inTransaction } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhooks/webhook-endpoint.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
} from '../../src/webhooks/delivery/sending/claim.ts';
import { settleDeliveries } from '../../src/webhooks/delivery/settling/settle.ts';
import type { DialResult } from '../../src/webhooks/dialing/dial.ts';
import { describeEndpoint } from '../../src/webhooks/endpoints/health.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { runEndingStep } from '../support/webhook-end.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const schedule = [0, 100, 200];

describe('delivery flow control', () => {
  let database: DatabaseFixture;
  let fixture: WebhookFixture;
  let endpoint: WebhookEndpoint;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());
  beforeEach(async () => {
    fixture = await openWebhookFixture(database);
    endpoint = await fixture.addEndpoint({ url: 'http://127.0.0.1:1/hook' });
  });

  const owe = async (events: number): Promise<void> => {
    for (let at = 0; at < events; at++) await fixture.recordTrashed();
    await fixture.relay();
  };
  const claim = (most = 100, succeeded: ClaimedDelivery[] = []): Promise<ClaimedDelivery[]> =>
    inTransaction(database.worker, (tx) => claimDeliveries(tx, [endpoint.id], most, succeeded));
  const settle = (
    claimed: readonly ClaimedDelivery[],
    status: number,
    extra: { instruction?: 'disable' | 'abort' } = {},
  ): Promise<void> => {
    const timings = { dns: null, connect: null, tls: null, first_byte: 1, total: 1 };
    const result: DialResult = { outcome: 'answered', status, excerpt: '', timings, ...extra };
    return inTransaction(database.worker, (tx) =>
      settleDeliveries(
        tx,
        claimed.map((delivery) => ({ delivery, result })),
        schedule,
      ),
    );
  };
  const set = (columns: string) =>
    fixture.rows(`UPDATE webhook_flow SET ${columns} WHERE endpoint_id = $1`, [endpoint.id]);
  const configure = (columns: string) =>
    fixture.rows(`UPDATE webhook_endpoint SET ${columns} WHERE id = $1`, [endpoint.id]);
  const due = () =>
    fixture.rows<{ attempts: number; failures: number; lane: number; leased: boolean }>(
      `SELECT attempts, failures, lane, lease_until IS NOT NULL AS leased FROM due_delivery
       WHERE endpoint_id = $1 ORDER BY ordinal`,
      [endpoint.id],
    );
  /** Ten failures in a row, all at once. */
  const openCircuit = async (): Promise<void> => {
    await owe(10);
    await set('window_size = 10');
    await settle(await claim(), 500);
  };

  it('uses the secrets that are valid by the clock of the database', async () => {
    await owe(1);
    await configure(`secrets = jsonb_build_array(
      jsonb_build_object('cipher', 'stays', 'expires_at', null),
      jsonb_build_object('cipher', 'ends', 'expires_at', now() + interval '1 hour'),
      jsonb_build_object('cipher', 'ended', 'expires_at', now()))`);
    const [{ endpoint: claimed } = expect.fail('nothing is due')] = await claim();
    expect(claimed.secrets).to.deep.equal(['stays', 'ends']);
  });

  describe('by window', () => {
    it('starts with eight attempts and doubles them on success up to max_in_flight', async () => {
      await owe(60);
      const rounds: number[] = [];
      for (let round = 0; round < 4; round++) {
        const claimed = await claim();
        rounds.push(claimed.length);
        await settle(claimed, 204);
      }
      expect(rounds).to.deep.equal([8, 16, 20, 16]);
    });

    it('frees room for successful attempts before they are stored', async () => {
      await owe(20);
      const first = await claim();
      expect(await claim()).to.have.length(0);
      expect(await claim(100, first.slice(0, 3))).to.have.length(3);
      // An earlier lease of a delivery that another worker has now counts as in flight.
      const before = first.slice(0, 3).map((delivery) => ({ ...delivery, epoch: 0 }));
      expect(await claim(100, before)).to.have.length(0);
      // For a held endpoint, only stored results decide whether more may be sent.
      await set("window_size = 1, hold_seconds = 10, held_until = now() - interval '1 second'");
      expect(await claim(100, first)).to.have.length(0);
    });

    it('never has more than max_in_flight attempts in flight across all workers', async () => {
      await configure('max_in_flight = 7');
      await set('window_size = 100');
      await owe(40);
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim()));
      expect(claims.flat()).to.have.length(7);
      expect(await claim()).to.deep.equal([]);
      await settle(claims.flat().slice(0, 3), 204);
      const more = await Promise.all(Array.from({ length: 8 }, () => claim()));
      expect(more.flat()).to.have.length(3);
    });
  });

  describe('by rate', () => {
    beforeEach(async () => {
      await configure('max_per_second = 5, max_in_flight = 100');
      await set('window_size = 100');
    });

    it('sends at most one second’s quota across all workers', async () => {
      await owe(30);
      const claims = await Promise.all(Array.from({ length: 6 }, () => claim()));
      // A second's quota, and what accrued during the claims.
      const [flow] = await fixture.rows<{ elapsed: number }>(
        `SELECT extract(epoch FROM refilled_at - (SELECT min(begun_at) FROM due_delivery
           WHERE endpoint_id = $1))::float8 AS elapsed FROM webhook_flow WHERE endpoint_id = $1`,
        [endpoint.id],
      );
      expect(claims.flat().length).to.be.within(5, 5 + Math.floor(5 * flow!.elapsed));
    });

    it('refills over time up to one second’s quota', async () => {
      await owe(30);
      await claim();
      await set(`tokens = 0, refilled_at = now() - interval '600 milliseconds'`);
      expect((await claim()).length).to.be.within(3, 5);
      await set(`tokens = 0, refilled_at = now() - interval '1 hour'`);
      expect(await claim()).to.have.length(5);
    });

    it('counts no attempt for deliveries that wait', async () => {
      await owe(8);
      const claimed = await claim(5);
      await settle(claimed, 500);
      const rows = await due();
      expect(rows.filter(({ attempts }) => attempts === 1)).to.have.length(claimed.length);
      expect(rows.filter(({ attempts }) => attempts === 0)).to.have.length(8 - claimed.length);
    });

    it('has no limit without a rate', async () => {
      await configure('max_per_second = NULL');
      await set('tokens = 0');
      await owe(30);
      expect(await claim()).to.have.length(30);
    });
  });

  describe('by circuit', () => {
    it('holds new deliveries after ten failures in a row, not the others’ schedule', async () => {
      await openCircuit();
      expect(await fixture.flow(endpoint.id)).to.include({
        failuresInRow: 10,
        holdSeconds: 10,
        windowSize: 1,
      });
      await owe(5);
      expect(await claim()).to.deep.equal([]);
      // One that failed before is due by its own schedule: it is not held.
      await fixture.rows(
        `UPDATE due_delivery SET due_at = now() WHERE id = (
           SELECT id FROM due_delivery WHERE endpoint_id = $1 AND failures = 1 LIMIT 1)`,
        [endpoint.id],
      );
      const [retry, ...others] = await claim();
      expect(others).to.deep.equal([]);
      expect(retry).to.include({ trigger: 'schedule', failures: 1 });
    });

    it('sends one probe after the hold, and doubles the hold if it fails', async () => {
      await openCircuit();
      await owe(5);
      await set(`held_until = now()`);
      const [probe, ...others] = await claim();
      expect(others).to.deep.equal([]);
      expect(probe).to.include({ trigger: 'probe', failures: 0, attempt: 1 });
      expect(await claim()).to.deep.equal([]);
      await settle([probe!], 503);
      expect(await fixture.flow(endpoint.id)).to.include({ failuresInRow: 11, holdSeconds: 20 });
      expect(await claim()).to.deep.equal([]);
      const probed = (await due()).find(
        ({ attempts, failures }) => attempts === 1 && failures === 0,
      );
      expect(probed).to.include({ lane: 2, leased: false });
      for (let at = 0; at < 8; at++) {
        await set('held_until = now()');
        await settle(await claim(), 503);
      }
      expect(await fixture.flow(endpoint.id)).to.include({ holdSeconds: 300 });
      // Probes do not count: its first step is still to come.
      const [row] = (await due()).filter(({ failures }) => failures === 0);
      expect(row).to.include({ attempts: 9 });
    });

    it('closes at the first success and reopens the window step by step', async () => {
      await openCircuit();
      await owe(9);
      await set('held_until = now()');
      await settle(await claim(), 204);
      expect(await fixture.flow(endpoint.id)).to.include({
        failuresInRow: 0,
        holdSeconds: null,
        heldUntil: null,
        failingSince: null,
        windowSize: 2,
      });
      const next = await claim();
      expect(next.map(({ trigger }) => trigger)).to.deep.equal(['schedule', 'schedule']);
      await settle(next, 204);
      expect(await claim()).to.have.length(4);
    });

    it('stays closed if some attempts succeed in between', async () => {
      await configure('max_in_flight = 100');
      await set('window_size = 100');
      await owe(27);
      const claimed = await claim();
      for (let at = 0; at < 27; at += 9) {
        await settle(claimed.slice(at, at + 8), 500);
        await settle(claimed.slice(at + 8, at + 9), 204);
      }
      expect((await fixture.flow(endpoint.id)).holdSeconds).to.equal(null);
    });

    it('does not delay manual retries', async () => {
      await openCircuit();
      await owe(1);
      await fixture.rows(
        `UPDATE due_delivery SET lane = 0, resume_state = 'pending', resume_due_at = now()
         WHERE endpoint_id = $1 AND failures = 0`,
        [endpoint.id],
      );
      expect((await claim()).map(({ trigger }) => trigger)).to.deep.equal(['manual']);
    });
  });

  it('serves lanes in order: requested, failed before, new, replayed', async () => {
    await owe(4);
    await fixture.rows(
      `UPDATE due_delivery SET lane = 3 - (ordinal - (
         SELECT min(ordinal) FROM due_delivery WHERE endpoint_id = $1)) WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const lanes: number[] = [];
    for (let at = 0; at < 4; at++) {
      const [claimed] = await claim(1);
      const [row] = await fixture.rows<{ lane: number }>(
        'SELECT lane FROM due_delivery WHERE id = $1',
        [claimed!.id],
      );
      lanes.push(row!.lane);
    }
    expect(lanes).to.deep.equal([0, 1, 2, 3]);
  });

  it('takes simultaneous deliveries in the order of their events', async () => {
    await owe(12);
    const claimed = await claim();
    expect(claimed.map(({ eventId }) => eventId)).to.deep.equal(
      claimed.map(({ eventId }) => eventId).toSorted(),
    );
  });

  describe('and endpoint health', () => {
    it('is read without the deliveries of other endpoints', async () => {
      await owe(200);
      const idle = await fixture.addEndpoint({ url: 'http://127.0.0.1:1/idle' });
      await inProject(database.api, fixture.projectId, async (tx) => {
        await tx.query('SET LOCAL enable_seqscan = off');
        await describeEndpoint(tx, idle);
        const [read] = await tx.query(
          `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS rows
           FROM pg_stat_xact_user_tables WHERE relname = 'due_delivery'`,
        );
        expect(read.rows).to.be.below(100);
      });
      await claim(3);
      const health = await inProject(database.api, fixture.projectId, async (tx) => {
        return (await describeEndpoint(tx, endpoint)).health;
      });
      expect(health.pending).to.equal(200);
    });

    it('counts as failing from the first failure, and again after 36 quiet hours', async () => {
      await owe(3);
      await settle(await claim(1), 500);
      await set(
        `failing_since = now() - interval '4 days', last_failure_at = now() - interval '35 hours'`,
      );
      await settle(await claim(1), 500);
      const failing = (await fixture.flow(endpoint.id)).failingSince!;
      expect(Date.now() - failing.getTime()).to.be.greaterThan(3 * 86_400_000);
      await set(`last_failure_at = now() - interval '37 hours'`);
      await settle(await claim(1), 500);
      const again = (await fixture.flow(endpoint.id)).failingSince!;
      expect(Date.now() - again.getTime()).to.be.lessThan(3_600_000);
    });

    it('includes the last error, failure and success', async () => {
      await owe(2);
      await settle(await claim(1), 500);
      await settle(await claim(1), 204);
      const { lastError, lastFailureAt, lastSuccessAt } = await fixture.flow(endpoint.id);
      expect(lastError).to.deep.equal({
        code: 'status',
        message: 'The endpoint responded with 500; only 2xx is a success.',
      });
      expect(lastFailureAt).to.be.instanceOf(Date);
      expect(lastSuccessAt).to.be.instanceOf(Date);
    });
  });

  describe('and instructions in responses', () => {
    const stateOf = async (id: string) => {
      const [row] = await fixture.rows<{ state: string; reason: string | null }>(
        'SELECT state, reason FROM delivery WHERE id = $1',
        [id],
      );
      return row!;
    };

    it('disables the endpoint for webhook-delivery: disable, whatever the status', async () => {
      await owe(2);
      const [first] = await claim(1);
      await settle([first!], 200, { instruction: 'disable' });
      expect(await fixture.readEndpoint(endpoint.id)).to.include({
        state: 'disabled',
        disabledReason: 'gone',
      });
      expect(await stateOf(first!.id)).to.deep.equal({ state: 'succeeded', reason: null });
      await runEndingStep(database.worker, endpoint.id);
      expect(await due()).to.deep.equal([]);
    });

    it('cancels the message for webhook-delivery: abort-message', async () => {
      await owe(1);
      const [only] = await claim(1);
      await settle([only!], 422, { instruction: 'abort' });
      expect(await stateOf(only!.id)).to.deep.equal({
        state: 'exhausted',
        reason: 'aborted_by_receiver',
      });
      expect((await fixture.readEndpoint(endpoint.id)).state).to.equal('enabled');
    });
  });
});
