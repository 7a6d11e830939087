import { readFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  type Answered,
  createDialer,
  type Dialer,
  type DialRequest,
  type DialResult,
  type Failed,
  validateHeaders,
} from '../../src/webhooks/dialing/dial.ts';
import { EXCERPT_BYTES } from '../../src/webhooks/dialing/excerpt.ts';
import { headers, newSecret } from '../../src/webhooks/sign.ts';
import { http, listen, type Receiver, signalled, tcp } from './receivers.ts';

const certificate = readFileSync(new URL('./fixtures/receiver.crt', import.meta.url), 'utf8');
const key = readFileSync(new URL('./fixtures/receiver.key', import.meta.url), 'utf8');

function answered(result: DialResult): Answered {
  if (result.outcome !== 'answered') throw new Error(`not answered: ${JSON.stringify(result)}`);
  return result;
}

function failed(result: DialResult): Failed {
  if (result.outcome !== 'failed') throw new Error(`not failed: ${JSON.stringify(result)}`);
  return result;
}

describe('webhooks/dial: exchanges', () => {
  const cleanups: (() => Promise<void>)[] = [];
  let dialer: Dialer;

  function make(options: Partial<Parameters<typeof createDialer>[0]> = {}): Dialer {
    const made = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 4,
      connectTimeoutMs: 5_000,
      lookup: async () => ['127.0.0.1'],
      ...options,
    });
    cleanups.push(() => made.close());
    return made;
  }
  async function opened(receiver: Promise<Receiver>): Promise<Receiver> {
    const it = await receiver;
    cleanups.push(() => it.close());
    return it;
  }
  function post(receiver: Receiver, more: Partial<DialRequest> = {}): Promise<DialResult> {
    return dialer.post({
      url: `http://receiver.test:${receiver.port}/hook?a=b`,
      headers: {},
      body: '{"ok":true}',
      deadlineMs: 10_000,
      ...more,
    });
  }

  beforeEach(() => {
    dialer = make();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('sends what was signed, and the answer comes back', async () => {
    const secret = newSecret();
    const seen = signalled<{ url: string; headers: Record<string, unknown>; body: string }>();
    const receiver = await opened(
      http(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        seen.resolve({ url: request.url ?? '', headers: request.headers, body });
        response.writeHead(201, { 'content-type': 'text/plain' }).end('thank you');
      }),
    );
    const body = '{"type":"dam.object.created","text":"Zoë"}';
    const timestamp = Math.floor(Date.now() / 1000);
    const result = answered(
      await post(receiver, {
        body,
        headers: headers({ id: 'evt_1', timestamp, body, secrets: [secret] }),
      }),
    );
    const request = await seen.promise;
    expect(request.url).to.equal('/hook?a=b');
    expect(request.headers).to.include({
      host: `receiver.test:${receiver.port}`,
      'content-type': 'application/json',
      'user-agent': 'Scriptorium-Webhooks/1.0',
      'content-length': String(Buffer.byteLength(body)),
    });
    expect(request.headers).not.to.have.any.keys('accept-encoding', 'transfer-encoding');
    const verified = new Webhook(secret).verify(
      request.body,
      Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)])),
    );
    expect(verified).to.deep.equal(JSON.parse(body));
    expect(result).to.deep.include({ status: 201, excerpt: 'thank you' });
    expect(result).not.to.have.property('retryAfterSeconds');
    expect(Object.keys(result.timings)).to.have.members([
      'dns',
      'connect',
      'tls',
      'first_byte',
      'total',
    ]);
    expect(result.timings.tls).to.equal(null);
    expect(result.timings.connect).to.be.a('number');
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a ${status}`, async () => {
      const target = await opened(http((_request, response) => response.end('followed')));
      const receiver = await opened(
        http((_request, response) => {
          const location = `http://127.0.0.1:${target.port}/`;
          response.writeHead(status, { location }).end('moved');
        }),
      );
      const result = answered(await post(receiver));
      expect(result).to.deep.include({ status, excerpt: 'moved' });
      expect(target.connections()).to.equal(0);
    });
  }

  for (const [status, header, instruction] of [
    [410, 'disable', 'disable'],
    [500, ' Disable ', 'disable'],
    [422, 'abort-message', 'abort'],
    [200, 'ABORT-MESSAGE', 'abort'],
    [500, 'disable, abort-message', undefined],
    [500, 'stop', undefined],
    [500, '', undefined],
    [500, undefined, undefined],
  ] as const) {
    it(`hands on ${status} with webhook-delivery: ${header} as ${instruction}`, async () => {
      const receiver = await opened(
        http((_request, response) => {
          const said = header === undefined ? {} : { 'webhook-delivery': header };
          response.writeHead(status, said).end();
        }),
      );
      const result = answered(await post(receiver));
      expect([result.status, result.instruction]).to.deep.equal([status, instruction]);
      expect('instruction' in result).to.equal(instruction !== undefined);
    });
  }

  for (const [status, header, seconds] of [
    [429, '120', 120],
    [503, new Date(0).toUTCString(), 0],
    [503, 'whenever', undefined],
    [410, undefined, undefined],
    [500, '9999999', 86_400],
  ] as const) {
    it(`hands on ${status} with Retry-After ${header}`, async () => {
      const receiver = await opened(
        http((_request, response) => {
          response.writeHead(status, header === undefined ? {} : { 'retry-after': header }).end();
        }),
      );
      const result = answered(await post(receiver));
      expect(result.status).to.equal(status);
      expect(result.retryAfterSeconds).to.equal(seconds);
    });
  }

  it('reads no proxy variables', async () => {
    const proxy = await opened(http((_request, response) => response.end('proxied')));
    const receiver = await opened(http((_request, response) => response.end('direct')));
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
    const saved = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(answered(await post(receiver)).excerpt).to.equal('direct');
    } finally {
      for (const [name, value] of saved) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(proxy.connections()).to.equal(0);
  });

  it('skips informational answers before the real one', async () => {
    const receiver = await opened(
      http((_request, response) => {
        response.writeEarlyHints({ link: '</x>; rel=preload' });
        response.writeHead(204).end();
      }),
    );
    expect(answered(await post(receiver))).to.deep.include({ status: 204, excerpt: '' });
  });

  describe('the deadline', () => {
    const cases: [string, string, () => Promise<Receiver>][] = [
      ['never answers', 'response_timeout', () => tcp((socket) => socket.resume())],
      [
        'drips its headers',
        'response_timeout',
        () =>
          tcp((socket) => {
            socket.write('HTTP/1.1 200 OK\r\n');
            drip(socket, 'x-a: b\r\n');
          }),
      ],
      [
        'sends interim answers for ever',
        'response_timeout',
        () => tcp((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')),
      ],
      [
        'answers 200 and drips its body',
        'response_body_timeout',
        () =>
          tcp((socket) => {
            socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
            drip(socket, '1\r\nx\r\n');
          }),
      ],
      [
        'answers 200 with a body that never comes',
        'response_body_timeout',
        () =>
          tcp((socket) => {
            socket.resume();
            socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345');
          }),
      ],
    ];
    for (const [what, code, receiverOf] of cases) {
      it(`ends an exchange with a receiver that ${what}`, async () => {
        const receiver = await opened(receiverOf());
        const result = failed(await post(receiver, { deadlineMs: 150 }));
        expect(result).to.deep.include({ refused: false });
        expect(result.error.code).to.equal(code);
        expect(result.error.message).to.include('0.15 s');
        expect(result.timings?.connect).to.be.a('number');
        await receiver.allClosed();
      });
    }

    it('is not met by a 200 that comes after it', async () => {
      const failedAlready = signalled();
      const tried = signalled();
      const receiver = await opened(
        http(async (_request, response) => {
          await failedAlready.promise;
          response.on('close', () => tried.resolve());
          response.end('too late');
        }),
      );
      const result = failed(await post(receiver, { deadlineMs: 100 }));
      failedAlready.resolve();
      await tried.promise;
      expect(result.error.code).to.equal('response_timeout');
    });

    it('ends a TLS handshake that hangs, and the socket with it', async () => {
      const receiver = await opened(tcp((socket) => socket.resume()));
      const url = `https://receiver.test:${receiver.port}/`;
      const result = failed(await post(receiver, { url, deadlineMs: 150 }));
      expect(result.error.code).to.equal('tls_timeout');
      await receiver.allClosed();
    });

    it('ends a look-up that hangs, and no socket is made when it answers later', async () => {
      const answer = signalled<string[]>();
      const receiver = await opened(tcp((socket) => socket.resume()));
      dialer = make({ lookup: () => answer.promise });
      const result = failed(await post(receiver, { deadlineMs: 50 }));
      expect(result.error.code).to.equal('dns_timeout');
      answer.resolve(['127.0.0.1']);
      await dialer.close();
      expect(receiver.connections()).to.equal(0);
    });

    it('counts the wait for a free connection', async () => {
      const receiver = await opened(tcp((socket) => socket.resume()));
      dialer = make({ perOriginConnections: 1 });
      const results = await Promise.all([
        post(receiver, { deadlineMs: 200 }),
        post(receiver, { deadlineMs: 100 }),
      ]);
      expect(results.map((result) => failed(result).error.code)).to.deep.equal([
        'response_timeout',
        'connection_wait_timeout',
      ]);
      expect(receiver.connections()).to.equal(1);
    });
  });

  describe('bodies', () => {
    it('keeps 4 KiB of 10 GB and hangs up', async () => {
      const total = 10 * 1024 ** 3;
      const chunk = Buffer.alloc(65_536, 'a');
      const written = signalled<number>();
      const receiver = await opened(
        http(async (_request, response) => {
          let sent = 0;
          function* endless() {
            for (; sent < total; sent += chunk.length) yield chunk;
          }
          response.writeHead(200, { 'content-length': total });
          await pipeline(Readable.from(endless()), response).catch(() => {});
          written.resolve(sent);
        }),
      );
      const result = answered(await post(receiver));
      expect(result.status).to.equal(200);
      expect(result.excerpt).to.equal('a'.repeat(EXCERPT_BYTES));
      // What fits into the buffers of two sockets, not 10 GB.
      expect(await written.promise).to.be.below(64 * 1024 ** 2);
    });

    it('never unpacks: a gzip bomb stays packed and unseen', async () => {
      const bomb = gzipSync(Buffer.alloc(30 * 1024 ** 2), { level: constants.Z_BEST_COMPRESSION });
      expect(bomb.length).to.be.below(65_536);
      const receiver = await opened(
        http((_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
        }),
      );
      const result = answered(await post(receiver));
      expect(result.excerpt).to.equal('[body with content-encoding gzip, not shown]');
    });

    it('drains a body of 60 kB and uses the connection again', async () => {
      const receiver = await opened(
        http((_request, response) => response.end(Buffer.alloc(60_000, 'b'))),
      );
      for (let i = 0; i < 3; i += 1) {
        expect(answered(await post(receiver)).excerpt).to.have.length(EXCERPT_BYTES);
      }
      expect(receiver.connections()).to.equal(1);
    });

    it('cuts between characters, not in the middle of one', async () => {
      const receiver = await opened(http((_request, response) => response.end('€'.repeat(5000))));
      const { excerpt } = answered(await post(receiver));
      expect(excerpt).to.equal('€'.repeat(Math.floor(EXCERPT_BYTES / 3)));
    });

    it('drops control and direction characters and says when a body is no text', async () => {
      const bodies = [
        Buffer.from('a\u0000b\u001b[31mc\u202ed\u200be\r\nf\tg'),
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 0, 0, 1, 2, 3]),
      ];
      const receiver = await opened(http((_request, response) => response.end(bodies.shift())));
      expect(answered(await post(receiver)).excerpt).to.equal('ab[31mcde\nf\tg');
      expect(answered(await post(receiver)).excerpt).to.equal('[body is not text, not shown]');
    });

    it('removes sent credentials that the receiver echoes', async () => {
      const receiver = await opened(
        http((request, response) => response.end(JSON.stringify(request.headers))),
      );
      const { excerpt } = answered(
        await post(receiver, {
          headers: {
            authorization: 'Bearer tok_0123456789abcdef',
            'webhook-id': 'evt_0123456789abcdef',
            'webhook-signature': 'v1,c2lnbmF0dXJlc2lnbmF0dXJl v1,b3RoZXJvdGhlcm90aGVy',
          },
        }),
      );
      expect(excerpt).to.include('"authorization":"[removed]"').and.include('evt_0123456789abcdef');
      expect(excerpt).not.to.match(/tok_0123|c2lnbmF0|b3RoZXJv/);
    });
  });

  describe('broken receivers', () => {
    const cases: [string, string, () => Promise<Receiver>][] = [
      ['resets at once', 'connection_closed', () => tcp((socket) => socket.resetAndDestroy())],
      ['hangs up at once', 'connection_closed', () => tcp((socket) => socket.end())],
      [
        'resets after the request',
        'connection_closed',
        () => tcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
      ],
      [
        'hangs up in mid-headers',
        'connection_closed',
        () => tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx: '))),
      ],
      [
        'hangs up in mid-body',
        'response_incomplete',
        () =>
          tcp((socket) =>
            socket.once('data', () =>
              socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'),
            ),
          ),
      ],
      [
        'speaks something else',
        'response_invalid',
        () =>
          tcp((socket) => socket.once('data', () => socket.end('220 mail.example.com ESMTP\r\n'))),
      ],
      [
        'sends headers without end',
        'response_invalid',
        () =>
          tcp((socket) =>
            socket.once('data', () =>
              socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n`),
            ),
          ),
      ],
      [
        'switches protocols unasked',
        'connection_closed',
        () =>
          tcp((socket) =>
            socket.once('data', () =>
              socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
            ),
          ),
      ],
    ];
    for (const [what, code, receiverOf] of cases) {
      it(`names one that ${what}`, async () => {
        const receiver = await opened(receiverOf());
        const result = failed(await post(receiver));
        expect(result.error.code, result.error.message).to.equal(code);
        expect(result.refused).to.equal(false);
        expect(receiver.connections()).to.be.at.most(1);
      });
    }

    it('names a port where nothing listens', async () => {
      const receiver = await tcp((socket) => socket.end());
      await receiver.close();
      const result = failed(await post(receiver));
      expect(result.error.code).to.equal('connect_refused');
      expect(result.error.message).not.to.match(/127|\d{4}/);
    });

    it('takes a header that cannot be sent for a failed attempt, not for an exception', async () => {
      const receiver = await opened(http((_request, response) => response.end()));
      const bad: Record<string, string>[] = [
        { 'x-a': 'b\r\nx: y' },
        { 'x a': 'b' },
        { host: 'other' },
        { 'Content-Length': '5' },
        { 'transfer-encoding': 'chunked' },
        { connection: 'x-a' },
      ];
      for (const headers of bad) {
        const result = failed(await post(receiver, { headers }));
        expect(result.error.code, JSON.stringify(headers)).to.equal('request_invalid');
      }
      expect(answered(await post(receiver)).status).to.equal(200);
    });
  });

  describe('connections', () => {
    it('are used again, one exchange at a time, and at most as many as allowed', async () => {
      let busy = 0;
      let most = 0;
      const receiver = await opened(
        http((_request, response) => {
          busy += 1;
          most = Math.max(most, busy);
          setImmediate(() => {
            busy -= 1;
            response.end('ok');
          });
        }),
      );
      const results = await Promise.all(Array.from({ length: 60 }, () => post(receiver)));
      expect(results.map((result) => answered(result).status)).to.deep.equal(Array(60).fill(200));
      expect(receiver.connections()).to.be.at.most(4);
      expect(most).to.be.at.most(4).and.at.least(2);
      const timings = answered(await post(receiver)).timings;
      expect(timings).to.include({ dns: null, connect: null, tls: null });
    });

    it('of a receiver that hangs delay no other receiver', async () => {
      const hanging = await opened(tcp((socket) => socket.resume()));
      const quick = await opened(http((_request, response) => response.end('ok')));
      const stop = new AbortController();
      const stuck = Array.from({ length: 40 }, () =>
        post(hanging, { signal: stop.signal, deadlineMs: 60_000 }),
      );
      for (let i = 0; i < 20; i += 1) {
        expect(answered(await post(quick)).status).to.equal(200);
      }
      stop.abort();
      const codes = (await Promise.all(stuck)).map((result) => failed(result).error.code);
      expect(new Set(codes)).to.deep.equal(new Set(['cancelled']));
      await hanging.allClosed();
    });

    it('that a receiver closed while idle cost no attempt', async () => {
      let served = 0;
      const receiver = await opened(
        tcp((socket) => {
          let first = true;
          socket.on('data', () => {
            // Answers once and resets on the second request, as a server does whose idle time ran
            // out just as the request was on its way.
            if (first) {
              first = false;
              served += 1;
              socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
            } else socket.resetAndDestroy();
          });
        }),
      );
      for (let i = 0; i < 3; i += 1) expect(answered(await post(receiver)).status).to.equal(200);
      expect(served).to.equal(3);
      expect(receiver.connections()).to.equal(3);
    });

    it('that say close are closed and opened anew', async () => {
      const receiver = await opened(
        http((_request, response) => response.setHeader('connection', 'close').end('ok')),
      );
      for (let i = 0; i < 3; i += 1) expect(answered(await post(receiver)).status).to.equal(200);
      expect(receiver.connections()).to.equal(3);
    });

    it('do not take an answer that nobody asked for as the next one', async () => {
      const receiver = await opened(
        tcp((socket) =>
          socket.on('data', () => {
            const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
            socket.write(`${answer}HTTP/1.1 299 Planted\r\ncontent-length: 0\r\n\r\n`);
          }),
        ),
      );
      for (let i = 0; i < 3; i += 1) expect(answered(await post(receiver)).status).to.equal(200);
    });
  });

  describe('stopping', () => {
    it('cancels an exchange by its signal, before and during it', async () => {
      const arrived = signalled();
      const receiver = await opened(
        tcp((socket) => socket.resume().once('data', () => arrived.resolve())),
      );
      const stop = new AbortController();
      const running = post(receiver, { signal: stop.signal });
      await arrived.promise;
      stop.abort();
      expect(failed(await running).error.code).to.equal('cancelled');
      expect(failed(await post(receiver, { signal: stop.signal })).error.code).to.equal(
        'cancelled',
      );
      await receiver.allClosed();
      expect(receiver.connections()).to.equal(1);
    });

    it('lets what is in hand finish and takes nothing new', async () => {
      const arrived = signalled();
      const mayAnswer = signalled();
      const receiver = await opened(
        http(async (_request, response) => {
          arrived.resolve();
          await mayAnswer.promise;
          response.end('done');
        }),
      );
      const running = post(receiver);
      await arrived.promise;
      const closing = dialer.close();
      expect(failed(await post(receiver)).error.code).to.equal('cancelled');
      mayAnswer.resolve();
      expect(answered(await running).excerpt).to.equal('done');
      await closing;
      await receiver.allClosed();
    });
  });

  describe('TLS', () => {
    async function secure(): Promise<Receiver> {
      return opened(
        listen(createHttps({ key, cert: certificate }, (_request, response) => response.end('ok'))),
      );
    }
    const to = (receiver: Receiver, host = 'receiver.test') => ({
      url: `https://${host}:${receiver.port}/`,
    });

    it('checks the certificate against the name in the URL', async () => {
      const receiver = await secure();
      dialer = make({ tls: { ca: certificate } });
      const result = answered(await post(receiver, to(receiver)));
      expect(result.excerpt).to.equal('ok');
      expect(result.timings.tls).to.be.a('number');
      expect(answered(await post(receiver, to(receiver, '127.0.0.1'))).excerpt).to.equal('ok');
      const other = failed(await post(receiver, to(receiver, 'other.test')));
      expect(other.error.code).to.equal('tls_certificate_name_mismatch');
    });
    it('does not trust a certificate that nobody signed', async () => {
      const receiver = await secure();
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_certificate_untrusted');
    });
    it('names a receiver that speaks no TLS', async () => {
      const receiver = await opened(http((_request, response) => response.end()));
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_failed');
    });
    it('names a receiver that hangs up in the handshake', async () => {
      const receiver = await opened(tcp((socket) => socket.once('data', () => socket.end())));
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_failed');
    });
  });

  it('dials the answers that were checked, never asking the system again', async () => {
    const receiver = await opened(http((_request, response) => response.end('ok')));
    // No resolver knows this name; nothing listens on the first of its addresses.
    dialer = make({ lookup: async () => ['127.0.0.9', '127.0.0.1'] });
    const url = `http://only-we-know.invalid:${receiver.port}/`;
    expect(answered(await post(receiver, { url })).excerpt).to.equal('ok');
  });

  it('resolves with the resolver of the machine when none is given', async () => {
    const receiver = await opened(http((_request, response) => response.end('ok')));
    const real = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 1,
      connectTimeoutMs: 5_000,
    });
    cleanups.push(() => real.close());
    await real.check(`http://localhost:${receiver.port}/`);
    const url = `http://localhost:${receiver.port}/`;
    const result = await real.post({ url, headers: {}, body: '', deadlineMs: 5_000 });
    expect(answered(result).excerpt).to.equal('ok');
  });
});

