import type { Scope } from '@scriptorium/contracts/scopes';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { postRaw } from '../../support/uploads.ts';

/** What a filter or a reference reads needs the scopes that reading it directly needs. */
describe('filters and references', () => {
  let api: TestApi;
  let objectId: string;
  let collectionId: string;
  before(async () => {
    api = await startApi();
    objectId = (await postRaw(api, 'the secret word', 'heliotrope.txt')).json.id;
    const made = await api.call('POST', '/v1/collections', {
      body: { name: 'All', members: [{ resource_type: 'object', resource_id: objectId }] },
    });
    collectionId = made.json.id;
  });
  after(() => api.close());

  const draft = () => ({
    name: 'D',
    mode: 'audit',
    scope: { type: 'project' },
    actions: ['read'],
    rules: [{ type: 'max_bytes', bytes: 3 }],
  });
  const policies = '/v1/dam/security/policies';
  const cases: [
    what: string,
    own: Scope[],
    missing: Scope[],
    method: string,
    path: () => string,
    body?: () => object,
  ][] = [
    [
      'a pack of what a filter finds',
      ['documents:write'],
      ['objects:read'],
      'POST',
      () => '/v1/documents/packs',
      () => ({ name: 'P', source: { filter: { q: 'heliotrope' } } }),
    ],
    [
      'a pack of a collection',
      ['documents:write'],
      ['collections:read', 'objects:read'],
      'POST',
      () => '/v1/documents/packs',
      () => ({ name: 'P', source: { collection_id: collectionId } }),
    ],
    [
      'images that a filter finds',
      ['images:write'],
      ['images:read'],
      'PATCH',
      () => '/v1/images',
      () => ({ filter: { q: 'heliotrope' }, expected_count: 0, patch: { rating: 1 } }),
    ],
    [
      'images of a collection, to change',
      ['images:write', 'images:read'],
      ['collections:read'],
      'PATCH',
      () => '/v1/images',
      () => ({ filter: { collection_id: collectionId }, expected_count: 0, patch: { rating: 1 } }),
    ],
    [
      'images of a collection',
      ['images:read'],
      ['collections:read'],
      'GET',
      () => `/v1/images?collection_id=${collectionId}`,
    ],
    [
      'a smart collection of the images of another',
      ['collections:write', 'images:read'],
      ['collections:read'],
      'POST',
      () => '/v1/collections',
      () => ({ name: 'S', kind: 'smart', query: { collection_id: collectionId } }),
    ],
    [
      'what policies decide about an object',
      ['policies:read'],
      ['objects:read'],
      'POST',
      () => `${policies}/evaluate`,
      () => ({ action: 'read', resource: { type: 'object', id: objectId }, with: [draft()] }),
    ],
    [
      'what a draft would deny',
      ['policies:read'],
      ['objects:read'],
      'POST',
      () => `${policies}/impact`,
      () => ({ with: draft() }),
    ],
  ];

  it('need the scopes that reading it directly needs', async () => {
    for (const [what, own, missing, method, path, body] of cases) {
      const call = async (scopes: Scope[]) =>
        api.call(method, path(), { ...(await api.issue(scopes)), ...(body && { body: body() }) });
      for (const left of missing) {
        const rejected = await call([...own, ...missing.filter((one) => one !== left)]);
        const answer = [rejected.status, rejected.json.code];
        expect(answer, `${what} without ${left}`).to.deep.equal([403, 'insufficient_scope']);
      }
      const allowed = await call([...own, ...missing]);
      expect(allowed.status, `${what}: ${allowed.text}`).to.be.oneOf([200, 201, 202]);
    }
  });
});
