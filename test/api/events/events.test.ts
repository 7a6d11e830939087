import { eventTypeNames } from '@scriptorium/contracts/events';
import { compile } from '@scriptorium/contracts/helpers/validator';
import { newId } from '@scriptorium/contracts/ids';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { expect } from 'chai';
import type { Identity } from '../../../src/access/authenticate.ts';
import { streamEvents } from '../../../src/api/events/event-stream.ts';
import { inProject, type Tx } from '../../../src/db/transaction.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { originOf } from '../../support/database-fixture.ts';
import { eventually } from '../../support/eventually.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

describe('the events API', () => {
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

  const trash = async (count: number, projectId = api.projectId): Promise<string[]> => {
    const ids = await relay.record(
      projectId,
      ...Array.from(
        { length: count },
        () => ({ type: 'dam.object.trashed', resourceId: newId('object'), data: {} }) as const,
      ),
    );
    await relay.run();
    return ids;
  };
  const idsOf = (answer: ApiResponse): string[] =>
    answer.json.data.map((event: EventRecord) => event.id);
  const told = (answer: ApiResponse) => [answer.status, answer.json.code];

  it('pages forwards to the end, and the last cursor continues there', async () => {
    const ids = await trash(5);
    const first = await api.call('GET', '/v1/events?limit=2');
    expect(idsOf(first)).to.deep.equal(ids.slice(0, 2));
    expect(first.json).to.include({ has_more: true, total: null, latest_sequence: 5 });
    const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!;
    const second = await api.call('GET', link);
    expect(idsOf(second)).to.deep.equal(ids.slice(2, 4));
    const third = await api.call('GET', `/v1/events?limit=2&cursor=${second.json.next_cursor}`);
    expect(idsOf(third)).to.deep.equal(ids.slice(4));
    expect([third.json.has_more, third.headers.get('link')]).to.deep.equal([false, null]);
    const [late] = await trash(1);
    const fourth = await api.call('GET', `/v1/events?cursor=${third.json.next_cursor}`);
    expect(idsOf(fourth)).to.deep.equal([late]);
    expect(fourth.json.data[0]).to.include({
      type: 'dam.object.trashed',
      project_id: api.projectId,
      sequence: 6,
      category: 'domain',
      published: false,
      published_at: null,
    });
    const backwards = await api.call('GET', '/v1/events?order=desc&limit=2&include=total');
    expect(idsOf(backwards)).to.deep.equal([late, ids[4]]);
    expect(backwards.json.total).to.equal(6);
  });

  it('continues after an event, a sequence or a cursor, with or without it in the query', async () => {
    const ids = await trash(4);
    expect(idsOf(await api.call('GET', '/v1/events?after=2'))).to.deep.equal(ids.slice(2));
    const page = await api.call('GET', `/v1/events?after=${ids[0]}&limit=1`);
    expect(idsOf(page)).to.deep.equal([ids[1]]);
    const next = await api.call('GET', `/v1/events?limit=1&cursor=${page.json.next_cursor}`);
    expect(idsOf(next)).to.deep.equal([ids[2]]);
  });

  it('rejects positions and cursors of other feeds', async () => {
    const [id] = await trash(1);
    const [stranger] = await trash(1, api.other.projectId);
    const page = await api.call('GET', '/v1/events');
    const cases: [string, number, string][] = [
      ['after=nonsense', 400, 'invalid_parameter'],
      ['after=-1', 400, 'invalid_parameter'],
      ['after=99', 400, 'invalid_parameter'],
      [`after=${stranger}`, 400, 'invalid_parameter'],
      [`after=${newId('event')}`, 400, 'invalid_parameter'],
      [`category=audit&after=${id}`, 400, 'invalid_parameter'],
      ['cursor=abc', 400, 'cursor_invalid'],
      [`published=false&cursor=${page.json.next_cursor}`, 400, 'cursor_mismatch'],
      ['limit=0', 400, 'invalid_parameter'],
      ['wait_seconds=31', 400, 'invalid_parameter'],
      ['wait_seconds=1&order=desc', 400, 'invalid_parameter'],
      ['status=1', 400, 'unknown_parameter'],
      ['published=yes', 400, 'invalid_parameter'],
      ['occurred_after=yesterday', 400, 'invalid_parameter'],
    ];
    for (const [query, status, code] of cases) {
      expect(told(await api.call('GET', `/v1/events?${query}`)), query).to.deep.equal([
        status,
        code,
      ]);
    }
    expect((await api.call('GET', '/v1/events?limit=5000')).status).to.equal(200);
  });

  it('returns 410 with the earliest sequence if the position has expired', async () => {
    const ids = await trash(3);
    await api.rows('DELETE FROM event WHERE id = $1', [ids[0]]);
    const gone = await api.call('GET', '/v1/events?after=0');
    expect(told(gone)).to.deep.equal([410, 'cursor_expired']);
    expect(gone.json.earliest_sequence).to.equal(2);
    expect(idsOf(await api.call('GET', '/v1/events'))).to.deep.equal(ids.slice(1));
    expect(idsOf(await api.call('GET', '/v1/events?after=1'))).to.deep.equal(ids.slice(1));
  });

  it('filters by type with wildcards, resource and time; rejects unknown types', async () => {
    const objectId = newId('object');
    const [a, b, c] = await relay.record(
      api.projectId,
      { type: 'dam.object.trashed', resourceId: objectId, data: {} },
      { type: 'dam.object.restored', resourceId: objectId, data: {} },
      { type: 'documents.job.cancel_requested', resourceId: newId('job'), data: {} },
    );
    await relay.run();
    const listed = async (query: string) => idsOf(await api.call('GET', `/v1/events?${query}`));
    expect(await listed('type=documents.*')).to.deep.equal([c]);
    expect(await listed('type=dam.*.trashed&type=documents.*')).to.deep.equal([a, c]);
    expect(await listed(`resource_id=${objectId}`)).to.deep.equal([a, b]);
    expect(await listed('resource_type=job')).to.deep.equal([c]);
    expect(await listed(`resource_id=${newId('object')}`)).to.deep.equal([]);
    expect(await listed('occurred_before=2020-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await listed('occurred_after=2020-01-01T00:00:00Z')).to.deep.equal([a, b, c]);
    expect(await listed('occurred_after=1960-01-01T00:00:00Z')).to.deep.equal([a, b, c]);
    expect(await listed('occurred_before=1960-01-01T00:00:00Z')).to.deep.equal([]);
    const unknown = await api.call('GET', '/v1/events?type=documents.*&type=nothing.at_all');
    expect(told(unknown)).to.deep.equal([400, 'invalid_parameter']);
    expect(unknown.json.errors).to.have.length(1);
    expect(unknown.json.errors[0].parameter).to.equal('type');
    expect(unknown.json.errors[0].allowed).to.include('documents.job.succeeded');
    const elsewhere = await api.call('GET', '/v1/events?type=access.*');
    expect(elsewhere.json.detail).to.include('category=audit');
  });

  it('returns the audit feed and addresses only with the scope', async () => {
    const narrow = await api.issue(['events:read']);
    const [id] = await trash(1);
    const [audit] = await relay.record(api.projectId, {
      type: 'access.api_key.revoked',
      resourceId: api.keyId,
      data: {},
    });
    await relay.run();
    const mine = await api.call('GET', `/v1/events/${id}`, narrow);
    expect([mine.status, mine.json.address]).to.deep.equal([200, null]);
    expect((await api.call('GET', `/v1/events/${id}`)).json.address).to.equal('192.0.2.7');
    const rejected = await api.call('GET', '/v1/events?category=audit', narrow);
    expect(told(rejected)).to.deep.equal([403, 'insufficient_scope']);
    expect(rejected.json.required_scopes).to.deep.equal(['audit:read']);
    expect((await api.call('GET', `/v1/events/${audit}`, narrow)).status).to.equal(403);
    const feed = await api.call('GET', '/v1/events?category=audit');
    expect(idsOf(feed)).to.include(audit);
    expect(feed.json.data.every((event: EventRecord) => event.published)).to.equal(true);
  });

  it('acknowledges by ID and up to a sequence', async () => {
    const ids = await trash(4);
    const open = async () => idsOf(await api.call('GET', '/v1/events?published=false'));
    const ack = (body: unknown) => api.call('POST', '/v1/events/ack', { body });
    expect((await ack({ event_ids: [ids[2]] })).json).to.deep.equal({ acknowledged: 1 });
    expect(await open()).to.deep.equal([ids[0], ids[1], ids[3]]);
    expect((await ack({ event_ids: [ids[2], ids[3]] })).json).to.deep.equal({ acknowledged: 1 });
    expect((await ack({ up_to_sequence: 1 })).json).to.deep.equal({ acknowledged: 1 });
    expect(await open()).to.deep.equal([ids[1]]);
    const [stranger] = await trash(1, api.other.projectId);
    const unknown = await ack({ event_ids: [ids[1], stranger, newId('event')] });
    expect(told(unknown)).to.deep.equal([422, 'reference_not_found']);
    expect(unknown.json.errors.map((fault: { pointer: string }) => fault.pointer)).to.deep.equal([
      '/event_ids/1',
      '/event_ids/2',
    ]);
    expect(await open()).to.deep.equal([ids[1]]);
    for (const body of [
      {},
      { event_ids: [ids[1]], up_to_sequence: 1 },
      { event_ids: [] },
      { event_ids: [ids[1], ids[1]] },
      { event_ids: ['job_1'] },
      { event_ids: Array.from({ length: 1001 }, () => newId('event')) },
      { up_to_sequence: 0 },
      { up_to_sequence: 5 },
    ]) {
      expect((await ack(body)).status, JSON.stringify(body).slice(0, 60)).to.equal(422);
    }
    const reader = await api.issue(['events:read']);
    const denied = await api.call('POST', '/v1/events/ack', {
      ...reader,
      body: { up_to_sequence: 1 },
    });
    expect(told(denied)).to.deep.equal([403, 'insufficient_scope']);
    expect(await open()).to.deep.equal([ids[1]]);
    // None of these IDs is an event.
    expect((await api.call('GET', '/v1/events')).json.latest_sequence).to.equal(4);
  });

  it('keeps projects apart', async () => {
    const [mine] = await trash(1);
    const [theirs] = await trash(1, api.other.projectId);
    expect(idsOf(await api.call('GET', '/v1/events'))).to.deep.equal([mine]);
    expect(idsOf(await api.call('GET', '/v1/events', api.other))).to.deep.equal([theirs]);
    const strange = newId('event');
    const headers = { 'x-request-id': 'same' };
    const foreign = await api.call('GET', `/v1/events/${theirs}`, { headers });
    const absent = await api.call('GET', `/v1/events/${strange}`, { headers });
    expect(foreign.status).to.equal(404);
    expect(foreign.text.replaceAll(theirs!, '')).to.equal(absent.text.replaceAll(strange, ''));
    const counted = await api.call('GET', '/v1/events?include=total', api.other);
    expect([counted.json.total, counted.json.latest_sequence]).to.deep.equal([1, 1]);
  });

  it('returns 304 for an unchanged event', async () => {
    const [id] = await trash(1);
    const first = await api.call('GET', `/v1/events/${id}`);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect((await api.call('GET', `/v1/events/${id}`, { headers })).status).to.equal(304);
    await api.call('POST', '/v1/events/ack', { body: { event_ids: [id] } });
    const changed = await api.call('GET', `/v1/events/${id}`, { headers });
    expect([changed.status, changed.json.published]).to.deep.equal([200, true]);
  });

  it('lists every type with a schema that matches its example', async () => {
    const { json } = await api.call('GET', '/v1/event-types');
    expect(json.data.map(({ type }: { type: string }) => type)).to.deep.equal(eventTypeNames);
    for (const { type, data_schema: schema, example } of json.data) {
      const check = compile(schema);
      expect(check(example.data), type).to.equal(true);
      expect(check({ ...example.data, unheard_of: 1 }), type).to.equal(false);
    }
  });

  describe('when waiting', () => {
    it('returns as soon as there is an event, and only to its project', async () => {
      const stranger = new AbortController();
      let strangerHeard = false;
      const other = fetch(`${api.url}/v1/events?wait_seconds=30`, {
        headers: {
          authorization: `Bearer ${api.other.key}`,
          'x-service-project-id': api.other.projectId,
        },
        signal: stranger.signal,
      }).then(
        () => {
          strangerHeard = true;
        },
        () => undefined,
      );
      const waiting = api.call('GET', '/v1/events?wait_seconds=30&type=dam.object.restored');
      await inUse(api, 2);
      // Of another type: the wait continues.
      await trash(1);
      const [id] = await relay.record(api.projectId, {
        type: 'dam.object.restored',
        resourceId: newId('object'),
        data: {},
      });
      await relay.run();
      expect(idsOf(await waiting)).to.deep.equal([id]);
      expect(strangerHeard).to.equal(false);
      stranger.abort();
      await other;
    });

    it('returns at once if there are events, and an empty page after the time limit', async () => {
      const [id] = await trash(1);
      expect(idsOf(await api.call('GET', '/v1/events?wait_seconds=30'))).to.deep.equal([id]);
      const empty = await api.call('GET', '/v1/events?after=1&wait_seconds=1');
      expect([empty.status, empty.json.data]).to.deep.equal([200, []]);
      const [next] = await trash(1);
      const on = await api.call('GET', `/v1/events?cursor=${empty.json.next_cursor}`);
      expect(idsOf(on)).to.deep.equal([next]);
    });

    it('works without the listening connection, and restores it', async () => {
      await eventsConnected(api);
      const waiting = api.call('GET', '/v1/events?wait_seconds=30');
      await inUse(api, 1);
      await api.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'scriptorium events' AND datname = current_database()`,
      );
      const ids = await trash(1);
      expect(idsOf(await waiting)).to.deep.equal(ids);
      await eventsConnected(api);
    });

    it('ends with the service', async () => {
      const waiting = api.call('GET', '/v1/events?wait_seconds=30');
      const stream = await openStream(api, '');
      await inUse(api, 2);
      await api.deps.events.close();
      expect((await waiting).json.data).to.deep.equal([]);
      expect(await stream.rest()).to.match(/retry: \d+\n\n$/);
    });
  });

  describe('when streaming', () => {
    it('resumes from Last-Event-ID, without loss or duplicates', async () => {
      const ids = await trash(3);
      const seen: string[] = [];
      let lastId = '0';
      for (let round = 0; round < 3; round++) {
        const stream = await openStream(api, '', { 'last-event-id': lastId });
        while (seen.length < (round + 1) * 3) {
          const message = await stream.next();
          if (message.id) lastId = message.id;
          if (message.data) seen.push(JSON.parse(message.data).id);
        }
        await stream.close();
        // Recorded while no client is connected.
        if (round < 2) ids.push(...(await trash(3)));
      }
      expect(seen).to.deep.equal(ids);
    });

    it('starts with new events by default, with a position to resume from', async () => {
      await trash(2);
      const stream = await openStream(api, '?type=dam.object.*');
      const first = await stream.next();
      expect([first.id, first.data, first.retry]).to.deep.equal(['2', undefined, '1000']);
      const ids = await trash(2);
      const events = [
        JSON.parse((await stream.next()).data!),
        JSON.parse((await stream.next()).data!),
      ];
      expect(events.map(({ id }) => id)).to.deep.equal(ids);
      expect(events[0]).to.include({ sequence: 3, project_id: api.projectId });
      await stream.close();
    });

    it('ends with a reason when the key is revoked', async () => {
      const doomed = await api.issue(['events:read']);
      const stream = await openStream(api, '', {}, doomed.key);
      await stream.next();
      await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [doomed.keyId]);
      // An event would be sent if the key were still valid.
      await trash(1);
      const rest = await stream.rest();
      expect(rest).to.include('event: end').and.include('api_key_revoked');
      expect(rest).to.not.include('dam.object.trashed');
    });

    it('ends with a reason when the key is no longer allowed from its IP address', async () => {
      const key = await api.issue(['events:read']);
      const stream = await openStream(api, '', {}, key.key);
      await stream.next();
      await api.rows(`UPDATE api_key SET allowed_cidrs = '{192.0.2.0/24}' WHERE id = $1`, [
        key.keyId,
      ]);
      await trash(1);
      const last = await stream.next();
      expect(last.event).to.equal('end');
      expect(last.data).to.include('ip_not_allowed');
      expect(await stream.rest()).to.equal('');
    });

    it('ends with a reason when the key may no longer read the audit feed', async () => {
      const key = await api.issue(['events:read', 'audit:read']);
      const stream = await openStream(api, '?category=audit', {}, key.key);
      await stream.next();
      const revoke = async (): Promise<void> => {
        await relay.record(api.projectId, {
          type: 'access.api_key.revoked',
          resourceId: api.keyId,
          data: {},
        });
        await relay.run();
      };
      // Once it has sent an event, the stream no longer reads with the scopes that it began with.
      await revoke();
      while (!(await stream.next()).data?.includes('access.api_key.revoked'));
      await api.rows(`UPDATE api_key SET scopes = '{events:read}' WHERE id = $1`, [key.keyId]);
      await revoke();
      const rest = await stream.rest();
      expect(rest).to.include('event: end').and.include('insufficient_scope');
      expect(rest).to.not.include('access.api_key.revoked');
    });

    it('keeps an idle connection alive, advances past unwanted events, and ends', async () => {
      await trash(3);
      const call = {
        deps: api.deps,
        headers: {},
        origin: originOf(api.projectId),
        signal: new AbortController().signal,
        inProject: <T>(work: (tx: Tx, key: Identity) => Promise<T>) =>
          inProject(api.deps.database, api.projectId, (tx) => work(tx, reader)),
      };
      const filters = { category: 'domain', types: ['dam.object.restored'] } as const;
      const quiet = streamEvents(call, filters, 0, {
        recheckMs: 5,
        keepAliveMs: 0,
        maxDurationMs: Infinity,
      });
      expect((await quiet.next()).value).to.equal('retry: 1000\nid: 0\n\n');
      expect((await quiet.next()).value).to.equal(': keep-alive\nid: 3\n\n');
      expect((await quiet.next()).value).to.equal(': keep-alive\nid: 3\n\n');
      await quiet.return(undefined);
      const over: string[] = [];
      const times = { recheckMs: 5, keepAliveMs: 5, maxDurationMs: 0 };
      for await (const message of streamEvents(call, filters, 0, times)) over.push(message);
      expect(over).to.deep.equal(['retry: 1000\nid: 0\n\n', 'retry: 1000\n\n']);
      expect(api.deps.events.watcherCount()).to.equal(0);
    });

    it('rejects invalid positions and types before it starts', async () => {
      for (const [query, headers, status] of [
        ['', { 'last-event-id': 'evt' }, 400],
        ['', { 'last-event-id': '7' }, 400],
        ['?after=9', {}, 400],
        ['?type=no.such', {}, 400],
        ['?limit=3', {}, 400],
      ] as const) {
        const answer = await api.call('GET', `/v1/events/stream${query}`, { headers });
        expect(answer.status, query).to.equal(status);
        expect(answer.headers.get('content-type')).to.equal('application/problem+json');
        const header = 'last-event-id' in headers ? 'Last-Event-ID' : undefined;
        expect(answer.json.errors[0].header).to.equal(header);
      }
    });
  });
});

const reader: Identity = {
  caller: { type: 'api_key', id: 'key_test' },
  role: null,
  projectId: 'prj_test',
  scopes: ['events:read'],
  allowedCidrs: [],
  readPerMinute: null,
  writePerMinute: null,
};

/** Waits until this number of requests waits for events. */
async function inUse(api: TestApi, count: number): Promise<void> {
  await eventually(async () => api.deps.events.watcherCount() >= count);
}

async function eventsConnected(api: TestApi): Promise<void> {
  await eventually(async () => api.deps.events.isConnected());
}

interface Message {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

interface Stream {
  next(): Promise<Message>;
  /** The whole text up to the stream's end. */
  rest(): Promise<string>;
  close(): Promise<void>;
}

async function openStream(
  api: TestApi,
  query: string,
  headers: Record<string, string> = {},
  key = api.key,
): Promise<Stream> {
  const stop = new AbortController();
  const response = await fetch(`${api.url}/v1/events/stream${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      'x-service-project-id': api.projectId,
      accept: 'text/event-stream',
      ...headers,
    },
    signal: stop.signal,
  });
  expect(response.status).to.equal(200);
  expect(response.headers.get('content-type')).to.match(/^text\/event-stream/);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  return {
    async next() {
      for (;;) {
        const end = buffer.indexOf('\n\n');
        if (end >= 0) {
          const block = buffer.slice(0, end);
          buffer = buffer.slice(end + 2);
          return Object.fromEntries(
            block
              .split('\n')
              .filter((line) => !line.startsWith(':'))
              .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
          );
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream has ended.');
        buffer += value;
      }
    },
    async rest() {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return buffer;
        buffer += value;
      }
    },
    async close() {
      stop.abort();
      await reader.closed.catch(() => undefined);
    },
  };
}
