import { createServer as createHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { answered, certificate, dialling, expired, failed, https, key } from './dialling.ts';
import { http, listen, type Receiver, tcp } from './receivers.ts';

describe('webhook requests over TLS', () => {
  const { make, opened, post, use } = dialling();

  const to = (receiver: Receiver, host = 'receiver.test') => ({
    url: `https://${host}:${receiver.port}/`,
  });

  it('time every phase of a new connection, and only the response on a kept one', async () => {
    const receiver = await opened(https());
    use(make({ tls: { ca: certificate } }));
    const { timings } = answered(await post(receiver, to(receiver)));
    expect(timings).to.have.all.keys('dns', 'connect', 'tls', 'first_byte', 'total');
    for (const phase of Object.values(timings)) expect(phase).to.be.a('number').and.at.least(0);
    // Within a tenth of a millisecond, since phases and total are rounded.
    const { dns, connect, tls, first_byte: firstByte, total } = timings;
    expect(dns! + connect! + tls! + firstByte!).to.be.at.most(total + 0.2);
    const kept = answered(await post(receiver, to(receiver))).timings;
    expect(kept).to.include({ dns: null, connect: null, tls: null });
    expect(kept.first_byte).to.be.a('number');
    const literal = answered(await post(receiver, to(receiver, '127.0.0.1'))).timings;
    expect(literal.dns).to.equal(null);
    expect(literal.tls).to.be.a('number');
    expect(receiver.connections()).to.equal(2);
  });

  it('keep the phases that were completed if a later one fails', async () => {
    const receiver = await opened(tcp((socket) => socket.once('data', () => socket.end())));
    const { timings } = failed(await post(receiver, to(receiver)));
    expect(timings?.dns).to.be.a('number');
    expect(timings?.connect).to.be.a('number');
    expect(timings).to.include({ tls: null, first_byte: null });
  });

  it('request the name in the URL, and HTTP/1.1 only', async () => {
    let seen: unknown;
    const server = createHttps(
      { key, cert: certificate, ALPNProtocols: ['h2', 'http/1.1'] },
      (request, response) => {
        const socket = request.socket as TLSSocket & { servername?: string };
        const { servername, alpnProtocol } = socket;
        seen = { host: request.headers.host, servername, alpnProtocol };
        response.end();
      },
    );
    const receiver = await opened(listen(server));
    use(make({ tls: { ca: certificate } }));
    const url = `https://RECEIVER.test.:${receiver.port}/`;
    expect(answered(await post(receiver, { url })).status).to.equal(200);
    expect(seen).to.deep.equal({
      host: `receiver.test:${receiver.port}`,
      servername: 'receiver.test',
      alpnProtocol: 'http/1.1',
    });
  });

  describe('check the certificate', () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      it(`against the name for every connection, resumed or not, ${version}`, async () => {
        const receiver = await opened(https({ minVersion: version, maxVersion: version }));
        use(make({ tls: { ca: certificate }, maxAgeMs: 0 }));
        for (let i = 0; i < 3; i += 1) {
          expect(answered(await post(receiver, to(receiver))).excerpt).to.equal('ok');
          const other = failed(await post(receiver, to(receiver, 'other.test')));
          expect(other.error.code).to.equal('tls_certificate_name_mismatch');
        }
        expect(receiver.connections()).to.equal(6);
      });
    }
    it('and reject a self-signed one', async () => {
      const receiver = await opened(https());
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_certificate_untrusted');
    });
    it('and its dates', async () => {
      const receiver = await opened(https({ cert: expired }));
      use(make({ tls: { ca: expired } }));
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_certificate_expired');
    });
    it('even if the environment disables it', async () => {
      const saved = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      try {
        const receiver = await opened(https());
        const result = failed(await post(receiver, to(receiver)));
        expect(result.error.code).to.equal('tls_certificate_untrusted');
      } finally {
        if (saved === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
        else process.env.NODE_TLS_REJECT_UNAUTHORIZED = saved;
      }
    });
  });

  describe('report a receiver', () => {
    it('that does not speak TLS', async () => {
      const receiver = await opened(http((_request, response) => response.end()));
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_failed');
    });
    it('that offers only insecure versions', async () => {
      const receiver = await opened(
        https({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      );
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_failed');
    });
    it('that hangs up during the handshake', async () => {
      const receiver = await opened(tcp((socket) => socket.once('data', () => socket.end())));
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_failed');
    });
    it('that resets during the handshake', async () => {
      const receiver = await opened(
        tcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
      );
      const result = failed(await post(receiver, to(receiver)));
      expect(result.error.code).to.equal('tls_failed');
    });
  });
});
