import { expect } from 'chai';
import { openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared, type Tx } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import { numberEvents } from '../../src/outbox/relay/number.ts';
import { deliverNumbered } from '../../src/webhooks/relay/deliver-numbered.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';

type Reach = Parameters<typeof numberEvents>[2];

describe('shards of numbering', () => {
  let ground: Ground;
  /** A project of each shard. */
  let projects: string[];
  before(async () => {
    ground = await openGround();
    const found = new Map<number, string>();
    while (found.size < 16) {
      const project = await ground.project();
      const [row] = await inTransaction(ground.relay, (tx) =>
        prepared<{ shard: number }>(tx, 'SELECT hashtext($1) & 15 AS shard', [project]),
      );
      found.set(row!.shard, project);
    }
    projects = Array.from({ length: 16 }, (_, shard) => found.get(shard)!);
  });
  after(() => ground.close());

  const trash = (projectId: string, ...resourceIds: string[]) =>
    inProject(ground.api, projectId, (tx) =>
      record(
        tx,
        originOf(projectId),
        ...resourceIds.map(
          (resourceId) => ({ type: 'dam.object.trashed', resourceId, data: {} }) as const,
        ),
      ),
    );
  const number = (tx: Tx, reach: Reach = {}) => numberEvents(tx, deliverNumbered('none'), reach);
  const round = (reach?: Reach) => inTransaction(ground.relay, (tx) => number(tx, reach));
  const numberAll = async () => {
    while ((await round()).more);
  };
  const unnumbered = async () => {
    const [row] = await inTransaction(ground.relay, (tx) =>
      prepared<{ n: number }>(
        tx,
        'SELECT count(*)::integer AS n FROM event WHERE sequence IS NULL',
        [],
      ),
    );
    return row!.n;
  };
  const numbered = (projectId: string) =>
    inProject(ground.api, projectId, (tx) =>
      prepared<{ sequence: number; resource_id: string }>(
        tx,
        'SELECT sequence, resource_id FROM event WHERE sequence IS NOT NULL ORDER BY sequence',
        [],
      ),
    );
  /** A transaction that stays open, as that of a relay that is stopped. */
  const holding = async (work: (tx: Tx) => Promise<void>) => {
    let letGo = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun = (): void => undefined;
    const holds = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const ended = inTransaction(ground.relay, async (tx) => {
      await work(tx);
      begun();
      await released;
    });
    await Promise.race([holds, ended]);
    return {
      letGo() {
        letGo();
        return ended;
      },
    };
  };

  it('numbers other shards while one is held, and that one once it is released', async () => {
    for (const shard of [2, 5, 11]) await trash(projects[shard]!, `obj_held_${shard}`);
    const held = await holding(async (tx) => {
      const { shards, more } = await number(tx, { from: 5, most: 1 });
      expect({ shards, more }).to.deep.equal({ shards: [5], more: true });
    });
    const others = await round({ from: 3 });
    expect(others.shards).to.deep.equal([11, 2]);
    expect(others.elsewhere).to.equal(true);
    expect(await round()).to.include({ events: 0, elsewhere: true, more: false });
    await held.letGo();
    expect(await round()).to.include({ events: 0, elsewhere: false });
    expect((await numbered(projects[5]!)).map((row) => row.resource_id)).to.deep.equal([
      'obj_held_5',
    ]);
  });

  it('takes the events of a relay that died in the middle of its round', async () => {
    await trash(projects[7]!, 'obj_first', 'obj_second');
    const relay = await openDatabase(ground.urls.relayUrl, { poolSize: 1 });
    const died = inTransaction(relay, async (tx) => {
      expect((await number(tx)).events).to.equal(2);
      const [row] = await prepared<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid', []);
      await inTransaction(ground.relay, (other) =>
        prepared(other, 'SELECT pg_terminate_backend($1)', [row!.pid]),
      );
      await prepared(tx, 'SELECT 1', []);
    });
    expect(
      await died.then(
        () => 'committed',
        () => 'failed',
      ),
    ).to.equal('failed');
    await relay.destroy();
    await eventually(async () => expect((await round()).elsewhere).to.equal(false));
    await numberAll();
    expect(
      (await numbered(projects[7]!)).map((row) => [row.sequence, row.resource_id]),
    ).to.deep.equal([
      [1, 'obj_first'],
      [2, 'obj_second'],
    ]);
  });

  it('ends the transaction of a frozen relay within ten seconds', async () => {
    const [row] = await inTransaction(ground.relay, async (tx) => {
      await number(tx);
      return prepared<{ ms: string }>(
        tx,
        `SELECT current_setting('idle_in_transaction_session_timeout') AS ms`,
        [],
      );
    });
    expect(row!.ms).to.equal('10s');
  });

  it('gives a quiet shard its part of a batch, however much waits in another', async () => {
    await trash(projects[0]!, ...Array.from({ length: 1_050 }, (_, at) => `obj_busy_${at}`));
    await trash(projects[1]!, 'obj_quiet');
    const first = await round({ from: 0 });
    expect(first.events).to.equal(1_000);
    expect(first.more).to.equal(true);
    expect((await numbered(projects[1]!)).at(-1)?.resource_id).to.equal('obj_quiet');
    await numberAll();
    const rows = await numbered(projects[0]!);
    expect(rows.map((row) => row.resource_id)).to.deep.equal(
      Array.from({ length: 1_050 }, (_, at) => `obj_busy_${at}`),
    );
  });

  it('never numbers at the same time as the release before', async () => {
    await trash(projects[3]!, 'obj_either');
    const before = await holding(async (tx) => {
      expect(await oldLock(tx)).to.equal(true);
    });
    expect(await round()).to.include({ events: 0, elsewhere: true });
    await before.letGo();
    const now = await holding(async (tx) => {
      expect((await number(tx)).events).to.equal(1);
    });
    expect(await inTransaction(ground.relay, oldLock)).to.equal(false);
    await now.letGo();
    expect(await inTransaction(ground.relay, oldLock)).to.equal(true);
  });

  it('stays gapless and in order with four relays, one of the release before, and deaths', async () => {
    const busy = projects.slice(8, 14);
    const before = new Map(
      await Promise.all(busy.map(async (id) => [id, (await numbered(id)).length] as const)),
    );
    let writing = true;
    let deaths = 0;
    const relays = [0, 5, 10].map(async (from, relay) => {
      while (writing) {
        await inTransaction(ground.relay, async (tx) => {
          const { events } = await number(tx, { from, most: relay + 1 });
          if (events > 0 && relay === 0 && deaths < 20) {
            deaths += 1;
            throw new Error('died');
          }
        }).catch((error: Error) => expect(error.message).to.equal('died'));
      }
    });
    const older = (async () => {
      while (writing) await inTransaction(ground.relay, oldRound);
    })();
    await Promise.all(
      busy.flatMap((project) =>
        [0, 1].map(async (writer) => {
          for (let at = 0; at < 25; at++) await trash(project, `obj_${writer}_${at}`);
        }),
      ),
    );
    writing = false;
    await Promise.all([...relays, older]);
    await numberAll();
    expect(await unnumbered()).to.equal(0);
    expect(deaths).to.be.greaterThan(0);
    for (const project of busy) {
      const rows = await numbered(project);
      expect(rows.map((row) => row.sequence)).to.deep.equal(rows.map((_, at) => at + 1));
      const made = rows.slice(before.get(project)).map((row) => row.resource_id);
      for (const writer of [0, 1]) {
        expect(made.filter((id) => id.startsWith(`obj_${writer}_`))).to.deep.equal(
          Array.from({ length: 25 }, (_, at) => `obj_${writer}_${at}`),
        );
      }
    }
  });
});

