import { expect } from 'chai';
import { inProject } from '../../src/db/transaction.ts';
import { addUsage } from '../../src/policies/usage-days.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { postRaw } from '../support/uploads.ts';

interface Day {
  day: string;
  storage_bytes: number | null;
  requests: { succeeded: number; failed: number };
}

describe('the usage of each day', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.close());

  const daysOf = async (
    days: number,
    { key, projectId }: { key: string; projectId: string } = api,
  ): Promise<Day[]> => {
    const { status, json, text } = await api.call('GET', `/v1/usage?days=${days}`, {
      key,
      projectId,
    });
    expect(status, text).to.equal(200);
    return json.days;
  };
  /** A row as of some days ago. */
  const note = (ago: number, bytes: number, succeeded: number, failed: number, project: string) =>
    api.rows(
      `INSERT INTO usage_day (project_id, day, storage_bytes, succeeded, failed)
       VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $2::integer, $3, $4, $5)`,
      [project, ago, bytes, succeeded, failed],
    );
  /** Stores what has been counted, until a project's requests are these. */
  const untilCounted = (projectId: string, succeeded: number, failed: number) =>
    eventually(async () => {
      await api.deps.requestCounts.flush();
      const [row] = await api.rows<Day['requests']>(
        `SELECT succeeded::integer, failed::integer FROM usage_day WHERE project_id = $1`,
        [projectId],
      );
      return row?.succeeded === succeeded && row.failed === failed;
    });

  it('is returned on request only, oldest first, with what is stored now', async () => {
    expect((await api.call('GET', '/v1/usage')).json).not.to.have.property('days');
    await postRaw(api, 'ten bytes.', 'ten.txt');
    const days = await daysOf(30);
    expect(days).to.have.length(30);
    const named = days.map(({ day }) => day);
    expect(named).to.deep.equal(named.toSorted());
    expect(new Set(named).size).to.equal(30);
    expect(days.at(-1)!.storage_bytes).to.equal(10);
    expect(days[0]).to.deep.include({
      storage_bytes: null,
      requests: { succeeded: 0, failed: 0 },
    });
  });

  it('counts requests of the project by outcome', async () => {
    const { key, projectId } = api.other;
    await api.call('GET', '/v1/objects');
    await api.call('GET', '/v1/objects?sort=colour');
    await api.call('GET', '/v1/objects', { key, projectId });
    await api.call('GET', '/v1/objects', { key: 'sk_unknown' });
    await untilCounted(api.projectId, 1, 1);
    await untilCounted(projectId, 1, 0);
    expect((await daysOf(1))[0]!.requests).to.deep.equal({ succeeded: 1, failed: 1 });
    expect((await daysOf(1, api.other))[0]!.requests).to.deep.equal({ succeeded: 1, failed: 0 });
    // These two count as well.
    await untilCounted(api.projectId, 2, 1);
  });

  it('keeps counts that could not be stored for the next time', async () => {
    await api.call('GET', '/v1/objects');
    await api.rows('ALTER TABLE usage_day RENAME TO usage_day_away');
    await api.deps.requestCounts.flush();
    await api.rows('ALTER TABLE usage_day_away RENAME TO usage_day');
    await api.call('GET', '/v1/objects');
    await untilCounted(api.projectId, 2, 0);
  });

  it('of a day without changes stored what the day before did', async () => {
    await note(40, 7, 1, 1, api.projectId);
    await note(3, 500, 20, 2, api.projectId);
    await note(2, 999, 1, 1, api.other.projectId);
    const days = await daysOf(5);
    expect(days.map(({ storage_bytes: bytes }) => bytes)).to.deep.equal([7, 500, 500, 500, 0]);
    expect(days[1]!.requests).to.deep.equal({ succeeded: 20, failed: 2 });
    expect(days[2]!.requests).to.deep.equal({ succeeded: 0, failed: 0 });
  });

  it('is noted without requests, too', async () => {
    await postRaw(api, 'ten bytes.', 'ten.txt');
    const { database } = api.deps;
    await inProject(database, api.projectId, async (tx) => addUsage(tx, api.projectId));
    const rows = await api.rows(
      'SELECT storage_bytes::integer, succeeded::integer FROM usage_day WHERE project_id = $1',
      [api.projectId],
    );
    expect(rows).to.deep.equal([{ storage_bytes: 10, succeeded: 0 }]);
  });

  it('rejects numbers of days out of range, and keys without the scope', async () => {
    for (const days of ['0', '366', 'all', '']) {
      const { status, json } = await api.call('GET', `/v1/usage?days=${days}`);
      expect([days, status, json.code]).to.deep.equal([days, 400, 'invalid_parameter']);
    }
    const { key } = await api.issue(['documents:read']);
    expect((await api.call('GET', '/v1/usage?days=1', { key })).status).to.equal(403);
  });
});
