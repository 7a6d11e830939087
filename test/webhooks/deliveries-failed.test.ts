import type { AttemptRecord } from '@scriptorium/contracts/wire/webhooks';
import { expect } from 'chai';
import { inProject, inTransaction } from '../../src/db/transaction.ts';
import { countDeliveries, listDeliveries } from '../../src/webhooks/deliveries/list.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

type Outcome = AttemptRecord['outcome'];
type Ended = readonly [outcome: Outcome, status: number | null, trigger?: 'manual'];

/** A delivery as a sequence of events leaves it. */
interface Left {
  how: string;
  state: 'pending' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled';
  reason?: 'replayed';
  /** Its attempts that have ended. */
  attempts: readonly Ended[];
  /** It is to be attempted: the state that it returns to if a manual attempt fails. */
  due?: 'pending' | 'succeeded' | 'exhausted';
}

const ok: Ended = ['succeeded', 200];
const failed: Ended = ['failed', 503];
const silent: Ended = ['failed', null];
const lost: Ended = ['unknown', null];

const ways: Left[] = [
  { how: 'succeeded at once', state: 'succeeded', attempts: [ok] },
  { how: 'succeeded with 204', state: 'succeeded', attempts: [['succeeded', 204]] },
  { how: 'not attempted yet', state: 'pending', due: 'pending', attempts: [] },
  { how: 'failed, to be retried', state: 'pending', due: 'pending', attempts: [failed, silent] },
  { how: 'succeeded in the end', state: 'succeeded', attempts: [failed, lost, ok] },
  { how: 'exhausted', state: 'exhausted', attempts: [silent, failed] },
  { how: 'exhausted without an answer', state: 'exhausted', attempts: [failed, silent] },
  { how: 'skipped', state: 'skipped', attempts: [] },
  { how: 'skipped after a failure', state: 'skipped', attempts: [['failed', 404]] },
  { how: 'cancelled after a loss', state: 'cancelled', attempts: [lost] },
  { how: 'settled by a replay', state: 'succeeded', reason: 'replayed', attempts: [failed] },
  {
    how: 'redelivered in vain',
    state: 'succeeded',
    attempts: [ok, ['failed', 404, 'manual']],
  },
  {
    how: 'redelivered twice, in vain at first',
    state: 'succeeded',
    attempts: [ok, ['failed', 500, 'manual'], ['succeeded', 200, 'manual']],
  },
  {
    how: 'redelivered and lost',
    state: 'succeeded',
    attempts: [ok, ['unknown', null, 'manual']],
  },
  {
    how: 'exhausted, to be redelivered',
    state: 'pending',
    due: 'exhausted',
    attempts: [failed],
  },
  {
    how: 'succeeded, redelivered in vain, to be redelivered',
    state: 'pending',
    due: 'succeeded',
    attempts: [ok, ['failed', 410, 'manual']],
  },
];
const endpoints = ['whk_a', 'whk_b'] as const;
const rounds = 3;

interface Made extends Left {
  id: string;
  endpointId: string;
}

describe('deliveries by their latest attempt', () => {
  let database: DatabaseFixture;
  let projectId: string;
  const made: Made[] = [];
  before(async () => {
    database = await openDatabaseFixture();
    projectId = await database.createProject();
    for (let round = 0; round < rounds; round++) {
      for (const way of ways) {
        for (const endpointId of endpoints) {
          made.push({ ...way, endpointId, id: `whd_${String(made.length).padStart(4, '0')}` });
        }
      }
    }
    // As the owner of the database, past the rights of each role.
    await inTransaction(database.owner, async (tx) => {
      await tx.query(`SELECT set_config('app.project_id', $1, true)`, [projectId]);
      for (const { id, endpointId, state, reason, attempts, due } of made) {
        const eventId = id.replace('whd', 'evt');
        await tx.query(
          `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
           VALUES ($1, $2, 'domain', 'dam.object.updated', 'object', 'obj_1', '{}', 'system')`,
          [eventId, projectId],
        );
        const [first] = attempts;
        await tx.query(
          `INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, state, reason, attempts,
             first_at, first_trigger, first_succeeded, first_status)
           VALUES ($1, $2, 'dam.object.updated', $3, $4, $5, $6, $7, $8, 'schedule', $9, $10)`,
          [
            id,
            eventId,
            projectId,
            endpointId,
            state,
            reason ?? null,
            attempts.length,
            ...(first && first !== lost
              ? [new Date(), first[0] === 'succeeded', first[1]]
              : [null, null, null]),
          ],
        );
        for (const [at, [outcome, status, trigger]] of attempts.entries()) {
          if (at === 0 && first !== lost) continue;
          await tx.query(
            `INSERT INTO attempt (event_id, delivery_id, number, project_id, trigger, outcome, status)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
            [eventId, id, at + 1, projectId, trigger ?? 'schedule', outcome, status],
          );
        }
        if (!due) continue;
        await tx.query(
          `INSERT INTO due_delivery (id, project_id, endpoint_id, event_id, ordinal, attempts, resume_state)
           VALUES ($1, $2, $3, $4, 1, $5, $6)`,
          [id, projectId, endpointId, eventId, attempts.length, due === 'pending' ? null : due],
        );
      }
    });
  });
  after(() => database.close());

  const matches = (code: string, status: number | null): boolean => {
    if (code === 'none' || status === null) return code === 'none' && status === null;
    return code.endsWith('xx') ? code[0] === String(status)[0] : code === String(status);
  };

  const filters: { outcomes?: Outcome[]; statusCodes?: string[] }[] = [
    { outcomes: ['failed'] },
    { outcomes: ['unknown'] },
    { outcomes: ['failed', 'unknown'] },
    { outcomes: ['succeeded'] },
    { outcomes: ['succeeded', 'failed'] },
    { statusCodes: ['503'] },
    { statusCodes: ['404', '410'] },
    { statusCodes: ['4xx', 'none'] },
    { statusCodes: ['none'] },
    { statusCodes: ['2xx'] },
    { statusCodes: ['204', '503'] },
    { statusCodes: ['418'] },
    { outcomes: ['failed'], statusCodes: ['none'] },
  ];
  for (const filter of filters) {
    it(`are listed in pages and counted: ${JSON.stringify(filter)}`, async () => {
      for (const endpointId of endpoints) {
        const expected = made
          .filter(({ attempts, endpointId: own }) => {
            const last = attempts.at(-1);
            if (!last || own !== endpointId) return false;
            const [outcome, status] = last;
            if (filter.outcomes && !filter.outcomes.includes(outcome)) return false;
            return filter.statusCodes?.some((code) => matches(code, status)) ?? true;
          })
          .reverse();
        const wanted = { ...filter, endpointId };
        const found: string[] = [];
        for (let before: string | null = null; ; ) {
          const from: string | null = before;
          const page = await inProject(database.api, projectId, (tx) =>
            listDeliveries(tx, projectId, wanted, { before: from, limit: 4 }),
          );
          found.push(...page.map(({ id }) => id));
          if (page.length < 4) break;
          before = found.at(-1)!;
        }
        const named = found.map((id) => made.find((one) => one.id === id)?.how);
        expect(named).to.deep.equal(expected.map(({ how }) => how));
        expect(found).to.deep.equal(expected.map(({ id }) => id));
        const counted = await inProject(database.api, projectId, (tx) =>
          countDeliveries(tx, projectId, wanted),
        );
        expect(counted).to.equal(expected.length);
      }
    });
  }
});
