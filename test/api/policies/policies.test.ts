import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { policiesPath } from '../../support/policies.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { postRaw } from '../../support/uploads.ts';

describe('security policies', () => {
  let api: TestApi;
  let relay: TestRelay;
  before(async () => {
    api = await startApi();
    relay = await openRelay(api);
  });
  after(async () => {
    await relay.close();
    await api.close();
  });
  // Including the default ones.
  beforeEach(async () => {
    await api.rows('DELETE FROM policy');
  });

  const draft = (changed: object = {}) => ({
    name: 'Small files',
    mode: 'enforce',
    scope: { type: 'project' },
    actions: ['upload', 'download'],
    rules: [{ type: 'max_bytes', bytes: 1000 }],
    ...changed,
  });
  const create = (changed: object = {}) => api.call('POST', policiesPath, { body: draft(changed) });
  const faults = (answer: ApiResponse): [string, string][] =>
    answer.json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [
      pointer,
      code,
    ]);
  const audit = async (): Promise<{ type: string; resource_id: string; data: object }[]> => {
    await relay.run();
    const { json } = await api.call(
      'GET',
      '/v1/events?category=audit&type=dam.policy.*&limit=1000',
    );
    return json.data;
  };

  it('are created, read, listed, changed and deleted, each with its audit event', async () => {
    const made = await create();
    expect(made.status).to.equal(201);
    const { id } = made.json;
    expect(made.headers.get('location')).to.equal(`${policiesPath}/${id}`);
    expect(made.json).to.deep.include({ ...draft(), when: null, version: 1 });
    const read = await api.call('GET', `${policiesPath}/${id}`);
    expect(read.json).to.deep.equal(made.json);
    expect(read.headers.get('etag')).to.equal('"1"');
    const second = await create({ name: 'Other' });
    const listed = await api.call('GET', `${policiesPath}?limit=1&include=total`);
    expect(listed.json.data).to.deep.equal([second.json]);
    expect(listed.json.total).to.equal(2);
    const next = await api.call('GET', `${policiesPath}?limit=1&cursor=${listed.json.next_cursor}`);
    expect(next.json.data).to.deep.equal([made.json]);

    const headers = { 'if-match': '"1"' };
    const body = { mode: 'audit', when: { mime: ['image/*'] } };
    const changed = await api.call('PATCH', `${policiesPath}/${id}`, { body, headers });
    expect(changed.json).to.deep.include({ ...body, name: 'Small files', version: 2 });
    const merged = await api.call('PATCH', `${policiesPath}/${id}`, {
      body: { when: { labels: ['invoice'] } },
      headers: { 'if-match': '"2"' },
    });
    expect(merged.json.when).to.deep.equal({ mime: ['image/*'], labels: ['invoice'] });
    const same = await api.call('PATCH', `${policiesPath}/${id}`, {
      body: { when: { labels: ['invoice'] } },
      headers: { 'if-match': '"3"' },
    });
    expect(same.json.version).to.equal(3);
    expect((await api.call('DELETE', `${policiesPath}/${id}`, { headers })).status).to.equal(412);
    const gone = await api.call('DELETE', `${policiesPath}/${id}`, {
      headers: { 'if-match': '"3"' },
    });
    expect(gone.status).to.equal(204);
    expect((await api.call('GET', `${policiesPath}/${id}`)).status).to.equal(404);
    const events = (await audit()).filter(({ resource_id }) => resource_id === id);
    expect(events.map(({ type, data }) => [type, data])).to.deep.equal([
      ['dam.policy.created', { name: 'Small files', mode: 'enforce' }],
      ['dam.policy.updated', { changed: ['mode', 'when'] }],
      ['dam.policy.updated', { changed: ['when'] }],
      ['dam.policy.deleted', { name: 'Small files', mode: 'audit' }],
    ]);
  });

  it('require If-Match to be changed or deleted', async () => {
    const { id } = (await create()).json;
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'X' } : undefined;
      const answer = await api.call(method, `${policiesPath}/${id}`, { body });
      expect([answer.status, answer.json.code]).to.deep.equal([428, 'precondition_required']);
    }
  });

  it('are rejected with all faults at once', async () => {
    const answer = await create({
      scope: { type: 'tag', tags: ['red', ' '] },
      rules: [
        { type: 'ip_allow', cidrs: ['10.0.0.0/8', '10.0.0.0/33'] },
        { type: 'time_window', time_zone: 'Mars/Olympus', from: '08:00', to: '09:00' },
        { type: 'allowed_mime_types' },
        { type: 'legal_hold', reason: 'Case 7' },
      ],
    });
    expect(answer.status).to.equal(422);
    expect(faults(answer)).to.deep.equal([
      ['/scope/tags/1', 'too_short'],
      ['/rules/0/cidrs/1', 'invalid_cidr'],
      ['/rules/1/time_zone', 'unknown_time_zone'],
      ['/rules/2', 'required'],
      ['/rules/3/type', 'rule_not_applicable'],
    ]);
  });

  const wrong: [string, object, [string, string]][] = [
    ['an unknown rule', { rules: [{ type: 'max_size' }] }, ['/rules/0/type', 'not_allowed']],
    ['no rule', { rules: [] }, ['/rules', 'too_few']],
    [
      'too many rules',
      { rules: Array(21).fill({ type: 'max_bytes', bytes: 1 }) },
      ['/rules', 'too_many'],
    ],
    [
      'a rule with a parameter of another',
      { rules: [{ type: 'max_bytes', bytes: 1, pixels: 1 }] },
      ['/rules/0/pixels', 'unknown_field'],
    ],
    [
      'no bytes at all',
      { rules: [{ type: 'max_bytes', bytes: 0 }] },
      ['/rules/0/bytes', 'too_small'],
    ],
    [
      'a pattern that is none',
      { rules: [{ type: 'allowed_mime_types', include: ['image'] }] },
      ['/rules/0/include/0', 'wrong_format'],
    ],
    ['a mode that is none', { mode: 'on' }, ['/mode', 'not_allowed']],
    ['an action that is none', { actions: ['write'] }, ['/actions/0', 'not_allowed']],
    ['a scope that is none', { scope: { type: 'folder' } }, ['/scope/type', 'not_allowed']],
    [
      'a time without minutes',
      { rules: [{ type: 'time_window', time_zone: 'UTC', from: '8', to: '09:00' }] },
      ['/rules/0/from', 'wrong_format'],
    ],
    ['a condition that is none', { when: { size: 1 } }, ['/when/size', 'unknown_field']],
  ];
  for (const [what, changed, fault] of wrong) {
    it(`reject ${what}`, async () => {
      const answer = await create(changed);
      expect(answer.status).to.equal(422);
      expect(faults(answer)).to.deep.include(fault);
    });
  }

  it('reject a missing collection', async () => {
    const id = newId('collection');
    const answer = await create({ scope: { type: 'collection', ids: [id] } });
    expect([answer.status, answer.json.code]).to.deep.equal([422, 'reference_not_found']);
    expect(faults(answer)).to.deep.equal([['/scope/ids/0', 'reference_not_found']]);
  });

  it('are limited to 200, even with concurrent requests', async () => {
    await api.rows(
      `INSERT INTO policy (id, project_id, name, mode, scope_type, actions, rules)
       SELECT 'pol_' || lpad(n::text, 26, '0'), $1, 'n', 'disabled', 'project', '{read}', '[{"type": "max_bytes", "bytes": 1}]'
       FROM generate_series(1, 197) AS n`,
      [api.projectId],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      201, 201, 201, 409, 409, 409,
    ]);
    const { json } = await api.call('GET', `${policiesPath}?include=total`);
    expect(json.total).to.equal(200);
  });

  describe('when evaluated', () => {
    const ask = (body: object, options = {}) =>
      api.call('POST', `${policiesPath}/evaluate`, { body, ...options });

    it('return 200 with a decision, and record nothing', async () => {
      const { id } = (await create()).json;
      await create({ mode: 'audit', rules: [{ type: 'max_bytes', bytes: 500 }] });
      const answer = await ask({
        action: 'upload',
        candidate: { mime: 'text/plain', bytes: 5000 },
      });
      expect(answer.status).to.equal(200);
      expect(answer.json.decision).to.equal('deny');
      expect(answer.json.violations).to.deep.equal([
        {
          policy_id: id,
          rule_type: 'max_bytes',
          code: 'too_many_bytes',
          detail: 'The maximum file size is 1,000 bytes.',
          parameters: { bytes: 1000 },
          remedy: null,
        },
      ]);
      expect(answer.json.denials_observed).to.have.length(1);
      const small = await ask({ action: 'upload', candidate: { mime: 'text/plain', bytes: 800 } });
      expect(small.json).to.include({ decision: 'allow' });
      const types = (await audit()).map(({ type }) => type);
      expect(types).to.not.include('dam.policy.denied');
      expect(types).to.not.include('dam.policy.denial_observed');
    });

    it('return the decision on a stored object or image, with drafts as if saved', async () => {
      const object = (await postRaw(api, 'some text', 'a.txt')).json.id;
      const about = { action: 'download', resource: { type: 'object', id: object } };
      expect((await ask(about)).json.decision).to.equal('allow');
      const strict = draft({ rules: [{ type: 'require_signed_url' }], actions: ['download'] });
      const answer = await ask({ ...about, with: [strict] });
      expect(answer.json.violations[0]).to.deep.include({
        policy_id: 'draft_1',
        code: 'signed_url_required',
        remedy: {
          method: 'POST',
          path: `/v1/objects/${object}/signed-urls`,
          body: { ttl_seconds: 3600 },
        },
      });
      const signed = { signed_url: { ttl_seconds: 60 } };
      const used = await ask({ ...about, context: signed, with: [strict] });
      expect(used.json.decision).to.equal('allow');
      const saved = (await create({ ...strict })).json;
      expect((await ask(about)).json.decision).to.equal('deny');
      const milder = { ...draft({ mode: 'disabled' }), id: saved.id };
      expect((await ask({ ...about, with: [milder] })).json.decision).to.equal('allow');
    });

    it('accept an address and a time other than those of the request', async () => {
      await create({
        rules: [{ type: 'ip_allow', cidrs: ['192.0.2.0/24'] }],
        actions: ['download'],
      });
      const candidate = { mime: 'text/plain' };
      const from = (address: string) =>
        ask({ action: 'download', candidate, context: { address } });
      expect((await from('192.0.2.9')).json.decision).to.equal('allow');
      expect((await from('198.51.100.9')).json.decision).to.equal('deny');
      expect((await from('nowhere')).status).to.equal(422);
    });

    it('deny a missing resource and one of another project in the same words', async () => {
      const foreign = (await postRaw(api, 'theirs', 'b.txt', api.other)).json.id;
      for (const [type, ids] of [
        ['object', [newId('object'), foreign]],
        ['image', [newId('image')]],
      ] as const) {
        const answers = await Promise.all(
          ids.map(async (id) => {
            const answer = await api.call('POST', `${policiesPath}/evaluate`, {
              body: { action: 'download', resource: { type, id }, with: [draft()] },
              headers: { 'X-Request-Id': 'same' },
            });
            expect(answer.status).to.equal(200);
            return answer.text.replaceAll(id, 'ID');
          }),
        );
        expect(JSON.parse(answers[0]!)).to.deep.equal({
          decision: 'deny',
          violations: [
            {
              policy_id: null,
              rule_type: null,
              code: 'resource_not_found',
              detail: `'ID' does not exist.`,
              parameters: {},
              remedy: null,
            },
          ],
          obligations: [],
          denials_observed: [],
        });
        expect(new Set(answers).size).to.equal(1);
      }
    });

    it('reject a request that names no resource, or two', async () => {
      const candidate = { mime: 'text/plain' };
      const id = newId('object');
      expect((await ask({ action: 'read' })).status).to.equal(422);
      const both = await ask({ action: 'read', candidate, resource: { type: 'object', id } });
      expect(both.status).to.equal(422);
      const broken = await ask({
        action: 'read',
        candidate,
        with: [draft(), draft({ rules: [{ type: 'ip_deny', cidrs: ['x'] }] })],
      });
      expect(faults(broken)).to.deep.equal([['/with/1/rules/0/cidrs/0', 'invalid_cidr']]);
    });
  });

  it('report their impact before they are enforced, also for unsaved drafts', async () => {
    const large = (await postRaw(api, 'x'.repeat(3000), 'large.txt')).json.id;
    await postRaw(api, 'x'.repeat(300), 'small.txt');
    const { id } = (await create({ mode: 'disabled' })).json;
    const { json } = await api.call('POST', `${policiesPath}/${id}/impact`, { body: {} });
    expect(json.complete).to.equal(true);
    expect(json.examined).to.be.at.least(2);
    expect(json.actions.download).to.deep.equal({ denied: 1, pending: 0, examples: [large] });
    const body = { with: draft({ rules: [{ type: 'max_bytes', bytes: 100 }] }) };
    const stricter = await api.call('POST', `${policiesPath}/${id}/impact`, { body });
    expect(stricter.json.actions.download.denied).to.equal(2);
    const unsaved = await api.call('POST', `${policiesPath}/impact`, { body });
    expect(unsaved.json).to.deep.equal(stricter.json);
    const wrong = { with: draft({ actions: ['delete'] }) };
    const rejected = await api.call('POST', `${policiesPath}/impact`, { body: wrong });
    expect(rejected.json.errors[0].pointer).to.equal('/with/rules/0/type');
  });

  it('report their impact on requests from an address or at a time', async () => {
    const { id } = (
      await create({
        mode: 'disabled',
        rules: [
          { type: 'ip_allow', cidrs: ['192.0.2.0/24'] },
          { type: 'time_window', time_zone: 'UTC', from: '08:00', to: '18:00' },
        ],
      })
    ).json;
    const impactOf = async (body: object) =>
      (await api.call('POST', `${policiesPath}/${id}/impact`, { body })).json;
    const { examined, actions } = await impactOf({});
    expect(actions.download.denied).to.equal(0);
    for (const [context, denied] of [
      [{ address: '192.0.2.7' }, 0],
      [{ address: '198.51.100.7' }, examined],
      [{ at: '2026-03-04T12:00:00.000Z' }, 0],
      [{ at: '2026-03-04T23:00:00.000Z' }, examined],
    ] as const) {
      const impact = await impactOf({ context });
      expect(impact.actions.download.denied, JSON.stringify(context)).to.equal(denied);
    }
    const wrong = await impactOf({ context: { address: 'here' } });
    expect(wrong.errors[0].pointer).to.equal('/context/address');
  });

  it('count retention as of the time that the impact is asked for', async () => {
    const { id } = (
      await create({
        mode: 'disabled',
        actions: ['delete'],
        rules: [{ type: 'retention', min_days: 30 }],
      })
    ).json;
    const deniedAt = async (context: object): Promise<number> =>
      (await api.call('POST', `${policiesPath}/${id}/impact`, { body: { context } })).json.actions
        .delete.denied;
    const inSixtyDays = new Date(Date.now() + 60 * 24 * 3_600_000).toISOString();
    expect(await deniedAt({})).to.be.above(0);
    expect(await deniedAt({ at: inSixtyDays })).to.equal(0);
  });

  it('require their scopes', async () => {
    const reader = await api.issue(['policies:read']);
    expect((await api.call('GET', policiesPath, reader)).status).to.equal(200);
    const rejected = await api.call('POST', policiesPath, { ...reader, body: draft() });
    expect(rejected.json.code).to.equal('insufficient_scope');
  });
});
