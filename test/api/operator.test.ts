import { expect } from 'chai';
import { openDatabase } from '../../src/db/database.ts';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { closeQueues, openQueues, type Queues } from '../../src/queues/hints.ts';
import { frozenRateLimits, startApi, type TestApi } from '../support/api.ts';
import { redisUrl } from '../support/services.ts';

const password = 'correct-horse-battery';
const basic = (given: string) => `Basic ${Buffer.from(`operator:${given}`).toString('base64')}`;

const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('the operator pages and metrics', () => {
  let redis: Redis;
  let queues: Queues;
  let readOnly: TestApi;
  let writable: TestApi;
  let without: TestApi;
  before(async () => {
    redis = connectFailFast(await redisUrl(), createLogger('silent', 'test'));
    await new Promise((resolve) => redis.once('ready', resolve));
    queues = openQueues(redis);
    const deps = () => ({ redis, queues, ...frozenRateLimits() });
    [readOnly, writable, without] = await Promise.all([
      startApi({ deps, settings: { operatorPassword: password } }),
      startApi({ deps, settings: { operatorPassword: password, isBoardWritable: true } }),
      startApi({ deps }),
    ]);
  });
  after(async () => {
    await Promise.all([readOnly.close(), writable.close(), without.close()]);
    await closeQueues(queues);
    redis.disconnect();
  });

  it('are not available without a password', async () => {
    for (const path of ['/admin/queues', '/admin/login', '/admin', '/metrics']) {
      expect((await without.call('GET', path)).json.code, path).to.equal('not_found');
    }
  });

  it('show nothing without a session, and redirect a browser to the form', async () => {
    const page = await readOnly.call('GET', '/admin/queues', { headers: { accept: 'text/html' } });
    expect(page.status).to.equal(302);
    expect(page.headers.get('location')).to.equal('/admin/login');
    for (const path of ['/admin/queues/api/queues', '/metrics']) {
      const headers = { accept: 'application/json' };
      const answer = await readOnly.call('GET', path, { headers });
      expect([answer.status, answer.json.code], path).to.deep.equal([
        401,
        'authentication_required',
      ]);
      expect(answer.headers.get('www-authenticate'), path).to.match(/^Basic realm="operator"/);
    }
  });

  it('admit the operator through the form, with a cookie hidden from scripts', async () => {
    const wrong = await readOnly.call('POST', '/admin/login', {
      headers: asForm,
      body: 'password=nope',
    });
    expect(wrong.status).to.equal(401);
    expect(wrong.headers.get('set-cookie')).to.equal(null);
    const right = await readOnly.call('POST', '/admin/login', {
      headers: asForm,
      body: `password=${password}`,
    });
    expect(right.status).to.equal(302);
    const cookie = right.headers.get('set-cookie') ?? '';
    expect(cookie).to.match(/; path=\/admin; max-age=43200;/i);
    expect(cookie).to.match(/samesite=strict/i);
    expect(cookie).to.match(/httponly/i);
    const session = cookie.split(';')[0]!;
    const queuesOf = await readOnly.call('GET', '/admin/queues/api/queues', {
      headers: { cookie: session },
    });
    const names = queuesOf.json.queues.map((queue: { name: string }) => queue.name);
    expect(names).to.include.members(['webhooks', 'ocr']);
    const forged = await readOnly.call('GET', '/admin/queues/api/queues', {
      headers: { cookie: `${session}x`, accept: 'application/json' },
    });
    expect(forged.status).to.equal(401);
    const page = await readOnly.call('GET', '/admin/queues', { headers: { cookie: session } });
    expect(page.status).to.equal(200);
    const policy = page.headers.get('content-security-policy');
    expect(policy).to.include("frame-ancestors 'none'");
    // The page's script URLs are relative to its base; without it they would not load.
    expect(policy).to.include("base-uri 'self'");
    const base = /<base href="([^"]+)"/.exec(page.text)![1]!;
    const scripts = [...page.text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, src]) => src!);
    expect(scripts).to.not.deep.equal([]);
    for (const script of scripts) {
      const path = new URL(script, new URL(base, readOnly.url)).pathname;
      const found = await readOnly.call('GET', path, { headers: { cookie: session } });
      expect(found.headers.get('content-type'), path).to.match(/javascript/);
    }
  });

  it('do not extend the operator’s cookie to /v1', async () => {
    const right = await readOnly.call('POST', '/admin/login', {
      headers: asForm,
      body: `password=${password}`,
    });
    const cookie = right.headers.get('set-cookie')!.split(';')[0]!;
    const answer = await readOnly.call('GET', '/v1/limits', {
      headers: { cookie, authorization: undefined },
    });
    expect(answer.json.code).to.equal('authentication_required');
  });

  it('are read-only by default, and never accept actions from another site', async () => {
    const headers = { authorization: basic(password) };
    const pause = '/admin/queues/api/queues/imaging/pause';
    const rejected = await readOnly.call('PUT', pause, { headers });
    expect(rejected.json.code).to.equal('method_not_allowed');
    const foreign = await writable.call('PUT', pause, {
      headers: { ...headers, origin: 'https://elsewhere.example' },
    });
    expect(foreign.status).to.equal(403);
    expect(await writable.rows('SELECT queue FROM queue_pause')).to.deep.equal([]);
    const done = await writable.call('PUT', pause, { headers });
    expect(done.status).to.equal(200);
    await writable.rows(`DELETE FROM queue_pause WHERE queue = 'imaging'`);
  });

  it('share pauses with workers and the command line', async () => {
    const headers = { authorization: basic(password) };
    const change = (name: string, what: 'pause' | 'resume') =>
      writable.call('PUT', `/admin/queues/api/queues/${name}/${what}`, { headers });
    const pausedOnBoard = async (): Promise<string[]> => {
      const { json } = await writable.call('GET', '/admin/queues/api/queues', { headers });
      const shown: { name: string; isPaused: boolean }[] = json.queues;
      return shown.filter(({ isPaused }) => isPaused).map(({ name }) => name);
    };
    const paused = () => writable.rows('SELECT queue, reason FROM queue_pause ORDER BY queue');

    await change('imaging', 'pause');
    expect(await paused()).to.deep.equal([{ queue: 'imaging', reason: 'paused on the board' }]);
    expect(await queues.imaging.isPaused()).to.equal(false);
    await writable.rows(`INSERT INTO queue_pause (queue) VALUES ('ocr')`);
    expect((await pausedOnBoard()).sort()).to.deep.equal(['imaging', 'ocr']);

    for (const name of ['imaging', 'ocr']) {
      expect((await change(name, 'resume')).status, name).to.equal(200);
    }
    expect(await paused()).to.deep.equal([]);
  });

  it('show metrics to the operator, including the served operations', async () => {
    await readOnly.call('GET', '/v1/limits');
    const metrics = await readOnly.call('GET', '/metrics', {
      headers: { authorization: basic(password) },
    });
    expect(metrics.status).to.equal(200);
    expect(metrics.text).to.match(
      /http_request_duration_seconds_count\{operation="getLimits",status="200"\} \d/,
    );
  });

  it('show how much work waits, and for how long, across all projects', async () => {
    const api = await startApi({ settings: { operatorPassword: password } });
    try {
      for (const { projectId } of [api, api.other]) {
        await api.rows(
          `INSERT INTO task (id, project_id, queue, kind, payload, state, due_at) VALUES
             ('tsk_1' || $1, $1, 'ocr', 'k', '{}', 'pending', now() - interval '1 hour'),
             ('tsk_2' || $1, $1, 'ocr', 'k', '{}', 'pending', now() + interval '1 hour'),
             ('tsk_3' || $1, $1, 'ocr', 'k', '{}', 'running', now() - interval '2 hours')`,
          [projectId],
        );
        // No partition covers this ID.
        await api.rows(
          `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data,
             actor_type, occurred_at)
           VALUES ('evt_zzz' || $1, $1, 'domain', 't', 'r', 'i', '{}', 'system', now() - interval '1 minute')`,
          [projectId],
        );
        await api.rows(
          `INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, ordinal, due_at)
           SELECT 'whd_' || n || $1, id_floor('evt', now() - n * interval '1 day') || $1, $1,
             'whk_1' || $1, n, now() + (n - 2) * interval '1 minute' FROM unnest(ARRAY[1, 2, 81]) AS n`,
          [projectId],
        );
        await api.rows(
          `INSERT INTO webhook_endpoint (id, project_id, url, event_types, secrets, state)
           VALUES ('whk_1' || $1, $1, 'u', '{}', '[]', 'enabled'), ('whk_2' || $1, $1, 'u', '{}', '[]', 'paused')`,
          [projectId],
        );
        await api.rows(
          `INSERT INTO webhook_flow (endpoint_id, project_id, failing_since)
           VALUES ('whk_1' || $1, $1, now() - interval '2 days'), ('whk_2' || $1, $1, NULL)`,
          [projectId],
        );
      }
      const headers = { authorization: basic(password) };
      const { text } = await api.call('GET', '/metrics', { headers });
      const value = (series: string): number =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${series} `))
            ?.split(' ')[1],
        );
      expect(value('pipeline_readable')).to.equal(1);
      expect(value('tasks_due{queue="ocr"}')).to.equal(2);
      expect(value('tasks_oldest_due_seconds{queue="ocr"}')).to.be.within(3_600, 3_700);
      expect(value('tasks_due{queue="imaging"}')).to.equal(0);
      expect(value('events_unnumbered')).to.be.at.least(2);
      expect(value('events_oldest_unnumbered_seconds')).to.be.at.least(0);
      expect(value('deliveries_pending')).to.equal(6);
      expect(value('deliveries_due')).to.equal(4);
      expect(value('deliveries_oldest_due_seconds')).to.be.within(60, 120);
      expect(value('deliveries_expiring')).to.equal(2);
      expect(value('events_oldest_not_fanned_out_seconds')).to.equal(0);
      expect(value('webhook_endpoints{health="warning"}')).to.equal(2);
      expect(value('webhook_endpoints{health="paused"}')).to.equal(2);
      expect(value('webhook_endpoints{health="healthy"}')).to.equal(0);
      expect(value('default_partition_rows{table="event"}')).to.equal(2);
      expect(value('default_partition_rows{table="attempt"}')).to.equal(0);
      // Scrapes do not make Postgres count every time.
      await api.rows(`DELETE FROM task WHERE queue = 'ocr'`);
      const again = await api.call('GET', '/metrics', { headers });
      expect(again.text).to.include('tasks_due{queue="ocr"} 2');
    } finally {
      await api.close();
    }
  });

  it('show the other metrics while Postgres is down', async () => {
    const away = await openDatabase(readOnly.database.apiUrl);
    await away.destroy();
    const api = await startApi({
      deps: () => ({ database: away }),
      settings: { operatorPassword: password },
    });
    try {
      const { status, text } = await api.call('GET', '/metrics', {
        headers: { authorization: basic(password) },
      });
      expect(status).to.equal(200);
      expect(text)
        .to.match(/^pipeline_readable 0$/m)
        .and.not.match(/^(tasks_due|events_)/m);
    } finally {
      await api.close();
    }
  });

  it('hide no other route', async () => {
    expect((await readOnly.call('GET', '/v1/limits')).status).to.equal(200);
    expect((await readOnly.call('GET', '/healthz')).status).to.equal(200);
    const odd = await readOnly.call('GET', '/administration');
    expect(odd.json.code).to.equal('not_found');
  });

  it('accept only the form for a login', async () => {
    const login = (type: string, body: string) =>
      writable.call('POST', '/admin/login', { headers: { 'content-type': type }, body });
    expect((await login('application/json', JSON.stringify({ password }))).status).to.equal(401);
    expect((await login('text/plain', `password=${password}`)).status).to.equal(401);
    const form = 'application/x-www-form-urlencoded';
    expect((await login(form, `password=${'x'.repeat(5_000)}`)).status).to.equal(413);
    expect((await login(form, `a=b&password=${password}`)).status).to.equal(302);
  });

  it('count wrong passwords by address', async () => {
    const guess = () =>
      readOnly.call('GET', '/metrics', { headers: { authorization: basic('guess') } });
    const answers = await Promise.all(Array.from({ length: 40 }, guess));
    expect(answers.map((answer) => answer.status)).to.include.members([401, 429]);
    // The right password still works from the same address, in every way.
    const metrics = await readOnly.call('GET', '/metrics', {
      headers: { authorization: basic(password) },
    });
    expect(metrics.status).to.equal(200);
    const form = (given: string) =>
      readOnly.call('POST', '/admin/login', { headers: asForm, body: `password=${given}` });
    const login = await form(password);
    expect(login.headers.get('set-cookie')).to.match(/^operator=/);
    expect((await form('guess')).json.code).to.equal('rate_limited');
  });
});
