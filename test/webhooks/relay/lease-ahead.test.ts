import { expect } from 'chai';
import { inProject, inTransaction, prepared, type Tx } from '../../../src/db/transaction.ts';
import { pauseQueue, resumeQueue } from '../../../src/outbox/pause.ts';
import { record } from '../../../src/outbox/record.ts';
import { expireDeliveryLeases } from '../../../src/webhooks/delivery/ending/expire-leases.ts';
import { claimDeliveries } from '../../../src/webhooks/delivery/sending/claim.ts';
import type { Dispatch } from '../../../src/webhooks/relay/deliver-numbered.ts';
import type { SenderCapacity } from '../../../src/webhooks/relay/lease-ahead-queries.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../../support/database-fixture.ts';
import { numberRound } from '../../support/relay-rounds.ts';
import { openWebhookFixture, type WebhookFixture } from '../../support/webhook-fixture.ts';

const url = 'http://127.0.0.1:1/hook';
const plenty: SenderCapacity = { free: 900, unstored: [] };

interface Due {
  id: string;
  lease_epoch: number;
  attempts: number;
  trigger: string | null;
  leased: boolean;
}

describe('leases of new deliveries', () => {
  let database: DatabaseFixture;
  let fixture: WebhookFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());
  beforeEach(async () => {
    fixture = await openWebhookFixture(database);
  });

  const number = async (by: SenderCapacity | 'hints' | 'none' = plenty): Promise<Dispatch> =>
    (await inTransaction(database.relay, (tx) => numberRound(tx, by))).dispatch;
  const trash = async (count: number): Promise<void> => {
    await inProject(database.api, fixture.projectId, (tx) =>
      record(
        tx,
        originOf(fixture.projectId),
        ...Array.from({ length: count }, (_, at) => ({
          type: 'dam.object.trashed' as const,
          resourceId: `obj_${at}`,
          data: {},
        })),
      ),
    );
  };
  /** An endpoint whose own creation has been numbered. */
  const endpoint = async (flow = 'window_size = 8', settings = 'version = version') => {
    const { id } = await fixture.addEndpoint({ url, types: ['dam.object.trashed'] });
    await fixture.rows(`UPDATE webhook_flow SET ${flow} WHERE endpoint_id = $1`, [id]);
    await fixture.rows(`UPDATE webhook_endpoint SET ${settings} WHERE id = $1`, [id]);
    await number();
    return id;
  };
  const due = (id: string) =>
    fixture.rows<Due>(
      `SELECT id, lease_epoch, attempts, trigger,
         lease_until BETWEEN now() + interval '25 seconds' AND now() + interval '30 seconds' AS leased
       FROM due_delivery WHERE endpoint_id = $1 ORDER BY ordinal`,
      [id],
    );
  const leasedOf = async (id: string): Promise<boolean[]> =>
    (await due(id)).map(({ leased }) => leased === true);

  it('make the first attempt of each delivery, with its frozen body', async () => {
    const id = await endpoint();
    await trash(2);
    const { immediate, waiting, handed } = await number();
    const rows = await due(id);
    expect(rows.map(({ id: _, ...row }) => row)).to.deep.equal([
      { lease_epoch: 1, attempts: 1, trigger: 'schedule', leased: true },
      { lease_epoch: 1, attempts: 1, trigger: 'schedule', leased: true },
    ]);
    expect(immediate.map(({ delivery }) => delivery.id)).to.deep.equal(rows.map((row) => row.id));
    const stored = await fixture.rows<{ body: string }>(
      `SELECT body FROM event WHERE project_id = $1 AND type = 'dam.object.trashed' ORDER BY sequence`,
      [fixture.projectId],
    );
    expect(immediate.map(({ body }) => body)).to.deep.equal(stored.map(({ body }) => body));
    expect(immediate[0]!.delivery.endpoint).to.include({ id, url, projectId: fixture.projectId });
    expect(immediate[0]!.delivery.endpoint.secrets).to.have.length(1);
    expect({ waiting, handed }).to.deep.equal({ waiting: [], handed: [] });
    const types = await fixture.rows(
      'SELECT DISTINCT event_type AS type FROM delivery WHERE endpoint_id = $1',
      [id],
    );
    expect(types).to.deep.equal([{ type: 'dam.object.trashed' }]);
  });

  it('take the oldest deliveries that fit in the window and leave the rest due', async () => {
    const id = await endpoint('window_size = 3');
    await trash(5);
    const { immediate, waiting } = await number();
    expect(immediate.map(({ event }) => event.resource_id)).to.deep.equal([
      'obj_0',
      'obj_1',
      'obj_2',
    ]);
    expect(await leasedOf(id)).to.deep.equal([true, true, true, false, false]);
    expect(waiting).to.deep.equal([id]);
  });

  it('count attempts in flight, except those answered but not yet stored', async () => {
    const id = await endpoint('window_size = 2');
    await trash(2);
    const first = (await number()).immediate;
    await trash(1);
    const answered = [{ id: first[0]!.delivery.id, epoch: 1 }];
    expect((await number({ free: 900, unstored: answered })).immediate).to.have.length(1);
    expect(await leasedOf(id)).to.deep.equal([true, true, true]);
    await trash(1);
    expect((await number({ free: 900, unstored: answered })).immediate).to.deep.equal([]);
  });

  it('never overtake deliveries that are already due', async () => {
    const id = await endpoint('window_size = 1');
    await trash(2);
    await number();
    await fixture.rows('UPDATE webhook_flow SET window_size = 50 WHERE endpoint_id = $1', [id]);
    await trash(1);
    expect((await number()).immediate).to.deep.equal([]);
    // Deliveries due later do not block new ones.
    await fixture.rows(
      `UPDATE due_delivery SET due_at = now() + interval '1 hour'
       WHERE endpoint_id = $1 AND lease_until IS NULL`,
      [id],
    );
    await trash(1);
    expect((await number()).immediate).to.have.length(1);
  });

  it('take no more than this process has room for, and do not query without room', async () => {
    const [a, b] = [await endpoint(), await endpoint()];
    await trash(3);
    expect((await number({ free: 4, unstored: [] })).immediate).to.have.length(4);
    expect([...(await leasedOf(a)), ...(await leasedOf(b))].filter(Boolean)).to.have.length(4);
    await trash(1);
    const { immediate, waiting } = await number({ free: 0, unstored: [] });
    expect(immediate).to.deep.equal([]);
    expect(waiting).to.deep.equal([a, b].sort());
  });

  it('spend the tokens of a rate-limited endpoint and do not exceed its rate', async () => {
    const id = await endpoint('tokens = 2, refilled_at = now()', 'max_per_second = 2');
    await trash(5);
    expect((await number()).immediate).to.have.length(2);
    expect((await fixture.flow(id)).tokens).to.be.lessThan(1);
    const claimed = await inTransaction(database.worker, (tx) => claimDeliveries(tx, [id], 50));
    expect(claimed.length).to.be.at.most(1);
  });

  for (const [title, flow, settings] of [
    ['paused', 'window_size = 8', `state = 'paused'`],
    ['disabled', 'window_size = 8', `state = 'disabled'`],
    ['held', `hold_seconds = 10, held_until = now() + interval '10 seconds'`, 'version = version'],
    ['about to be probed', 'hold_seconds = 10, held_until = now()', 'version = version'],
    ['out of tokens', 'tokens = 0, refilled_at = now()', 'max_per_second = 1'],
  ] as const) {
    it(`skip an endpoint that is ${title}`, async () => {
      const id = await endpoint(flow, settings);
      await trash(1);
      expect((await number()).immediate).to.deep.equal([]);
      expect(await leasedOf(id)).to.deep.equal(title === 'disabled' ? [] : [false]);
    });
  }

  it('skip all endpoints while the queue is paused', async () => {
    const id = await endpoint();
    await inTransaction(database.owner, (tx) => pauseQueue(tx, 'webhooks', null));
    await trash(1);
    expect((await number()).immediate).to.deep.equal([]);
    expect(await leasedOf(id)).to.deep.equal([false]);
    await inTransaction(database.owner, (tx) => resumeQueue(tx, 'webhooks'));
  });

  it('leave events to the fan-out if an endpoint filters by payload', async () => {
    await endpoint('window_size = 8', `filter = '{"/resource_id": ["obj_0"]}'`);
    const plain = await endpoint();
    await trash(1);
    const numbered = await inTransaction(database.relay, (tx) => numberRound(tx, plenty));
    expect(numbered.left).to.equal(true);
    expect((await numbered.dispatch).immediate).to.deep.equal([]);
    expect(await leasedOf(plain)).to.deep.equal([]);
  });

  it('do not wait for a locked flow, and leave due deliveries to the usual path', async () => {
    const [busy, free] = [await endpoint(), await endpoint()];
    await trash(1);
    await inTransaction(database.worker, async (tx) => {
      await hold(tx, busy);
      const { immediate, waiting } = await number();
      expect(immediate.map(({ delivery }) => delivery.endpoint.id)).to.deep.equal([free]);
      expect(waiting).to.deep.equal([busy]);
    });
    expect(await leasedOf(busy)).to.deep.equal([false]);
    const claimed = await inTransaction(database.worker, (tx) => claimDeliveries(tx, [busy], 50));
    expect(claimed).to.have.length(1);
  });

  it('keep an endpoint from being disabled between the check and the lease', async () => {
    const id = await endpoint();
    await trash(1);
    let turned: Promise<unknown> | undefined;
    await inTransaction(database.relay, async (tx) => {
      const { dispatch } = await numberRound(tx, plenty);
      expect((await dispatch).immediate).to.have.length(1);
      turned = inTransaction(database.worker, async (other) => {
        await hold(other, id);
        return prepared(other, 'SELECT lease_epoch FROM due_delivery WHERE endpoint_id = $1', [id]);
      });
    });
    expect(await turned).to.deep.equal([{ lease_epoch: 1 }]);
  });

  it('leave only an expiring lease if the process dies before it sends', async () => {
    const id = await endpoint();
    await trash(1);
    expect((await number()).immediate).to.have.length(1);
    await fixture.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE endpoint_id = $1`,
      [id],
    );
    expect(await inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, [0, 1]))).to.equal(
      1,
    );
    const [again] = await inTransaction(database.worker, (tx) => claimDeliveries(tx, [id], 50));
    expect(again).to.include({ epoch: 2, attempt: 2, failures: 0, trigger: 'schedule' });
    const attempts = await fixture.rows(
      'SELECT number, outcome FROM attempt WHERE delivery_id = $1',
      [again!.id],
    );
    expect(attempts).to.deep.equal([{ number: 1, outcome: 'unknown' }]);
  });

  it('are undone with a failed transaction', async () => {
    const id = await endpoint();
    await trash(1);
    await inTransaction(database.relay, async (tx) => {
      await numberRound(tx, plenty);
      throw new Error('undone');
    }).catch(() => undefined);
    expect(await due(id)).to.deep.equal([]);
    expect((await number()).immediate).to.have.length(1);
  });

  it('work the same for a large batch with its own query plan', async () => {
    const ids = [];
    for (let at = 0; at < 3; at++)
      ids.push(await endpoint('window_size = 40', 'max_in_flight = 40'));
    await trash(300);
    const { immediate, waiting } = await number();
    expect(immediate).to.have.length(120);
    expect(waiting).to.deep.equal([...ids].sort());
    for (const id of ids) {
      expect((await leasedOf(id)).lastIndexOf(true)).to.equal(39);
      expect(await due(id)).to.have.length(300);
    }
    const sequences = await fixture.rows<{ sequence: number; resource_id: string }>(
      `SELECT sequence, resource_id FROM event WHERE project_id = $1 AND type = 'dam.object.trashed'
       ORDER BY sequence`,
      [fixture.projectId],
    );
    expect(sequences.map(({ resource_id }) => resource_id)).to.deep.equal(
      Array.from({ length: 300 }, (_, at) => `obj_${at}`),
    );
    const [first] = sequences;
    expect(sequences.map(({ sequence }) => sequence - first!.sequence)).to.deep.equal(
      Array.from({ length: 300 }, (_, at) => at),
    );
  });

  describe('when other processes send', () => {
    it('mark the endpoints they can lock, so that hints need no other transaction', async () => {
      const [free, busy, told, held] = [
        await endpoint(),
        await endpoint(),
        await endpoint('handed_at = now()'),
        await endpoint(`hold_seconds = 10, held_until = now() + interval '10 seconds'`),
      ];
      await trash(1);
      await inTransaction(database.worker, async (tx) => {
        await hold(tx, busy);
        const { immediate, handed, waiting } = await number('hints');
        expect(immediate).to.deep.equal([]);
        expect(handed.map(({ endpoint_id }) => endpoint_id)).to.deep.equal([free]);
        expect(waiting).to.deep.equal([busy]);
      });
      expect((await fixture.flow(free)).handedAt).to.not.equal(null);
      expect((await fixture.flow(held)).handedAt).to.equal(null);
      expect(await leasedOf(told)).to.deep.equal([false]);
    });
  });
});

async function hold(tx: Tx, endpointId: string): Promise<void> {
  await prepared(tx, 'SELECT FROM webhook_flow WHERE endpoint_id = $1 FOR NO KEY UPDATE', [
    endpointId,
  ]);
}
