import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';
import { postRaw } from '../support/uploads.ts';

type Listed = { id: string } & Record<string, string | null>;

/** A list, with the columns that get ties: two or three values for seven rows. */
interface SortedList {
  path: string;
  table: string;
  byDefault: string;
  /** The SQL value of each column, of the number of the row. */
  ties: Record<string, string>;
  /** What a record is sorted by. */
  keys: Record<string, (record: Listed) => string>;
}

const text = (field: string) => (record: Listed) => record[field] ?? '';
const lower = (field: string) => (record: Listed) => text(field)(record).toLowerCase();
/** One of three times, all in the past. */
const day = `'2020-02-01T00:00:00.123456Z'::timestamptz + (n % 3) * interval '1 millisecond'`;
const name = `(ARRAY['beta', 'Beta', 'alpha'])[1 + n % 3]`;

const lists: readonly SortedList[] = [
  {
    path: '/v1/documents/jobs',
    table: 'job',
    byDefault: '-created_at',
    ties: { created_at: day, state: `(ARRAY['queued', 'failed', 'succeeded'])[1 + n % 3]` },
    keys: { created_at: text('created_at'), state: text('state') },
  },
  {
    path: '/v1/documents/packs',
    table: 'pack',
    byDefault: '-created_at',
    ties: { created_at: day, name, state: `(ARRAY['queued', 'running'])[1 + n % 2]` },
    keys: { created_at: text('created_at'), name: lower('name'), state: text('state') },
  },
  {
    path: '/v1/documents/reviews',
    table: 'review',
    byDefault: 'created_at',
    ties: {
      created_at: day,
      expires_at: `${day} + interval '100 years'`,
      state: `(ARRAY['open', 'rejected'])[1 + n % 2]`,
    },
    keys: {
      created_at: text('created_at'),
      expires_at: text('expires_at'),
      state: text('state'),
    },
  },
  {
    path: '/v1/webhooks',
    table: 'webhook_endpoint',
    byDefault: '-created_at',
    ties: { updated_at: day, state: `(ARRAY['enabled', 'paused'])[1 + n % 2]` },
    keys: {
      created_at: text('id'),
      updated_at: text('updated_at'),
      url: text('url'),
      state: text('state'),
    },
  },
  {
    path: '/v1/keys',
    table: 'api_key',
    byDefault: '-created_at',
    ties: {
      name,
      last_used_at: `CASE WHEN n % 3 > 0 THEN ${day} END`,
      expires_at: `CASE WHEN n % 3 > 0 THEN ${day} + interval '100 years' END`,
    },
    keys: {
      created_at: text('id'),
      name: lower('name'),
      // Never used comes before all times, never expires after them.
      last_used_at: text('last_used_at'),
      expires_at: (record) => record.expires_at ?? '9',
    },
  },
  {
    path: '/v1/dam/security/policies',
    table: 'policy',
    byDefault: '-created_at',
    ties: { updated_at: day, name, mode: `(ARRAY['audit', 'disabled'])[1 + n % 2]` },
    keys: {
      created_at: text('id'),
      updated_at: text('updated_at'),
      name: lower('name'),
      mode: text('mode'),
    },
  },
];

describe('sorted lists', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    await fill(api);
    for (const { table, ties } of lists) {
      const sets = Object.entries(ties).map(([column, value]) => `${column} = ${value}`);
      await api.rows(
        `UPDATE ${table} t SET ${sets.join(', ')} FROM (
           SELECT id, row_number() OVER (ORDER BY id)::integer AS n FROM ${table}
           WHERE project_id = $1 AND id <> $2) numbered
         WHERE t.project_id = $1 AND t.id = numbered.id`,
        [api.projectId, api.keyId],
      );
    }
  });
  after(() => api.close());

  const read = async (path: string): Promise<{ data: Listed[]; next_cursor: string | null }> => {
    const { status, json, text } = await api.call('GET', path);
    expect(status, text).to.equal(200);
    return json;
  };
  const walk = async (path: string, sort: string, limit: number): Promise<Listed[]> => {
    const found: Listed[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const at = cursor && `&cursor=${cursor}`;
      const page = await read(`${path}?sort=${sort}&limit=${limit}${at}`);
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  };
  const idsOf = (records: readonly Listed[]): string[] => records.map(({ id }) => id);

  for (const { path, byDefault, keys } of lists) {
    for (const [sort, keyOf] of Object.entries(keys)) {
      it(`of ${path} by ${sort} are in order and complete across pages, with ties`, async () => {
        const whole = (await read(`${path}?sort=${sort}&limit=200`)).data;
        expect(whole.length).to.be.at.least(7);
        // The last use of the key of these requests may change meanwhile.
        const order = whole
          .filter(({ id }) => id !== api.keyId)
          .map((record) => [keyOf(record), record.id] as const);
        const sorted = order.toSorted(
          ([a, first], [b, second]) => compare(a, b) || compare(first, second),
        );
        expect(order).to.deep.equal(sorted);
        for (const limit of [1, 2, 3]) {
          expect(idsOf(await walk(path, sort, limit)), `limit ${limit}`).to.deep.equal(
            idsOf(whole),
          );
        }
        expect(idsOf(await walk(path, `-${sort}`, 2))).to.deep.equal(idsOf(whole).toReversed());
      });
    }

    it(`of ${path} are sorted by ${byDefault} by default`, async () => {
      const byItself = (await read(`${path}?limit=200`)).data;
      const asked = (await read(`${path}?limit=200&sort=${byDefault}`)).data;
      expect(idsOf(byItself)).to.deep.equal(idsOf(asked));
    });

    it(`of ${path} reject unknown orders, and cursors of another`, async () => {
      const unknown = await api.call('GET', `${path}?sort=colour`);
      expect([unknown.status, unknown.json.code]).to.deep.equal([400, 'invalid_parameter']);
      expect(unknown.json.errors[0].allowed).to.include(byDefault);
      const { next_cursor: cursor } = await read(`${path}?limit=1`);
      const other = await api.call('GET', `${path}?limit=1&sort=state&cursor=${cursor}`);
      const code = 'state' in keys ? 'cursor_mismatch' : 'invalid_parameter';
      expect([other.status, other.json.code]).to.deep.equal([400, code]);
    });
  }
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Seven of each. */
async function fill(api: TestApi): Promise<void> {
  const post = async (path: string, body: object): Promise<string> => {
    const { status, json, text } = await api.call('POST', path, { body });
    expect(status, text).to.be.below(300);
    return json.id;
  };
  const { json: object } = await postRaw(api, '%PDF-1.7\n%%EOF\n', 'a.pdf');
  for (let at = 0; at < 7; at++) {
    const job = await post('/v1/documents/jobs', {
      source_object_id: object.id,
      operations: [{ op: 'ocr' }],
    });
    await api.rows(
      `INSERT INTO review (project_id, id, job_id, operation_index, op, source_object_id, reviewers,
         pages, requested_by, expires_at)
       VALUES ($1, $2, $3, 0, 'redact_pii', $4, 'anyone', 1, '{"type": "api_key", "id": null}', now())`,
      [api.projectId, newId('review'), job, object.id],
    );
    await post('/v1/documents/packs', { name: 'Pack', source: { object_ids: [object.id] } });
    await post('/v1/webhooks', {
      url: `http://127.0.0.1:9/${at % 3}`,
      event_types: ['dam.*'],
    });
    await post('/v1/keys', { name: 'Key', scopes: ['keys:read'] });
    await post('/v1/dam/security/policies', {
      name: 'Policy',
      mode: 'audit',
      scope: { type: 'project' },
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
  }
}
