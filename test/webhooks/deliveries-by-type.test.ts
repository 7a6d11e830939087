import { expect } from 'chai';
import type { EventTypeName } from '../../src/contracts/events.ts';
import { inProject, query } from '../../src/db/transaction.ts';
import { countDeliveries, listDeliveries, listStatement } from '../../src/webhooks/deliveries.ts';
import { type Ground, openGround } from '../support/outbox.ts';

const deliveries = 3_000;
const endpointId = 'whk_a';

function typeOf(n: number): EventTypeName {
  if ([5, 900, 2_000, 2_001].includes(n)) return 'dam.object.purged';
  return n % 10 === 0 ? 'documents.job.succeeded' : 'dam.object.updated';
}

describe('the deliveries of some types', () => {
  let ground: Ground;
  let projectId: string;
  before(async () => {
    ground = await openGround();
    projectId = await ground.project();
    await inProject(ground.relay, projectId, async (tx) => {
      const types = Array.from({ length: deliveries }, (_, at) => typeOf(at + 1));
      await tx.query(
        `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
         SELECT 'evt_' || lpad(n::text, 8, '0'), $1, 'domain', type, 'object', 'obj_' || n, '{}', 'system'
         FROM unnest($2::text[]) WITH ORDINALITY AS t (type, n)`,
        [projectId, types],
      );
      // The first thousand as the release before makes them.
      await tx.query(
        `INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, state, attempts, first_at,
           first_trigger, first_succeeded, first_status)
         SELECT 'whd_' || right(id, 8), id, CASE WHEN id > 'evt_00001000' THEN type END, project_id, $1,
           'succeeded', 1, now(), 'schedule', true, 200 FROM event`,
        [endpointId],
      );
    });
    await ground.owner.query('ANALYZE event, delivery');
  });
  after(() => ground.close());

  for (const eventTypes of [
    ['dam.object.purged'],
    ['dam.object.purged', 'documents.job.succeeded'],
    ['dam.share.viewed'],
  ] as EventTypeName[][]) {
    it(`are listed and counted, whether they contain it or not: ${eventTypes.join(', ')}`, async () => {
      const expected = Array.from({ length: deliveries }, (_, at) => deliveries - at)
        .filter((n) => eventTypes.includes(typeOf(n)))
        .map((n) => `whd_${String(n).padStart(8, '0')}`);
      const found: string[] = [];
      for (let before: string | null = null; ; ) {
        const from: string | null = before;
        const page = await inProject(ground.api, projectId, (tx) =>
          listDeliveries(tx, projectId, { endpointId, eventTypes }, { before: from, limit: 120 }),
        );
        for (const row of page) expect(eventTypes).to.include(row.event_type);
        found.push(...page.map(({ id }) => id));
        if (page.length < 120) break;
        before = found.at(-1)!;
      }
      expect(found).to.deep.equal(expected);
      const counted = await inProject(ground.api, projectId, (tx) =>
        countDeliveries(tx, projectId, { endpointId, eventTypes }),
      );
      expect(counted).to.equal(expected.length);
    });
  }

  it('are read by an index', async () => {
    const { text, values } = listStatement(
      projectId,
      { endpointId, eventTypes: ['dam.object.purged'] },
      { before: 'whd_00002500', limit: 50 },
    );
    const rows = await inProject(ground.api, projectId, (tx) =>
      query<{ 'QUERY PLAN': string }>(tx, `EXPLAIN ${text}`, values),
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).to.match(/using delivery_default_type/);
    expect(plan).to.match(/Index Cond: .*event_type = kind.type.*id < 'whd_00002500'/);
    expect(plan).to.match(/Index Cond: .*event_type IS NULL.*id < 'whd_00002500'/);
  });
});
