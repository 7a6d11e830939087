import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A receiver in a separate process that responds with 204 and only counts: each event once per
 * path. See `startReceiver`.
 */
const received = new Set<string>();
let expected = 0;
let bytes = 0;

const ports = await Promise.all(
  Array.from({ length: Number(process.env.PORTS) }, async () => {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        response.writeHead(204).end();
        received.add(`${request.url} ${request.headers['webhook-id']}`);
        bytes += Number(request.headers['content-length']);
        if (received.size === expected) {
          process.send!({ at: Number(process.hrtime.bigint()) / 1e6, bytes: bytes / expected });
        }
      });
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return (server.address() as AddressInfo).port;
  }),
);
process.on('message', (message: { expect: number }) => {
  received.clear();
  bytes = 0;
  expected = message.expect;
  process.send!({ ready: true });
});
process.on('disconnect', () => process.exit());
process.send!({ ports });
