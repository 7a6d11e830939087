import { expect } from 'chai';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { openService, type TestService } from '../support/service.ts';

describe('downloads counted by a process', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await openService();
  });
  afterEach(() => service.close());

  it('are recorded when it stops, without Redis, too', async () => {
    await service.redis.stop();
    const server = await service.startServer();
    const { id } = await service.upload(Buffer.from('The plan'), 'plan.txt');
    for (let times = 0; times < 3; times++) {
      const answer = await service.call('GET', `/v1/objects/${id}/content`);
      expect(await answer.text()).to.equal('The plan');
    }
    expect(await server.stop()).to.equal(0);
    const events = await inTransaction(service.owner, (tx) =>
      query<{ actor_type: string; count: number }>(
        tx,
        `SELECT actor_type, (data->>'count')::integer AS count FROM event
         WHERE type = 'dam.object.downloaded' AND resource_id = $1`,
        [id],
      ),
    );
    expect(events).to.deep.equal([{ actor_type: 'api_key', count: 3 }]);
  });
});
