import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';
import { postRaw } from '../support/uploads.ts';

const path = '/v1/documents/presets';
const secret = { name: 'CASE', pattern: 'Operation Nightjar \\d+', case_sensitive: false };

describe('presets', () => {
  let api: TestApi;
  let object: string;
  before(async () => {
    api = await startApi();
    object = (await postRaw(api, Buffer.from('Minutes of the board.'), 'minutes.txt')).json.id;
  });
  after(() => api.close());

  const create = (name: string, operations: object[], more: object = {}) =>
    api.call('POST', path, { body: { name, operations }, ...more });
  const start = (body: object) =>
    api.call('POST', '/v1/documents/jobs', { body: { source_object_id: object, ...body } });
  const keyWith = async (...scopes: string[]): Promise<string> =>
    (await api.call('POST', '/v1/keys', { body: { name: 'K', scopes } })).json.api_key;

  it('start jobs with their operations and options', async () => {
    const made = await create('Claims', [
      { op: 'redact_pii', options: { style: 'label' } },
      { op: 'normalize_for_llm' },
    ]);
    expect(made.status, made.text).to.equal(201);
    const job = await start({ preset_id: made.json.id });
    expect(job.status, job.text).to.equal(202);
    const [redact, normalize] = job.json.operations;
    expect(redact.options).to.deep.equal(made.json.operations[0].options);
    expect(redact.options.style).to.equal('label');
    expect(normalize.options).to.deep.equal(made.json.operations[1].options);
    const batch = await api.call('POST', '/v1/documents/jobs/batch', {
      body: { source_object_ids: [object], preset_id: made.json.id, on_error: 'abort' },
    });
    expect([batch.status, batch.json.created]).to.deep.equal([202, 1]);
  });

  it('are rejected where both or neither of operations and preset are sent', async () => {
    const { id } = (await create('Scans', [{ op: 'classify' }])).json;
    const both = await start({ preset_id: id, operations: [{ op: 'classify' }] });
    const neither = await start({});
    for (const { status, json } of [both, neither]) {
      expect([status, json.errors[0].code]).to.deep.equal([422, 'one_of']);
    }
    const gone = await api.call('DELETE', `${path}/${id}`);
    expect(gone.status).to.equal(204);
    const missing = await start({ preset_id: id });
    expect([missing.status, missing.json.code]).to.deep.equal([422, 'reference_not_found']);
    expect(missing.json.errors[0].pointer).to.equal('/preset_id');
  });

  it('seal patterns and allowed values, and show them with pii:read only', async () => {
    const options = { custom_patterns: [secret], allow_list: ['Ada Bell'] };
    const made = await create('Nightjar', [{ op: 'redact_pii', options }]);
    expect(made.json.operations[0].options).to.deep.include(options);
    const [stored] = await api.rows<{ all: string }>(
      'SELECT to_jsonb(p)::text AS all FROM preset p WHERE id = $1',
      [made.json.id],
    );
    expect(stored!.all).not.to.match(/Nightjar \\|Ada Bell/);
    const key = await keyWith('documents:read', 'documents:write', 'objects:read');
    const shown = await api.call('GET', `${path}/${made.json.id}`, { key });
    const { custom_patterns: patterns, allow_list: allowed } = shown.json.operations[0].options;
    expect(patterns).to.deep.equal([{ ...secret, pattern: null }]);
    expect(allowed).to.equal(null);
    // A key that may not read the pattern may use it: the job redacts by it.
    const job = await api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: object, preset_id: made.json.id },
      key,
    });
    expect(job.status, job.text).to.equal(202);
    const full = await api.call('GET', `/v1/documents/jobs/${job.json.id}`);
    expect(full.json.operations[0].options.custom_patterns).to.deep.equal([secret]);
    // Another name does not lose what is sealed.
    const renamed = await api.call('PATCH', `${path}/${made.json.id}`, { body: { name: 'N.' } });
    expect(renamed.json.operations[0].options).to.deep.include(options);
    expect(renamed.json.version).to.equal(2);
  });

  it('need pii:read to keep what is not redacted', async () => {
    const key = await keyWith('documents:read', 'documents:write');
    const operations = [{ op: 'redact_pii', options: { keep_unredacted: true } }];
    const rejected = await create('Both', operations, { key });
    expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'insufficient_scope']);
    const made = await create('Both', operations);
    expect(made.status).to.equal(201);
    const used = await api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: object, preset_id: made.json.id },
      key: await keyWith('documents:read', 'documents:write', 'objects:read'),
    });
    expect([used.status, used.json.code]).to.deep.equal([403, 'insufficient_scope']);
  });

  it('have names that are not blank', async () => {
    const { status, json } = await api.call('POST', '/v1/documents/presets', {
      body: { name: ' \t', operations: [{ op: 'ocr' }] },
    });
    expect([status, json.errors[0].pointer]).to.deep.equal([422, '/name']);
    expect(json.errors[0].detail).to.include('a name that is not blank');
  });

  it('have names that are unique whatever their case', async () => {
    const first = (await create('Letters', [{ op: 'classify' }])).json;
    const same = await create('LETTERS', [{ op: 'classify' }]);
    expect([same.status, same.json.code]).to.deep.equal([409, 'already_exists']);
    const second = (await create('Letters 2', [{ op: 'classify' }])).json;
    const renamed = await api.call('PATCH', `${path}/${second.id}`, { body: { name: 'letters' } });
    expect(renamed.status).to.equal(409);
    const own = await api.call('PATCH', `${path}/${first.id}`, { body: { name: 'LETTERS' } });
    expect([own.status, own.json.name]).to.deep.equal([200, 'LETTERS']);
    const together = await Promise.all([1, 2, 3].map(() => create('Race', [{ op: 'classify' }])));
    expect(together.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409]);
  });

  it('keep their version when nothing changes, and record what did', async () => {
    const { id } = (await create('Quiet', [{ op: 'classify' }])).json;
    const same = await api.call('PATCH', `${path}/${id}`, {
      body: { name: 'Quiet', operations: [{ op: 'classify', options: {} }] },
    });
    expect(same.json.version).to.equal(1);
    const changed = await api.call('PATCH', `${path}/${id}`, {
      body: { description: 'Of the archive', operations: [{ op: 'redact_pii' }] },
    });
    expect(changed.json.version).to.equal(2);
    await api.call('DELETE', `${path}/${id}`);
    const events = await api.rows<{ type: string; data: object }>(
      'SELECT type, data FROM event WHERE resource_id = $1 ORDER BY ordinal',
      [id],
    );
    expect(events).to.deep.equal([
      {
        type: 'documents.preset.created',
        data: { name: 'Quiet', operations: ['classify'] },
      },
      { type: 'documents.preset.updated', data: { changed: ['description', 'operations'] } },
      {
        type: 'documents.preset.deleted',
        data: { name: 'Quiet', operations: ['redact_pii'] },
      },
    ]);
  });

  it('are bounded in number', async () => {
    const { presets_per_project: most } = (await api.call('GET', '/v1/limits')).json;
    await api.rows(
      `INSERT INTO preset (project_id, id, name, operations, created_by)
       SELECT $1, new_id('pst'), 'p' || n, '[]', '{"type":"operator","id":null}'
       FROM generate_series(1, $2::integer) n`,
      [api.other.projectId, most],
    );
    const rejected = await create('One more', [{ op: 'classify' }], api.other);
    expect([rejected.status, rejected.json.limit]).to.deep.equal([409, most]);
  });

  it('of the service are valid jobs', async () => {
    const { presets } = (await api.call('GET', '/v1/capabilities')).json;
    expect(presets.length).to.be.greaterThan(2);
    for (const { name, operations } of presets) {
      const made = await create(`Copy of ${name}`, operations);
      expect(made.status, made.text).to.equal(201);
    }
  });
});
