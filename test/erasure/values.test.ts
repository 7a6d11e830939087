import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { runErasure } from '../../src/erasure/values/erase.ts';
import { isOrdinaryWord, makePatterns, valuesIn } from '../../src/erasure/values/patterns.ts';
import { searchErasure } from '../../src/erasure/values/search.ts';
import { sealFinding } from '../../src/jobs/reviews/findings.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { makeFixtures } from '../support/fixtures.ts';
import { openRelay } from '../support/relay.ts';
import { stepTask } from '../support/tasks.ts';
import { findTraces } from '../support/traces.ts';
import { postRaw } from '../support/uploads.ts';

const path = '/v1/erasures';

describe('erasures of values', () => {
  let service: TestApi;
  let api: TestApi;
  let worker: Database;
  /** Of the current test only. */
  let name = 'Zyx Quorl';
  let tests = 0;
  before(async () => {
    service = await startApi();
    worker = await openDatabase(service.database.workerUrl, { poolSize: 4 });
  });
  beforeEach(async () => {
    api = await service.withProjects();
    tests += 1;
    name = `Zyx Quorl${String.fromCharCode(96 + tests)}`;
  });
  after(async () => {
    await worker.destroy();
    await service.close();
  });

  const deps = () => ({
    database: worker,
    storage: api.deps.storage,
    seal: api.deps.seal.seal,
    unseal: api.deps.seal.open,
  });
  const call = async (method: string, to: string, status: number, body?: object) => {
    const response = await api.call(method, to, { ...(body && { body }) });
    expect(response.status, response.text).to.equal(status);
    return response;
  };
  const upload = async (bytes: string, filename: string): Promise<string> =>
    (await postRaw(api, bytes, filename)).json.id;
  const search = async (values: string[], objects = 'purge'): Promise<string> => {
    const { id } = (await call('POST', path, 202, { values, objects })).json;
    await stepTask(worker, 'erasure.search', id, (_, run) => searchErasure(deps(), run));
    return id;
  };
  const run = (id: string) =>
    stepTask(worker, 'erasure.run', id, (_, taskRun) => runErasure(deps(), taskRun));
  const confirm = async (id: string, body: object = {}) => {
    await call('POST', `${path}/${id}/confirm`, 202, body);
    await run(id);
    return (await call('GET', `${path}/${id}`, 200)).json;
  };
  const resourcesOf = async (id: string) =>
    (await call('GET', `${path}/${id}/resources?limit=200`, 200)).json.data;

  /** Plants the name wherever a client or a job can write it. */
  const plant = async () => {
    const made = await makeFixtures(api, api);
    const file = await upload(`Minutes of ${name}`, 'minutes.txt');
    await call('PATCH', `/v1/objects/${file}`, 200, {
      tags: [name, 'kept tag'],
      metadata: { client: name, [name]: true },
    });
    await call('PATCH', `/v1/images/${made.image}`, 200, {
      title: `Portrait of ${name}`,
      description: name,
    });
    await call('PATCH', `/v1/collections/${made.collection}`, 200, {
      description: `For ${name}`,
      metadata: { name },
    });
    await call('PATCH', `/v1/shares/${made.share}`, 200, { title: name, message: `Dear ${name}` });
    await call('POST', '/v1/documents/packs', 202, {
      name: `Pack of ${name}`,
      source: { object_ids: [made.object] },
    });
    await call('POST', '/v1/documents/presets', 201, {
      name: `Preset of ${name}`,
      operations: [{ op: 'ocr' }],
    });
    await call('POST', '/v1/events/consumers', 201, {
      name: `reader-of-${name.replace(' ', '-')}`,
    });
    await call('POST', '/v1/members/invitations', 201, { role: 'viewer', name });
    await call('POST', '/v1/webhooks', 201, {
      url: 'http://127.0.0.1:9/x',
      event_types: ['*'],
      description: `Of ${name}`,
    });
    const relay = await openRelay(api);
    try {
      await upload('other', `${name}.txt`);
      await relay.run();
    } finally {
      await relay.close();
    }
    const [delivery] = await api.rows<{ id: string }>(
      'SELECT id FROM delivery WHERE project_id = $1 LIMIT 1',
      [api.projectId],
    );
    await api.rows('UPDATE delivery SET first_excerpt = $2 WHERE id = $1', [
      delivery!.id,
      `Rejected: ${name}`,
    ]);
    await api.rows('UPDATE job SET metadata = $2 WHERE project_id = $1', [
      api.projectId,
      JSON.stringify({ case: name }),
    ]);
    // A scan of which only a review has the name.
    const scan = await upload('a scan', 'scan.txt');
    await api.rows('UPDATE review SET source_object_id = $2 WHERE project_id = $1', [
      api.projectId,
      scan,
    ]);
    const context = { projectId: api.projectId, sourceObjectId: scan };
    const finding = newId('finding');
    await api.rows(
      `INSERT INTO finding (project_id, id, review_id, page, type, source, content, laid_out)
       VALUES ($1, $2, $3, 1, 'PERSON', 'person', $4, true)`,
      [
        api.projectId,
        finding,
        made.review,
        sealFinding({ seal: api.deps.seal.seal }, context, finding, { text: name, boxes: [] }),
      ],
    );
    await api.rows('UPDATE finding SET content = $2 WHERE project_id = $1 AND id = $3', [
      api.projectId,
      sealFinding({ seal: api.deps.seal.seal }, context, made.finding!, { text: null, boxes: [] }),
      made.finding,
    ]);
    // A page whose text is in the index of searches.
    const page = await upload('a page', 'page.txt');
    await api.rows(
      `INSERT INTO object_text (project_id, object_id, page, redacted, vector, last_position, worth, job_id)
       VALUES ($1, $2, 1, false, to_tsvector('library', $3), 9, 1, 'job')`,
      [api.projectId, page, `seen with ${name} there`],
    );
    return { file, scan, page, image: made.image! };
  };
  const traces = async () => {
    const surname = name.slice('Zyx '.length);
    const found = await findTraces(api, null, [name, surname, surname.toLowerCase()]);
    return [...new Set(found)].sort();
  };

  it('find every place, and remove it from rows and bytes', async () => {
    const { file, scan, page } = await plant();
    const planted = await traces();
    for (const place of ['object', 'image', 'collection', 'share', 'pack', 'preset', 'consumer']) {
      expect(planted.join('\n')).to.match(new RegExp(`^${place}: `, 'm'));
    }
    expect(planted.join('\n')).to.include('storage: ');
    const id = await search([name]);
    const preview = (await call('GET', `${path}/${id}`, 200)).json;
    expect(preview).to.include({ state: 'ready', percent: 100, value_count: 1 });
    expect(preview.found.object).to.be.at.least(4);
    expect(JSON.stringify(preview)).not.to.include('Quorl');
    const found: { resource_type: string; resource_id: string; fields: string[] }[] =
      await resourcesOf(id);
    const fieldsOf = (objectId: string) =>
      found.find((one) => one.resource_id === objectId)?.fields;
    expect(fieldsOf(file)).to.deep.equal(['metadata', 'tags']);
    expect(fieldsOf(scan)).to.deep.equal(['finding.sealed']);
    expect(fieldsOf(page)).to.deep.equal(['object_text.text']);
    expect(found.map((one) => one.resource_type)).to.include.members([
      ...['object', 'collection', 'share', 'pack', 'preset', 'consumer', 'invitation', 'event'],
      ...['webhook_endpoint', 'delivery', 'job'],
    ]);

    const finished = await confirm(id);
    expect(finished.state).to.equal('finished');
    expect(finished.report.report.kept).to.deep.equal([]);
    expect(finished.report.report.erased.object).to.equal(preview.found.object);
    expect(finished.report.signature.algorithm).to.equal('Ed25519');
    expect(await traces()).to.deep.equal([]);
    for (const objectId of [file, scan, page]) await call('GET', `/v1/objects/${objectId}`, 404);
    const [erasure] = await api.rows('SELECT sealed_values FROM erasure WHERE id = $1', [id]);
    expect(erasure).to.deep.equal({ sealed_values: null });
    const types = await api.rows<{ type: string }>(
      `SELECT type FROM event WHERE project_id = $1 AND resource_id = $2 ORDER BY ordinal`,
      [api.projectId, id],
    );
    expect(types.map(({ type }) => type.replace('access.erasure.', ''))).to.deep.equal([
      'requested',
      'confirmed',
      'finished',
    ]);
    // Events are still valid JSON, and readable.
    expect((await api.call('GET', '/v1/events?limit=200')).status).to.equal(200);
  });

  it('keep the bytes with `text`, without what was read from them', async () => {
    const { file, page, image } = await plant();
    const id = await search([name], 'text');
    await confirm(id);
    const places = (await traces()).map((place) => place.replace(/:.*/, ''));
    expect([...new Set(places)]).to.deep.equal(['storage']);
    const record = (await call('GET', `/v1/objects/${file}`, 200)).json;
    expect(record.tags).to.deep.equal(['kept tag']);
    expect(record.metadata.client).to.equal('[…]');
    expect((await call('GET', `/v1/images/${image}`, 200)).json.title).to.equal('Portrait of […]');
    await call('GET', `/v1/objects/${page}`, 200);
  });

  it('leave unchanged what a hold keeps, and name it in the report', async () => {
    const held = await upload('held', 'held.txt');
    const free = await upload('free', 'free.txt');
    for (const id of [held, free]) {
      await call('PATCH', `/v1/objects/${id}`, 200, { metadata: { name } });
      // Its passages are written by a trigger.
      await api.rows(
        `INSERT INTO object_text (project_id, object_id, page, redacted, vector, text, worth, job_id)
         VALUES ($1, $2, 1, false, to_tsvector('library', $3), $3, 1, 'job')`,
        [api.projectId, id, `seen with ${name} there`],
      );
    }
    await call('PATCH', `/v1/objects/${held}`, 200, { tags: ['court'] });
    const policy = await call('POST', '/v1/dam/security/policies', 201, {
      name: 'Court',
      mode: 'enforce',
      scope: { type: 'tag', tags: ['court'] },
      actions: ['delete'],
      rules: [{ type: 'legal_hold', reason: 'Trial' }],
    });
    const id = await search([name]);
    expect(
      (await resourcesOf(id)).map((one: { resource_type: string }) => one.resource_type),
    ).to.not.include('passage');
    const { report } = (await confirm(id)).report;
    expect(report.kept).to.deep.equal([
      {
        resource_type: 'object',
        resource_id: held,
        policy_id: policy.json.id,
        rule_type: 'legal_hold',
      },
    ]);
    expect((await call('GET', `/v1/objects/${held}`, 200)).json.metadata).to.deep.equal({ name });
    await call('GET', `/v1/objects/${free}`, 404);
    const passages = await api.rows<{ object_id: string; text: string }>(
      'SELECT object_id, text FROM passage WHERE object_id = ANY ($1)',
      [[held, free]],
    );
    expect(passages).to.deep.equal([{ object_id: held, text: `seen with ${name} there` }]);
  });

  it('continue after an interruption at any transaction', async () => {
    await plant();
    const id = await search([name]);
    await call('POST', `${path}/${id}/confirm`, 202, {});
    for (let survived = 0, ended = false; !ended; survived += 7) {
      let left = survived;
      ended = true;
      await stepTask(worker, 'erasure.run', id, (_, taskRun) =>
        runErasure(deps(), {
          ...taskRun,
          inProject: async (work) => {
            if (left-- <= 0) throw new Error('killed');
            return taskRun.inProject(work);
          },
        }),
      ).catch((error: Error) => {
        expect(error.message).to.equal('killed');
        ended = false;
      });
      await api.rows(
        `UPDATE task SET state = 'pending', lease_until = NULL WHERE kind = 'erasure.run'`,
      );
    }
    expect((await call('GET', `${path}/${id}`, 200)).json.state).to.equal('finished');
    expect(await traces()).to.deep.equal([]);
  });

  it('require a confirmation for a value that is a single word', async () => {
    const whole = await upload('one', 'summer.txt');
    const part = await upload('two', 'summertime.txt');
    const id = await search(['Summer']);
    const { ordinary_words: words } = (await call('GET', `${path}/${id}`, 200)).json;
    expect(words[0].value_index).to.equal(0);
    expect(words[0].resources).to.be.at.least(1);
    const refused = await call('POST', `${path}/${id}/confirm`, 409, {});
    expect(refused.json.code).to.equal('confirmation_required');
    expect((await confirm(id, { whole_values: true })).state).to.equal('finished');
    await call('GET', `/v1/objects/${whole}`, 404);
    await call('GET', `/v1/objects/${part}`, 200);
  });

  it('end at a cancellation, which drops the values', async () => {
    const id = await search(['Summer Zyx']);
    await call('POST', `${path}/${id}/cancel`, 204);
    const [row] = await api.rows('SELECT state, sealed_values FROM erasure WHERE id = $1', [id]);
    expect(row).to.deep.equal({ state: 'cancelled', sealed_values: null });
    expect((await call('POST', `${path}/${id}/confirm`, 409, {})).json.code).to.equal(
      'state_conflict',
    );
  });

  it('do not find values of another project', async () => {
    await postRaw(api, 'theirs', `${name}.txt`, api.other);
    const id = await search([name]);
    expect(await resourcesOf(id)).to.deep.equal([]);
    await confirm(id);
    expect((await api.call('GET', '/v1/objects', api.other)).json.data[0].filename).to.equal(
      `${name}.txt`,
    );
  });

  it('cover every column with text or data of clients, except those that are listed', async () => {
    const notErased = [
      // Sealed; the search opens them, and the values are deleted with their source.
      ...['finding.content', 'finding.reason', 'review.reason', 'review_text.content'],
      ...['review_text.layout', 'webhook_endpoint.headers', 'webhook_endpoint.secrets'],
      // Deleted with a value, or while encrypted.
      ...['idempotency.body', 'idempotency.headers'],
      // Derived from other columns by triggers.
      ...['image_index.filename', 'image_index.tags', 'image_place.place', 'object_index.tags'],
      // Identifiers and positions.
      ...['finding.removal', 'replay.walk', 'task.payload'],
      // They decide what is kept.
      ...['policy.conditions', 'policy.rules', 'policy.scope_members'],
      // Without values.
      ...[
        'erasure.ordinary_words',
        'erasure.report',
        'erasure.requested_by',
        'erasure.confirmed_by',
      ],
      ...['erasure_resource.kept_by', 'project_deletion.requested_by', 'project_deletion.report'],
      'project_deletion.rows_deleted',
    ];
    const columns = await api.rows<{ name: string; erased: boolean }>(
      `SELECT c.relname || '.' || a.attname AS name, e.kind IS NOT NULL AS erased FROM pg_class c
       JOIN pg_attribute p ON p.attrelid = c.oid AND p.attname = 'project_id'
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       JOIN pg_type t ON t.oid = a.atttypid
       LEFT JOIN erasable_columns() e ON e.table_name = c.relname AND e.column_name = a.attname
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT c.relispartition AND a.attgenerated = ''
         AND (t.typname = 'jsonb' OR t.typname IN ('text', '_text') AND a.attcollation = 100)`,
    );
    const missing = columns.filter(({ erased }) => !erased).map((column) => column.name);
    expect(missing.sort()).to.deep.equal(notErased.sort());
  });

  it('match whole values, regardless of case, spaces and punctuation', () => {
    const patterns = makePatterns(['Asha Bell', 'a.b@example.com', 'Zoë']);
    expect(valuesIn(patterns, 'for ASHA\n bell, and zoë')).to.deep.equal([0, 2]);
    expect(valuesIn(patterns, 'asha_bell.pdf')).to.deep.equal([0]);
    expect(valuesIn(patterns, 'Ashabell, Asha Bells, Zoëy')).to.deep.equal([]);
    expect(valuesIn(patterns, 'mail A.B@example.com.')).to.deep.equal([1]);
    expect(['Bell', 'Asha Bell', '12345', 'a@b.c'].map(isOrdinaryWord)).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });
});
