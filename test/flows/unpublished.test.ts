import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject, prepared } from '../../src/db/transaction.ts';
import { acknowledgeUpTo } from '../../src/outbox/feed/acknowledge.ts';
import { record } from '../../src/outbox/record.ts';
import { originOf } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { openService, type TestService } from '../support/service.ts';

describe('the relay', () => {
  let service: TestService;
  let api: Database;
  before(async () => {
    service = await openService();
    api = await openDatabase(service.database.apiUrl);
  });
  after(async () => {
    await api.destroy();
    await service.close();
  });

  it('deletes the stretches of a feed once all of their events are published', async () => {
    service.startWorker('relay');
    const { projectId } = service;
    const inside = <T>(work: Parameters<typeof inProject<T>>[2]) => inProject(api, projectId, work);
    const stretches = () =>
      inside((tx) =>
        prepared<{ stretch: number }>(tx, 'SELECT stretch FROM unpublished_stretch ORDER BY 1', []),
      ).then((found) => found.map(({ stretch }) => stretch));
    const events = Array.from({ length: 150 }, (_, at) => ({
      type: 'dam.object.trashed' as const,
      resourceId: `obj_${at}`,
      data: {},
    }));
    await inside((tx) => record(tx, originOf(projectId), ...events));
    await eventually(async () => (await stretches()).length === 3);
    await acknowledgeUpTo(inside, projectId, 140);
    const left = await eventually(async () => {
      const found = await stretches();
      return found.length < 3 ? found : null;
    });
    expect(left).to.deep.equal([2]);
  });
});
