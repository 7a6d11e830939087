import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { newSecret } from '../../src/webhooks/sign.ts';

/** One request as it arrived. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  /** The exact bytes. */
  body: Buffer;
  /** Whether the signature holds, by the reference library. */
  verified: boolean;
  at: number;
  /** The status that was answered; null until then. */
  status: number | null;
}

/** What to answer with; a function decides per request. A promise holds the answer back. */
type Answering = number | { status: number; headers?: Record<string, string>; body?: string };

export interface Receiver {
  url: string;
  secret: string;
  /** Everything that came, in order. */
  requests: Received[];
  /** The requests of one event. */
  of(eventId: string): Received[];
  /** Replaces what is answered: one answer for all, or a function of the request and its number. */
  answer(
    with_: Answering | ((request: Received, number: number) => Answering | Promise<Answering>),
  ): void;
  /** Resolves when so many requests came in all. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A receiver of webhooks on 127.0.0.1, which checks every signature and records what came. */
export async function startReceiver(secret = newSecret()): Promise<Receiver> {
  const reference = new Webhook(secret);
  const requests: Received[] = [];
  let answering: Parameters<Receiver['answer']>[0] = 204;
  let waiting: { count: number; resolve: () => void }[] = [];

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', async () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = Buffer.concat(chunks);
      const received: Received = {
        path: request.url ?? '',
        headers,
        body,
        verified: verifies(reference, body, headers),
        at: Date.now(),
        status: null,
      };
      requests.push(received);
      waiting = waiting.filter(({ count, resolve }) => {
        if (requests.length >= count) resolve();
        return requests.length < count;
      });
      const given =
        typeof answering === 'function' ? await answering(received, requests.length) : answering;
      const {
        status,
        headers: extra,
        body: text,
      } = typeof given === 'number' ? { status: given, headers: {}, body: '' } : given;
      received.status = status;
      response.writeHead(status, extra);
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    secret,
    requests,
    of: (eventId) => requests.filter(({ headers }) => headers['webhook-id'] === eventId),
    answer(with_) {
      answering = with_;
    },
    received: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function verifies(reference: Webhook, body: Buffer, headers: Record<string, string>): boolean {
  try {
    reference.verify(body.toString('utf8'), headers);
    return true;
  } catch {
    return false;
  }
}
