import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { eventsOf, uploadImage } from '../../support/images.ts';

interface Fault {
  pointer?: string;
  header?: string;
  code: string;
}

describe('PATCH /v1/images', () => {
  let api: TestApi;
  /** Three images, each tagged `old`. */
  let ids: string[];
  let made = 0;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    ids = [];
    for (let at = 0; at < 3; at++) {
      made += 1;
      ids.push((await uploadImage(api, `picture-${made}.png`, ['old'])).id);
    }
  });

  const edit = (body: object, options: CallOptions = {}): Promise<ApiResponse> =>
    api.call('PATCH', '/v1/images', { ...options, body });
  const imageAt = async (at: number) => (await api.call('GET', `/v1/images/${ids[at]}`)).json;
  const tagsOf = async (): Promise<string[][]> =>
    Promise.all(ids.map(async (_, at) => (await imageAt(at)).tags));
  const etagOf = async (at: number): Promise<string> => `"${(await imageAt(at)).version}"`;
  const faultsOf = (answer: ApiResponse): Fault[] =>
    answer.json.errors.map(({ pointer, header, code }: Fault) => ({
      ...(pointer === undefined ? {} : { pointer }),
      ...(header === undefined ? {} : { header }),
      code,
    }));
  const eventCount = async (): Promise<number> => (await eventsOf(api, ...ids)).length;

  it('changes one image by ID, with the fields beside it', async () => {
    const [id] = ids;
    const version = (await imageAt(0)).version;
    const body = { id, title: 'Harbour', add_tags: ['new'], if_match: await etagOf(0) };
    const answer = await edit(body);
    expect([answer.status, answer.json]).to.deep.equal([
      200,
      {
        updated: 1,
        unchanged: 0,
        failed: 0,
        results: [{ id, outcome: 'updated', version: version + 1, problem: null }],
      },
    ]);
    expect(await imageAt(0)).to.deep.include({
      title: 'Harbour',
      tags: ['old', 'new'],
      version: version + 1,
    });
    expect((await edit({ id, title: 'Harbour' })).json).to.deep.include({
      updated: 0,
      unchanged: 1,
      results: [{ id, outcome: 'unchanged', version: version + 1, problem: null }],
    });
  });

  it('applies one patch to several images and keeps their order in the response', async () => {
    await edit({ id: ids[1], add_tags: ['new'] });
    const order = [ids[2]!, ids[1]!, ids[0]!];
    const answer = await edit({ ids: order, patch: { add_tags: ['new'] } });
    const results: { id: string; outcome: string; version: number }[] = answer.json.results;
    expect(results.map(({ id }) => id)).to.deep.equal(order);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal([
      'updated',
      'unchanged',
      'updated',
    ]);
    for (const [at, { version }] of results.entries()) {
      expect(version).to.equal((await imageAt(2 - at)).version);
    }
    expect(await tagsOf()).to.deep.equal([
      ['old', 'new'],
      ['old', 'new'],
      ['old', 'new'],
    ]);
  });

  it('loses no tag of concurrent requests that add and remove some', async () => {
    const added = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all([
      ...added.map((tag) => edit({ ids, patch: { add_tags: [tag] } })),
      edit({ ids, patch: { remove_tags: ['old'] } }),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(7).fill(200));
    for (const tags of await tagsOf()) expect(tags).to.have.members(added);
  });

  it('applies a separate patch to each of several images', async () => {
    const answer = await edit({
      updates: [
        { id: ids[0], patch: { tags: ['a'] }, if_match: await etagOf(0) },
        { id: ids[1], patch: { remove_tags: ['old'], metadata: { x: 1 } } },
        { id: ids[2], patch: { description: 'd' } },
      ],
    });
    expect(answer.json).to.deep.include({ updated: 3, unchanged: 0, failed: 0 });
    expect(await tagsOf()).to.deep.equal([['a'], [], ['old']]);
    expect((await imageAt(1)).metadata).to.deep.equal({ x: 1 });
    expect((await imageAt(2)).description).to.equal('d');
  });

  it('records all events in order, with the request ID and key', async () => {
    const from = await eventCount();
    await edit(
      { ids: [ids[1], ids[0]], patch: { add_tags: ['new'], rating: 4 } },
      { headers: { 'x-request-id': 'bulk-1' } },
    );
    const events = (await eventsOf(api, ...ids)).slice(from);
    expect(events.map(({ type, resource_id, data }) => [type, resource_id, data])).to.deep.equal(
      [ids[1], ids[0]].flatMap((id) => [
        ['dam.image.updated', id, { changed: ['rating'] }],
        ['dam.image.tags_changed', id, { added: ['new'], removed: [] }],
      ]),
    );
    for (const event of events) {
      expect([event.actor_id, event.address, event.request_id]).to.deep.equal([
        api.keyId,
        '127.0.0.1',
        'bulk-1',
      ]);
    }
  });

  it('changes all images or none, and reports every fault', async () => {
    const absent = newId('image');
    const theirs = (await uploadImage(api, `theirs-${made}.png`, [], api.other)).id;
    await api.call('DELETE', `/v1/images/${ids[2]}`);
    const from = await eventCount();
    const answer = await edit({
      updates: [
        { id: ids[0], patch: { add_tags: ['new'] } },
        { id: absent, patch: { title: 'x' } },
        { id: ids[1], patch: { metadata: { a: 'x'.repeat(17_000) } } },
        { id: ids[2], patch: { title: 'x' } },
        { id: theirs, patch: { title: 'x' } },
      ],
    });
    expect([answer.status, answer.json.code]).to.deep.equal([422, 'reference_not_found']);
    expect(faultsOf(answer)).to.deep.equal([
      { pointer: '/updates/1/id', code: 'reference_not_found' },
      { pointer: '/updates/2/patch/metadata', code: 'too_large' },
      { pointer: '/updates/3/id', code: 'state_conflict' },
      { pointer: '/updates/4/id', code: 'reference_not_found' },
    ]);
    expect(await tagsOf()).to.deep.equal([['old'], ['old'], ['old']]);
    expect(await eventCount()).to.equal(from);

    const named = await edit({ ids: [ids[0], ids[2]], patch: { title: 'x' } });
    expect([named.status, named.json.code]).to.deep.equal([409, 'state_conflict']);
    expect(faultsOf(named)).to.deep.equal([{ pointer: '/ids/1', code: 'state_conflict' }]);
    expect((await imageAt(0)).title).to.equal(null);
  });

  it('continues after faults on request, and reports the result for each image', async () => {
    const absent = newId('image');
    const stale = await etagOf(0);
    await edit({ id: ids[0], title: 'changed' });
    await api.call('DELETE', `/v1/images/${ids[2]}`);
    const answer = await edit({
      on_error: 'continue',
      updates: [
        { id: ids[0], if_match: stale, patch: { title: 'x' } },
        { id: ids[1], patch: { add_tags: ['new'] } },
        { id: absent, patch: { title: 'x' } },
        { id: ids[2], patch: { title: 'x' } },
      ],
    });
    expect([answer.status, answer.json.updated, answer.json.failed]).to.deep.equal([200, 1, 3]);
    const told = answer.json.results.map(
      (one: { id: string; outcome: string; version: number; problem: Record<string, unknown> }) => [
        one.id,
        one.outcome,
        one.version,
        one.problem?.code,
        one.problem?.status,
        (one.problem?.errors as Fault[] | undefined)?.map(({ pointer }) => pointer),
      ],
    );
    expect(told).to.deep.equal([
      [ids[0], 'failed', null, 'etag_mismatch', 412, ['/updates/0/if_match']],
      [ids[1], 'updated', (await imageAt(1)).version, undefined, undefined, undefined],
      [absent, 'failed', null, 'reference_not_found', 422, ['/updates/2/id']],
      [ids[2], 'failed', null, 'state_conflict', 409, ['/updates/3/id']],
    ]);
    expect(await tagsOf()).to.deep.equal([['old'], ['old', 'new'], ['old']]);
    expect((await imageAt(0)).title).to.equal('changed');
  });

  it('checks If-Match in the single form and rejects it in the others', async () => {
    const [id] = ids;
    const good = await etagOf(0);
    const send = (body: object, value: string): Promise<ApiResponse> =>
      edit(body, { headers: { 'if-match': value } });
    const stale = await send({ id, title: 'x' }, '"999"');
    expect([stale.status, stale.json.code]).to.deep.equal([412, 'etag_mismatch']);
    expect(faultsOf(stale)).to.deep.equal([{ header: 'If-Match', code: 'etag_mismatch' }]);
    expect(stale.json.detail).to.include('has changed');
    expect((await send({ id, title: 'x' }, `W/${good}`)).status).to.equal(412);
    expect((await send({ id, title: 'x' }, 'abc')).status).to.equal(400);
    // Both conditions apply.
    expect((await send({ id, title: 'x', if_match: '"999"' }, good)).status).to.equal(412);
    expect((await send({ id, title: 'x', if_match: good }, `"999", ${good}`)).status).to.equal(200);
    expect((await send({ id, title: 'y' }, '*')).status).to.equal(200);

    for (const body of [{ ids, patch: {} }, { updates: [{ id, patch: {} }] }]) {
      const rejected = await send(body, await etagOf(0));
      expect([rejected.status, rejected.json.code]).to.deep.equal([400, 'malformed_request']);
      expect(rejected.json.detail).to.match(/Use `/);
      expect((await send(body, '*')).status).to.equal(200);
    }
    const wrong = await edit({ updates: [{ id, if_match: '7', patch: {} }] });
    expect(faultsOf(wrong)).to.deep.equal([
      { pointer: '/updates/0/if_match', code: 'wrong_format' },
    ]);
  });

  it('rejects a body that fits no form, fits two or mixes their fields', async () => {
    const [id, two] = ids;
    const patch = { title: 'x' };
    for (const [body, wanted] of [
      [{}, [['', 'required']]],
      [{ patch }, [['', 'required']]],
      [{ title: 'x' }, [['', 'required']]],
      [
        { id, ids: [two], patch },
        [
          ['/ids', 'conflicting_field'],
          ['/patch', 'conflicting_field'],
        ],
      ],
      [{ id, patch }, [['/patch', 'conflicting_field']]],
      [{ ids: [id] }, [['/patch', 'required']]],
      [{ ids: [id], patch, title: 'x' }, [['/title', 'conflicting_field']]],
      [{ ids: [id], patch, if_match: '"1"' }, [['/if_match', 'conflicting_field']]],
      [{ updates: [{ id, patch }], patch }, [['/patch', 'conflicting_field']]],
      [{ updates: [{ id }] }, [['/updates/0/patch', 'required']]],
      [{ ids: [], patch }, [['/ids', 'too_few']]],
      [{ ids: [id, two, id], patch }, [['/ids/2', 'duplicate_item']]],
      [
        {
          updates: [
            { id, patch },
            { id, patch },
          ],
        },
        [['/updates/1/id', 'duplicate_item']],
      ],
      [{ ids: ['obj_00000000000000000000000000'], patch }, [['/ids/0', 'id_prefix_mismatch']]],
      [
        { ids: [id], patch: { tags: [], add_tags: ['a'] } },
        [['/patch/add_tags', 'conflicting_field']],
      ],
      [
        {
          updates: [
            { id, patch },
            { id: two, patch: { tags: ['ok', ' '] } },
          ],
          on_error: 'continue',
        },
        [['/updates/1/patch/tags/1', 'too_short']],
      ],
      [
        { updates: [{ id, patch: { state: 'trashed' } }] },
        [['/updates/0/patch/state', 'unknown_field']],
      ],
      [{ ids: Array.from({ length: 501 }, () => newId('image')), patch }, [['/ids', 'too_many']]],
    ] as const) {
      const answer = await edit(body);
      expect([answer.status, answer.json.code], answer.text).to.deep.equal([
        422,
        // A single fault of these kinds determines the code of the problem.
        /unknown_field|id_prefix_mismatch/.exec(wanted[0][1])?.[0] ?? 'validation_failed',
      ]);
      expect(faultsOf(answer).map(({ pointer, code }) => [pointer, code])).to.deep.equal(wanted);
    }
    expect(await tagsOf()).to.deep.equal([['old'], ['old'], ['old']]);
  });

  it('applies a request once if it is repeated with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `edit-${made}` };
    const body = { ids, patch: { add_tags: ['once'] } };
    const first = await edit(body, { headers });
    await edit({ ids, patch: { remove_tags: ['once'] } });
    const second = await edit(body, { headers });
    expect([second.status, second.text]).to.deep.equal([200, first.text]);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(await tagsOf()).to.deep.equal([['old'], ['old'], ['old']]);
    const reused = await edit({ ids, patch: { add_tags: ['other'] } }, { headers });
    expect(reused.json.code).to.equal('idempotency_key_reused');
  });

  it('requires images:write', async () => {
    const reader = await api.issue(['images:read', 'objects:write']);
    const answer = await edit({ ids, patch: { title: 'x' } }, reader);
    expect([answer.status, answer.json.code]).to.deep.equal([403, 'insufficient_scope']);
  });
});
