import { expect } from 'chai';
import { newKey } from '../../../src/access/keys/format.ts';
import { createMemoryBudget } from '../../../src/api/frame/exchange.ts';
import { frozenRateLimits, startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw, type RawConnection, requestHead } from '../../support/raw-connection.ts';

const upload = { 'Content-Type': 'text/plain', 'X-Filename': 'half.txt' };
const json = { 'Content-Type': 'application/json' };
const mebibyte = 1024 * 1024;

describe('pending request bodies', () => {
  let api: TestApi;
  let transactions = 0;
  let open = 0;
  let highest = 0;
  const opened: RawConnection[] = [];
  before(async () => {
    api = await startApi({
      deps: ({ database }) => {
        const create = database.createQueryRunner.bind(database);
        database.createQueryRunner = (...given) => {
          const runner = create(...given);
          const connect = runner.connect.bind(runner);
          const release = runner.release.bind(runner);
          let isOpen = false;
          runner.connect = () => {
            isOpen = true;
            transactions += 1;
            open += 1;
            highest = Math.max(highest, open);
            return connect();
          };
          runner.release = async () => {
            if (isOpen) open -= 1;
            isOpen = false;
            await release();
          };
          return runner;
        };
        return frozenRateLimits();
      },
    });
  });
  afterEach(() => {
    for (const { socket } of opened.splice(0)) socket.destroy();
  });
  after(() => api.close());

  const begin = async (text: string): Promise<RawConnection> => {
    const connection = await connectRaw(api.url);
    opened.push(connection);
    connection.send(text);
    return connection;
  };
  const answerOf = (connection: RawConnection): Promise<string> =>
    eventually(async () => /^HTTP\/1\.1 (\d+) /.exec(connection.received())?.[1]);
  /** Starts requests, and waits until the login of each has finished. */
  const loggedIn = async (count: number, text: () => string): Promise<RawConnection[]> => {
    const before = transactions;
    const begun = await Promise.all(Array.from({ length: count }, () => begin(text())));
    await eventually(async () => transactions >= before + count && open === 0);
    return begun;
  };
  const stranger = () => ({ key: newKey().secret, projectId: api.projectId });
  const create = (length: number, of: { key: string; projectId: string }) =>
    requestHead('POST /v1/collections', { ...json, 'Content-Length': length }, of);
  const chunked = (of: { key: string; projectId: string }) =>
    requestHead('POST /v1/collections', { ...json, 'Transfer-Encoding': 'chunked' }, of);

  for (const [name, text] of [
    ['large', () => create(mebibyte, stranger())],
    ['small', () => create(100, stranger())],
    ['chunked', () => chunked(stranger())],
    ['half sent', () => `${create(mebibyte, stranger())}${'x'.repeat(200_000)}`],
    ['begun in chunks', () => `${chunked(stranger())}5\r\n{"nam\r\n`],
    [
      'waiting for 100 Continue',
      () =>
        requestHead(
          'POST /v1/collections',
          { ...json, 'Content-Length': 50, Expect: '100-continue' },
          stranger(),
        ),
    ],
  ] as const) {
    it(`are not awaited for an invalid key: ${name}`, async () => {
      expect(await answerOf(await begin(text()))).to.equal('401');
    });
  }

  for (const [name, text] of [
    ['a JSON body', () => `${create(100, api)}{"name": "`],
    ['a JSON body in chunks', () => `${chunked(api)}5\r\n{"nam\r\n`],
    [
      'an upload',
      () => `${requestHead('POST /v1/objects', { ...upload, 'Content-Length': 100 }, api)}half`,
    ],
  ] as const) {
    it(`may be sent again if something in between cut them short: ${name}`, async () => {
      const connection = await begin(text());
      connection.socket.end();
      const answer = await connection.closed;
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      const problem = JSON.parse(answer.slice(answer.indexOf('{')));
      expect(problem).to.include({ code: 'malformed_request', retryable: true });
      expect(problem.detail).to.match(/^The connection was closed before the \w+ was complete\.$/);
    });
  }

  it('are not awaited without the scope', async () => {
    const reader = await api.issue(['collections:read']);
    expect(await answerOf(await begin(create(mebibyte, reader)))).to.equal('403');
  });

  it('are not awaited beyond the rate limit', async () => {
    const slow = await api.issue(['collections:write'], { write: 1 });
    const call = () => api.call('POST', '/v1/collections', { body: {}, key: slow.key });
    expect((await call()).status).to.equal(422);
    expect(await answerOf(await begin(create(mebibyte, slow)))).to.equal('429');
  });

  it('count once against the rate limit, although the key is checked twice', async () => {
    const key = await api.issue(['collections:write'], { write: 10 });
    const body = { name: 'x', metadata: { text: 'x'.repeat(60_000) } };
    const { headers } = await api.call('POST', '/v1/collections', { body, key: key.key });
    expect(headers.get('ratelimit')).to.match(/r=9/);
  });

  it('cost a transaction only if they arrive after their headers', async () => {
    const took = async (ask: () => Promise<unknown>): Promise<number> => {
      const before = transactions;
      await ask();
      return transactions - before;
    };
    // A key that is new to the process is logged in separately the first time.
    await api.call('GET', '/v1/limits');
    const text = JSON.stringify({ name: 'At once' });
    const whole = async () => {
      const connection = await begin(create(text.length, api) + text);
      expect(await answerOf(connection)).to.equal('201');
    };
    expect(await took(whole)).to.equal(1);
    const inPieces = async () => {
      const connection = await begin(create(text.length, api));
      // The login has started with the first of its transactions.
      const before = transactions;
      await eventually(async () => transactions > before);
      connection.send(text);
      expect(await answerOf(connection)).to.equal('201');
    };
    expect(await took(inPieces)).to.equal(2);
  });

  it('hold no database connection', async () => {
    const waiting = await loggedIn(12, () => create(50_000, api));
    highest = 0;
    expect((await api.call('GET', '/v1/collections')).status).to.equal(200);
    expect(highest).to.equal(1);
    expect(waiting.map((each) => each.received())).to.deep.equal(Array(12).fill(''));
  });

  it('are limited per key, without affecting other keys', async () => {
    const key = await api.issue(['collections:write']);
    const held = await loggedIn(16, () => create(mebibyte, key));
    const last = await begin(create(mebibyte, key));
    expect(await answerOf(last)).to.equal('429');
    expect(held.map((each) => each.received())).to.deep.equal(Array(16).fill(''));
    const body = { name: 'x'.repeat(20_000) };
    expect((await api.call('POST', '/v1/collections', { body })).status).to.equal(422);
    for (const { socket } of held) socket.destroy();
    await eventually(async () => {
      const answer = await api.call('POST', '/v1/collections', { body, key: key.key });
      return answer.status === 422;
    });
  });

  it('leave the connection usable after a rejection', async () => {
    const connection = await begin(create(100, stranger()));
    expect(await answerOf(connection)).to.equal('401');
    connection.send(`${'x'.repeat(100)}${requestHead('GET /healthz', { Connection: 'close' })}`);
    expect(await connection.closed).to.match(/HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /);
  });
});

