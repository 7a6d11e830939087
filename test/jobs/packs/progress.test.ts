import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { type Packs, packsPath, sharePacks } from '../../support/packs.ts';
import { bornDigitalPdf } from '../../support/samples.ts';

describe('the work on packs', () => {
  let on: Packs;
  before(async () => {
    on = await sharePacks();
  });
  after(() => on.close());
  beforeEach(() => on.api.rows('DELETE FROM policy'));
  afterEach(() => on.requireTrueCounts());

  it('are looked at less often while they wait', async () => {
    /** The pause before the next look, in seconds, once it is one of some. */
    const pauseOf = (id: string, among: readonly number[]): Promise<number> =>
      eventually(async () => {
        const [task] = await on.api.rows<{ pause: number }>(
          `SELECT round(extract(epoch FROM due_at - created_at))::integer AS pause FROM task
           WHERE resource_id = $1 AND kind = 'pack.advance' AND state = 'pending'`,
          [id],
        );
        return task && among.includes(task.pause) ? task.pause : null;
      });
    const cancel = (id: string) => on.api.call('POST', `${packsPath}/${id}/cancel`);
    await on.api.rows(`INSERT INTO project_quota VALUES ($1, 'jobs_in_flight', 0)`, [
      on.api.projectId,
    ]);
    const full = await on.create({ source: { object_ids: [await on.uploadLetter('full.md')] } });
    expect(await pauseOf(full.id, [15])).to.equal(15);
    await cancel(full.id);
    await on.api.rows('DELETE FROM project_quota');
    const pdf = await on.upload(await bornDigitalPdf([['Dear Mara Kleinhoevel']]), 'waits.pdf');
    const options = { redact: 'personal', review: 'required' };
    const reviewed = await on.create({ source: { object_ids: [pdf] }, options });
    expect(await pauseOf(reviewed.id, [20])).to.equal(20);
    await cancel(reviewed.id);
    expect((await on.untilEnded(reviewed.id)).state).to.equal('cancelled');
  });

  it('are listed without a look at their documents', async () => {
    const pack = await on.build({ source: { object_ids: [await on.uploadLetter('listed.md')] } });
    await on.api.rows('REVOKE SELECT ON pack_document FROM api');
    try {
      const { status, json } = await on.api.call('GET', `${packsPath}?limit=1`);
      expect(status).to.equal(200);
      expect(json.data).to.deep.equal([pack]);
    } finally {
      await on.api.rows('GRANT SELECT ON pack_document TO api');
    }
  });

  it('are limited in number while in progress', async () => {
    const source = { object_ids: [await on.uploadLetter('w.md')] };
    const ended = await on.build({ source });
    const fill = `INSERT INTO pack (project_id, id, state, name, source, options, origin)
      SELECT project_id, id || n, 'running', name, source, options, origin
      FROM pack, generate_series(1, ${limits.packs_in_progress}) n WHERE id = $1`;
    await on.api.rows(fill, [ended.id]);
    expect(await on.rejection({ source })).to.deep.equal([429, 'rate_limited']);
    await on.api.rows(`DELETE FROM pack WHERE state = 'running'`);
    expect((await on.build({ source })).state).to.equal('succeeded');
  });

  it('are built with fewer jobs at a time than the quota has left', async () => {
    await on.api.rows(`INSERT INTO project_quota VALUES ($1, 'jobs_in_flight', 2)`, [
      on.api.projectId,
    ]);
    const ids = await Promise.all([1, 2, 3, 4, 5].map((at) => on.uploadLetter(`q${at}.md`)));
    const pack = await on
      .build({ source: { object_ids: ids } })
      .finally(() => on.api.rows('DELETE FROM project_quota'));
    expect([pack.state, pack.progress.documents_completed]).to.deep.equal(['succeeded', 5]);
  });

  it('record each step as an event', async () => {
    const pack = await on.build({ source: { object_ids: [await on.uploadLetter('e.md')] } });
    const types = await on.api.rows<{ type: string }>(
      'SELECT DISTINCT type FROM event WHERE resource_id = $1 ORDER BY type',
      [pack.id],
    );
    expect(types.map(({ type }) => type)).to.deep.equal([
      'documents.pack.created',
      'documents.pack.progressed',
      'documents.pack.started',
      'documents.pack.succeeded',
    ]);
  });
});
