import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { expect } from 'chai';
import type { ApiResponse } from '../../support/api.ts';
import { pollFrequently } from '../../support/eventually.ts';
import { type Packs, packsPath, sharePacks } from '../../support/packs.ts';

describe('packs that end early', () => {
  let on: Packs;
  before(async () => {
    on = await sharePacks();
  });
  after(() => on.close());
  beforeEach(() => on.api.rows('DELETE FROM policy'));
  afterEach(() => on.requireTrueCounts());

  it('are cancelled with their jobs, and retried without what succeeded', async () => {
    const ids = [await on.uploadLetter('k1.md'), await on.uploadLetter('k2.md')];
    const { id } = await on.create({ source: { object_ids: ids } });
    const cancelled = await on.api.call('POST', `${packsPath}/${id}/cancel`);
    expect(cancelled.status).to.be.oneOf([202, 200]);
    const pack = await on.untilEnded(id);
    expect([pack.state, pack.output]).to.deep.equal(['cancelled', null]);
    expect((await on.api.call('POST', `${packsPath}/${id}/cancel`)).status).to.equal(200);
    const retried = await on.api.call('POST', `${packsPath}/${id}/retry`);
    expect([retried.status, retried.json.retry_of]).to.deep.equal([202, id]);
    const whole = await on.untilEnded(retried.json.id);
    expect([whole.state, whole.progress.documents_completed]).to.deep.equal(['succeeded', 2]);
    expect((await on.api.call('POST', `${packsPath}/${whole.id}/cancel`)).status).to.equal(409);
    expect((await on.api.call('POST', `${packsPath}/${whole.id}/retry`)).status).to.equal(409);
  });

  it('cancel many jobs in steps', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 60; at += 1) ids.push(await on.uploadLetter(`many${at}.md`));
    const { id } = await on.create({ source: { object_ids: ids } });
    await pollFrequently(async () => {
      const path = `${packsPath}/${id}/documents?state=running`;
      return (await on.api.call('GET', path)).json.data.length > 0;
    });
    await on.api.call('POST', `${packsPath}/${id}/cancel`);
    const pack = await on.untilEnded(id);
    expect(pack.state).to.equal('cancelled');
    const open = await on.api.rows(
      `SELECT FROM pack_document d JOIN job j ON j.id = d.job_id
       WHERE d.pack_id = $1 AND j.finished_at IS NULL AND j.state <> 'cancelling'`,
      [id],
    );
    expect(open).to.deep.equal([]);
  });

  it('fail with the first document that fails, and cancel its jobs in steps', async () => {
    const ids = [await on.upload(Buffer.from('PK\u0005\u0006'.padEnd(22, '\0')), 'a.zip')];
    for (let at = 0; at < 63; at += 1) ids.push(await on.uploadLetter(`stop${at}.md`));
    const pause = `INSERT INTO queue_pause (queue, reason) VALUES ('normalize', 'test')`;
    await on.api.rows(pause);
    const pack = await on
      .build({
        source: { object_ids: ids },
        options: { on_error: 'abort' },
      })
      .finally(() => on.api.rows('DELETE FROM queue_pause'));
    expect([pack.state, pack.error!.code]).to.deep.equal(['failed', 'document_left_out']);
    const steps = await on.api.rows<{ jobs: number }>(
      `SELECT count(*)::integer AS jobs FROM event e JOIN pack_document d ON d.job_id = e.resource_id
       WHERE d.pack_id = $1 AND e.type = 'documents.job.cancelled' GROUP BY e.xmin ORDER BY 1`,
      [pack.id],
    );
    expect(steps.map(({ jobs }) => jobs)).to.deep.equal([13, 50]);
    const states = (await on.documents(pack)).map(({ state }) => state);
    expect(states.filter((state) => state === 'cancelled')).to.have.length(63);
  });

  it('are not stored by a worker that finishes after they were cancelled', async () => {
    const { deps } = on.workers;
    const { storage } = deps;
    const id = await on.uploadLetter('late.md');
    let pack: PackRecord | undefined;
    let cancelled: ApiResponse | undefined;
    deps.storage = Object.assign(Object.create(storage), {
      async receive(...given: Parameters<typeof storage.receive>) {
        const received = await storage.receive(...given);
        if (pack) cancelled ??= await on.api.call('POST', `${packsPath}/${pack.id}/cancel`);
        return received;
      },
    });
    try {
      pack = await on.create({ name: 'Late', source: { object_ids: [id] } });
      pack = await on.untilEnded(pack.id);
    } finally {
      deps.storage = storage;
    }
    expect(cancelled!.status, cancelled!.text).to.equal(202);
    expect(cancelled!.json.state).to.equal('cancelling');
    expect([pack.state, pack.output]).to.deep.equal(['cancelled', null]);
    expect(await on.api.rows(`SELECT FROM object WHERE filename = 'Late.zip'`)).to.deep.equal([]);
    expect(await on.api.rows('SELECT FROM task WHERE resource_id = $1', [pack.id])).to.have.length(
      0,
    );
    const ends = await on.api.rows<{ type: string }>(
      `SELECT type FROM event WHERE resource_id = $1 AND type LIKE '%ed'
         AND type NOT SIMILAR TO '%(created|started|progressed|cancel_requested)'`,
      [pack.id],
    );
    expect(ends).to.deep.equal([{ type: 'documents.pack.cancelled' }]);
  });
});
