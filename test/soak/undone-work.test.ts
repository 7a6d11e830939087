import { expect } from 'chai';
import { findUndoneWork } from '../../lab/soak/undone-work.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { postRaw } from '../support/uploads.ts';

describe('the end of a soak', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
  });

  after(() => api.close());

  it('finds jobs that failed or do not end, and that no webhook was received', async () => {
    const { json } = await postRaw(api, Buffer.from('Tide'), 'tide.txt');
    const operations = [{ op: 'classify' }];
    const body = { source_object_id: json.id, operations };
    for (let at = 0; at < 3; at += 1) await api.call('POST', '/v1/documents/jobs', { body });
    expect(await findUndoneWork(api, 1)).to.deep.equal([]);
    const set = (change: string) =>
      api.rows(`UPDATE job SET ${change} WHERE id = (SELECT max(id) FROM job WHERE error IS NULL
        AND created_at > now() - interval '1 minute')`);
    await set(`state = 'failed', error = '{"code":"damaged"}', finished_at = now()`);
    await set(`created_at = now() - interval '1 hour'`);
    expect(await findUndoneWork(api, 0)).to.deep.equal([
      'jobs failed damaged: 1',
      'jobs queued: 1',
      'no webhook was received',
    ]);
  });
});
