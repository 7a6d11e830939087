import { type EventTypeName, eventTypeNames } from '@scriptorium/contracts/events';
import { expect } from 'chai';
import { inProject } from '../../src/db/transaction.ts';
import {
  countDeliveries,
  countStatement,
  listDeliveries,
  listStatement,
} from '../../src/webhooks/deliveries/list.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { readsTable, rowsReadBy, stepsOf } from '../support/plans.ts';

const deliveries = 3_000;
const endpointId = 'whk_a';

function typeOf(n: number): EventTypeName {
  if ([5, 900, 2_000, 2_001].includes(n)) return 'dam.object.purged';
  return n % 10 === 0 ? 'documents.job.succeeded' : 'dam.object.updated';
}

function statusOf(n: number): number {
  return n % 10 === 0 ? 503 : 200;
}

const ofDeliveries = readsTable('d');

describe('the deliveries of some types', () => {
  let database: DatabaseFixture;
  let projectId: string;
  before(async () => {
    database = await openDatabaseFixture();
    projectId = await database.createProject();
    await inProject(database.relay, projectId, async (tx) => {
      const types = Array.from({ length: deliveries }, (_, at) => typeOf(at + 1));
      await tx.query(
        `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
         SELECT 'evt_' || lpad(n::text, 8, '0'), $1, 'domain', type, 'object', 'obj_' || n, '{}', 'system'
         FROM unnest($2::text[]) WITH ORDINALITY AS t (type, n)`,
        [projectId, types],
      );
      await tx.query(
        `INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, state, attempts, first_at,
           first_trigger, first_succeeded, first_status)
         SELECT 'whd_' || right(id, 8), id, type, project_id, $1,
           CASE status WHEN 200 THEN 'succeeded' ELSE 'exhausted' END, 1, now(), 'schedule', status = 200, status
         FROM event JOIN unnest($2::int[]) WITH ORDINALITY AS s (status, n) ON right(id, 8)::int = n`,
        [endpointId, types.map((_, at) => statusOf(at + 1))],
      );
    });
    await database.owner.query('ANALYZE event, delivery');
  });
  after(() => database.close());

  const matching = (filters: { eventTypes: readonly EventTypeName[]; failed?: boolean }) =>
    Array.from({ length: deliveries }, (_, at) => deliveries - at)
      .filter((n) => filters.eventTypes.includes(typeOf(n)))
      .filter((n) => !filters.failed || statusOf(n) === 503)
      .map((n) => `whd_${String(n).padStart(8, '0')}`);

  for (const eventTypes of [
    ['dam.object.purged'],
    ['dam.object.purged', 'documents.job.succeeded'],
    ['dam.share.viewed'],
    eventTypeNames,
  ] as EventTypeName[][]) {
    for (const failed of [false, true]) {
      const which = eventTypes.length > 2 ? 'all types' : eventTypes.join(', ');
      it(`are listed and counted, whether they contain it or not: ${which}${failed ? ', failed' : ''}`, async () => {
        const expected = matching({ eventTypes, failed });
        for (const filters of failed
          ? ([
              { state: ['exhausted'] },
              { outcomes: ['failed'] },
              { statusCodes: ['503'] },
            ] as const)
          : [{}]) {
          const wanted = { endpointId, eventTypes, ...filters };
          const found: string[] = [];
          for (let before: string | null = null; ; ) {
            const from: string | null = before;
            const page = await inProject(database.api, projectId, (tx) =>
              listDeliveries(tx, projectId, wanted, { before: from, limit: 120 }),
            );
            for (const row of page) expect(eventTypes).to.include(row.event_type);
            found.push(...page.map(({ id }) => id));
            if (page.length < 120) break;
            before = found.at(-1)!;
          }
          expect(found, JSON.stringify(filters)).to.deep.equal(expected);
          const counted = await inProject(database.api, projectId, (tx) =>
            countDeliveries(tx, projectId, wanted),
          );
          expect(counted, JSON.stringify(filters)).to.equal(expected.length);
        }
      });
    }
  }

  it('of a seldom type are listed in pages of any size', async () => {
    const eventTypes: EventTypeName[] = ['dam.object.purged'];
    const expected = matching({ eventTypes });
    for (const limit of [1, 2, 3, 4, 5]) {
      const page = await inProject(database.api, projectId, (tx) =>
        listDeliveries(tx, projectId, { endpointId, eventTypes }, { before: null, limit }),
      );
      expect(page.map(({ id }) => id)).to.deep.equal(expected.slice(0, limit));
    }
  });

  const stepsIn = (statement: ReturnType<typeof listStatement>) =>
    inProject(database.api, projectId, (tx) => stepsOf(tx, statement));

  it('are read by an index', async () => {
    const steps = await stepsIn(
      listStatement(
        projectId,
        { endpointId, eventTypes: ['dam.object.purged'] },
        { before: 'whd_00002500', limit: 50 },
      ),
    );
    const read = steps.filter(ofDeliveries).map((step) => step['Index Cond'] ?? '');
    expect(read.join('\n')).to.match(/event_type = kind.type.*id < 'whd_00002500'/);
  });

  it('of a type that another filter excludes are not read to the end', async () => {
    const steps = await stepsIn(
      listStatement(
        projectId,
        {
          endpointId,
          statusCodes: ['503'],
          eventTypes: ['dam.object.updated', 'documents.job.succeeded'],
        },
        { before: null, limit: 5 },
      ),
    );
    expect(rowsReadBy(steps.filter(ofDeliveries))).to.be.at.most(100);
  });

  it('are read with their attempts and progress only for the page, however many types are wanted', async () => {
    for (const eventTypes of [
      ['dam.object.purged', 'dam.object.updated', 'documents.job.succeeded'],
      eventTypeNames,
    ] as EventTypeName[][]) {
      const steps = await stepsIn(
        listStatement(projectId, { endpointId, eventTypes }, { before: null, limit: 2 }),
      );
      const attempts = steps.filter(({ Alias: alias }) => /^a(_\d+)?$|attempt/.test(alias ?? ''));
      expect(attempts).to.not.deep.equal([]);
      for (const step of attempts) expect(step['Actual Loops']).to.be.at.most(2);
    }
  });

  it('of all types are read as without the filter', async () => {
    const steps = await stepsIn(
      listStatement(
        projectId,
        { endpointId, eventTypes: eventTypeNames },
        { before: null, limit: 10 },
      ),
    );
    expect(rowsReadBy(steps.filter(ofDeliveries))).to.be.at.most(20);
  });

  it('of a status that none has are not looked for among those that succeeded', async () => {
    const wanted = { endpointId, statusCodes: ['404'] };
    const failed = deliveries / 10;
    for (const statement of [
      listStatement(projectId, wanted, { before: null, limit: 5 }),
      countStatement(projectId, wanted),
    ]) {
      expect(rowsReadBy((await stepsIn(statement)).filter(ofDeliveries))).to.be.at.most(failed);
    }
  });

  it('are counted in the index of types', async () => {
    const steps = await stepsIn(
      countStatement(projectId, { endpointId, eventTypes: ['dam.object.purged'] }),
    );
    const typed = steps.filter((step) => step['Index Cond']?.includes('event_type = ANY'));
    expect(typed).to.not.deep.equal([]);
    expect(rowsReadBy(steps.filter(ofDeliveries))).to.be.at.most(10);
  });
});
