import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';

describe('the address of a client', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('is not taken from X-Forwarded-For unless the operator trusts a proxy', async () => {
    const body = { name: 'Office', scopes: ['keys:read'], allowed_cidrs: ['10.0.0.0/8'] };
    const made = await api.call('POST', '/v1/keys', { body });
    const answer = await api.call('GET', '/v1/keys', {
      key: made.json.api_key,
      headers: { 'x-forwarded-for': '10.1.2.3' },
    });
    expect([answer.status, answer.json.code]).to.deep.equal([403, 'ip_not_allowed']);
  });
});
