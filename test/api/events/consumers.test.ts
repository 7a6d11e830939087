import type { NewEvent } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { expect } from 'chai';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { faultsOf } from '../../support/collections.ts';
import { eventually } from '../../support/eventually.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

const path = '/v1/events/consumers';

describe('event consumers', () => {
  let api: TestApi;
  let relay: TestRelay;
  beforeEach(async () => {
    api = await startApi();
    relay = await openRelay(api);
  });
  afterEach(async () => {
    await relay.close();
    await api.close();
  });

  const trashed = (resourceId = newId('object')): NewEvent => ({
    type: 'dam.object.trashed',
    resourceId,
    data: {},
  });
  const restored = (resourceId = newId('object')): NewEvent => ({
    type: 'dam.object.restored',
    resourceId,
    data: {},
  });
  const happen = async (...events: NewEvent[]): Promise<string[]> => {
    const ids = await relay.record(api.projectId, ...events);
    await relay.run();
    return ids;
  };
  const make = async (body: object = {}): Promise<string> => {
    const answer = await api.call('POST', path, { body: { name: newId('request'), ...body } });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.id;
  };
  const get = (id: string) => api.call('GET', `${path}/${id}`);
  const read = (id: string, query = '', options: CallOptions = {}) =>
    api.call('GET', `${path}/${id}/events${query}`, options);
  const commit = (id: string, body: object, options: CallOptions = {}) =>
    api.call('POST', `${path}/${id}/commit`, { ...options, body });
  const seek = (id: string, body: object) => api.call('POST', `${path}/${id}/seek`, { body });
  const idsOf = (answer: ApiResponse): string[] =>
    answer.json.data.map((event: EventRecord) => event.id);
  const told = (answer: ApiResponse) => [answer.status, answer.json.code];
  /** So that the next reading is recorded as well. */
  const forgetReadings = () => api.rows('UPDATE consumer SET last_read_at = NULL');

  it('are created, shown, listed and deleted', async () => {
    await happen(trashed(), trashed());
    const body = { name: 'billing-sync', event_types: ['dam.*'], resource_type: 'object' };
    const made = await api.call('POST', path, { body });
    expect([made.status, made.headers.get('location'), made.headers.get('etag')]).to.deep.equal([
      201,
      `${path}/${made.json.id}`,
      '"1"',
    ]);
    expect(made.json).to.deep.include({
      ...body,
      project_id: api.projectId,
      category: 'domain',
      resource_id: null,
      position: 0,
      latest_sequence: 2,
      lag: 2,
      expired: false,
      last_read_at: null,
      last_committed_at: null,
      version: 1,
    });
    expect((await get(made.json.id)).json).to.deep.equal(made.json);
    const late = await make({ name: 'late', start: 'latest' });
    expect((await get(late)).json).to.include({ position: 2, lag: 0 });
    const all = await api.call('GET', `${path}?include=total&limit=1`);
    expect([all.json.data[0].id, all.json.total, all.json.has_more]).to.deep.equal([late, 2, true]);
    const named = await api.call('GET', `${path}?name=billing-sync`);
    expect(named.json.data).to.deep.equal([made.json]);
    expect((await api.call('GET', path, api.other)).json.data).to.deep.equal([]);
    expect((await api.call('DELETE', `${path}/${made.json.id}`)).status).to.equal(204);
    expect((await get(made.json.id)).status).to.equal(404);
    expect((await read(made.json.id)).status).to.equal(404);
    expect((await api.call('POST', path, { body })).status).to.equal(201);
  });

  it('require a unique name and valid filters, and are limited in number', async () => {
    await make({ name: 'one' });
    const twice = await api.call('POST', path, { body: { name: 'one' } });
    expect([...told(twice), faultsOf(twice)]).to.deep.equal([
      409,
      'already_exists',
      ['/name already_exists'],
    ]);
    expect((await api.call('POST', path, { ...api.other, body: { name: 'one' } })).status).to.equal(
      201,
    );
    for (const [body, fault] of [
      [{}, '/name required'],
      [{ name: '' }, '/name wrong_format'],
      [{ name: 'with space' }, '/name wrong_format'],
      [{ name: 'x'.repeat(101) }, '/name wrong_format'],
      [{ name: 'a', event_types: [] }, '/event_types too_few'],
      [{ name: 'a', event_types: ['dam.*', 'no.such'] }, '/event_types/1 unknown_event_type'],
      [{ name: 'a', event_types: ['access.*'] }, '/event_types/0 unknown_event_type'],
      [
        { name: 'a', category: 'audit', event_types: ['documents.job.*'] },
        '/event_types/0 unknown_event_type',
      ],
      [{ name: 'a', start: 'now' }, '/start not_allowed'],
      [{ name: 'a', position: 3 }, '/position unknown_field'],
    ] as const) {
      const rejected = await api.call('POST', path, { body });
      expect([rejected.status, ...faultsOf(rejected)], JSON.stringify(body)).to.deep.equal([
        422,
        fault,
      ]);
    }
    await api.rows(
      `INSERT INTO consumer (id, project_id, name, category, position)
       SELECT 'con_' || n, $1, 'filler-' || n, 'domain', 0 FROM generate_series(2, $2) n`,
      [api.projectId, limits.consumers_per_project],
    );
    const full = await api.call('POST', path, { body: { name: 'more' } });
    expect([...told(full), full.json.limit]).to.deep.equal([409, 'state_conflict', 100]);
    expect((await api.call('GET', '/v1/limits')).json.consumers_per_project).to.equal(100);
  });

  it('return the same events until a commit', async () => {
    const ids = await happen(trashed(), trashed(), trashed(), trashed(), trashed());
    const id = await make();
    const first = await read(id, '?limit=2');
    expect(idsOf(first)).to.deep.equal(ids.slice(0, 2));
    expect(first.json).to.deep.include({
      has_more: true,
      position: 0,
      commit_sequence: 2,
      latest_sequence: 5,
      lag: 5,
    });
    const listed = await api.call('GET', '/v1/events?limit=2');
    expect(first.json.data).to.deep.equal(listed.json.data);
    expect(idsOf(await read(id, '?limit=2'))).to.deep.equal(ids.slice(0, 2));
    // Only the first of them was done when the reader died.
    const done = await commit(id, { sequence: 1 });
    expect(done.json).to.include({ position: 1, lag: 4, version: 2, acknowledged: 0 });
    expect(done.json.last_committed_at).to.be.a('string');
    const rest = await read(id);
    expect(idsOf(rest)).to.deep.equal(ids.slice(1));
    expect(rest.json).to.include({ has_more: false, commit_sequence: 5, lag: 4 });
    await commit(id, { sequence: rest.json.commit_sequence });
    const empty = await read(id);
    expect(empty.json).to.deep.equal({
      data: [],
      has_more: false,
      position: 5,
      commit_sequence: 5,
      latest_sequence: 5,
      lag: 0,
    });
    expect((await get(id)).json.last_read_at).to.be.a('string');
  });

  it('are committed forwards only, and not past the newest event', async () => {
    await happen(trashed(), trashed(), trashed());
    const id = await make();
    await commit(id, { sequence: 2 });
    const back = await commit(id, { sequence: 1 });
    expect([...told(back), back.json.position]).to.deep.equal([409, 'state_conflict', 2]);
    expect(back.json.detail).to.include('seek');
    const beyond = await commit(id, { sequence: 4 });
    expect([...told(beyond), faultsOf(beyond)]).to.deep.equal([
      422,
      'validation_failed',
      ['/sequence too_large'],
    ]);
    const same = await commit(id, { sequence: 2 });
    expect([same.status, same.json.version]).to.deep.equal([200, 2]);
    for (const body of [{}, { sequence: -1 }, { sequence: 1.5 }, { sequence: '3' }]) {
      expect((await commit(id, body)).status, JSON.stringify(body)).to.equal(422);
    }
    expect((await get(id)).json.position).to.equal(2);
  });

  it('return wanted events and skip the rest with a commit', async () => {
    const object = newId('object');
    const ids = await happen(
      trashed(),
      restored(object),
      { type: 'documents.job.cancel_requested', resourceId: newId('job'), data: {} },
      restored(),
      trashed(object),
    );
    const byType = await make({ event_types: ['dam.*.restored', 'documents.*'] });
    const some = await read(byType, '?limit=2');
    expect([idsOf(some), some.json.commit_sequence]).to.deep.equal([ids.slice(1, 3), 3]);
    await commit(byType, { sequence: 3 });
    const rest = await read(byType);
    expect([idsOf(rest), rest.json.commit_sequence]).to.deep.equal([[ids[3]], 5]);
    expect((await commit(byType, { sequence: 5 })).json.lag).to.equal(0);
    expect(idsOf(await read(await make({ resource_id: object })))).to.deep.equal([ids[1], ids[4]]);
    expect(idsOf(await read(await make({ resource_type: 'job' })))).to.deep.equal([ids[2]]);
    const both = await make({ resource_id: object, event_types: ['dam.object.trashed'] });
    expect(idsOf(await read(both))).to.deep.equal([ids[4]]);
  });

  it('skip unwanted events by themselves unless moved', async () => {
    await happen(trashed(), trashed(), trashed());
    const id = await make({ event_types: ['dam.object.restored'] });
    const nothing = await read(id);
    expect(nothing.json).to.deep.include({ data: [], position: 3, commit_sequence: 3, lag: 0 });
    expect((await get(id)).json).to.include({ position: 3, version: 1 });
    const [wanted] = await happen(restored(), trashed());
    await forgetReadings();
    expect(idsOf(await read(id))).to.deep.equal([wanted]);
    // Wanted events are passed only by a commit, and only they count as lag.
    expect((await get(id)).json).to.include({ position: 3, lag: 1 });
    await seek(id, { to: 'earliest' });
    expect((await get(id)).json.position).to.equal(0);
    expect(idsOf(await read(id))).to.deep.equal([wanted]);
  });

  it('acknowledge only the wanted events that they pass', async () => {
    const ids = await happen(restored(), trashed(), trashed(), restored(), trashed());
    const id = await make({ event_types: ['dam.object.trashed'] });
    const open = async () => idsOf(await api.call('GET', '/v1/events?published=false'));
    await commit(id, { sequence: 2 });
    expect(await open()).to.deep.equal(ids);
    expect((await commit(id, { sequence: 4, ack: true })).json.acknowledged).to.equal(1);
    expect(await open()).to.deep.equal([ids[0], ids[1], ids[3], ids[4]]);
    expect((await commit(id, { sequence: 4, ack: true })).json.acknowledged).to.equal(0);
    await api.call('POST', '/v1/events/ack', { body: { event_ids: [ids[4]] } });
    expect((await commit(id, { sequence: 5, ack: true })).json.acknowledged).to.equal(0);
    expect((await commit(id, { sequence: 6, ack: true })).status).to.equal(422);
  });

  it('seek by sequence, by event and to both ends', async () => {
    const ids = await happen(trashed(), trashed(), trashed(), trashed());
    const id = await make();
    const at = async (body: object) => {
      const answer = await seek(id, body);
      return [answer.status, answer.json.position, answer.json.lag];
    };
    expect(await at({ sequence: 3 })).to.deep.equal([200, 3, 1]);
    expect(idsOf(await read(id))).to.deep.equal([ids[3]]);
    expect(await at({ event_id: ids[0] })).to.deep.equal([200, 1, 3]);
    expect(idsOf(await read(id, '?limit=1'))).to.deep.equal([ids[1]]);
    expect(await at({ to: 'latest' })).to.deep.equal([200, 4, 0]);
    expect(await at({ to: 'earliest' })).to.deep.equal([200, 0, 4]);
    expect(await at({ sequence: 0 })).to.deep.equal([200, 0, 4]);
    const [stranger] = await relay.record(api.other.projectId, trashed());
    const [audit] = await relay.record(api.projectId, {
      type: 'access.api_key.revoked',
      resourceId: api.keyId,
      data: {},
    });
    await relay.run();
    for (const [body, code, fault] of [
      [{}, 'validation_failed', ' exactly_one'],
      [{ sequence: 1, to: 'latest' }, 'validation_failed', ' exactly_one'],
      [{ sequence: 5 }, 'validation_failed', '/sequence too_large'],
      [{ sequence: -1 }, 'validation_failed', '/sequence too_small'],
      [{ to: 'middle' }, 'validation_failed', '/to not_allowed'],
      [{ event_id: newId('event') }, 'reference_not_found', '/event_id reference_not_found'],
      [{ event_id: stranger }, 'reference_not_found', '/event_id reference_not_found'],
      [{ event_id: audit }, 'reference_not_found', '/event_id reference_not_found'],
      [{ event_id: newId('job') }, 'id_prefix_mismatch', '/event_id id_prefix_mismatch'],
    ] as const) {
      const rejected = await seek(id, body);
      expect([...told(rejected), ...faultsOf(rejected)], JSON.stringify(body)).to.deep.equal([
        422,
        code,
        fault,
      ]);
    }
    expect((await get(id)).json).to.include({ position: 0, version: 5 });
  });

  it('reject a commit with If-Match after they were moved', async () => {
    await happen(trashed(), trashed(), trashed(), trashed());
    const id = await make();
    const one = await read(id, '?limit=2');
    const two = await read(id, '?limit=3');
    const match = (answer: ApiResponse) => ({
      headers: { 'if-match': answer.headers.get('etag')! },
    });
    expect((await commit(id, { sequence: 3 }, match(two))).status).to.equal(200);
    expect((await commit(id, { sequence: 2 }, match(one))).json.code).to.equal('etag_mismatch');
    const three = await read(id);
    await seek(id, { to: 'earliest' });
    // Without the precondition the commit would undo the seek unnoticed.
    expect((await commit(id, { sequence: 4 }, match(three))).json.code).to.equal('etag_mismatch');
    expect((await read(id)).json.data).to.have.length(4);
    const removal = { headers: { 'if-match': '"1"' } };
    expect((await api.call('DELETE', `${path}/${id}`, removal)).status).to.equal(412);
  });

  it('return their current lag even if the client’s version is current', async () => {
    const id = await make();
    const first = await get(id);
    await happen(trashed());
    const headers = { 'if-none-match': first.headers.get('etag')! };
    const again = await api.call('GET', `${path}/${id}`, { headers });
    expect([again.status, again.json.lag]).to.deep.equal([200, 1]);
    const events = await read(id, '', { headers });
    expect([events.status, events.json.lag]).to.deep.equal([200, 1]);
  });

  it('wait for wanted events, and continue from a seek in the meantime', async () => {
    await happen(restored());
    const id = await make({ event_types: ['dam.object.trashed'], start: 'latest' });
    const waiting = read(id, '?wait_seconds=30');
    await eventually(async () => api.deps.events.watcherCount() >= 1);
    // Unwanted: the wait continues.
    await happen(restored());
    const [wanted] = await happen(trashed());
    const answer = await waiting;
    expect([idsOf(answer), answer.json.commit_sequence]).to.deep.equal([[wanted], 3]);
    await commit(id, { sequence: 3 });
    const again = read(id, '?wait_seconds=30');
    await eventually(async () => api.deps.events.watcherCount() >= 1);
    await seek(id, { sequence: 0 });
    await happen(restored());
    expect(idsOf(await again)).to.deep.equal([wanted]);
    const doomed = read(await make({ start: 'latest' }), '?wait_seconds=30');
    await eventually(async () => api.deps.events.watcherCount() >= 1);
    await api.rows('DELETE FROM consumer WHERE position = 4');
    await happen(restored());
    expect(told(await doomed)).to.deep.equal([404, 'not_found']);
    const empty = await read(id, '?wait_seconds=1&limit=5000');
    expect(empty.status).to.equal(200);
    for (const query of ['?wait_seconds=31', '?limit=0', '?cursor=x', '?type=dam.*']) {
      expect((await read(id, query)).status, query).to.equal(400);
    }
  });

  it('require events:read to read, events:ack to move, audit:read for audit events', async () => {
    await happen(trashed());
    const id = await make();
    const body = { name: 'audit', category: 'audit', event_types: ['access.*'] };
    const audit = (await api.call('POST', path, { body })).json.id;
    const reader = await api.issue(['events:read']);
    const worker = await api.issue(['events:read', 'events:ack']);
    const denied = [403, 'insufficient_scope'];
    for (const [method, rest, sent] of [
      ['POST', '', { name: 'no' }],
      ['POST', `/${id}/commit`, { sequence: 1 }],
      ['POST', `/${id}/seek`, { sequence: 1 }],
      ['DELETE', `/${id}`, undefined],
    ] as const) {
      const answer = await api.call(method, path + rest, {
        ...reader,
        ...(sent && { body: sent }),
      });
      expect([...told(answer), ...answer.json.required_scopes], rest).to.deep.equal([
        ...denied,
        'events:ack',
      ]);
    }
    const mine = await read(id, '', reader);
    expect([mine.status, mine.json.data[0].address]).to.deep.equal([200, null]);
    expect((await read(id)).json.data[0].address).to.equal('192.0.2.7');
    for (const [method, rest, sent] of [
      ['POST', '', { name: 'no', category: 'audit' }],
      ['GET', `/${audit}`, undefined],
      ['GET', `/${audit}/events`, undefined],
      ['POST', `/${audit}/commit`, { sequence: 0 }],
      ['POST', `/${audit}/seek`, { to: 'latest' }],
      ['DELETE', `/${audit}`, undefined],
    ] as const) {
      const answer = await api.call(method, path + rest, {
        ...worker,
        ...(sent && { body: sent }),
      });
      expect([...told(answer), ...answer.json.required_scopes], rest).to.deep.equal([
        ...denied,
        'audit:read',
      ]);
    }
    const seen = await api.call('GET', `${path}?include=total`, worker);
    expect([seen.json.data.map((row: { id: string }) => row.id), seen.json.total]).to.deep.equal([
      [id],
      1,
    ]);
    await api.call('POST', '/v1/keys', { body: { name: 'k', scopes: ['keys:read'] } });
    await relay.run();
    const types = (await read(audit)).json.data.map((event: EventRecord) => event.type);
    expect(types).to.include('access.api_key.created');
  });

  it('stop returning audit events to a waiting key that loses the scope', async () => {
    const key = await api.issue(['events:read', 'audit:read']);
    const body = { name: 'audit', category: 'audit', start: 'latest' };
    const audit = (await api.call('POST', path, { body })).json.id;
    const waiting = read(audit, '?wait_seconds=30', key);
    await eventually(async () => api.deps.events.watcherCount() >= 1);
    await api.rows(`UPDATE api_key SET scopes = '{events:read}' WHERE id = $1`, [key.keyId]);
    await happen({ type: 'access.api_key.revoked', resourceId: api.keyId, data: {} });
    expect(told(await waiting)).to.deep.equal([403, 'insufficient_scope']);
  });
});
