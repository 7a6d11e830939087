import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

describe('webhook settings', () => {
  let api: TestApi;
  let relay: TestRelay;
  /** The URLs that were looked up. */
  let checked: string[];
  before(async () => {
    api = await startApi({
      deps: ({ dialer }) => ({
        dialer: {
          post: (request) => dialer.post(request),
          check: (url) => {
            checked.push(url);
            return dialer.check(url);
          },
        },
      }),
    });
    relay = await openRelay(api);
  });
  beforeEach(async () => {
    checked = [];
    await api.rows('DELETE FROM webhook_endpoint');
    await api.rows('DELETE FROM event');
  });
  after(async () => {
    await relay.close();
    await api.close();
  });

  const url = 'http://127.0.0.1:9/hook';
  const create = (body: object = {}) =>
    api.call('POST', '/v1/webhooks', { body: { url, event_types: ['dam.*'], ...body } });
  const patch = (id: string, body: object, etag = '*') =>
    api.call('PATCH', `/v1/webhooks/${id}`, { body, headers: { 'if-match': etag } });
  const faults = (answer: ApiResponse): [string, string][] =>
    (answer.json.errors ?? []).map((fault: { pointer: string; code: string }) => [
      fault.pointer,
      fault.code,
    ]);
  /** The fields in update events, in order. */
  const changes = async (): Promise<string[][]> => {
    await relay.run();
    const { json } = await api.call(
      'GET',
      '/v1/events?category=audit&type=webhooks.endpoint.updated',
    );
    return json.data.map((event: { data: { changed: string[] } }) => event.data.changed);
  };

  it('are stored and returned with the defaults', async () => {
    const settings = {
      description: 'Orders',
      headers: { 'X-Tenant': 'a' },
      payload: 'thin',
      max_per_second: 7,
      max_in_flight: 3,
      signing: ['v1'],
      filter: { '/data/state': ['failed', null], '/data/pages_total': [1] },
    };
    const made = await create(settings);
    expect(made.status, made.text).to.equal(201);
    const shown = { ...settings, headers: { 'X-Tenant': hiddenValue } };
    expect(made.json).to.deep.include(shown);
    const read = await api.call('GET', `/v1/webhooks/${made.json.id}`);
    expect(read.json).to.deep.include(shown);
    expect((await create()).json).to.deep.include({
      description: null,
      headers: {},
      payload: 'full',
      max_per_second: null,
      max_in_flight: 20,
      signing: ['v1'],
      public_keys: [],
      filter: null,
    });
    const told = (await api.call('GET', '/v1/limits')).json;
    expect(told).to.include({
      webhook_max_per_second: 1000,
      webhook_filter_pointers: 20,
      webhook_filter_values: 100,
    });
  });

  it('are rejected if invalid, each with its pointer', async () => {
    const { json } = await create();
    for (const [body, pointer] of [
      [{ max_per_second: 0 }, '/max_per_second'],
      [{ max_per_second: 1001 }, '/max_per_second'],
      [{ max_per_second: 1.5 }, '/max_per_second'],
      [{ max_in_flight: null }, '/max_in_flight'],
      [{ signing: [] }, '/signing'],
      [{ signing: ['v2'] }, '/signing/0'],
      [{ signing: ['v1', 'v1'] }, '/signing/1'],
      [{ signing: 'v1' }, '/signing'],
      [{ filter: [] }, '/filter'],
      [{ filter: 'x' }, '/filter'],
      [{ filter: { '/type': [] } }, '/filter/~1type'],
      [{ filter: { '/type': [{}] } }, '/filter/~1type/0'],
      [{ filter: { '/type': ['a', ['b']] } }, '/filter/~1type/1'],
      [{ filter: { '/type': 'x'.repeat(1001) } }, '/filter/~1type'],
      [{ filter: { '/data/a\nb': { deep: true } } }, '/filter/~1data~1a\nb'],
      [{ filter: { __proto__: 1, ...JSON.parse('{"__proto__": ["x"]}') } }, '/filter/__proto__'],
    ] as [object, string][]) {
      for (const answer of [await create(body), await patch(json.id, body)]) {
        const what = JSON.stringify(body).slice(0, 60);
        expect([answer.status, faults(answer)[0]?.[0]], what).to.deep.equal([422, pointer]);
      }
    }
    const wrong = await create({ filter: { '/type': {} } });
    expect(wrong.json.errors[0].detail).to.equal(
      '`filter./type` must be a string, a number, a boolean or a list.',
    );
    expect((await api.call('GET', `/v1/webhooks/${json.id}`)).json.version).to.equal(1);
  });

  describe('with a filter', () => {
    it('accept single values or lists, and return lists', async () => {
      const filter = {
        '/data/state': 'failed',
        '/data/verified': false,
        '/data/pages_total': 0,
        '/data/error': [null],
        '/type': ['documents.job.failed', 'documents.job.succeeded'],
      };
      const { json } = await create({ filter });
      expect(json.filter).to.deep.equal({
        '/data/state': ['failed'],
        '/data/verified': [false],
        '/data/pages_total': [0],
        '/data/error': [null],
        '/type': ['documents.job.failed', 'documents.job.succeeded'],
      });
      const same = await patch(json.id, { filter: { ...filter, '/data/state': ['failed'] } });
      expect(same.json.filter).to.deep.equal(json.filter);
      expect([same.json.version, await changes()]).to.deep.equal([1, []]);
    });

    it('merge it by PATCH: null removes one pointer, or all', async () => {
      const { json } = await create({ filter: { '/data/a': 1, '/data/b': 2 } });
      const merged = await patch(json.id, {
        filter: { '/data/a': null, '/data/b': [3, null], '/data/c': true },
      });
      expect(merged.json.filter).to.deep.equal({ '/data/b': [3, null], '/data/c': [true] });
      expect((await patch(json.id, { filter: {} })).json).to.deep.equal(merged.json);
      const none = await patch(json.id, { filter: null });
      expect(none.json.filter).to.equal(null);
      const one = await patch(json.id, { filter: { '/data/a': 1 } });
      expect(one.json.filter).to.deep.equal({ '/data/a': [1] });
      const last = await patch(json.id, { filter: { '/data/a': null } });
      expect([last.json.filter, last.json.version]).to.deep.equal([null, 5]);
      expect((await create({ filter: {} })).json.filter).to.equal(null);
      expect((await create({ filter: null })).json.filter).to.equal(null);
      expect(await changes()).to.deep.equal(Array(4).fill(['filter']));
    });

    it('apply it to the full body, also with a thin payload', async () => {
      const objects = [newId('object'), newId('object')];
      const filters = [
        null,
        { '/resource_id': objects },
        { '/resource_id': objects[0]!, '/data/changed': ['tags', 'title'] },
        { '/data/changed': 'metadata' },
        { '/data/changed': [null] },
        { '/actor/id': [null], '/actor/type': 'system' },
      ];
      const ids: string[] = [];
      for (const filter of filters) {
        ids.push((await create({ filter, payload: 'thin' })).json.id);
      }
      for (const [resourceId, changed] of [
        [objects[0]!, ['description', 'title']],
        [objects[1]!, ['metadata']],
      ] as const) {
        const data = { changed: [...changed] };
        await relay.record(api.projectId, { type: 'dam.object.updated', resourceId, data });
      }
      await relay.run();
      const owed = ids.map(async (id) => {
        const { json } = await api.call('GET', `/v1/webhooks/${id}/deliveries?include=total`);
        return json.total;
      });
      expect(await Promise.all(owed)).to.deep.equal([2, 2, 1, 1, 0, 2]);
    });

    it('reject an unknown pointer and name the existing fields', async () => {
      const filter = {
        '/state': 'failed',
        'data.state': 'failed',
        '/data': 'x',
        '/actor/role': 'x',
        '/data/state': 'failed',
      };
      const answer = await create({ filter, url: 'https://10.0.0.1/', event_types: ['nothing'] });
      expect(faults(answer)).to.have.deep.members([
        ['/url', 'destination_not_allowed'],
        ['/event_types/0', 'unknown_event_type'],
        ['/filter/~1state', 'pointer_invalid'],
        ['/filter/data.state', 'pointer_invalid'],
        ['/filter/~1data', 'pointer_invalid'],
        ['/filter/~1actor~1role', 'pointer_invalid'],
      ]);
      expect(answer.json.errors[2].detail).to.include('sequence').and.include('data');
      const { json } = await create();
      const patched = await patch(json.id, { filter });
      expect([patched.status, faults(patched).length]).to.deep.equal([422, 4]);
    });

    it('accept exactly the fields of an event body', async () => {
      await create();
      await relay.record(api.projectId, {
        type: 'dam.object.trashed',
        resourceId: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
        data: {},
      });
      await relay.run();
      const [event] = await api.rows<{ body: string }>(
        `SELECT body FROM event WHERE type = 'dam.object.trashed'`,
      );
      const body: Record<string, unknown> = JSON.parse(event!.body);
      const answer = await create({ filter: { '/none': 1 } });
      expect(answer.json.errors[0].detail).to.include(
        `Expected one of: ${Object.keys(body).join(', ')}.`,
      );
      for (const [name, value] of Object.entries(body)) {
        const inside = typeof value === 'object' && value !== null ? Object.keys(value) : [];
        const pointers = name === 'data' ? ['/data/x'] : inside.map((key) => `/${name}/${key}`);
        for (const pointer of pointers.length > 0 ? pointers : [`/${name}`]) {
          const { json } = await create({ filter: { [pointer]: ['x'] } });
          expect(json.filter, pointer).to.deep.equal({ [pointer]: ['x'] });
          await api.call('DELETE', `/v1/webhooks/${json.id}`, { headers: { 'if-match': '*' } });
        }
      }
    });

    it('limit pointers and values, also across patches', async () => {
      const pointers = (count: number, from = 0) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`/data/${from + at}`, [1]]));
      const full = await create({ filter: pointers(limits.webhook_filter_pointers) });
      expect(full.status).to.equal(201);
      expect(faults(await create({ filter: pointers(21) }))).to.deep.equal([
        ['/filter', 'too_many'],
      ]);
      expect(faults(await patch(full.json.id, { filter: { '/data/x': 1 } }))).to.deep.equal([
        ['/filter', 'too_many'],
      ]);
      const swapped = { filter: { '/data/0': null, '/data/x': 1 } };
      expect((await patch(full.json.id, swapped)).status).to.equal(200);
      const values = Array.from({ length: 99 }, (_, at) => at);
      const many = await create({ filter: { '/data/a': values, '/data/b': 1 } });
      expect(many.status).to.equal(201);
      const more = await patch(many.json.id, { filter: { '/data/c': 1 } });
      expect([faults(more), more.json.errors[0].detail]).to.deep.equal([
        [['/filter', 'too_many']],
        'A filter can have at most 100 values; this one has 101.',
      ]);
    });
  });

  it('change and remove the rate, and report the changed fields', async () => {
    const { json } = await create();
    const changed = await patch(json.id, { max_per_second: 1000, max_in_flight: 1 });
    expect(changed.json).to.include({ max_per_second: 1000, max_in_flight: 1, version: 2 });
    expect((await patch(json.id, { max_per_second: null })).json.max_per_second).to.equal(null);
    expect(await changes()).to.deep.equal([
      ['max_per_second', 'max_in_flight'],
      ['max_per_second'],
    ]);
  });

  it('look a new URL up once, before the transaction of the change', async () => {
    const { json } = await create();
    await patch(json.id, { url, description: 'same' });
    await patch(json.id, { payload: 'thin' });
    expect(checked).to.deep.equal([url]);
    const moved = await patch(json.id, { url: `${url}/2` });
    expect([moved.status, checked]).to.deep.equal([200, [url, `${url}/2`]]);
    const gone = await api.call('PATCH', `/v1/webhooks/${json.id}`, {
      body: { url: `${url}/3` },
      headers: { 'if-match': '"1"' },
    });
    expect([gone.status, checked.length]).to.deep.equal([412, 2]);
    const name = 'http://no-such-name.invalid/';
    const rejected = await patch(json.id, { url: name });
    expect([rejected.status, faults(rejected)[0]![0]]).to.deep.equal([422, '/url']);
  });
});
