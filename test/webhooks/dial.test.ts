import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { createDialer } from '../../src/webhooks/dialing/dial.ts';
import { EXCERPT_BYTES } from '../../src/webhooks/dialing/excerpt.ts';
import { newSecret, signedHeaders } from '../../src/webhooks/sign.ts';
import { answered, dialling, failed } from './dialling.ts';
import { http, signalled, tcp } from './receivers.ts';

describe('webhook requests', () => {
  const { make, opened, post, use, dialer } = dialling();

  it('send what was signed and return the response', async () => {
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
        headers: signedHeaders({ id: 'evt_1', timestamp, body, secrets: [secret] }),
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
    it(`do not follow a ${status}`, async () => {
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
    it(`return ${status} with webhook-delivery: ${header} as ${instruction}`, async () => {
      const receiver = await opened(
        http((_request, response) => {
          const responseHeaders = header === undefined ? {} : { 'webhook-delivery': header };
          response.writeHead(status, responseHeaders).end();
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
    it(`return ${status} with Retry-After ${header}`, async () => {
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

  it('measure a date in Retry-After by the clock of the receiver', async () => {
    const sentAt = Date.now() + 3 * 86_400_000;
    const headers = {
      date: new Date(sentAt).toUTCString(),
      'retry-after': new Date(sentAt + 60_000).toUTCString(),
    };
    const receiver = await opened(
      http((_request, response) => void response.writeHead(503, headers).end()),
    );
    expect(answered(await post(receiver)).retryAfterSeconds).to.equal(60);
  });

  it('ignore proxy variables', async () => {
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

  it('skip informational responses', async () => {
    const receiver = await opened(
      http((_request, response) => {
        response.writeEarlyHints({ link: '</x>; rel=preload' });
        response.writeHead(204).end();
      }),
    );
    expect(answered(await post(receiver))).to.deep.include({ status: 204, excerpt: '' });
  });

  describe('with response bodies', () => {
    it('read a body of 60 kB and reuse the connection', async () => {
      const receiver = await opened(
        http((_request, response) => response.end(Buffer.alloc(60_000, 'b'))),
      );
      for (let i = 0; i < 3; i += 1) {
        expect(answered(await post(receiver)).excerpt).to.have.length(EXCERPT_BYTES);
      }
      expect(receiver.connections()).to.equal(1);
    });

    it('truncate between characters', async () => {
      const receiver = await opened(http((_request, response) => response.end('€'.repeat(5000))));
      const { excerpt } = answered(await post(receiver));
      expect(excerpt).to.equal('€'.repeat(Math.floor(EXCERPT_BYTES / 3)));
    });

    it('drop control and direction characters, and report a body that is not text', async () => {
      const bodies = [
        Buffer.from('a\u0000b\u001b[31mc\u202ed\u200be\r\nf\tg'),
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 0, 0, 1, 2, 3]),
      ];
      const receiver = await opened(http((_request, response) => response.end(bodies.shift())));
      expect(answered(await post(receiver)).excerpt).to.equal('ab[31mcde\nf\tg');
      expect(answered(await post(receiver)).excerpt).to.equal('[body is not text, not shown]');
    });

    it('remove sent credentials that the receiver echoes', async () => {
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

  describe('over connections', () => {
    it('reuse them, one exchange at a time, up to the limit', async () => {
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

    it('do not wait for the connections of another receiver', async () => {
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

    it('do not lose an attempt to a receiver that closes idle connections', async () => {
      let served = 0;
      const receiver = await opened(
        tcp((socket) => {
          let first = true;
          socket.on('data', () => {
            // Answers once and resets on the second request, like a server whose idle timeout
            // expires while the request is in transit.
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

    it('replace a connection after a response with `close`', async () => {
      const receiver = await opened(
        http((_request, response) => response.setHeader('connection', 'close').end('ok')),
      );
      for (let i = 0; i < 3; i += 1) expect(answered(await post(receiver)).status).to.equal(200);
      expect(receiver.connections()).to.equal(3);
    });

    it('replace connections of a certain age and resolve the name again', async () => {
      const receiver = await opened(http((_request, response) => response.end('ok')));
      let asked = 0;
      const lookup = async () => {
        asked += 1;
        return ['127.0.0.1'];
      };
      use(make({ lookup, perOriginConnections: 1, maxAgeMs: 0 }));
      // The three wait for one another, so that the connection is never idle.
      const results = await Promise.all([post(receiver), post(receiver), post(receiver)]);
      expect(results.map((result) => answered(result).status)).to.deep.equal([200, 200, 200]);
      expect({ asked, connections: receiver.connections() }).to.deep.equal({
        asked: 3,
        connections: 3,
      });
    });

    it('do not share them between senders or wait for another sender’s request', async () => {
      const arrived = signalled();
      const receiver = await opened(
        http((request, response) => {
          if (request.url === '/hang') arrived.resolve();
          else response.end('ok');
        }),
      );
      use(make({ perOriginConnections: 1 }));
      const stop = new AbortController();
      const url = `http://receiver.test:${receiver.port}/hang`;
      const stuck = post(receiver, { url, sender: 'a', signal: stop.signal });
      await arrived.promise;
      for (let i = 0; i < 3; i += 1) {
        expect(answered(await post(receiver, { sender: 'b' })).status).to.equal(200);
      }
      expect(receiver.connections()).to.equal(2);
      stop.abort();
      expect(failed(await stuck).error.code).to.equal('cancelled');
    });

    it('do not take an unsolicited response for their own', async () => {
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

  describe('when stopping', () => {
    it('end at an abort, before and during the exchange', async () => {
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

    it('finish if already started; new ones are rejected', async () => {
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
      const closing = dialer().close();
      expect(failed(await post(receiver)).error.code).to.equal('cancelled');
      mayAnswer.resolve();
      expect(answered(await running).excerpt).to.equal('done');
      await closing;
      await receiver.allClosed();
    });
  });

  it('dial the checked addresses without another look-up', async () => {
    const receiver = await opened(http((_request, response) => response.end('ok')));
    // No resolver knows this name; nothing listens on the first of its addresses.
    use(make({ lookup: async () => ['127.0.0.9', '127.0.0.1'] }));
    const url = `http://only-we-know.invalid:${receiver.port}/`;
    expect(answered(await post(receiver, { url })).excerpt).to.equal('ok');
  });

  it('use the machine’s resolver by default', async () => {
    const receiver = await opened(http((_request, response) => response.end('ok')));
    const real = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 1,
      connectTimeoutMs: 60_000,
    });
    await real.check(`http://localhost:${receiver.port}/`);
    const url = `http://localhost:${receiver.port}/`;
    const result = await real.post({ url, headers: {}, body: '', deadlineMs: 60_000 });
    await real.close();
    expect(answered(result).excerpt).to.equal('ok');
  });
});
