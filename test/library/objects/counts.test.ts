import { systemOrigin } from '@scriptorium/contracts/origin';
import { expect } from 'chai';
import { inProject, query } from '../../../src/db/transaction.ts';
import { tidyIndex } from '../../../src/library/images/tidy-index.ts';
import { deleteObject } from '../../../src/library/objects/ending/delete-object.ts';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { addImages } from '../../support/library.ts';
import { createPick } from '../../support/random.ts';

describe('the counts of objects', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const fold = () =>
    inProject(api.deps.database, api.projectId, (tx) => tidyIndex(tx, api.projectId));

  const purge = (which: string, salt: string) =>
    inProject(api.deps.database, api.projectId, async (tx) => {
      const found = await query<{ id: string }>(
        tx,
        `SELECT id FROM object WHERE ${which} ORDER BY id DESC FOR UPDATE`,
        [api.projectId, salt],
      );
      for (const { id } of found) await deleteObject(tx, systemOrigin(api.projectId), id);
    });

  /** What the API counts: without filters from counters, and by reading with a filter that all match. */
  const counted = async (originals: boolean, tenant: Tenant = api) => {
    const include = 'include=total,facets,months&limit=1';
    const list = async (query: string) => {
      const { projectId, key } = tenant;
      const { status, json, text } = await api.call('GET', `/v1/objects?${query}`, {
        projectId,
        key,
      });
      expect(status, text).to.equal(200);
      const { total, facets, months } = json;
      return { total, facets, months };
    };
    const read = `created_after=2000-01-01T00:00:00Z`;
    return [
      await list(`${include}&originals=${originals}`),
      await list(`${include}&originals=${originals}&${read}`),
    ] as const;
  };

  it('are true after any changes, folded or not, with and without what is derived', async () => {
    const pick = createPick(90);
    const some = (sql: string) => `id IN (SELECT id FROM object WHERE project_id = $1 ${sql}
      ORDER BY md5(id || $2) LIMIT ${1 + pick(5)})`;
    const run = (change: string, which: string) =>
      api.rows(`UPDATE object SET ${change} WHERE ${some(which)}`, [
        api.projectId,
        String(pick(1_000_000)),
      ]);
    const steps = [
      () =>
        addImages(
          api,
          api,
          Array.from({ length: 1 + pick(6) }, () => ({
            mime: ['image/png', 'image/jpeg', 'image/gif'][pick(3)]!,
            tags: ['red', 'blue', 'green'].slice(0, pick(4)),
            created_at: new Date(Date.UTC(2024, pick(14), 1 + pick(27))).toISOString(),
          })),
        ),
      () => run(`state = 'trashed', trashed_at = now()`, ''),
      () => run(`state = 'available', trashed_at = NULL`, `AND state = 'trashed'`),
      () => run(`tags = '{red,new}'`, ''),
      () => run(`mime = 'application/pdf'`, ''),
      () =>
        run(
          `derived_from = (SELECT s.id FROM object s WHERE s.project_id = $1 AND s.id <> object.id
             ORDER BY md5(s.id || $2) DESC LIMIT 1)`,
          '',
        ),
      () => run('derived_from = NULL', ''),
      () => purge(some(''), String(pick(1_000_000))),
      fold,
    ];
    await addImages(api, api.other, [{ tags: ['foreign'] }]);
    for (let step = 0; step < 60; step++) {
      await steps[step < 4 ? 0 : pick(steps.length)]!();
      if (step % 4 > 0) continue;
      for (const [originals, tenant] of [
        [false, api],
        [true, api],
        [false, api.other],
      ] as const) {
        const [counters, read] = await counted(originals, tenant);
        expect(counters, `after step ${step}`).to.deep.equal(read);
      }
    }
    const { total, facets } = (await counted(false))[0];
    expect(total).to.be.greaterThan(5);
    expect(JSON.stringify(facets)).not.to.include('foreign');
  });

  it('leave nothing of an object that was deleted, once they are folded', async () => {
    await addImages(api, api, [{ tags: ['secret-tag'] }]);
    await fold();
    await api.rows(`DELETE FROM object WHERE 'secret-tag' = ANY(tags)`);
    await fold();
    const left = await api.rows(
      `SELECT value FROM object_count WHERE value = 'secret-tag'
       UNION ALL SELECT value FROM object_count_delta WHERE value = 'secret-tag'`,
    );
    expect(left).to.deep.equal([]);
  });
});