describe('request bodies that never arrive', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ clientLimits: { bodyIdleMs: 200, bodyMs: 1_000 } });
  });
  after(() => api.close());

  it('time out if nothing arrives', async () => {
    const connection = await connectRaw(api.url);
    connection.send(requestHead('POST /v1/collections', { ...json, 'Content-Length': 100 }, api));
    expect(await connection.closed).to.match(/^HTTP\/1\.1 408 /);
  });

  it('time out even if a byte arrives now and then', async () => {
    const connection = await connectRaw(api.url);
    connection.send(
      requestHead('POST /v1/collections', { ...json, 'Transfer-Encoding': 'chunked' }, api),
    );
    const drip = setInterval(() => connection.send('1\r\nx\r\n'), 50);
    expect(await connection.closed).to.match(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });
});

describe('body slots', () => {
  it('are limited in total and per key, and released once', () => {
    const budget = createMemoryBudget({ inAll: 10, forEach: 6 });
    const first = budget.reserve('a', 6)!;
    expect(budget.reserve('a', 1)).to.equal(null);
    expect(budget.reserve('b', 5)).to.equal(null);
    budget.reserve('b', 4);
    expect([budget.reserved(), budget.reserve('c', 1)]).to.deep.equal([10, null]);
    first();
    first();
    expect(budget.reserved()).to.equal(4);
    expect(budget.reserve('a', 6)).to.not.equal(null);
  });
});
