import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { SealedSecret } from '../../../src/entities/webhooks/webhook-endpoint.ts';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

const many = 10;

describe('concurrent changes of one webhook', () => {
  let api: TestApi;
  let relay: TestRelay;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    api = await startApi();
    relay = await openRelay(api);
  });
  beforeEach(async () => {
    await api.rows('DELETE FROM webhook_endpoint');
    await api.rows('DELETE FROM event');
  });
  after(async () => {
    await relay.close();
    await api.close();
    await receiver.close();
  });

  const create = async (body: object = {}): Promise<WebhookRecord & { secret: string }> =>
    (
      await api.call('POST', '/v1/webhooks', {
        body: { url: receiver.url, event_types: ['dam.*'], ...body },
      })
    ).json;
  const change = (id: string, verb: string, options: CallOptions = {}): Promise<ApiResponse> =>
    api.call('POST', `/v1/webhooks/${id}/${verb}`, options);
  const atOnce = (work: (at: number) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
    Promise.all(Array.from({ length: many }, (_, at) => work(at)));
  const statuses = (answers: ApiResponse[]): number[] => answers.map(({ status }) => status);
  const show = async (id: string): Promise<WebhookRecord> =>
    (await api.call('GET', `/v1/webhooks/${id}`)).json;
  /** The events of the webhook in order, except its creation. */
  const events = async (): Promise<string[]> => {
    await relay.run();
    const { json } = await api.call('GET', '/v1/events?category=audit&type=webhooks.endpoint.*');
    return json.data
      .map(({ type }: { type: string }) => type.split('.')[2])
      .filter((verb: string) => verb !== 'created' && verb !== 'tested');
  };

  describe('without If-Match run one after the other', () => {
    it('as rotations: each creates its own secret, and all of them sign', async () => {
      const { id } = await create();
      const answers = await atOnce(() => change(id, 'rotate-secret'));
      expect(statuses(answers)).to.deep.equal(Array(many).fill(200));
      const versions = answers.map(({ json }) => json.version).sort((a, b) => a - b);
      expect(versions).to.deep.equal(Array.from({ length: many }, (_, at) => at + 2));
      expect(await events()).to.deep.equal(Array(many).fill('secret_rotated'));

      const sent = (await change(id, 'test')).json.request;
      const secrets = answers.map(({ json }) => json.secret);
      expect(new Set(secrets).size).to.equal(many);
      for (const secret of secrets) new Webhook(secret).verify(sent.body, sent.headers);
      // The newest ten are kept, without the original secret.
      expect(sent.headers['webhook-signature'].split(' ')).to.have.length(many);
    });

    it('as rotations without an overlap: only the last one signs', async () => {
      const { id } = await create();
      const body = { overlap_seconds: 0 };
      const answers = await atOnce(() => change(id, 'rotate-secret', { body }));
      expect(statuses(answers)).to.deep.equal(Array(many).fill(200));
      const last = answers.find(({ json }) => json.version === many + 1)!;
      const sent = (await change(id, 'test')).json.request;
      new Webhook(last.json.secret).verify(sent.body, sent.headers);
      const [row] = await api.rows<{ secrets: SealedSecret[] }>(
        'SELECT secrets FROM webhook_endpoint',
      );
      expect(row!.secrets).to.have.length(1);
    });

    for (const [verb, state, from] of [
      ['pause', 'paused', 'enabled'],
      ['enable', 'enabled', 'paused'],
      ['disable', 'disabled', 'enabled'],
    ] as const) {
      it(`as ${verb}: the first takes effect, the others change nothing`, async () => {
        const { id } = await create({ state: from });
        const answers = await atOnce(() => change(id, verb));
        expect(answers.map(({ status, json }) => [status, json.state, json.version])).to.deep.equal(
          Array(many).fill([200, state, 2]),
        );
        expect(await events()).to.deep.equal([state]);
      });
    }

    it('of all kinds: each returns its own result', async () => {
      const { id, version } = await create();
      const verbs = ['pause', 'enable', 'rotate-secret'];
      const answers = await atOnce((at) => change(id, verbs[at % verbs.length]!));
      expect(statuses(answers)).to.deep.equal(Array(many).fill(200));
      for (const [at, { json }] of answers.entries()) {
        const wanted = ['paused', 'enabled', json.state][at % verbs.length];
        expect(json.state).to.equal(wanted);
      }
      const done = await events();
      expect(done.filter((verb) => verb === 'secret_rotated')).to.have.length(3);
      expect((await show(id)).version).to.equal(version + done.length);
    });

    it('and return 409 for pausing a webhook that was disabled in the meantime', async () => {
      const { id } = await create();
      const answers = await atOnce((at) => change(id, at % 2 === 0 ? 'disable' : 'pause'));
      for (const [at, { status, json }] of answers.entries()) {
        if (at % 2 === 0) expect([status, json.state]).to.deep.equal([200, 'disabled']);
        else if (status !== 200) expect([status, json.code]).to.deep.equal([409, 'state_conflict']);
      }
      expect((await show(id)).state).to.equal('disabled');
    });
  });

  it('with the same If-Match succeed once, and return 412 otherwise', async () => {
    for (const verb of ['rotate-secret', 'pause']) {
      const { id } = await create();
      const headers = { 'if-match': '"1"' };
      const answers = await atOnce(() => change(id, verb, { headers }));
      expect(statuses(answers).sort()).to.deep.equal([200, ...Array(many - 1).fill(412)]);
      expect(answers.find(({ status }) => status === 412)!.json.code).to.equal('etag_mismatch');
      expect((await show(id)).version).to.equal(2);
    }
    const { id } = await create();
    const patches = await atOnce((at) =>
      api.call('PATCH', `/v1/webhooks/${id}`, {
        body: { description: `${at}` },
        headers: { 'if-match': '"1"' },
      }),
    );
    expect(statuses(patches).sort()).to.deep.equal([200, ...Array(many - 1).fill(412)]);
    const removals = await atOnce(() =>
      api.call('DELETE', `/v1/webhooks/${id}`, { headers: { 'if-match': '"2"' } }),
    );
    expect(statuses(removals).sort()).to.deep.equal([204, ...Array(many - 1).fill(404)]);
  });

  it('with If-Match * all take effect', async () => {
    const { id } = await create();
    const patches = await atOnce((at) =>
      api.call('PATCH', `/v1/webhooks/${id}`, {
        body: { headers: { [`X-${at}`]: `value ${at}` } },
        headers: { 'if-match': '*' },
      }),
    );
    expect(statuses(patches)).to.deep.equal(Array(many).fill(200));
    expect(Object.keys((await show(id)).headers)).to.have.members(
      Array.from({ length: many }, (_, at) => `X-${at}`),
    );
  });
});
