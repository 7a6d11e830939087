import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Behaviour } from './receiver.ts';

/** Receivers that misbehave according to the path. See `startHostile`. */
const responders: Record<Behaviour, (response: ServerResponse, request: IncomingMessage) => void> =
  {
    polite: (response) => response.writeHead(204).end(),
    '500': (response) => response.writeHead(500).end('broken'),
    hang: () => undefined,
    drip(response) {
      response.writeHead(200, { 'content-length': 1_000 });
      const timer = setInterval(() => response.write('.'), 1_000);
      response.on('close', () => clearInterval(timer));
    },
    redirect: (response) => response.writeHead(302, { location: '/polite' }).end(),
    endless(response) {
      const block = Buffer.alloc(64 * 1024, 'x');
      response.writeHead(200, { 'content-length': 10 * 2 ** 30 });
      const writeBlocks = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', writeBlocks);
      writeBlocks();
    },
    reset: (_response, request) => request.socket.resetAndDestroy(),
    // The deadline is 15 s.
    late: (response) => setTimeout(() => response.writeHead(200).end(), 17_000),
    '429': (response) => response.writeHead(429, { 'retry-after': '3' }).end(),
    '410': (response) => response.writeHead(410).end(),
  };

const ports = await Promise.all(
  Array.from({ length: Number(process.env.PORTS) }, async () => {
    const server = createServer((request, response) => {
      // Senders are expected to disconnect from these receivers.
      response.on('error', () => undefined);
      request.on('error', () => undefined);
      request.resume();
      request.on('end', () => responders[request.url!.slice(1) as Behaviour](response, request));
    });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return (server.address() as AddressInfo).port;
  }),
);
process.on('disconnect', () => process.exit());
process.send!({ ports });
