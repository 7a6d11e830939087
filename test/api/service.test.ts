import { operationNames } from '@scriptorium/contracts/operations';
import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../support/api.ts';

const mib = 1024 * 1024;

describe('what the API says of itself', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('includes the limits that the documentation names', async () => {
    const { status, json } = await api.call('GET', '/v1/limits');
    expect(status).to.equal(200);
    expect(json).to.include({
      json_body_bytes: mib,
      json_depth: 32,
      json_values: 50_000,
      direct_upload_bytes: 100 * mib,
      resumable_upload_bytes: 5 * 1024 * mib,
      resumable_upload_hours: 24,
      document_pages: 2_000,
      collection_nesting: 8,
      list_limit_default: 50,
      list_limit_max: 200,
      events_limit_max: 1_000,
      event_retention_days: 90,
      page_results_retention_days: 30,
      trash_days: 30,
      idempotency_hours: 24,
      ids_per_patch: 500,
      jobs_per_batch: 500,
      archive_objects: 500,
      read_requests_per_minute: 6_000,
      write_requests_per_minute: 1_200,
      failed_authentications_per_minute: 30,
      pack_documents: 10_000,
      packs_in_progress: 100,
      share_requests_per_minute: 1_200,
      share_archives_per_minute: 20,
      portal_session_hours: 12,
      portal_session_idle_hours: 2,
      invitation_days: 7,
    });
  });

  it('includes the maturity, options and sources of every operation', async () => {
    const { operations, features } = (await api.call('GET', '/v1/capabilities')).json;
    const described = operations.map(({ op }: { op: string }) => op);
    expect(described).to.have.members([...operationNames]);
    for (const { op, maturity, options, outputs, sources } of operations) {
      expect(maturity, op).to.be.oneOf(['stable', 'expanding', 'planned']);
      expect(options, op).to.have.property('properties');
      expect(sources, op).to.include('application/pdf');
      expect(outputs, op).to.be.an('array');
    }
    const maturities = features.map(({ maturity }: { maturity: string }) => maturity);
    expect(maturities).to.deep.equal(['expanding', 'expanding']);
  });

  it('includes the rates of a key without rates of its own', async () => {
    const policyOf = ({ headers }: ApiResponse): string | null => headers.get('ratelimit-policy');
    const reading = await api.call('GET', '/v1/collections');
    expect(policyOf(reading)).to.equal('"read";q=6000;w=60');
    const writing = await api.call('POST', '/v1/collections', { body: { name: 'Harbour' } });
    expect(policyOf(writing)).to.equal('"write";q=1200;w=60');
  });

  it('comes in pages of 50 by default and of 200 at most', async () => {
    await api.rows(
      `INSERT INTO collection (project_id, id, name, kind)
       SELECT $1, 'col_' || lpad(n::text, 26, '0'), 'Many', 'manual' FROM generate_series(1, 205) AS n`,
      [api.projectId],
    );
    const counted = async (query: string): Promise<number> => {
      const { status, json } = await api.call('GET', `/v1/collections${query}`);
      expect(status).to.equal(200);
      return json.data.length;
    };
    expect(await counted('')).to.equal(50);
    expect(await counted('?limit=7')).to.equal(7);
    expect(await counted('?limit=200')).to.equal(200);
    expect(await counted('?limit=100000')).to.equal(200);
    expect((await api.call('GET', '/v1/collections?limit=0')).status).to.equal(400);
  });
});
