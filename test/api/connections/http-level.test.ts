import { connect } from 'node:net';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';

/** Requests that no HTTP client would send, written directly to the socket. */
describe('malformed HTTP', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  /** Sends bytes and reads until the server closes or all requests are answered. */
  const exchange = (text: string, isEnough: (answer: string) => boolean = () => false) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      socket.setEncoding('utf8').on('data', (piece) => {
        answer += piece;
        if (isEnough(answer)) socket.destroy();
      });
      socket.on('close', () => resolve(answer)).on('error', reject);
      socket.write(text);
    });

  const login = () =>
    `Authorization: Bearer ${api.key}\r\nX-Service-Project-ID: ${api.projectId}\r\n`;

  const problemOf = (answer: string): { status: number; code: string; body: string } => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).to.match(/content-type: application\/problem\+json/i);
    const json = JSON.parse(body);
    expect(head).to.match(new RegExp(`^HTTP/1.1 ${json.status} `));
    return { status: json.status, code: json.code, body };
  };

  const cases: [string, () => string, number, string][] = [
    [
      'headers that are too long',
      () => `GET /v1/limits HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'length and chunks at once',
      () =>
        `POST /v1/keys HTTP/1.1\r\nHost: x\r\n${login()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ...['Accept', 'Accept-Encoding', 'Accept-Language'].map(
      (header): [string, () => string, number, string] => [
        `thousands of choices in ${header}`,
        () =>
          `GET /v1/limits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login()}${header}: ${'a/b,'.repeat(3_000)}\r\n\r\n`,
        400,
        'malformed_request',
      ],
    ),
    ['no HTTP', () => 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'no host',
      () => 'GET /v1/limits HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a header that is none',
      () => 'GET / HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a chunk that is none',
      () =>
        `POST /v1/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'malformed_request',
    ],
    [
      'another expectation',
      () => 'GET /v1/limits HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n',
      417,
      'expectation_failed',
    ],
    [
      'two projects',
      () =>
        `GET /v1/limits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login()}X-Service-Project-ID: ${api.projectId}\r\n\r\n`,
      400,
      'project_header_required',
    ],
    [
      'two credentials',
      () =>
        `GET /v1/limits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login()}Authorization: Bearer ${api.other.key}\r\n\r\n`,
      401,
      'authentication_required',
    ],
    [
      'two idempotency keys',
      () =>
        `POST /v1/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login()}Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      400,
      'malformed_request',
    ],
    [
      'a length that is far over the limit',
      () =>
        `POST /v1/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login()}Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`,
      413,
      'payload_too_large',
    ],
  ];
  const ambiguous: [string, string][] = [
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['one host twice', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n'],
    ['two hosts of HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['an empty host', 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a host with a user', 'GET /healthz HTTP/1.1\r\nHost: evil@x\r\n\r\n'],
    ['a host with a path', 'GET /healthz HTTP/1.1\r\nHost: x/y\r\n\r\n'],
    ['a list of hosts', 'GET /healthz HTTP/1.1\r\nHost: x, y\r\n\r\n'],
    ['a whole URL', 'GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an authority', 'GET x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path without its slash', 'GET healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version', 'GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'two lengths',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'one length twice',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na',
    ],
    ['a list of lengths', 'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\na'],
    ['a length with a sign', 'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na'],
    [
      'two codings',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a coding twice',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a coding that is none',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a coding that does not end',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks of HTTP/1.0',
      'POST /healthz HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks before a length',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    ],
    ['a space before a colon', 'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length : 1\r\n\r\na'],
    ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n'],
    ['a lone carriage return', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\rX-B: c\r\n\r\n'],
    ['a lone line feed', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\nX-B: c\r\n\r\n'],
    ['a null in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n'],
    [
      'a chunk whose size is negative',
      'POST /v1/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n',
    ],
  ];
  for (const [name, text] of ambiguous) {
    it(`is answered with 400 and a closed connection: ${name}`, async () => {
      const answer = await exchange(text);
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      expect(answer).to.match(/\r\nconnection: close\r\n/i);
      expect(answer.match(/HTTP\/1\.1/g)).to.deep.equal(['HTTP/1.1']);
    });
  }

  it('does not make the service a proxy', async () => {
    const answer = await exchange('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(problemOf(answer)).to.include({ status: 405, code: 'method_not_allowed' });
  });

  it('may include an upgrade, which is ignored', async () => {
    const answer = await exchange(
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });

  for (const [name, text, status, code] of cases) {
    it(`is answered with ${status}: ${name}`, async () => {
      const problem = problemOf(await exchange(text()));
      expect([problem.status, problem.code]).to.deep.equal([status, code]);
      expect(problem.body).not.to.include(api.key);
    });
  }

  it('is rejected without asking for the body', async () => {
    const rejected = await exchange(
      `POST /v1/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(rejected).to.match(/^HTTP\/1.1 401 /);
    const body = '{"name":"x","scopes":["keys:read"]}';
    const wanted = await exchange(
      `POST /v1/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${login()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      (answer) => answer.includes('\r\n\r\n'),
    );
    expect(wanted).to.match(/^HTTP\/1.1 100 /);
  });

  it('may include a malicious request ID, which is treated as text', async () => {
    const answer = await exchange(
      `GET /v1/limits HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a"b<script>\r\n${login()}\r\n`,
    );
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    expect(answer).to.match(/x-request-id: req_/i);
    expect(answer).not.to.include('<script');
  });

  it('does not affect others if a client disconnects in the middle of a body', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      socket.on('close', () => resolve());
      socket.write(
        `POST /v1/keys HTTP/1.1\r\nHost: x\r\n${login()}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"`,
        () => socket.destroy(),
      );
    });
    expect((await api.call('GET', '/v1/limits')).status).to.equal(200);
    const made = await api.call('GET', '/v1/keys?include=total');
    expect(made.json.total).to.equal(1);
  });

  it('is cut off if the client keeps sending after the response', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      // Bytes without a pause never trigger an idle timer.
      const drip = setInterval(() => socket.write('x'), 100);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve();
      });
      socket.resume();
      socket.write(
        `GET /v1/limits HTTP/1.1\r\nHost: x\r\n${login()}Content-Length: 100000\r\n\r\n`,
      );
    });
    expect((await api.call('GET', '/v1/limits')).status).to.equal(200);
  });
});
