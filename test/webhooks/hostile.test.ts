import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createServer as createTls } from 'node:tls';
import { constants, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { EXCERPT_BYTES } from '../../src/webhooks/dialing/excerpt.ts';
import { answered, certificate, dialling, drip, failed, flood, https, key } from './dialling.ts';
import { http, listen, type Receiver, signalled, tcp } from './receivers.ts';

/** More than the socket buffers of both ends hold; far less than 10 GB. */
const BUFFERS = 64 * 1024 ** 2;

describe('webhook requests to hostile receivers', () => {
  const { make, opened, post, use, dialer } = dialling();

  describe('with a deadline', () => {
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
      it(`end if a receiver ${what}`, async () => {
        const receiver = await opened(receiverOf());
        const result = failed(await post(receiver, { deadlineMs: 1_000 }));
        expect(result).to.deep.include({ denied: false });
        expect(result.error.code).to.equal(code);
        expect(result.error.message).to.include('1 s');
        expect(result.timings?.connect).to.be.a('number');
        await receiver.allClosed();
      });
    }

    it('fail even if a 200 arrives later', async () => {
      const failedAlready = signalled();
      const tried = signalled();
      const receiver = await opened(
        http(async (_request, response) => {
          await failedAlready.promise;
          response.on('close', () => tried.resolve());
          response.end('too late');
        }),
      );
      const result = failed(await post(receiver, { deadlineMs: 1_000 }));
      failedAlready.resolve();
      await tried.promise;
      expect(result.error.code).to.equal('response_timeout');
    });

    it('end during a TLS handshake that hangs, and close the socket', async () => {
      const receiver = await opened(tcp((socket) => socket.resume()));
      const url = `https://receiver.test:${receiver.port}/`;
      const result = failed(await post(receiver, { url, deadlineMs: 1_000 }));
      expect(result.error.code).to.equal('tls_timeout');
      await receiver.allClosed();
    });

    it('end during a look-up that hangs, and open no socket when it returns', async () => {
      const answer = signalled<string[]>();
      const receiver = await opened(tcp((socket) => socket.resume()));
      use(make({ lookup: () => answer.promise }));
      const result = failed(await post(receiver, { deadlineMs: 50 }));
      expect(result.error.code).to.equal('dns_timeout');
      answer.resolve(['127.0.0.1']);
      await dialer().close();
      expect(receiver.connections()).to.equal(0);
    });

    it('include the wait for a free connection', async () => {
      const receiver = await opened(tcp((socket) => socket.resume()));
      use(make({ perOriginConnections: 1 }));
      const results = await Promise.all([
        post(receiver, { deadlineMs: 2_000 }),
        post(receiver, { deadlineMs: 1_000 }),
      ]);
      expect(results.map((result) => failed(result).error.code)).to.deep.equal([
        'response_timeout',
        'connection_wait_timeout',
      ]);
      expect(receiver.connections()).to.equal(1);
    });
  });

  describe('with hostile bodies', () => {
    it('keep 4 KiB of 10 GB and close the connection', async () => {
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
      expect(await written.promise).to.be.below(BUFFERS);
    });

    it('never decompress: a gzip bomb stays compressed', async () => {
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
  });

  describe('with broken receivers', () => {
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
      it(`report one that ${what}`, async () => {
        const receiver = await opened(receiverOf());
        const result = failed(await post(receiver));
        expect(result.error.code, result.error.message).to.equal(code);
        expect(result.denied).to.equal(false);
        expect(receiver.connections()).to.be.at.most(1);
      });
    }

    it('report a port on which nothing listens', async () => {
      const receiver = await tcp((socket) => socket.end());
      await receiver.close();
      const result = failed(await post(receiver));
      expect(result.error.code).to.equal('connect_refused');
      expect(result.error.message).not.to.match(/127|\d{4}/);
    });

    it('count a header that cannot be sent as a failed attempt, not an exception', async () => {
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

  describe('with floods', () => {
    /**
     * The number of bytes that the receiver sent before it was cut off, and the dialer's result.
     */
    async function drown(start: string, text: string, secure: boolean) {
      const written = signalled<number>();
      const onSocket = (socket: Socket) =>
        socket.once('data', () => {
          socket.write(start);
          void flood(socket, text).then(written.resolve);
        });
      const receiver = await opened(
        secure ? listen(createTls({ key, cert: certificate }, onSocket)) : tcp(onSocket),
      );
      use(make({ tls: { ca: certificate } }));
      const scheme = secure ? 'https' : 'http';
      const result = await post(receiver, { url: `${scheme}://receiver.test:${receiver.port}/` });
      expect(await written.promise).to.be.below(BUFFERS);
      await receiver.allClosed();
      return result;
    }
    for (const secure of [false, true]) {
      const how = secure ? 'over TLS' : 'in the clear';
      it(`end early for interim responses, ${how}`, async () => {
        const result = failed(await drown('', 'HTTP/1.1 103 Early Hints\r\n\r\n', secure));
        expect(result.error.code).to.equal('response_invalid');
        expect(result.error.message).to.include('1 MiB');
      });
      it(`keep the status that came before chunk extensions, ${how}`, async () => {
        const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;a=';
        expect(answered(await drown(head, 'x', secure)).status).to.equal(200);
      });
      it(`end at 16 KiB of trailers, ${how}`, async () => {
        const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n';
        const result = failed(await drown(head, 'x-a: b\r\n', secure));
        expect(result.error.code).to.equal('response_invalid');
        expect(result.error.message).to.include('16 KiB');
      });
      it(`end at 16 KiB of header lines, ${how}`, async () => {
        const result = failed(await drown('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n', secure));
        expect(result.error.code).to.equal('response_invalid');
        expect(result.error.message).to.include('16 KiB');
      });
    }
  });

  describe('with responses that are not valid HTTP', () => {
    for (const [what, bytes] of [
      ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
      ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
      ['an endless length', `HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(40)}\r\n\r\n`],
      [
        'a length and chunks',
        'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
      ['no status', 'HTTP/1.1 OK\r\n\r\n'],
      ['an unknown version', 'HTTP/7.3 200 OK\r\n\r\n'],
      ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['a NUL in a header', 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n'],
      ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
      ['an HTML page', '<html><body>200 OK</body></html>\r\n\r\n'],
      ['TLS', '\x15\x03\x01\x00\x02\x02\x28'],
    ] as const) {
      it(`report: ${what}`, async () => {
        const receiver = await opened(
          tcp((socket) => socket.once('data', () => socket.write(bytes, 'latin1'))),
        );
        const result = failed(await post(receiver));
        expect(result.error.code, result.error.message).to.equal('response_invalid');
        await receiver.allClosed();
      });
    }
  });

  it('keep no response headers', async () => {
    const receiver = await opened(
      http((_request, response) => {
        response.setHeader('set-cookie', 'session=5up3rs3cr3t; HttpOnly');
        response.writeHead(401, { 'www-authenticate': 'Bearer realm="inner"' }).end('no');
      }),
    );
    const result = answered(await post(receiver));
    expect(result).to.have.all.keys('outcome', 'status', 'excerpt', 'timings');
    expect(JSON.stringify(result)).not.to.match(/5up3rs3cr3t|inner/);
  });

  it('report what happened and what to do for every failure', async () => {
    const silent = await opened(tcp((socket) => socket.resume()));
    const plain = await opened(http((_request, response) => response.end()));
    const closed = await tcp((socket) => socket.end());
    await closed.close();
    const secure = await opened(https());
    const hooks = (receiver: Receiver) => ({ url: `https://receiver.test:${receiver.port}/` });
    const results = await Promise.all([
      post(silent, { deadlineMs: 50 }),
      post(silent, { ...hooks(silent), deadlineMs: 50 }),
      post(closed),
      post(plain, hooks(plain)),
      post(secure, hooks(secure)),
      post(plain, { headers: { 'x-a': 'b\r\nc: d' } }),
    ]);
    for (const result of results) {
      const { code, message } = failed(result).error;
      expect(message.split(/[.;] /).length, `${code}: ${message}`).to.be.at.least(2);
    }
  });
});
