import type { Origin } from '@scriptorium/contracts/origin';
import { expect } from 'chai';
import { inProject } from '../../../src/db/transaction.ts';
import { record } from '../../../src/outbox/record.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

/** Formulas that a spreadsheet would run. */
const hostile = ['=cmd()', '+1+1', '-2+3', '@SUM(A1)', '\t=1', 'a"b,c\nd'];

describe('events filtered by actor, address and request', () => {
  let api: TestApi;
  let relay: TestRelay;
  before(async () => {
    api = await startApi();
    relay = await openRelay(api);
    await say({ requestId: 'req-1', address: '198.51.100.4' });
    await say({ requestId: 'req-1', actor: { type: 'worker', id: 'worker-1' } });
    await say({ requestId: '-2', address: '198.51.100.4' });
    await say({ address: '2001:db8::1', actor: { type: 'operator', id: null } });
    await relay.run();
  });
  after(async () => {
    await relay.close();
    await api.close();
  });

  const say = (given: Partial<Origin>, resourceId = 'obj_1', changed = ['tags']) => {
    const { projectId } = api;
    const actor = { type: 'api_key' as const, id: api.keyId };
    const origin = { projectId, actor, address: null, requestId: null, ...given };
    return inProject(relay.worker, projectId, (tx) =>
      record(tx, origin, { type: 'dam.object.updated', resourceId, data: { changed } }),
    );
  };
  const sequences = async (query: string, options = {}) => {
    const { status, json, text } = await api.call('GET', `/v1/events?${query}`, options);
    expect(status, text).to.equal(200);
    return json.data.map(({ sequence }: { sequence: number }) => sequence);
  };

  it('are found by one or several of these, in lists and exports', async () => {
    for (const [query, found] of [
      [`actor_id=${api.keyId}`, [1, 3]],
      ['actor_type=worker', [2]],
      ['actor_type=operator', [4]],
      ['address=198.51.100.4', [1, 3]],
      ['address=2001:db8::1', [4]],
      ['request_id=req-1', [1, 2]],
      [`request_id=req-1&actor_id=${api.keyId}`, [1]],
      ['request_id=req-9', []],
    ] as const) {
      expect(await sequences(query), query).to.deep.equal(found);
      const accept = 'application/x-ndjson';
      const exported = await api.call('GET', `/v1/events?${query}`, { headers: { accept } });
      const lines = exported.text.split('\n').slice(0, -1);
      expect(
        lines.map((line) => JSON.parse(line).sequence),
        query,
      ).to.deep.equal(found);
    }
    const { status } = await api.call('GET', '/v1/events?actor_type=nobody');
    expect(status).to.equal(400);
  });

  it('do not include other projects, and a cursor is bound to the filters', async () => {
    expect(await sequences(`actor_id=${api.keyId}`, api.other)).to.deep.equal([]);
    expect(await sequences('request_id=req-1', api.other)).to.deep.equal([]);
    const first = await api.call('GET', '/v1/events?request_id=req-1&limit=1');
    const cursor = first.json.next_cursor;
    expect(await sequences(`request_id=req-1&limit=1&cursor=${cursor}`)).to.deep.equal([2]);
    const moved = await api.call('GET', `/v1/events?request_id=req-2&limit=1&cursor=${cursor}`);
    expect([moved.status, moved.json.code]).to.deep.equal([400, 'cursor_mismatch']);
  });

  it('reveal no address, even by a match, to a key that may not read the audit feed', async () => {
    const narrow = await api.issue(['events:read']);
    for (const path of ['/v1/events', '/v1/events/stream']) {
      const rejected = await api.call('GET', `${path}?address=198.51.100.4`, narrow);
      expect([rejected.status, rejected.json.code], path).to.deep.equal([
        403,
        'insufficient_scope',
      ]);
      expect(rejected.json.required_scopes).to.deep.equal(['audit:read']);
    }
    expect(await sequences('request_id=req-1', narrow)).to.deep.equal([1, 2]);
  });

  it('are exported to CSV as text that is never a formula', async () => {
    const ids: string[] = [];
    for (const value of hostile) ids.push(...(await say({ requestId: 'csv' }, value, [value])));
    await relay.run();
    const headers = { accept: 'text/csv' };
    const { text } = await api.call('GET', '/v1/events?request_id=csv', { headers });
    const rows = parseCsv(text);
    expect(rows[0]!.slice(0, 4)).to.deep.equal(['occurred_at', 'sequence', 'category', 'type']);
    const column = (name: string) => rows.slice(1).map((row) => row[rows[0]!.indexOf(name)]);
    expect(column('id')).to.deep.equal(ids);
    expect(column('resource_id')).to.deep.equal([
      `'=cmd()`,
      `'+1+1`,
      `'-2+3`,
      `'@SUM(A1)`,
      `'\t=1`,
      'a"b,c\nd',
    ]);
    expect(column('data').map((data) => JSON.parse(data!).changed[0])).to.deep.equal(hostile);
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).to.deep.equal([]);
    const clientMade = await api.call('GET', '/v1/events?request_id=-2', { headers });
    expect(clientMade.text).to.include(`,'-2,`);
    const none = await api.call('GET', '/v1/events?request_id=none', { headers });
    expect(parseCsv(none.text)).to.deep.equal([rows[0]]);
  });
});

/** Rows of cells (RFC 4180), as a spreadsheet reads them. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