/** How the release before sharding locks all numbering. */
async function oldLock(tx: Tx): Promise<boolean> {
  const [row] = await prepared<{ locked: boolean }>(
    tx,
    `SELECT pg_try_advisory_xact_lock(hashtext('number events')) AS locked`,
    [],
  );
  return row!.locked;
}

/** A round of numbering by the release before, without bodies and deliveries. */
async function oldRound(tx: Tx): Promise<void> {
  if (!(await oldLock(tx))) return;
  const batch = await prepared<{ id: string }>(
    tx,
    'SELECT id FROM event WHERE sequence IS NULL ORDER BY ordinal LIMIT 50',
    [],
  );
  await prepared(
    tx,
    `WITH given AS (
       SELECT id, project_id, category,
         row_number() OVER (PARTITION BY project_id, category ORDER BY ordinal) AS turn,
         count(*) OVER (PARTITION BY project_id, category) AS n
       FROM event WHERE id = ANY($1)
     ), counter AS (
       INSERT INTO sequence_counter AS c (project_id, category, last)
       SELECT DISTINCT project_id, category, n FROM given
       ON CONFLICT (project_id, category) DO UPDATE SET last = c.last + excluded.last
       RETURNING c.project_id, c.category, c.last
     )
     UPDATE event e SET sequence = counter.last - given.n + given.turn, body = '{}'
     FROM given JOIN counter USING (project_id, category) WHERE e.id = given.id`,
    [batch.map(({ id }) => id)],
  );
}
