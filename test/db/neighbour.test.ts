import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '../../src/db/preparing/prepare.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { numberRound } from '../support/relay-rounds.ts';

/** A plain client sends everything here in the role `neighbour`, without the service's code. */
describe('a neighbouring service that shares the database', () => {
  let database: DatabaseFixture;
  let neighbour: pg.Client;
  let superuser: pg.Client;
  let projectId: string;
  const connect = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  before(async () => {
    database = await openDatabaseFixture();
    projectId = await database.createProject();
    neighbour = await connect(database.urls.neighbourUrl);
    superuser = await connect(database.urls.superuserUrl);
  });
  after(async () => {
    await neighbour.end();
    await superuser.end();
    await database.close();
  });

  const good = { profile: 'hls_1080p', progress: 40 };
  interface Given {
    project?: string | null;
    type?: string | null;
    resource?: string | null;
    data?: string | null;
  }
  const record = async (given: Given = {}, client = neighbour): Promise<string> => {
    const {
      project = projectId,
      type = 'media.vod_job.progressed',
      resource = newId('job'),
      data = JSON.stringify(good),
    } = given;
    const { rows } = await client.query<{ id: string }>(
      'SELECT outbox_record($1, $2, $3, $4::jsonb) AS id',
      [project, type, resource, data],
    );
    return rows[0]!.id;
  };
  const refusal = (
    work: Promise<unknown>,
  ): Promise<{ code?: string; message: string; hint?: string }> =>
    work.then(
      () => ({ message: 'allowed' }),
      ({ code, message, hint }: pg.DatabaseError) => ({
        message,
        ...(code ? { code } : {}),
        ...(hint ? { hint } : {}),
      }),
    );
  const count = async (): Promise<number> =>
    (await superuser.query('SELECT count(*)::integer AS n FROM event')).rows[0].n;

  it('records events like the API’s own, in the name of its role', async () => {
    const resource = newId('job');
    const id = await record({ resource });
    const { rows } = await superuser.query('SELECT * FROM event WHERE id = $1', [id]);
    const { occurred_at, ordinal, ...event } = rows[0];
    expect(event).to.deep.equal({
      id,
      project_id: projectId,
      category: 'domain',
      type: 'media.vod_job.progressed',
      resource_type: 'vod_job',
      resource_id: resource,
      data: good,
      actor_type: 'service',
      actor_id: 'neighbour',
      actor_name: null,
      address: null,
      request_id: null,
      sequence: null,
      body: null,
      fanned_out_at: null,
      owed: 0,
      delivered: 0,
      published_at: null,
      trace_parent: null,
    });
    expect(Date.now() - occurred_at.getTime()).to.be.within(-5_000, 60_000);
    expect(Number(ordinal)).to.be.greaterThan(0);
  });

  it('includes the login in the event if several share the role', async () => {
    const login = `media_${process.pid}`;
    await superuser.query(`CREATE ROLE ${login} LOGIN PASSWORD 'p' IN ROLE neighbour`);
    const url = new URL(database.urls.neighbourUrl);
    url.username = login;
    url.password = 'p';
    const client = await connect(url.toString());
    try {
      const id = await record({}, client);
      const { rows } = await superuser.query('SELECT actor_id FROM event WHERE id = $1', [id]);
      expect(rows).to.deep.equal([{ actor_id: login }]);
    } finally {
      await client.end();
      await superuser.query(`DROP ROLE ${login}`);
    }
  });

  it('gets an error with the path of each fault, and records nothing', async () => {
    const types = 'media.vod_job.succeeded, media.vod_job.progressed, media.vod_job.failed';
    const shape = 'It begins with job_, and 1 to 64 letters, digits, - or _ follow.';
    const wrong = 'The data of a media.vod_job.progressed event is wrong';
    const refusals: [Given, { code: string; message: string; hint?: string }][] = [
      [
        { data: '{"profile": "p", "progress": 101}' },
        { code: '23514', message: `${wrong}: data.progress must be <= 100.` },
      ],
      [
        { data: '{"progress": "40", "error": {"code": 1}, "colour": null}' },
        {
          code: '23514',
          message: `${wrong}: data.colour is not known, data.profile is missing, data.progress must be number, data.error.code must be string, data.error.message is missing, data.error.retryable is missing.`,
        },
      ],
      [{ data: '[]' }, { code: '23514', message: `${wrong}: data must be object.` }],
      [{ data: 'null' }, { code: '23514', message: `${wrong}: data must be object.` }],
      [
        { data: JSON.stringify(Object.fromEntries([...'abcdefghijkl'].map((name) => [name, 1]))) },
        {
          code: '23514',
          message: `${wrong}: ${[...'abcdefghij'].map((name) => `data.${name} is not known`).join(', ')}, and 4 more.`,
        },
      ],
      [
        { data: JSON.stringify({ ...good, profile: 'x'.repeat(65_536) }) },
        { code: '54000', message: 'The data of an event holds at most 65536 bytes, not 65567.' },
      ],
      [
        { type: 'dam.object.trashed', data: '{}' },
        {
          code: '22023',
          message: `'dam.object.trashed' is not a type of event that a neighbouring service records.`,
          hint: `The types are: ${types}.`,
        },
      ],
      [
        { type: `media.vod_job.'; DROP TABLE event; --` },
        {
          code: '22023',
          message: `'media.vod_job.''; DROP TABLE event; --' is not a type of event that a neighbouring service records.`,
          hint: `The types are: ${types}.`,
        },
      ],
      ...['', 'job_', 'obj_1', ' job_1', 'job_1\n', 'job_é', `job_${'1'.repeat(65)}`].map(
        (resource): [Given, { code: string; message: string; hint: string }] => [
          { resource },
          {
            code: '22023',
            message: `'${resource}' is not a resource_id of a media.vod_job.progressed event.`,
            hint: shape,
          },
        ],
      ),
      [
        { project: 'prj_none' },
        { code: '23503', message: `The project 'prj_none' does not exist.` },
      ],
      ...(['project', 'type', 'resource', 'data'] as const).map(
        (missing): [Given, { code: string; message: string }] => [
          { [missing]: null },
          {
            code: '22004',
            message: 'project_id, type, resource_id and data must all be given.',
          },
        ],
      ),
    ];
    const before = await count();
    for (const [given, expected] of refusals) {
      const { hint, ...told } = await refusal(record(given));
      const { hint: expectedHint, ...rest } = expected;
      expect(told).to.deep.equal(rest);
      if (expectedHint) expect(hint).to.equal(expectedHint);
    }
    expect(await count()).to.equal(before);
    await record({ resource: `job_${'1'.repeat(64)}` });
    await record({ resource: 'job_A-z_0', data: '{"profile": "", "progress": 1e-400}' });
  });

  it('returns to its own project afterwards, or to none', async () => {
    const setting = async (): Promise<string | null> =>
      (await neighbour.query(`SELECT current_setting('app.project_id', true) AS value`)).rows[0]
        .value;
    await record();
    expect(await setting()).to.be.oneOf([null, '']);
    await neighbour.query('BEGIN');
    await record();
    expect(await setting()).to.equal('');
    await neighbour.query(`SELECT set_config('app.project_id', 'prj_its_own', true)`);
    await record();
    expect(await setting()).to.equal('prj_its_own');
    await neighbour.query('SAVEPOINT s');
    await refusal(record({ data: '{}' }));
    await neighbour.query('ROLLBACK TO s');
    expect(await setting()).to.equal('prj_its_own');
    await neighbour.query('COMMIT');
    await neighbour.query(`SET app.project_id = 'prj_session'`);
    await record();
    expect(await setting()).to.equal('prj_session');
    await neighbour.query('RESET app.project_id');
  });

  it('may execute that one function and access nothing else', async () => {
    const { rows: relations } = await superuser.query<{
      name: string;
      kind: string;
      open: boolean;
    }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relkind AS kind,
         CASE c.relkind WHEN 'S' THEN has_sequence_privilege('neighbour', c.oid, 'USAGE, SELECT, UPDATE')
           ELSE has_any_column_privilege('neighbour', c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
             OR has_table_privilege('neighbour', c.oid, 'DELETE, TRUNCATE, TRIGGER') END AS open
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
         AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') ORDER BY 1`,
    );
    expect(relations.length).to.be.greaterThan(40);
    expect(relations.filter(({ open }) => open)).to.deep.equal([]);
    for (const { name, kind } of relations) {
      const attempts = [`SELECT FROM ${name}`];
      if (kind === 'S') attempts.push(`SELECT nextval('${name}')`);
      if (/[rp]/.test(kind))
        attempts.push(`INSERT INTO ${name} DEFAULT VALUES`, `DELETE FROM ${name}`);
      for (const attempt of attempts) {
        expect((await refusal(neighbour.query(attempt))).message, attempt).to.match(
          /^permission denied for (table|view|sequence) /,
        );
      }
    }
    const { rows: functions } = await superuser.query<{ name: string; open: boolean }>(
      `SELECT p.oid::regprocedure::text AS name, has_function_privilege('neighbour', p.oid, 'EXECUTE') AS open
       FROM pg_proc p WHERE p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
           AND d.objid = p.oid AND d.deptype = 'e')`,
    );
    expect(functions.length).to.be.greaterThan(15);
    expect(functions.filter(({ open }) => open).map(({ name }) => name)).to.deep.equal([
      'outbox_record(text,text,text,jsonb)',
    ]);
    for (const attempt of [
      `SELECT new_id('evt')`,
      `SELECT * FROM neighbour_types()`,
      `SELECT neighbour_faults('media.vod_job.failed', '{}')`,
      `SELECT * FROM admit_key('', '', 1, '', '')`,
      `SELECT partitions_drop('90 days')`,
      `CREATE TABLE public.mine (id integer)`,
      `CREATE SCHEMA mine`,
      `SET ROLE owner`,
      `SET ROLE api`,
    ]) {
      expect((await refusal(neighbour.query(attempt))).message, attempt).to.match(
        /^permission denied /,
      );
    }
  });

  it('cannot lock, notify or store data through the functions of Postgres', async () => {
    for (const attempt of [
      `SELECT pg_try_advisory_xact_lock(hashtext('number events'))`,
      'SELECT pg_advisory_lock(1)',
      'SELECT pg_advisory_lock_shared(1, 2)',
      'SELECT pg_advisory_unlock_all()',
      `SELECT pg_notify('events', '*')`,
      `SELECT pg_logical_emit_message(true, 'a', 'b')`,
      'SELECT pg_export_snapshot()',
      'SELECT lo_create(0)',
      `SELECT lo_from_bytea(0, 'a')`,
    ]) {
      expect((await refusal(neighbour.query(attempt))).code, attempt).to.equal('42501');
    }
    // Any other function with side effects, without arguments and with the lock's own key.
    const { rows } = await neighbour.query<{ name: string; types: string[] }>(
      `SELECT p.oid::regproc::text AS name,
         ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) AS t) AS types
       FROM pg_proc p
       WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.provolatile = 'v' AND p.prokind = 'f'
         AND p.prorettype <> ALL ('{trigger,internal}'::regtype[])
         AND has_function_privilege(p.oid, 'EXECUTE')`,
    );
    expect(rows.length).to.be.greaterThan(80);
    const watcher = async () =>
      (
        await superuser.query(
          `SELECT (SELECT count(*)::integer FROM pg_locks l JOIN pg_stat_activity a USING (pid)
             WHERE l.locktype = 'advisory' AND a.usename = 'neighbour') AS locks,
             (SELECT count(*)::integer FROM pg_largeobject_metadata) AS objects`,
        )
      ).rows;
    for (const { name, types } of rows) {
      for (const value of ['NULL', `'1'`]) {
        if (value === `'1'` && /sleep/.test(name)) continue;
        const given = types.map((type) => `${value}::${type}`).join(', ');
        await refusal(neighbour.query(`SELECT ${name}(${given})`));
      }
    }
    expect(await watcher()).to.deep.equal([{ locks: 0, objects: 0 }]);
  });

  it('receives no notifications of projects, whatever channel it listens to', async () => {
    const heard: { channel: string; payload?: string }[] = [];
    const relayed: string[] = [];
    const relay = await connect(database.urls.relayUrl);
    neighbour.on('notification', ({ channel, payload = '' }) => heard.push({ channel, payload }));
    relay.on('notification', ({ payload = '' }) => relayed.push(payload));
    for (const name of ['events', 'upload_wanted', projectId, '*']) {
      await neighbour.query(`LISTEN ${neighbour.escapeIdentifier(name)}`);
    }
    const { rows } = await relay.query(`SELECT name FROM channel WHERE purpose = 'events'`);
    await relay.query(`LISTEN ${relay.escapeIdentifier(rows[0].name)}`);
    await record();
    await inTransaction(database.relay, numberRound);
    await eventually(async () => {
      await relay.query('SELECT');
      return relayed.length > 0;
    });
    await neighbour.query('SELECT');
    expect(relayed).to.deep.equal([projectId]);
    expect(heard).to.deep.equal([]);
    expect((await refusal(neighbour.query('SELECT * FROM channel'))).code).to.equal('42501');
    await neighbour.query('UNLISTEN *');
    await relay.end();
  });

  it('cannot wait or hold a transaction open forever, nor take all connections', async () => {
    const { rows } = await neighbour.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
         current_setting('idle_in_transaction_session_timeout') AS idle,
         (SELECT rolconnlimit FROM pg_roles WHERE rolname = 'neighbour') AS connections`,
    );
    expect(rows).to.deep.equal([{ statement: '1min', lock: '10s', idle: '1min', connections: 20 }]);
  });

  it('does not block recording while partitions wait for its open transaction', async () => {
    const drop = `SELECT format('DROP TABLE %I', max(relname)) AS sql FROM pg_class
      WHERE relname ~ '^event_[0-9]{8}$'`;
    await superuser.query((await superuser.query(drop)).rows[0].sql);
    const relay = await connect(database.urls.relayUrl);
    await neighbour.query('BEGIN');
    await record();
    const told = await refusal(relay.query('SELECT partitions_ensure()'));
    expect(told.message).to.equal('canceling statement due to lock timeout');
    const other = await connect(database.urls.neighbourUrl);
    await record({}, other);
    await other.end();
    await neighbour.query('COMMIT');
    const { rows } = await relay.query('SELECT partitions_ensure() AS made');
    expect(rows).to.deep.equal([{ made: 1 }]);
    await relay.end();
  });

  it('cannot make the function read its own tables', async () => {
    await neighbour.query(`CREATE TEMPORARY TABLE project (id text)`);
    await neighbour.query(`INSERT INTO project VALUES ('prj_forged')`);
    await neighbour.query('SET search_path = pg_temp, public');
    const told = await refusal(record({ project: 'prj_forged' }));
    expect(told.message).to.equal(`The project 'prj_forged' does not exist.`);
    await neighbour.query('RESET search_path');
    await neighbour.query('DROP TABLE pg_temp.project');
  });

  it('is checked against the registry of the latest migration', async () => {
    const wrong = { data: '{"profile": "p", "progress": 101}' };
    const definitions = async () =>
      (
        await superuser.query(
          `SELECT proname, prosrc FROM pg_proc WHERE proname IN ('neighbour_types', 'neighbour_faults') ORDER BY 1`,
        )
      ).rows;
    const now = await definitions();
    expect(now).to.have.length(2);
    await superuser.query(
      `CREATE OR REPLACE FUNCTION neighbour_faults(type text, data jsonb) RETURNS text[]
       LANGUAGE sql IMMUTABLE AS 'SELECT ''{}''::text[]'`,
    );
    await record(wrong);
    await superuser.query('CREATE FUNCTION later() RETURNS integer LANGUAGE sql AS $$SELECT 1$$');
    await superuser.query('ALTER FUNCTION later() OWNER TO owner');
    expect(await refusal(neighbour.query('SELECT later()'))).to.deep.equal({ message: 'allowed' });
    // Two concurrent migrations do not disturb each other.
    await Promise.all([migrate(database.urls.ownerUrl), migrate(database.urls.ownerUrl)]);
    expect((await refusal(record(wrong))).code).to.equal('23514');
    expect(await definitions()).to.deep.equal(now);
    expect((await refusal(neighbour.query('SELECT later()'))).code).to.equal('42501');
    const api = await connect(database.urls.apiUrl);
    expect((await api.query('SELECT later() AS n')).rows).to.deep.equal([{ n: 1 }]);
    await api.end();
  });
});
