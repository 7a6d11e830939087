import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { superuserUrl } from '../../support/services.ts';

describe('requests that share a transaction', () => {
  let api: TestApi;
  let outside: pg.Client;
  let source: string;
  let trashed: string;
  before(async () => {
    api = await startApi();
    outside = new pg.Client({ connectionString: await superuserUrl() });
    await outside.connect();
    [source, trashed] = [await newObject('available'), await newObject('trashed')];
  });
  after(async () => {
    await outside.end();
    await api.close();
  });

  const newObject = async (state: string, projectId = api.projectId): Promise<string> => {
    const id = newId('object');
    await api.rows(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, pages, source_kind)
       VALUES ($1, $2, $3, 'a.pdf', 'application/pdf', 1, repeat('0', 64), 1, 'upload')`,
      [id, projectId, state],
    );
    return id;
  };
  const start = (
    name: string,
    {
      value,
      object = source,
      ...as
    }: { value?: string; object?: string; key?: string; projectId?: string } = {},
  ): Promise<ApiResponse> =>
    api.call('POST', '/v1/documents/jobs', {
      ...as,
      body: { source_object_id: object, operations: [{ op: 'ocr' }], metadata: { name } },
      headers: { 'idempotency-key': value, 'x-request-id': name },
    });
  /** The transactions in which the jobs with these names were created, with their other rows. */
  const madeBy = (names: readonly string[]) =>
    api.rows<{ name: string; id: string; at: string; events: number; tasks: number; by: string }>(
      `SELECT j.metadata->>'name' AS name, j.id, j.xmin::text AS at,
         (SELECT count(*)::integer FROM event e WHERE e.resource_id = j.id) AS events,
         (SELECT count(*)::integer FROM task t WHERE t.resource_id = j.id) AS tasks,
         (SELECT min(e.request_id) FROM event e WHERE e.resource_id = j.id) AS by
       FROM job j WHERE j.metadata->>'name' = ANY($1) ORDER BY j.id`,
      [names],
    );
  const namesOf = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${prefix}_${at}`);

  it('commit once for many, each with its own job, event, task and request', async () => {
    const names = namesOf('many', 40);
    const answers = await Promise.all(names.map((name) => start(name)));
    const made = await madeBy(names);
    expect(made).to.have.length(names.length);
    expect(new Set(made.map(({ at }) => at)).size).to.be.lessThan(names.length);
    for (const [at, answer] of answers.entries()) {
      expect(answer.status).to.equal(202);
      const own = made.find(({ id }) => id === answer.json.id)!;
      expect(own).to.include({ name: names[at]!, events: 1, tasks: 1, by: names[at]! });
    }
  });

  it('are rejected one by one, and leave nothing behind', async () => {
    const names = namesOf('mixed', 40);
    const answers = await Promise.all(
      names.map((name, at) => start(name, at % 2 ? { object: trashed } : {})),
    );
    for (const [at, answer] of answers.entries()) {
      const expected = at % 2 ? [409, 'state_conflict'] : [202, undefined];
      expect([answer.status, answer.json.code]).to.deep.equal(expected);
      if (at % 2) expect(answer.json.request_id).to.equal(names[at]);
    }
    const made = await madeBy(names);
    expect(made.map(({ name }) => name)).to.have.members(names.filter((_, at) => at % 2 === 0));
    expect(new Set(made.map(({ at }) => at)).size).to.be.lessThan(made.length);
  });

  it('include other keys of their project, each with its own rights', async () => {
    const second = await api.issue(['*']);
    const names = namesOf('keys', 40);
    const keyOf = (at: number) => (at % 2 ? second : api);
    // The same Idempotency-Key of two keys is two.
    const answers = await Promise.all(
      names.map((name, at) =>
        start(name, { key: keyOf(at).key, value: `pair ${Math.floor(at / 2)}` }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 202)).to.deep.equal([]);
    const made = await api.rows<{ name: string; at: string; by: string; told: string }>(
      `SELECT j.metadata->>'name' AS name, j.xmin::text AS at, j.origin->'actor'->>'id' AS by,
         (SELECT e.actor_id FROM event e WHERE e.resource_id = j.id) AS told
       FROM job j WHERE j.metadata->>'name' = ANY($1)`,
      [names],
    );
    expect(made).to.have.length(names.length);
    for (const { name, by, told } of made) {
      const { keyId } = keyOf(names.indexOf(name));
      expect([by, told]).to.deep.equal([keyId, keyId]);
    }
    const keysIn = new Map<string, Set<string>>();
    for (const { at, by } of made) keysIn.set(at, (keysIn.get(at) ?? new Set()).add(by));
    expect([...keysIn.values()].some(({ size }) => size === 2)).to.equal(true);
  });

  it('are checked separately: revoked, without the scope or over the rate limit', async () => {
    const revoked = await api.issue(['*']);
    const reader = await api.issue(['documents:read']);
    const slow = await api.issue(['*'], { write: 4 });
    const keys = [api, revoked, reader, slow];
    // All are known to this process as keys of the project before one is revoked.
    for (const { key } of keys) await api.call('GET', '/v1/documents/jobs?limit=1', { key });
    await api.rows('UPDATE api_key SET revoked_at = now() WHERE id = $1', [revoked.keyId]);
    const names = namesOf('held', 40);
    const answers = await Promise.all(
      names.map((name, at) => start(name, { key: keys[at % keys.length]!.key })),
    );
    const statusesOf = (key: number) =>
      answers.filter((_, at) => at % keys.length === key).map(({ status }) => status);
    expect(new Set(statusesOf(0))).to.deep.equal(new Set([202]));
    expect(new Set(statusesOf(1))).to.deep.equal(new Set([401]));
    expect(new Set(statusesOf(2))).to.deep.equal(new Set([403]));
    expect(statusesOf(3).filter((status) => status === 202)).to.have.length(4);
    expect(statusesOf(3).filter((status) => status === 429)).to.have.length(6);
    const made = await madeBy(names);
    const succeeded = names.filter((_, at) => answers[at]!.status === 202);
    expect(made.map(({ name }) => name)).to.have.members(succeeded);
    expect(new Set(made.map(({ at }) => at)).size).to.be.lessThan(made.length);
  });

  it('never include another project, whatever its header names', async () => {
    const names = namesOf('projects', 40);
    const answers = await Promise.all(
      names.map((name, at) => start(name, at % 2 ? { key: api.other.key } : {})),
    );
    for (const [at, { status, json }] of answers.entries()) {
      const expected = at % 2 ? [403, 'project_forbidden'] : [202, undefined];
      expect([status, json.code]).to.deep.equal(expected);
    }
    const theirs = await newObject('available', api.other.projectId);
    const both = namesOf('both', 40);
    await Promise.all(
      both.map((name, at) => start(name, at % 2 ? { ...api.other, object: theirs } : {})),
    );
    const made = await api.rows<{ projects: number; jobs: number }>(
      `SELECT count(DISTINCT project_id)::integer AS projects, count(*)::integer AS jobs
       FROM job WHERE metadata->>'name' = ANY($1) GROUP BY xmin::text`,
      [both],
    );
    expect(made.every(({ projects }) => projects === 1)).to.equal(true);
    expect(made.reduce((sum, { jobs }) => sum + jobs, 0)).to.equal(both.length);
  });

  it('apply an Idempotency-Key once under concurrent requests', async () => {
    const names = namesOf('same', 40);
    const answers = await Promise.all(names.map((name) => start(name, { value: 'same' })));
    for (const answer of answers) {
      expect([202, 409, 422]).to.include(answer.status);
    }
    const done = answers.filter(({ status }) => status === 202);
    expect(done).to.have.length(1);
    expect(await madeBy(names)).to.have.length(1);
  });

  it('run one by one if together they exceed a quota', async () => {
    const [row] = await api.rows<{ used: number }>(
      `SELECT usage_of($1, 'jobs_in_flight')::integer AS used`,
      [api.projectId],
    );
    await api.rows(
      `INSERT INTO project_quota (project_id, resource, most) VALUES ($1, 'jobs_in_flight', $2)`,
      [api.projectId, row!.used + 10],
    );
    const names = namesOf('quota', 40);
    const answers = await Promise.all(names.map((name) => start(name)));
    await api.rows('DELETE FROM project_quota');
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).to.have.length(10);
    expect(statuses.filter((status) => status === 403)).to.have.length(30);
    expect(await madeBy(names)).to.have.length(10);
  });

  it('take effect exactly once if others fail, disconnect or are cut off', async () => {
    const keys = [api.key, (await api.issue(['*'])).key];
    const request = fc.record({
      by: fc.constantFrom(0, 0, 1),
      value: fc.option(fc.integer({ min: 0, max: 3 })),
      object: fc.constantFrom('source', 'source', 'source', 'trashed', 'unknown'),
      leaves: fc.constantFrom(false, false, false, true),
    });
    type Asked = typeof request extends fc.Arbitrary<infer R> ? R : never;
    let run = 0;
    const check = async (requests: Asked[], cuts: number): Promise<void> => {
      run += 1;
      const objects = { source, trashed, unknown: newId('object') };
      const sent = requests.map(async ({ by, value, object, leaves }, at) => {
        // The same Idempotency-Key means the same request; all others differ by name.
        const name =
          value === null ? `run_${run}_${at}` : `run_${run}_value_${by}_${value}_${object}`;
        const answer = await fetch(`${api.url}/v1/documents/jobs`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${keys[by]}`,
            'X-Service-Project-ID': api.projectId,
            'Content-Type': 'application/json',
            ...(value !== null && { 'Idempotency-Key': `${run} ${value} ${object}` }),
          },
          body: JSON.stringify({
            source_object_id: objects[object],
            operations: [{ op: 'ocr' }],
            metadata: { name },
          }),
          ...(leaves && { signal: AbortSignal.timeout(1) }),
        }).catch(() => null);
        const json: ApiResponse['json'] = answer && (await answer.json().catch(() => null));
        return { name, value, object, status: json ? answer!.status : null, json };
      });
      for (let cut = 0; cut < cuts; cut++) {
        await new Promise((resolve) => setImmediate(resolve));
        await outside.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = $1 AND usename = 'api' AND state <> 'idle' LIMIT 1`,
          [api.database.name],
        );
      }
      const answers = await Promise.all(sent);
      const made = await madeBy([...new Set(answers.map(({ name }) => name))]);
      const byName = new Map<string, string[]>();
      for (const { name, id, events, tasks } of made) {
        byName.set(name, [...(byName.get(name) ?? []), id]);
        expect([events, tasks]).to.deep.equal([1, 1]);
      }
      for (const { name, value, object, status, json } of answers) {
        const ids = byName.get(name) ?? [];
        expect(ids.length, name).to.be.at.most(1);
        if (object !== 'source') {
          expect(ids).to.deep.equal([]);
          const allowed = [object === 'trashed' ? 409 : 422, 409, 503, null];
          expect(allowed).to.include(status);
        } else if (status === 202) {
          expect([json.id, json.metadata.name]).to.deep.equal([ids[0], name]);
        } else {
          const busy = value === null ? [] : [409];
          expect([...busy, 503, null]).to.include(status);
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 2, maxLength: 48 }),
        fc.constantFrom(0, 0, 0, 1, 3),
        check,
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
