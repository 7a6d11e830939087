import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import Koa from 'koa';
import { sendReply } from '../../../src/api/frame/responses/send.ts';

describe('a response whose stream fails', () => {
  /** Requests a stream of these pieces, which then fails with the error. */
  const request = async (pieces: readonly string[], error: Error) => {
    const app = new Koa();
    app.silent = true;
    app.use((ctx) => {
      ctx.state.requestId = 'req_1';
      const body = Readable.from(
        (async function* () {
          yield* pieces.map((piece) => Buffer.from(piece));
          throw error;
        })(),
        { objectMode: false },
      );
      const headers = { 'Content-Type': 'application/zip', 'Content-Length': '100', ETag: '"1"' };
      sendReply(ctx, { status: 200, headers, body });
    });
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  const busy = new Problem('rate_limited', 'Too many.', { headers: { 'Retry-After': '1' } });

  it('is a problem if nothing was sent yet', async () => {
    const { status, headers, text } = await request([], busy);
    expect(status).to.equal(429);
    expect(JSON.parse(text)).to.include({ code: 'rate_limited', request_id: 'req_1' });
    expect(headers.get('content-type')).to.equal('application/problem+json');
    expect(headers.get('retry-after')).to.equal('1');
    expect(headers.get('etag')).to.equal(null);
  });

  it('is cut off, not completed, if a part was sent', async () => {
    const outcome = await request(['part'], busy).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(TypeError);
  });

  it('is cut off if the error is unexpected', async () => {
    const outcome = await request([], new Error('unexpected')).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(TypeError);
  });
});
