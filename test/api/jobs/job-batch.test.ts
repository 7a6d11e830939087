import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { postRaw } from '../../support/uploads.ts';

/** Many jobs with one request. No worker runs here. */
describe('a batch of document jobs', () => {
  let api: TestApi;
  let pdfs: string[];
  let text: string;
  let trashed: string;
  let tagged: string;
  before(async () => {
    api = await startApi();
    pdfs = [];
    for (const name of ['a', 'b', 'c']) pdfs.push(await upload('%PDF-1.7\n%%EOF', `${name}.pdf`));
    text = await upload('plain words', 'plain.txt');
    trashed = await upload('%PDF-1.7\n%%EOF', 'gone.pdf');
    await api.call('DELETE', `/v1/objects/${trashed}`);
    tagged = await upload('%PDF-1.7\n%%EOF', 'secret.pdf');
    await api.call('PATCH', `/v1/objects/${tagged}`, { body: { tags: ['secret'] } });
    const policy = await api.call('POST', '/v1/dam/security/policies', {
      body: {
        name: 'Nothing secret',
        mode: 'enforce',
        scope: { type: 'tag', tags: ['secret'] },
        actions: ['process'],
        rules: [{ type: 'max_bytes', bytes: 1 }],
      },
    });
    expect(policy.status).to.equal(201);
  });
  after(() => api.close());

  const upload = async (bytes: string, name: string): Promise<string> =>
    (await postRaw(api, bytes, name)).json.id;
  const start = (ids: readonly string[], body: object = {}, headers: Record<string, string> = {}) =>
    api.call('POST', '/v1/documents/jobs/batch', {
      body: { source_object_ids: ids, operations: [{ op: 'ocr' }], ...body },
      headers,
    });
  const counts = async (): Promise<Record<string, number>> => {
    const [row] = await api.rows<Record<string, number>>(
      `SELECT (SELECT count(*) FROM job)::int AS jobs,
         (SELECT count(*) FROM task WHERE kind = 'operation.open')::int AS tasks,
         (SELECT count(*) FROM event WHERE type = 'documents.job.created')::int AS events`,
    );
    return row!;
  };

  it('creates a job for each object, in order, as single requests would', async () => {
    const before = await counts();
    const ids = pdfs.toReversed();
    const answer = await start(ids, {
      operations: [{ op: 'redact_pii', options: { style: 'label' } }],
      metadata: { batch: 7 },
    });
    expect(answer.status).to.equal(202);
    expect(answer.json).to.include({ created: 3, failed: 0 });
    const results = answer.json.results as { source_object_id: string; job: { id: string } }[];
    expect(results.map(({ source_object_id }) => source_object_id)).to.deep.equal(ids);
    for (const { source_object_id, job } of results) {
      const read = await api.call('GET', `/v1/documents/jobs/${job.id}`);
      expect(read.json).to.deep.equal(job);
      expect(read.json).to.deep.include({
        source_object_id,
        state: 'queued',
        pages: null,
        metadata: { batch: 7 },
      });
      const operations = read.json.operations as { op: string; implicit: boolean }[];
      expect(operations.map(({ op, implicit }) => [op, implicit])).to.deep.equal([
        ['ocr', true],
        ['redact_pii', false],
      ]);
    }
    const after = await counts();
    for (const [what, n] of Object.entries(before)) expect(after[what], what).to.equal(n + 3);
    const sources = await api.rows<{ source: string }>(
      `SELECT data ->> 'source_object_id' AS source FROM event
       WHERE type = 'documents.job.created' AND resource_id = ANY($1) ORDER BY 1`,
      [results.map(({ job }) => job.id)],
    );
    expect(sources.map(({ source }) => source)).to.deep.equal(pdfs.toSorted());
  });

  it('creates no job if one is invalid, and names every invalid object', async () => {
    const before = await counts();
    const unknown = newId('object');
    const answer = await start([pdfs[0]!, text, unknown, trashed, tagged]);
    expect([answer.status, answer.json.code]).to.deep.equal([422, 'reference_not_found']);
    expect(answer.json.detail).to.equal('4 of 5 objects cannot be processed; no job was created.');
    const faults = answer.json.errors as { pointer: string; code: string; detail: string }[];
    expect(faults.map(({ pointer, code }) => [pointer, code])).to.deep.equal([
      ['/source_object_ids/1', 'unsupported_source'],
      ['/source_object_ids/2', 'reference_not_found'],
      ['/source_object_ids/3', 'state_conflict'],
      ['/source_object_ids/4', 'policy_denied'],
    ]);
    expect(faults[1]!.detail).to.include(unknown);
    expect(faults[2]!.detail).to.include(trashed);
    expect(await counts()).to.deep.equal(before);
  });

  it('returns the problem itself if a single object is invalid', async () => {
    const gone = await start([pdfs[0]!, trashed]);
    expect([gone.status, gone.json.code]).to.deep.equal([409, 'state_conflict']);
    expect(gone.json.detail).to.include(trashed);
    const denied = await start([pdfs[0]!, tagged]);
    expect([denied.status, denied.json.code]).to.deep.equal([403, 'policy_denied']);
    expect(denied.json.violations[0]).to.include({ rule_type: 'max_bytes' });
    expect(denied.json.errors[0]).to.include({ pointer: '/source_object_ids/1' });
    const told = await api.rows(
      `SELECT FROM event WHERE type = 'dam.policy.denied' AND data ->> 'resource_id' = $1`,
      [tagged],
    );
    expect(told).to.have.length(1);
  });

  it('creates the valid jobs if asked to continue on errors', async () => {
    const answer = await start([tagged, pdfs[0]!, text], { on_error: 'continue' });
    expect(answer.status).to.equal(202);
    expect(answer.json).to.include({ created: 1, failed: 2 });
    const results = answer.json.results as { job: object | null; problem: { code: string } }[];
    expect(results.map(({ job, problem }) => [job !== null, problem?.code])).to.deep.equal([
      [false, 'policy_denied'],
      [true, undefined],
      [false, 'validation_failed'],
    ]);
    const none = await start([text], { on_error: 'continue' });
    expect(none.json).to.include({ created: 0, failed: 1 });
  });

  it('rejects the whole batch for invalid operations, options, pages and lists', async () => {
    const before = await counts();
    const told = async (ids: readonly string[], body: object = {}): Promise<unknown[]> => {
      const answer = await start(ids, { on_error: 'continue', ...body });
      return [answer.status, answer.json.code, answer.json.errors?.[0]?.pointer];
    };
    const late = [{ op: 'redact_pii' }, { op: 'ocr' }];
    expect(await told(pdfs, { operations: late })).to.deep.equal([
      422,
      'operation_order_invalid',
      '/operations/1/op',
    ]);
    const invalid = (pointer: string) => [422, 'validation_failed', pointer];
    const pattern = { custom_patterns: [{ name: 'BACK', pattern: '(a)\\1' }] };
    expect(
      await told(pdfs, { operations: [{ op: 'redact_pii', options: pattern }] }),
    ).to.deep.equal(invalid('/operations/0/options/custom_patterns/0/pattern'));
    expect(await told(pdfs, { pages: '1' })).to.deep.equal([422, 'unknown_field', '/pages']);
    expect(await told([])).to.deep.equal(invalid('/source_object_ids'));
    expect(await told([pdfs[0]!, pdfs[0]!])).to.deep.equal(invalid('/source_object_ids/1'));
    const many = Array.from({ length: 501 }, () => newId('object'));
    expect(await told(many)).to.deep.equal(invalid('/source_object_ids'));
    expect(await counts()).to.deep.equal(before);
  });

  it('requires pii:read if the operations do', async () => {
    const clerk = await api.issue(['documents:write']);
    const options = { keep_unredacted: true };
    const body = { source_object_ids: pdfs, operations: [{ op: 'redact_pii', options }] };
    const answer = await api.call('POST', '/v1/documents/jobs/batch', { body, key: clerk.key });
    expect([answer.status, answer.json.code]).to.deep.equal([403, 'insufficient_scope']);
  });

  it('is created once for an Idempotency-Key', async () => {
    const before = await counts();
    const headers = { 'Idempotency-Key': 'one-batch' };
    const first = await start(pdfs, {}, headers);
    const second = await start(pdfs, {}, headers);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.json).to.deep.equal(first.json);
    expect((await counts()).jobs).to.equal(before.jobs! + 3);
  });

  it('accepts the documented maximum of objects', async () => {
    const [row] = await api.rows<{ ids: string[] }>(
      `WITH made AS (
         INSERT INTO object (id, project_id, state, filename, mime, traits, bytes, sha256, source_kind)
         SELECT 'obj_' || lpad(n::text, 26, '0'), $1, 'available', n || '.pdf', 'application/pdf', '{}',
           o.bytes, o.sha256, 'upload'
         FROM generate_series(1, 500) n, object o WHERE o.project_id = $1 AND o.id = $2 RETURNING id)
       SELECT array_agg(id) AS ids FROM made`,
      [api.projectId, pdfs[0]],
    );
    const before = await counts();
    const answer = await start(row!.ids);
    expect(answer.status).to.equal(202);
    expect(answer.json.created).to.equal(500);
    expect((await counts()).tasks).to.equal(before.tasks! + 500);
  });
});
