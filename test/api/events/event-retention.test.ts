import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import type { PoolClient } from 'pg';
import { authenticate } from '../../../src/access/authenticate.ts';
import { parseKey } from '../../../src/access/keys/format.ts';
import {
  inProject,
  inReadTransaction,
  inTransaction,
  prepared,
} from '../../../src/db/transaction.ts';
import { readBounds } from '../../../src/outbox/feed/bounds.ts';
import { readEvents, readPage } from '../../../src/outbox/feed/feed.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { requestSlowly } from '../../support/slow-client.ts';

describe('expired events', () => {
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

  /** Records events as if a hundred days ago, in the partition of that week. */
  const happenLongAgo = async (
    count: number,
    { projectId = api.projectId, data = {} } = {},
  ): Promise<string[]> => {
    const [week] = await api.rows<{ name: string; monday: string }>(
      `SELECT to_char(monday, '"event_"YYYYMMDD') AS name, to_char(monday, 'YYYY-MM-DD"T00:00:00Z"') AS monday
       FROM date_trunc('week', now() AT TIME ZONE 'UTC' - interval '100 days') AS monday`,
    );
    const { name, monday } = week!;
    await api.rows(`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF event
      FOR VALUES FROM (id_floor('evt', '${monday}')) TO (id_floor('evt', '${monday}'::timestamptz + interval '7 days'));
      ALTER TABLE ${name} OWNER TO owner; ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
      ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
    const rows = await api.rows<{ id: string }>(
      `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, occurred_at, data, actor_type)
       SELECT left(id_floor('evt', $2::timestamptz + n * interval '1 minute'), 14) || right(md5($1 || n), 16),
         $1, 'domain', 'dam.object.trashed', 'object', 'obj_' || n, $2::timestamptz + n * interval '1 minute', $4, 'system'
       FROM generate_series(1, $3) n RETURNING id`,
      [projectId, monday, count, data],
    );
    await relay.run();
    return rows.map(({ id }) => id);
  };
  const happen = async (count: number): Promise<string[]> => {
    const ids = await relay.record(
      api.projectId,
      ...Array.from(
        { length: count },
        () => ({ type: 'dam.object.trashed', resourceId: newId('object'), data: {} }) as const,
      ),
    );
    await relay.run();
    return ids;
  };
  /** Drops the oldest week, as retention does, here between look-up and read of a request. */
  const drop = async (): Promise<number> => {
    const [row] = await inTransaction(relay.relay, (tx) =>
      prepared<{ n: number }>(tx, `SELECT partitions_drop(interval '90 days') AS n`, []),
    );
    return row!.n;
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    api.call('GET', path, { headers });
  const post = (path: string, body: object) => api.call('POST', path, { body });
  const gone = (answer: ApiResponse) => [
    answer.status,
    answer.json.code,
    answer.json.earliest_sequence,
    answer.headers.get('content-type'),
  ];
  const expired = (earliest: number) => [
    410,
    'cursor_expired',
    earliest,
    'application/problem+json',
  ];
  const idsOf = (answer: ApiResponse): string[] =>
    answer.json.data.map((event: { id: string }) => event.id);
  const ndjson = { accept: 'application/x-ndjson' };
  const exported = (answer: ApiResponse): string[] =>
    answer.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).id);

  it('return 410 to readers positioned before them, and only to those', async () => {
    const old = await happenLongAgo(4);
    const kept = await happen(2);
    const consumer = (await post('/v1/events/consumers', { name: 'slow' })).json.id;
    const at = `/v1/events/consumers/${consumer}`;
    const before = await get('/v1/events?limit=1');
    expect(idsOf(before)).to.deep.equal([old[0]]);
    expect(idsOf(await get(`${at}/events`))).to.deep.equal([...old, ...kept]);
    expect((await get(at)).json).to.include({ expired: false, lag: 6 });
    expect(await drop()).to.equal(1);

    for (const [path, headers] of [
      ['/v1/events?after=0', {}],
      ['/v1/events?after=3', {}],
      [`/v1/events?after=${old[1]}`, {}],
      [`/v1/events?limit=1&cursor=${before.json.next_cursor}`, {}],
      ['/v1/events?after=3&wait_seconds=30', {}],
      ['/v1/events?after=3', ndjson],
      [`/v1/events?after=${old[3]}`, ndjson],
      ['/v1/events/stream?after=3', {}],
      [`/v1/events/stream?after=${old[1]}`, {}],
      ['/v1/events/stream', { 'last-event-id': '3' }],
      [`${at}/events`, {}],
      [`${at}/events?wait_seconds=30`, {}],
    ] as const) {
      expect(gone(await get(path, headers)), path).to.deep.equal(expired(5));
    }
    for (const body of [{ sequence: 3 }, { event_id: old[1] }]) {
      expect(gone(await post(`${at}/seek`, body)), JSON.stringify(body)).to.deep.equal(expired(5));
    }
    expect((await get(`/v1/events/${old[0]}`)).status).to.equal(404);

    for (const path of ['/v1/events', '/v1/events?after=4']) {
      expect(idsOf(await get(path)), path).to.deep.equal(kept);
      expect(exported(await get(path, ndjson)), path).to.deep.equal(kept);
    }
    expect(exported(await get('/v1/events?order=desc', ndjson))).to.deep.equal([...kept].reverse());
    expect(idsOf(await get(`/v1/events?after=${kept[0]}`))).to.deep.equal([kept[1]]);
    expect((await get(`/v1/events?after=${newId('event')}`)).status).to.equal(400);
  });

  it('mark a consumer as expired until a seek or a late commit', async () => {
    await happenLongAgo(4);
    const kept = await happen(2);
    const made = await post('/v1/events/consumers', { name: 'slow' });
    const at = `/v1/events/consumers/${made.json.id}`;
    await drop();
    expect((await get(at)).json).to.include({ position: 0, expired: true, lag: 6 });
    const told = await get(`${at}/events`);
    expect(told.json.detail).to.include('seek').and.include('earliest');
    const sought = await post(`${at}/seek`, { to: 'earliest' });
    expect(sought.json).to.include({ position: 4, expired: false, lag: 2 });
    expect(idsOf(await get(`${at}/events`))).to.deep.equal(kept);

    // Another reads before the drop and commits after it.
    const late = await post('/v1/events/consumers', { name: 'late' });
    expect(late.json.position).to.equal(4);
    await api.rows('UPDATE consumer SET position = 0 WHERE id = $1', [late.json.id]);
    const path = `/v1/events/consumers/${late.json.id}`;
    const part = await post(`${path}/commit`, { sequence: 2, ack: true });
    expect(part.json).to.include({ position: 2, expired: true, acknowledged: 0 });
    await post(`${path}/commit`, { sequence: 5 });
    expect(idsOf(await get(`${path}/events`))).to.deep.equal([kept[1]]);
  });

  it('are reported even if no event is left', async () => {
    const old = await happenLongAgo(3);
    const consumer = (await post('/v1/events/consumers', { name: 'c' })).json.id;
    await happenLongAgo(1, { projectId: api.other.projectId });
    await drop();
    for (const path of [
      '/v1/events?after=1',
      `/v1/events?after=${old[1]}`,
      `/v1/events/consumers/${consumer}/events`,
    ]) {
      expect(gone(await get(path)), path).to.deep.equal(expired(4));
    }
    expect((await get('/v1/events')).json).to.deep.include({ data: [], latest_sequence: 3 });
    expect((await get('/v1/events?after=3')).status).to.equal(200);
    expect(exported(await get('/v1/events', ndjson))).to.deep.equal([]);
    const sought = await post(`/v1/events/consumers/${consumer}/seek`, { to: 'earliest' });
    expect(sought.json).to.include({ position: 3, lag: 0, expired: false });
    const [next] = await happen(1);
    expect(idsOf(await get('/v1/events?after=3'))).to.deep.equal([next]);
    expect(idsOf(await get(`/v1/events/consumers/${consumer}/events`))).to.deep.equal([next]);
  });

  it('are not dropped between locating the start of the feed and reading it', async () => {
    const old = await happenLongAgo(2);
    const waits = async () =>
      (
        await api.rows(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = 'relay'
             AND wait_event_type = 'Lock' AND query LIKE '%partitions_drop%'`,
        )
      ).length > 0;
    let dropping: Promise<number> | undefined;
    const page = await inProject(api.deps.database, api.projectId, async (tx) => {
      const bounds = await readBounds(tx, api.projectId, 'domain');
      dropping = drop();
      await eventually(waits);
      const from = { after: 0, order: 'asc', limit: 10 } as const;
      return readPage(tx, api.projectId, { category: 'domain' }, from, bounds);
    });
    expect(page.events.map(({ id }) => id)).to.deep.equal(old);
    expect(await dropping).to.equal(1);
    expect((await get('/v1/events')).json.data).to.deep.equal([]);
  });

  it('are reported if they are dropped between two batches of a reader', async () => {
    await happenLongAgo(3);
    const [kept] = await happen(1);
    /** Reads, and drops old events once the reader knows the start of the feed. */
    const readWhileDropped = (after: number | null) =>
      inReadTransaction(api.deps.database, async (tx) => {
        const { hash: keyHash } = parseKey(api.key)!;
        await authenticate(tx, { keyHash, projectId: api.projectId }, 'quick');
        const client: PoolClient = await tx.queryRunner!.connect();
        const { query } = client;
        const pass: (packet: unknown) => unknown = query.bind(client);
        let packets = 0;
        client.query = ((packet: unknown) => {
          packets += 1;
          if (packets === 2) void drop().then(() => pass(packet));
          else pass(packet);
        }) as typeof query;
        const page = { order: 'asc', limit: 10, after } as const;
        return readEvents(tx, api.projectId, { category: 'domain' }, page).finally(() => {
          client.query = query;
        });
      });
    const { events, position } = await readWhileDropped(null);
    expect([events.map(({ id }) => id), position]).to.deep.equal([[kept], 4]);

    await happenLongAgo(2);
    const error = await readWhileDropped(4).catch((reason) => reason);
    expect(error).to.include({ code: 'cursor_expired' });
  });

  it('are reported if they were between events that are kept', async () => {
    // Recorded across the end of a week: its ID belongs to the week before, its position does not.
    const [first] = await happen(1);
    await happenLongAgo(1);
    const [third] = await happen(1);
    expect(await drop()).to.equal(1);
    expect(gone(await get('/v1/events?after=1'))).to.deep.equal(expired(3));
    expect(gone(await get(`/v1/events?after=${first}`))).to.deep.equal(expired(3));
    expect(gone(await get('/v1/events/stream?after=1'))).to.deep.equal(expired(3));
    expect(gone(await get('/v1/events?after=0', ndjson))).to.deep.equal(expired(3));
    // A new reader starts after the gap, in both directions.
    for (const path of ['/v1/events?after=2', '/v1/events', '/v1/events?order=desc']) {
      expect(idsOf(await get(path))).to.deep.equal([third]);
    }
    expect(exported(await get('/v1/events', ndjson))).to.deep.equal([third]);
  });

  it('abort an export that has not reached all of them, at any position', async () => {
    // Far more than the buffers on the way to the client hold.
    const count = 1_200;
    await happenLongAgo(count, { data: { changed: ['x'.repeat(100_000)] } });
    await happen(1);
    const rest = await requestSlowly(api, '/v1/events');
    // Retention tries again, too, if the export is reading at that moment.
    expect(await eventually(drop)).to.equal(1);
    const { text, ended } = await rest();
    const sequences = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).sequence);
    expect(sequences).to.deep.equal(sequences.map((_, at) => at + 1));
    expect(sequences.length).to.be.lessThan(count);
    expect(ended).to.equal('broken off');
  });
});
