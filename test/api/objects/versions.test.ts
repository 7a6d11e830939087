import { expect } from 'chai';
import { routes } from '../../../src/api/routes/index.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { onePixelPng } from '../../support/fixtures.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

/** A resource, and a patch that changes all kinds of its fields at once. */
interface Patched {
  path: string;
  body: object;
  /** Where it is read. Default: its own path. */
  read?: string;
  /** Where it is patched. Default: its own path. */
  at?: string;
}

/** Resources without a version, or many at once: settings, bytes that are appended, findings of a review. */
const unversioned = ['updateProject', 'appendToUpload', 'decideFindings'];

describe('resource versions', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const make = async (path: string, body: object): Promise<string> => {
    const made = await api.call('POST', path, { body });
    expect(made.status, made.text).to.equal(201);
    return made.json.id;
  };
  let files = 0;
  const object = async (): Promise<string> =>
    (await postRaw(api, onePixelPng, `version-${++files}.png`)).json.id;
  const image = async (): Promise<string> => {
    const id = await object();
    const [row] = await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [id]);
    return row!.id;
  };
  const member = async () => ({ resource_type: 'object', resource_id: await object() });
  const described = { title: 'T', alt_text: 'A', rating: 3, tags: ['t'], metadata: { a: 1 } };

  const patched: Record<string, () => Promise<Patched>> = {
    updateObject: async () => ({
      path: `/v1/objects/${await object()}`,
      body: { filename: 'other.png', tags: ['t'], metadata: { a: 1 } },
    }),
    updateImage: async () => ({ path: `/v1/images/${await image()}`, body: described }),
    updateImages: async () => {
      const id = await image();
      return { path: `/v1/images/${id}`, at: '/v1/images', body: { id, ...described } };
    },
    updateKey: async () => ({
      path: `/v1/keys/${await make('/v1/keys', { name: 'K', scopes: ['keys:read'] })}`,
      body: { name: 'L', scopes: ['objects:read'], expires_at: '2999-01-01T00:00:00Z' },
    }),
    updateMember: async () => ({
      path: `/v1/members/${await make('/v1/members', { issuer: 'https://id.example', subject: 's', role: 'viewer' })}`,
      body: { role: 'editor' },
    }),
    updateCollection: async () => {
      const parent = await make('/v1/collections', { name: 'Parent', kind: 'manual' });
      const id = await make('/v1/collections', {
        name: 'C',
        kind: 'manual',
        members: [await member()],
      });
      return {
        path: `/v1/collections/${id}`,
        body: { name: 'D', description: 'D', parent_id: parent, tags: ['t'], metadata: { a: 1 } },
      };
    },
    moveCollectionMember: async () => {
      const members = [await member(), await member()];
      const id = await make('/v1/collections', { name: 'M', kind: 'manual', members });
      const [first, second] = members;
      return {
        path: `/v1/collections/${id}`,
        at: `/v1/collections/${id}/members/object/${second!.resource_id}`,
        body: { before: first },
      };
    },
    updatePolicy: async () => ({
      path: `${policiesPath}/${await addPolicy(api, { mode: 'audit', actions: ['upload'], rules: [{ type: 'max_bytes', bytes: 9 }] })}`,
      body: { name: 'P', mode: 'disabled', actions: ['download'] },
    }),
    updateRetentionRule: async () => ({
      path: `/v1/retention-rules/${await make('/v1/retention-rules', { scope: { type: 'project' }, rule: { type: 'delete_after', days: 30 } })}`,
      body: { rule: { type: 'delete_after', days: 60 } },
    }),
    updatePreset: async () => ({
      path: `/v1/documents/presets/${await make('/v1/documents/presets', { name: 'P', operations: [{ op: 'ocr' }] })}`,
      body: { name: 'Q', description: 'D', operations: [{ op: 'classify' }] },
    }),
    updateShare: async () => ({
      path: `/v1/shares/${await make('/v1/shares', { kind: 'view', object_id: await object() })}`,
      body: { title: 'S', allow_download: false },
    }),
    updateWebhook: async () => ({
      path: `/v1/webhooks/${await make('/v1/webhooks', { url: 'http://127.0.0.1:9/', event_types: ['dam.*'] })}`,
      body: {
        url: 'http://127.0.0.2:9/',
        description: 'W',
        headers: { 'X-A': 'a' },
        payload: 'thin',
      },
    }),
  };

  it('are tested for every operation that patches', () => {
    const all = routes.filter(({ method }) => method === 'PATCH').map((one) => one.operationId);
    expect([...Object.keys(patched), ...unversioned]).to.have.members(all);
  });

  for (const [operation, arrange] of Object.entries(patched)) {
    it(`start at 1 and rise by one with a patch, but not if it changes nothing: ${operation}`, async () => {
      const { path, at = path, body } = await arrange();
      const version = async () => {
        const shown = await api.call('GET', path);
        expect(shown.headers.get('etag')).to.equal(`"${shown.json.version}"`);
        return shown.json.version;
      };
      const first = await version();
      expect(first).to.equal(1);
      for (let time = 0; time < 2; time++) {
        const answer = await api.call('PATCH', at, { body, headers: { 'if-match': '*' } });
        expect(answer.status, answer.text).to.equal(200);
        expect(await version()).to.equal(2);
      }
    });
  }
});
