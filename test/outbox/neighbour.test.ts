import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { originOf } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { checkout, run } from '../support/run.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

/** Events that a neighbouring service records arrive like the API's own. */
describe('events of a neighbouring service', () => {
  let api: TestApi;
  let redis: TestRedis;
  let databases: Database[];
  let workers: TestWorkers;
  let receiver: Receiver;
  let neighbour: pg.Client;
  /** The SQL in docs/guides/neighbours.md. */
  let script: string;
  before(async () => {
    receiver = await startReceiver();
    // The test's workers cannot open sealed values.
    const seal = { seal: (text: string) => text, open: (text: string) => text };
    api = await startApi({ deps: () => ({ seal }) });
    redis = await startPrivateRedis();
    const [worker, relay] = await Promise.all([
      openDatabase(api.database.workerUrl),
      openDatabase(api.database.relayUrl),
    ]);
    databases = [worker, relay];
    workers = await prepareWorkers({ worker, relay }, redis.url);
    workers.start('relay', 'webhooks');
    neighbour = new pg.Client({ connectionString: api.database.neighbourUrl });
    await neighbour.connect();
    const guide = await readFile(join(checkout, 'docs/guides/neighbours.md'), 'utf8');
    script = /```sql\n([^`]*outbox_record[^`]*)```/.exec(guide)![1]!;
    const owner = new pg.Client({ connectionString: api.database.ownerUrl });
    await owner.connect();
    await owner.query('CREATE SCHEMA media; GRANT ALL ON SCHEMA media TO neighbour');
    await owner.end();
    await neighbour.query('CREATE TABLE media.vod_job (id text PRIMARY KEY, state text NOT NULL)');
    const endpoint = await api.call('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['media.*'], secret: receiver.secret },
    });
    expect(endpoint.status).to.equal(201);
  });
  after(async () => {
    await neighbour.end();
    await workers.stop();
    for (const database of databases) await database.destroy();
    await redis.remove();
    await api.close();
    await receiver.close();
  });

  const say = async (sql: string): Promise<string[]> => {
    const results = await neighbour.query({ text: sql, rowMode: 'array' });
    return [results].flat().flatMap(({ rows }) => rows.flat());
  };
  const withPg = (sql: string): Promise<string[]> =>
    say(sql.replaceAll(`:'project'`, pg.escapeLiteral(api.projectId)));
  const withPsql = async (sql: string): Promise<string[]> => {
    const file = join(api.storageRoot, 'event.sql');
    await writeFile(file, sql);
    const told = await run('psql', [
      '-XqAt',
      '-v',
      'ON_ERROR_STOP=1',
      '-v',
      `project=${api.projectId}`,
      '-f',
      file,
      api.database.neighbourUrl,
    ]);
    expect(told.code, told.stderr).to.equal(0);
    return told.stdout.split('\n').filter((line) => line !== '');
  };
  const call = (resource: string, progress = 40): string =>
    `SELECT outbox_record(:'project', 'media.vod_job.progressed', '${resource}',
       '{"profile": "hls_1080p", "progress": ${progress}}');`;
  const feed = async (query: string) => {
    const { status, json } = await api.call('GET', `/v1/events?${query}`);
    expect(status).to.equal(200);
    return json.data as { id: string; sequence: number; resource_id: string }[];
  };
  const listed = (id: string) =>
    eventually(async () => (await feed('type=media.*')).find((event) => event.id === id));

  /** One commit with the neighbour's own statements: its row and its event, up to the webhook. */
  const arrives = async (commit: (sql: string) => Promise<string[]>): Promise<void> => {
    const [id, ...more] = await commit(script);
    expect(more).to.deep.equal([]);
    const event = await listed(id!);
    expect(event).to.deep.include({
      type: 'media.vod_job.succeeded',
      project_id: api.projectId,
      resource_type: 'vod_job',
      resource_id: 'job_7f3a',
      data: { profile: 'hls_1080p', progress: 100 },
      category: 'domain',
      actor: { type: 'service', id: 'neighbour', name: null },
      address: null,
      request_id: null,
    });
    const own = await neighbour.query('SELECT id, state FROM media.vod_job');
    expect(own.rows).to.deep.equal([{ id: 'job_7f3a', state: 'succeeded' }]);
    for (const query of ['type=media.vod_job.succeeded', 'resource_id=job_7f3a', 'order=desc']) {
      expect(
        (await feed(query)).map((found) => found.id),
        query,
      ).to.include(id);
    }
    expect(await streamed(event.sequence - 1)).to.deep.include({ id, sequence: event.sequence });
    const [request] = await eventually(async () => {
      const came = receiver.requestsOf(id!);
      return came.length > 0 ? came : null;
    });
    expect(request!.verified).to.equal(true);
    const body = JSON.parse(request!.body.toString());
    expect(body).to.deep.include({ id, sequence: event.sequence, resource_id: 'job_7f3a' });
    expect(body.data).to.deep.equal({ profile: 'hls_1080p', progress: 100 });
    await eventually(
      async () => (await api.call('GET', `/v1/events/${id}`)).json.published === true,
    );
    const foreign = await api.call('GET', `/v1/events/${id}`, {
      key: api.other.key,
      projectId: api.other.projectId,
    });
    expect(foreign.status).to.equal(404);
  };
  /** The first event in the stream after a sequence. */
  const streamed = async (after: number): Promise<unknown> => {
    const stop = new AbortController();
    const response = await fetch(`${api.url}/v1/events/stream?type=media.*&after=${after}`, {
      headers: {
        authorization: `Bearer ${api.key}`,
        'x-service-project-id': api.projectId,
      },
      signal: stop.signal,
    });
    let text = '';
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const data = /^data: (.*)$/m.exec(text);
      if (data) {
        stop.abort();
        return JSON.parse(data[1]!);
      }
    }
    throw new Error('The stream ended without an event.');
  };

  it('commit with its own rows, are listed and streamed, and arrive as signed webhooks', () =>
    arrives(withPg));

  it('can be recorded from plain psql, if installed', async function () {
    const found = await run('psql', ['--version']).catch(() => null);
    if (!found) this.skip();
    await arrives(withPsql);
  });

  it('are gone if its transaction is rolled back', async () => {
    const before = (await feed('')).length;
    const gone = await withPg(`BEGIN; ${call('job_gone')} ROLLBACK;`);
    expect(gone).to.have.length(1);
    const rejected = await withPg(
      `BEGIN; INSERT INTO media.vod_job VALUES ('job_refused', 'x'); ${call('job_refused', 101)} COMMIT;`,
    ).then(
      () => 'allowed',
      (error: pg.DatabaseError) => error.message,
    );
    expect(rejected).to.include('data.progress must be <= 100');
    await neighbour.query('ROLLBACK');
    const [kept] = await withPg(call('job_kept'));
    await listed(kept!);
    const events = await feed('');
    expect(events).to.have.length(before + 1);
    expect(events.map(({ sequence }) => sequence)).to.deep.equal(events.map((_, at) => at + 1));
    expect(await feed('resource_id=job_gone')).to.deep.equal([]);
    const own = await neighbour.query(`SELECT FROM media.vod_job WHERE id = 'job_refused'`);
    expect(own.rows).to.deep.equal([]);
    expect(receiver.requestsOf(gone[0]!)).to.deep.equal([]);
  });

  it('neither block other writers nor wait for them', async () => {
    // The neighbour leaves its transaction open; the API and the relay continue.
    const [late] = await withPg(`BEGIN; ${call('job_late')}`);
    const made = await api.call('POST', '/v1/collections', { body: { name: 'Meanwhile' } });
    expect(made.status).to.equal(201);
    const [meanwhile] = await eventually(async () => {
      const events = await feed(`resource_id=${made.json.id}`);
      return events.length > 0 ? events : null;
    });
    const { rows } = await neighbour.query(
      `SELECT DISTINCT locktype, mode FROM pg_locks WHERE pid = pg_backend_pid()
         AND mode NOT IN ('AccessShareLock', 'RowExclusiveLock')
         AND locktype NOT IN ('virtualxid', 'transactionid')`,
    );
    expect(rows).to.deep.equal([]);
    await neighbour.query('COMMIT');
    expect((await listed(late!)).sequence).to.equal(meanwhile!.sequence + 1);

    // The API leaves one open; the neighbour continues.
    const resourceId = newId('object');
    await inProject(api.deps.database, api.projectId, async (tx) => {
      await record(tx, originOf(api.projectId), {
        type: 'dam.object.trashed',
        resourceId,
        data: {},
      });
      const [early] = await withPg(call('job_early'));
      expect((await listed(early!)).sequence).to.equal(meanwhile!.sequence + 2);
    });
    await eventually(async () => (await feed(`resource_id=${resourceId}`)).length === 1);
  });
});