describe('webhooks/destination: custom headers', () => {
  const codes = (headers: Record<string, string>) =>
    validateHeaders(headers).map((problem) => problem.code);

  it('takes ordinary ones', () => {
    const good = {
      authorization: 'Bearer abc',
      'X-Api-Key': 'k=1; v',
      Cookie: 'a=b',
      'x-empty': '',
    };
    expect(validateHeaders(good)).to.deep.equal([]);
  });
  for (const name of [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'content-type',
    'webhook-id',
    'Webhook-Anything',
    'Expect',
    'upgrade',
    'TE',
    'trailer',
    'keep-alive',
    'Proxy-Authorization',
    'Metadata-Flavor',
    'X-aws-ec2-metadata-token',
    'accept-encoding',
    'user-agent',
  ]) {
    it(`refuses ${name}`, () => {
      expect(codes({ [name]: 'x' })).to.deep.equal(['header_reserved']);
    });
  }
  for (const name of ['', 'a b', 'a:b', 'ü', 'a\r\nb', ':path', 'x'.repeat(129), 'a(b)']) {
    it(`refuses the name ${JSON.stringify(name).slice(0, 20)}`, () => {
      expect(codes({ [name]: 'x' })).to.deep.equal(['header_name_invalid']);
    });
  }
  for (const value of ['a\r\nb: c', 'a\nb', 'a\u0000', 'ü', ' a', 'a ', '\t', 'x'.repeat(4097)]) {
    it(`refuses the value ${JSON.stringify(value).slice(0, 20)}`, () => {
      expect(codes({ 'x-a': value })).to.deep.equal(['header_value_invalid']);
    });
  }
  it('refuses the same name twice and too many', () => {
    expect(codes({ 'X-A': '1', 'x-a': '2' })).to.deep.equal(['header_duplicate']);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, '1']));
    expect(codes(many)).to.deep.equal(['headers_too_many']);
  });
});

/** Writes a little again and again, as fast as the event loop turns, until the socket is gone. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(text);
  }, 10);
  socket.on('close', () => clearInterval(timer));
  socket.resume();
}
