import type { NewEvent } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { expect } from 'chai';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { faultsOf } from '../../support/collections.ts';
import { eventually } from '../../support/eventually.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { requestSlowly } from '../../support/slow-client.ts';

const accept = { accept: 'application/x-ndjson' };

describe('exports of events', () => {
  let api: TestApi;
  let relay: TestRelay;
  let ids: string[];
  const objectId = newId('object');
  before(async () => {
    api = await startApi();
    relay = await openRelay(api);
    const events: NewEvent[] = Array.from({ length: 1_203 }, (_, at) => ({
      type: at % 3 === 0 ? 'dam.object.restored' : 'dam.object.trashed',
      resourceId: at % 100 === 7 ? objectId : newId('object'),
      data: {},
    }));
    ids = await relay.record(api.projectId, ...events);
    await relay.run();
  });
  after(async () => {
    await relay.close();
    await api.close();
  });

  const ask = (query = '', options: CallOptions = {}) =>
    api.call('GET', `/v1/events${query}`, {
      ...options,
      headers: { ...accept, ...options.headers },
    });
  const linesOf = (answer: ApiResponse): EventRecord[] => {
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/x-ndjson');
    expect(answer.text === '' || answer.text.endsWith('\n')).to.equal(true);
    return answer.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  const exported = async (query = '') => linesOf(await ask(query)).map(({ id }) => id);
  const told = (answer: ApiResponse) => [answer.status, answer.json.code];

  it('contain every event, one per line, in both orders', async () => {
    const lines = linesOf(await ask());
    expect(lines.map(({ id }) => id)).to.deep.equal(ids);
    expect(lines.map(({ sequence }) => sequence)).to.deep.equal(ids.map((_, at) => at + 1));
    const listed = await api.call('GET', '/v1/events?limit=1000');
    expect(lines.slice(0, 1000)).to.deep.equal(listed.json.data);
    expect(await exported('?order=desc')).to.deep.equal([...ids].reverse());
  });

  it('accept every filter, a start position and a number of lines', async () => {
    expect(await exported('?type=dam.*.restored')).to.deep.equal(
      ids.filter((_, at) => at % 3 === 0),
    );
    expect(await exported(`?resource_id=${objectId}&order=desc`)).to.deep.equal(
      ids.filter((_, at) => at % 100 === 7).reverse(),
    );
    expect(await exported(`?after=${ids[1_199]}`)).to.deep.equal(ids.slice(1_200));
    expect(await exported('?after=4&order=desc')).to.deep.equal(ids.slice(0, 3).reverse());
    expect(await exported('?limit=1001')).to.deep.equal(ids.slice(0, 1_001));
    expect(await exported('?limit=3&order=desc')).to.deep.equal(ids.slice(-3).reverse());
    expect(await exported(`?limit=${'9'.repeat(25)}`)).to.have.length(ids.length);
    expect(await exported('?resource_type=job')).to.deep.equal([]);
    expect(await exported('?published=true')).to.deep.equal([]);
    expect(await exported('?occurred_before=2020-01-01T00:00:00Z')).to.deep.equal([]);
    expect(linesOf(await ask('', api.other))).to.deep.equal([]);
    const page = await api.call('GET', `/v1/events?limit=${'9'.repeat(25)}`);
    expect(page.json.data).to.have.length(1_000);
  });

  it('are negotiated by Accept, and other types are rejected', async () => {
    for (const [header, type] of [
      ['*/*', 'application/json'],
      ['application/json, application/x-ndjson', 'application/json'],
      ['application/json;q=0.5, application/x-ndjson', 'application/x-ndjson'],
      ['application/*', 'application/json'],
      ['text/*', 'text/csv; charset=utf-8; header=present'],
    ]) {
      const answer = await ask('?limit=1', { headers: { accept: header } });
      expect(answer.headers.get('content-type'), header).to.equal(type);
    }
    for (const header of ['text/html', 'text/event-stream', 'application/x-ndjson;q=0']) {
      const rejected = await ask('', { headers: { accept: header } });
      expect(told(rejected), header).to.deep.equal([406, 'not_acceptable']);
      expect(rejected.json.detail).to.include('application/x-ndjson');
    }
    expect((await api.call('HEAD', '/v1/events', { headers: accept })).status).to.equal(200);
  });

  it('reject invalid and paging parameters before the first byte', async () => {
    const page = await api.call('GET', '/v1/events?limit=1');
    for (const [query, fault] of [
      ['?after=99999', 'after unknown_position'],
      ['?after=nonsense', 'after wrong_format'],
      [`?after=${newId('event')}`, 'after unknown_position'],
      ['?type=no.such', 'type unknown_event_type'],
      ['?limit=0', 'limit too_small'],
      [`?cursor=${page.json.next_cursor}`, 'cursor not_applicable'],
      ['?wait_seconds=1', 'wait_seconds not_applicable'],
      ['?include=total', 'include not_applicable'],
    ]) {
      const rejected = await ask(query);
      expect([...told(rejected), ...faultsOf(rejected)], query).to.deep.equal([
        400,
        'invalid_parameter',
        fault,
      ]);
      expect(rejected.headers.get('content-type')).to.equal('application/problem+json');
    }
    const several = await ask('?include=total&wait_seconds=1');
    expect(several.json.errors).to.have.length(2);
    const narrow = await api.issue(['events:read']);
    expect(told(await ask('?category=audit', narrow))).to.deep.equal([403, 'insufficient_scope']);
    expect(linesOf(await ask('?limit=1', narrow))[0]!.address).to.equal(null);
    expect(linesOf(await ask('?limit=1'))[0]!.address).to.equal('192.0.2.7');
  });

  /** Events so large that an export of them exceeds the socket buffers. */
  const heavy = (count: number): NewEvent[] =>
    Array.from({ length: count }, (_, at) => ({
      type: 'dam.object.updated' as const,
      resourceId: newId('object'),
      data: { changed: [`${at} `.padEnd(100_000, 'x')] },
    }));

  describe('that take long', () => {
    beforeEach(async () => {
      for (let at = 0; at < 12; at++) await relay.record(api.projectId, ...heavy(100));
      await relay.run();
    });
    afterEach(async () => {
      await api.rows(`DELETE FROM event WHERE type = 'dam.object.updated'`);
      await api.rows('UPDATE sequence_counter SET last = $1 WHERE project_id = $2', [
        ids.length,
        api.projectId,
      ]);
    });

    /** Whether any connection of the API is in a transaction. */
    const busy = async () =>
      (
        await api.rows(
          `SELECT FROM pg_stat_activity WHERE usename = 'api' AND xact_start IS NOT NULL
             AND datname = current_database()`,
        )
      ).length > 0;

    it('hold no transaction for a slow client, and end at the newest event at start', async () => {
      const rest = await requestSlowly(api, '/v1/events');
      await eventually(async () => !(await busy()));
      const later = await relay.record(api.projectId, ...heavy(1));
      await relay.run();
      const { text, ended } = await rest();
      expect(ended).to.equal('whole');
      const sequences = text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).sequence);
      expect(sequences).to.deep.equal(
        Array.from({ length: ids.length + 1_200 }, (_, at) => at + 1),
      );
      expect(text).to.not.include(later[0]);
    });

    it('are aborted when the key is revoked, and never look complete', async () => {
      const doomed = await api.issue(['events:read']);
      const rest = await requestSlowly(api, '/v1/events', { key: doomed.key });
      await eventually(async () => !(await busy()));
      await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [doomed.keyId]);
      const { text, ended } = await rest();
      expect(ended).to.equal('broken off');
      expect(text.split('\n').length).to.be.lessThan(ids.length + 1_200);
    });
  });
});
