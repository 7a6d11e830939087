import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inTransaction, prepared } from '../../../src/db/transaction.ts';
import { createLogger } from '../../../src/logger.ts';
import { noTracing } from '../../../src/tracing.ts';
import { createWebhookSender } from '../../../src/webhooks/delivery/sending/deliver.ts';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../support/receiver.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

const credential = 'Bearer 7f3c-the-owners-own-credential';
const tenant = 'tenant-5b1e-known-to-few';

describe('values of custom webhook headers', () => {
  let api: TestApi;
  let relay: TestRelay;
  let receiver: Receiver;
  let superuser: Database;
  /** What the API and the delivery logged. */
  const logged: string[] = [];
  const logger = createLogger('trace', 'test', { write: (line) => void logged.push(line) });
  before(async () => {
    receiver = await startReceiver();
    api = await startApi({ deps: () => ({ logger }) });
    relay = await openRelay(api);
    superuser = await openDatabase(api.database.superuserUrl, { poolSize: 1 });
  });
  beforeEach(async () => {
    receiver.respondWith(204);
    receiver.requests.length = 0;
    await api.rows('DELETE FROM webhook_endpoint');
    await api.rows('DELETE FROM event');
  });
  after(async () => {
    await superuser.destroy();
    await relay.close();
    await api.close();
    await receiver.close();
  });

  const create = (body: object = {}, options: CallOptions = {}) =>
    api.call('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['dam.*'], secret: receiver.secret, ...body },
      ...options,
    });
  const patch = (id: string, body: unknown, etag = '*') =>
    api.call('PATCH', `/v1/webhooks/${id}`, { body, headers: { 'if-match': etag } });
  const show = (id: string) => api.call('GET', `/v1/webhooks/${id}`);
  const faults = (answer: ApiResponse): [string, string][] =>
    answer.json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [
      pointer,
      code,
    ]);
  /** A message to the webhook as it arrives now. */
  const sent = async (id: string): Promise<ReceivedRequest> => {
    const { json } = await api.call('POST', `/v1/webhooks/${id}/test`);
    expect(json.outcome).to.equal('succeeded');
    return receiver.requestsOf(json.request.headers['webhook-id'])[0]!;
  };
  /** Sends the deliveries owed to the webhook, as a worker does. */
  const deliver = async (id: string): Promise<void> => {
    const courier = createWebhookSender({
      database: relay.worker,
      dialer: api.deps.dialer,
      unseal: api.deps.seal.open,
      retrySchedule: [0, 300],
      observeAttempt: () => undefined,
      wake: () => undefined,
      logger,
      tracing: noTracing,
    });
    await courier.serve(id);
    await courier.idle();
  };
  const trash = async (): Promise<string> => {
    const [id] = await relay.record(api.projectId, {
      type: 'dam.object.trashed',
      resourceId: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
      data: {},
    });
    await relay.run();
    return id!;
  };
  /** The tables with a row that contains a text, in any encoding except sealed. */
  const tablesWith = async (text: string): Promise<string[]> => {
    const spellings = ['utf8', 'hex', 'base64'].map((encoding) =>
      Buffer.from(text)
        .toString(encoding as BufferEncoding)
        .replace(/=+$/, ''),
    );
    const tables = await api.rows<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind = 'r'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await inTransaction(superuser, (tx) =>
        prepared<{ n: number }>(
          tx,
          `SELECT count(*) AS n FROM ${name} t, unnest($1::text[]) AS spelling
           WHERE position(spelling IN t::text) > 0`,
          [spellings],
        ),
      );
      if (row!.n > 0) found.push(name);
    }
    return found;
  };

  it('are sent unchanged, in tests and deliveries, whatever happens to the webhook', async () => {
    const made = await create({ headers: { Authorization: credential, 'X-Tenant': tenant } });
    const { id } = made.json;
    const arrived = (await sent(id)).headers;
    expect([arrived.authorization, arrived['x-tenant']]).to.deep.equal([credential, tenant]);
    for (const verb of ['pause', 'enable', 'rotate-secret']) {
      expect((await api.call('POST', `/v1/webhooks/${id}/${verb}`)).status).to.equal(200);
    }
    const event = await trash();
    await deliver(id);
    const [delivered] = receiver.requestsOf(event);
    expect(delivered!.headers.authorization).to.equal(credential);
    expect(delivered!.verified).to.equal(true);
  });

  it('are in no response, row, event or log line', async () => {
    const headers = { Authorization: credential, 'X-Tenant': tenant };
    const answers: ApiResponse[] = [];
    const ask = async (answer: Promise<ApiResponse>): Promise<ApiResponse> => {
      answers.push(await answer);
      return answers.at(-1)!;
    };
    const once = { headers: { 'idempotency-key': 'with headers' } };
    const { json } = await ask(create({ headers }, once));
    await ask(create({ headers }, once));
    const path = `/v1/webhooks/${json.id}`;
    // A receiver that echoes its request must not disclose the values either.
    receiver.respondWith((request) => ({ status: 500, body: JSON.stringify(request.headers) }));
    await ask(api.call('POST', `${path}/test`));
    const event = await trash();
    await deliver(json.id);
    expect(receiver.requestsOf(event)[0]!.headers.authorization).to.equal(credential);
    const { data } = (await ask(api.call('GET', `${path}/deliveries`))).json;
    const delivery = await ask(api.call('GET', `${path}/deliveries/${data[0].id}`));
    expect(delivery.json.attempts[0].response_excerpt).to.include('webhook-id');
    for (const verb of ['pause', 'enable', 'disable', 'rotate-secret']) {
      await ask(
        api.call('POST', `${path}/${verb}`, { headers: { 'idempotency-key': `${verb} it` } }),
      );
    }
    await ask(patch(json.id, { headers: { ...headers, 'X-More': 'more' } }));
    await ask(patch(json.id, { headers: { ...headers, Host: 'x' } }));
    await ask(patch(json.id, { headers, url: 'nonsense' }));
    await ask(create({ headers: { ...headers, 'X-Tenant': `${tenant}\n` } }));
    await ask(api.call('GET', '/v1/webhooks'));
    await ask(show(json.id));
    await relay.run();
    await ask(api.call('GET', '/v1/events?category=audit&limit=100'));
    await ask(api.call('GET', '/v1/events?limit=100'));

    expect(answers.map(({ status }) => status)).to.deep.equal([
      201, 201, 200, 200, 200, 200, 200, 200, 200, 200, 422, 422, 422, 200, 200, 200, 200,
    ]);
    expect(answers.at(-4)!.json.data[0].headers).to.deep.equal({
      Authorization: hiddenValue,
      'X-Tenant': hiddenValue,
      'X-More': hiddenValue,
    });
    const secrets = [credential, credential.slice('Bearer '.length), tenant];
    for (const secret of secrets) {
      for (const { text } of answers) expect(text).to.not.include(secret);
      expect(await tablesWith(secret), 'tables').to.deep.equal([]);
      expect(logged.join('')).to.not.include(secret);
    }
    // The search itself works: it finds the names, and another value.
    expect(await tablesWith('X-Tenant')).to.have.members(['idempotency', 'webhook_endpoint']);
    expect(await tablesWith(receiver.url)).to.have.members(['idempotency', 'webhook_endpoint']);
    expect(logged.join('')).to.include('rotateWebhookSecret');
  });

  describe('in a patch', () => {
    let stranger: Receiver | undefined;
    afterEach(async () => {
      await stranger?.close();
      stranger = undefined;
    });

    it('may be sent as returned, so that a client can edit what it read', async () => {
      const { id } = (await create({ headers: { Authorization: credential, 'X-A': 'a' } })).json;
      const read = await show(id);
      const { headers } = read.json;
      const same = await patch(id, { headers }, read.headers.get('etag')!);
      expect([same.status, same.json.version]).to.deep.equal([200, 1]);

      const edited = { ...headers, 'X-A': 'b', 'X-B': 'new' };
      const changed = await patch(id, { headers: edited }, read.headers.get('etag')!);
      expect(changed.json.version).to.equal(2);
      const arrived = (await sent(id)).headers;
      expect([arrived.authorization, arrived['x-a'], arrived['x-b']]).to.deep.equal([
        credential,
        'b',
        'new',
      ]);
    });

    it('are dropped for another origin, unless the same patch sets them', async () => {
      stranger = await startReceiver(receiver.secret);
      const { id } = (await create({ headers: { Authorization: credential, 'X-A': 'a' } })).json;
      const path = await patch(id, { url: `${receiver.url}/elsewhere` });
      expect(path.json.headers).to.have.all.keys('Authorization', 'X-A');

      // Sent back in their hidden form, they are required.
      const back = await patch(id, { url: stranger.url, headers: { Authorization: hiddenValue } });
      expect(faults(back)).to.deep.equal([['/headers/Authorization', 'header_value_hidden']]);

      const moved = await patch(id, { url: stranger.url, headers: { 'X-B': 'b' } });
      expect(moved.json.headers).to.deep.equal({ 'X-B': hiddenValue });
      await relay.run();
      const [event] = await api.rows<{ data: object }>(
        `SELECT data FROM event WHERE type = 'webhooks.endpoint.updated' ORDER BY ordinal DESC LIMIT 1`,
      );
      expect(event?.data).to.deep.equal({ changed: ['url', 'headers'] });
      const pending = await trash();
      await deliver(id);
      const [arrived] = stranger.requestsOf(pending);
      expect(arrived!.verified).to.equal(true);
      expect(arrived!.headers).to.include({ 'x-b': 'b' });
      expect(arrived!.headers).to.not.have.any.keys('authorization', 'x-a');
      // Nor do they return with the old URL.
      const home = await patch(id, { url: receiver.url });
      expect(home.json.headers).to.deep.equal({});
    });

    it('belong to the scheme, host and port of an origin', async () => {
      const { id } = (await create({ headers: { 'X-A': 'a' } })).json;
      const port = new URL(receiver.url).port;
      const kept = async (url: string) => {
        const answer = await patch(id, { url, headers: { 'X-Other': 'kept' } });
        expect(answer.status, answer.text).to.equal(200);
        return Object.keys(answer.json.headers);
      };
      expect(await kept(`http://127.0.0.1:${port}/?a=b`)).to.deep.equal(['X-A', 'X-Other']);
      expect(await kept(`http://127.0.0.2:${port}/`)).to.deep.equal(['X-Other']);
      expect(await kept(`http://127.0.0.2:${Number(port) + 1}/`)).to.deep.equal(['X-Other']);
      expect(await kept(`https://127.0.0.2:${Number(port) + 1}/`)).to.deep.equal(['X-Other']);
    });

    it('change nothing if they equal the stored ones, or are reported by name', async () => {
      const { id } = (await create({ headers: { Authorization: credential } })).json;
      const same = await patch(id, { headers: { Authorization: credential } });
      expect(same.json.version).to.equal(1);
      const other = await patch(id, { headers: { Authorization: 'Bearer another' } });
      expect(other.json.version).to.equal(2);
      expect((await sent(id)).headers.authorization).to.equal('Bearer another');
      await relay.run();
      const { json } = await api.call(
        'GET',
        '/v1/events?category=audit&type=webhooks.endpoint.updated',
      );
      expect(json.data.map(({ data }: { data: object }) => data)).to.deep.equal([
        { changed: ['headers'] },
      ]);
    });

    it('are removed with their names, one by one or all', async () => {
      const headers = { Authorization: credential, 'X-A': 'a' };
      const { id } = (await create({ headers })).json;
      const one = await patch(id, { headers: { 'X-A': null } });
      expect(one.json.headers).to.deep.equal({ Authorization: hiddenValue });
      const none = await patch(id, { headers: null });
      expect(none.json.headers).to.deep.equal({});
      expect((await sent(id)).headers.authorization).to.equal(undefined);
    });

    it('cannot be the hidden form if none is stored', async () => {
      const made = await create({ headers: { Authorization: credential, 'X-A': 'a' } });
      const { id } = made.json;
      const answers: [ApiResponse, string[]][] = [
        [await create({ headers: { 'X-New': hiddenValue } }), ['X-New']],
        [
          await patch(id, { headers: { 'X-New': hiddenValue, Authorization: hiddenValue } }),
          ['X-New'],
        ],
        [await patch(id, { headers: { constructor: hiddenValue } }), ['constructor']],
      ];
      for (const [answer, names] of answers) {
        expect(answer.status, answer.text).to.equal(422);
        expect(faults(answer)).to.deep.equal(
          names.map((name) => [`/headers/${name}`, 'header_value_hidden']),
        );
        expect(answer.json.errors[0].detail).to.match(
          /keeps an existing value.*Send the value itself/,
        );
      }
      // Header names ignore case; the stored spelling is the one to send back.
      const cased = await patch(id, { headers: { authorization: hiddenValue } });
      expect(faults(cased)).to.deep.equal([
        ['/headers/authorization', 'header_duplicate'],
        ['/headers/authorization', 'header_value_hidden'],
      ]);
      const wrong = await patch(id, { headers: { 'a\nb': 'b', 'X-A': hiddenValue } });
      expect(faults(wrong)).to.deep.equal([['/headers/a\nb', 'header_name_invalid']]);
      expect((await show(id)).json.version).to.equal(1);
    });
  });
});
