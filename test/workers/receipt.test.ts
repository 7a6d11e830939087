import { expect } from 'chai';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import { endConnection, type Redis } from '../../src/queues/connection.ts';
import { workerKinds } from '../../src/workers/index.ts';
import { type Bench, openBench } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';
import { pickFrom } from '../support/random.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

const type = 'dam.object.trashed';

describe('delivery from commit to receipt', () => {
  let ground: Ground;
  let server: TestRedis;
  let bench: Bench;
  let processes: TestWorkers[];
  let receivers: Receiver[];
  let ears: Redis[];
  beforeEach(async () => {
    [ground, server] = await Promise.all([openGround(), startPrivateRedis()]);
    bench = await openBench(ground);
    processes = [];
    receivers = [];
    ears = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.stop(1_000)));
    await Promise.all(receivers.map((one) => one.close()));
    for (const ear of ears) endConnection(ear);
    await Promise.all([ground.close(), server.remove()]);
  });

  const prepare = async (): Promise<TestWorkers> => {
    const workers = await prepareWorkers(ground, server.url);
    processes.push(workers);
    return workers;
  };
  const start = async (...queues: ('relay' | 'webhooks')[]): Promise<TestWorkers> => {
    const workers = await prepare();
    workers.start(...queues);
    return workers;
  };
  /** The number of hints given so far. */
  const given = async ({ deps }: TestWorkers): Promise<number> =>
    Object.values(await deps.queues.webhooks.getJobCounts()).reduce((sum, n) => sum + n, 0);
  const receiver = async (
    settings: string,
    answer: Parameters<Receiver['answer']>[0] = 204,
  ): Promise<Receiver & { id: string }> => {
    const one = await startReceiver();
    receivers.push(one);
    one.answer(answer);
    const { id } = await bench.endpoint({ url: one.url, secret: one.secret, types: [type] });
    await bench.rows(`UPDATE webhook_endpoint SET ${settings} WHERE id = $1`, [id]);
    return Object.assign(one, { id });
  };
  const commit = async (count: number): Promise<string[]> =>
    inProject(ground.api, bench.projectId, (tx) =>
      record(
        tx,
        originOf(bench.projectId),
        ...Array.from({ length: count }, (_, at) => ({
          type: type as 'dam.object.trashed',
          resourceId: `obj_${at}`,
          data: {},
        })),
      ),
    );
  /** Every event has its deliveries, and all of them are done. */
  const nothingDue = () =>
    eventually(async () => {
      const left = await bench.rows(
        `SELECT FROM event WHERE fanned_out_at IS NULL UNION ALL SELECT FROM due_delivery`,
      );
      return left.length === 0;
    });
  const sequenceOf = ({ body }: { body: Buffer }): number =>
    JSON.parse(body.toString('utf8')).sequence as number;

  it('needs no Redis and no hints if relay and sender share a process', async () => {
    const one = await receiver('version = version');
    const workers = await start('relay', 'webhooks');
    await commit(1);
    await one.received(1);
    await server.kill();
    const ids = await commit(3);
    workers.deps.wake();
    await one.received(4);
    expect(ids.map((id) => one.of(id).length)).to.deep.equal([1, 1, 1]);
    await nothingDue();
    const hints = await bench.rows('SELECT FROM webhook_flow WHERE handed_at IS NOT NULL');
    expect(hints).to.deep.equal([]);
  });

  it('continues as soon as the window has room', async () => {
    const one = await receiver('max_in_flight = 2');
    const workers = await start('relay', 'webhooks');
    await commit(1);
    await one.received(1);
    await server.kill();
    await commit(30);
    workers.deps.wake();
    await one.received(31);
    await nothingDue();
  });

  it('starts on a wake-up from another process or from the previous release', async () => {
    const one = await receiver('version = version');
    await start('relay', 'webhooks');
    const other = await prepare();
    await eventually(async () => other.deps.redis.status === 'ready');
    await commit(1);
    other.deps.wake();
    await one.received(1);
    await commit(1);
    await other.deps.queues.relay.add('wake', {}, { deduplication: { id: 'wake' } });
    await one.received(2);
  });

  it('uses senders in other processes if the relay’s process has no sender', async () => {
    const one = await receiver('version = version');
    await start('relay');
    await start('webhooks');
    for (let at = 1; at <= 5; at++) {
      await commit(2);
      processes[1]!.deps.wake();
      await one.received(2 * at);
    }
    await nothingDue();
  });

  it('calls a sender in another process without a hint', async () => {
    const one = await receiver('version = version');
    const relay = await start('relay');
    await start('webhooks');
    let received = 0;
    // Until the relay has heard of the sender, it gives hints.
    await eventually(async () => {
      const before = await given(relay);
      await commit(1);
      relay.deps.wake();
      await one.received(++received);
      return (await given(relay)) === before;
    });
    await nothingDue();
    const marked = await bench.rows('SELECT FROM webhook_flow WHERE handed_at IS NOT NULL');
    expect(marked).to.deep.equal([]);
  });

  it('calls a sender for an endpoint whose flow was locked during numbering', async () => {
    const one = await receiver('version = version');
    const relay = await start('relay');
    await start('webhooks');
    let received = 0;
    // A hint is given before the relay has heard of the sender, or after it waited too long.
    await eventually(async () => {
      const hints = await given(relay);
      await inTransaction(ground.worker, async (tx) => {
        await query(tx, 'SELECT FROM webhook_flow WHERE endpoint_id = $1 FOR NO KEY UPDATE', [
          one.id,
        ]);
        const [id] = await commit(1);
        relay.deps.wake();
        await eventually(
          async () =>
            (await bench.rows('SELECT FROM event WHERE id = $1 AND sequence > 0', [id])).length > 0,
        );
      });
      await one.received(++received);
      await nothingDue();
      return (await given(relay)) === hints;
    });
  });

  /** A sender that receives calls and ignores them, like one that hangs. */
  const frozenSender = async () => {
    const heard: string[] = [];
    const { deps } = await prepare();
    await eventually(async () => deps.redis.status === 'ready');
    const ear = deps.connect();
    ears.push(ear);
    await ear.subscribe('scriptorium:sender:frozen');
    ear.on('message', (_channel: string, message: string) => heard.push(message));
    return { heard, announce: () => deps.redis.publish('scriptorium:senders', '+frozen') };
  };

  /** The hint that was given under the current mark. */
  const hintOfMark = async ({ deps }: TestWorkers) => {
    const [row] = await bench.rows<{ id: string }>(
      `SELECT endpoint_id || '-' || (extract(epoch FROM handed_at) * 1000)::bigint AS id
       FROM webhook_flow WHERE handed_at IS NOT NULL`,
    );
    return row && (await deps.queues.webhooks.getJob(row.id));
  };

  it('calls another sender if one does not claim', async () => {
    const one = await receiver('version = version');
    const relay = await start('relay');
    const frozen = await frozenSender();
    await start('webhooks');
    let received = 0;
    await eventually(async () => {
      const [hints, calls] = [await given(relay), frozen.heard.length];
      await frozen.announce();
      await commit(1);
      relay.deps.wake();
      await one.received(++received);
      await nothingDue();
      // Served without a hint, after the frozen sender was called.
      return frozen.heard.length > calls && (await given(relay)) === hints;
    });
    expect(new Set(frozen.heard)).to.deep.equal(new Set([one.id]));
  });

  it('gives a hint for an unclaimed call and skips the sender until it reports', async () => {
    const one = await receiver('version = version');
    const relay = await start('relay');
    const frozen = await frozenSender();
    // Announced once: a later one would count as its report.
    await eventually(async () => (await frozen.announce()) > 0);
    await eventually(async () => {
      await commit(1);
      relay.deps.wake();
      return frozen.heard.length > 0;
    });
    const hint = await eventually(async () => {
      const found = await hintOfMark(relay);
      // Without a worker, a mark that was taken back is set again only for a new event.
      if (!found) {
        await commit(1);
        relay.deps.wake();
      }
      return found;
    });
    expect(hint.data).to.deep.equal({ endpoint_id: one.id });
    const calls = frozen.heard.length;
    await start('webhooks');
    const due = async () => (await bench.rows('SELECT FROM due_delivery')).length;
    for (let at = 0; at < 5; at++) {
      await eventually(async () => (await due()) === 0);
      await commit(1);
      relay.deps.wake();
    }
    await nothingDue();
    expect(frozen.heard).to.have.length(calls);
    await eventually(async () => {
      await frozen.announce();
      await commit(1);
      relay.deps.wake();
      await nothingDue();
      return frozen.heard.length > calls;
    });
  });

  it('hands over unclaimed calls when the relay stops', async () => {
    await receiver('version = version');
    const relay = await start('relay');
    const frozen = await frozenSender();
    await eventually(async () => {
      await frozen.announce();
      await commit(1);
      relay.deps.wake();
      return frozen.heard.length > 0;
    });
    processes.splice(processes.indexOf(relay), 1);
    await relay.stop();
    expect(await hintOfMark(processes[0]!)).to.be.an('object');
  });

  it('uses a hint for a call for which the sender had no free slot', async () => {
    const both = [await receiver('version = version'), await receiver('version = version')];
    const relay = await start('relay');
    const single = await prepare();
    const sender = workerKinds.webhooks.start(single.deps, 1);
    let received = 0;
    // Two endpoints are called for together: one fills the only slot.
    await eventually(async () => {
      const before = await given(relay);
      await commit(1);
      relay.deps.wake();
      received += 1;
      await Promise.all(both.map((one) => one.received(received)));
      await nothingDue();
      return (await given(relay)) === before + 1;
    });
    await sender.stop(1_000);
  });

  it('skips a sender that announces itself but does not receive calls', async () => {
    const one = await receiver('version = version');
    const relay = await start('relay');
    const before = await prepare();
    await eventually(async () => before.deps.redis.status === 'ready');
    await before.deps.redis.publish('scriptorium:senders', '+gone');
    await start('webhooks');
    await before.deps.redis.publish('scriptorium:senders', '+gone');
    for (let at = 1; at <= 3; at++) {
      await commit(1);
      relay.deps.wake();
      await one.received(at);
    }
    await nothingDue();
  });

  it('reaches every endpoint, in order for one at a time, with two relays', async () => {
    const pick = pickFrom(7);
    const failed = new Set<string>();
    const inOrder = await receiver('max_in_flight = 1');
    const all = [
      inOrder,
      await receiver('version = version'),
      await receiver('max_per_second = 100'),
      // Fails an event at most once: one that fails at every step is exhausted.
      await receiver('version = version', ({ headers }) => {
        const id = headers['webhook-id']!;
        if (failed.has(id) || pick(10) > 0) return 204;
        failed.add(id);
        return 500;
      }),
    ];
    const paused = await receiver(`state = 'paused'`);
    await start('relay', 'webhooks');
    await start('relay');
    await start('webhooks');
    const committed: string[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        const writing = pickFrom(writer + 1);
        // Less than 1,000 deliveries in all: of more in a batch, some are left and overtaken.
        for (let at = 0; at < 18; at++) {
          committed.push(...(await commit(1 + writing(4))));
          // Some wake a process with a relay, some one without, and some none.
          processes[writing(4)]?.deps.wake();
        }
      }),
    );
    await bench.rows(`UPDATE webhook_endpoint SET state = 'enabled' WHERE id = $1`, [paused.id]);
    await nothingDue();
    for (const one of [...all, paused]) {
      const missing = committed.filter((id) => one.of(id).length === 0);
      expect(missing, one.url).to.deep.equal([]);
      expect(new Set(one.requests.map(sequenceOf)).size).to.equal(committed.length);
      expect(one.requests.every(({ verified }) => verified)).to.equal(true);
    }
    const order = inOrder.requests.map(sequenceOf);
    expect(order).to.deep.equal([...order].sort((a, b) => a - b));
    expect(order).to.have.length(committed.length);
    const sequences = await inTransaction(ground.worker, (tx) =>
      query<{ gaps: number }>(
        tx,
        `SELECT count(*) - max(sequence) AS gaps FROM event
         WHERE project_id = $1 AND category = 'domain'`,
        [bench.projectId],
      ),
    );
    expect(sequences).to.deep.equal([{ gaps: 0 }]);
    const unpublished = await bench.rows(
      `SELECT FROM event WHERE project_id = $1 AND type = '${type}' AND published_at IS NULL`,
      [bench.projectId],
    );
    expect(unpublished).to.deep.equal([]);
  });
});
