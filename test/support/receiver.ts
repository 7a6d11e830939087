import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { newSecret } from '../../src/webhooks/sign.ts';

/** One request as it arrived. */
export interface ReceivedRequest {
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
type ReceiverResponse =
  | number
  | { status: number; headers?: Record<string, string>; body?: string };

export interface Receiver {
  url: string;
  secret: string;
  /** Everything that came, in order. */
  requests: ReceivedRequest[];
  /** The requests of one event. */
  requestsOf(eventId: string): ReceivedRequest[];
  /** Replaces what is answered: one answer for all, or a function of the request and its number. */
  respondWith(
    response:
      | ReceiverResponse
      | ((
          request: ReceivedRequest,
          number: number,
        ) => ReceiverResponse | Promise<ReceiverResponse>),
  ): void;
  /** Resolves when this many requests have arrived in total. */
  untilReceived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A receiver of webhooks on 127.0.0.1, which checks every signature and records what came. */
export async function startReceiver(secret = newSecret()): Promise<Receiver> {
  const reference = new Webhook(secret);
  const requests: ReceivedRequest[] = [];
  let configured: Parameters<Receiver['respondWith']>[0] = 204;
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
      const received: ReceivedRequest = {
        path: request.url ?? '',
        headers,
        body,
        verified: isVerified(reference, body, headers),
        at: Date.now(),
        status: null,
      };
      requests.push(received);
      waiting = waiting.filter(({ count, resolve }) => {
        if (requests.length >= count) resolve();
        return requests.length < count;
      });
      const reply =
        typeof configured === 'function' ? await configured(received, requests.length) : configured;
      const {
        status,
        headers: extra,
        body: text,
      } = typeof reply === 'number' ? { status: reply, headers: {}, body: '' } : reply;
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
    requestsOf: (eventId) => requests.filter(({ headers }) => headers['webhook-id'] === eventId),
    respondWith(with_) {
      configured = with_;
    },
    untilReceived: (count) =>
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

function isVerified(reference: Webhook, body: Buffer, headers: Record<string, string>): boolean {
  try {
    reference.verify(body.toString('utf8'), headers);
    return true;
  } catch {
    return false;
  }
}
