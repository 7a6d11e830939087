import { readFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import type { Socket } from 'node:net';
import {
  type AnsweredResult,
  createDialer,
  type Dialer,
  type DialRequest,
  type DialResult,
  type FailedResult,
} from '../../src/webhooks/dialing/dial.ts';
import { listen, type Receiver } from './receivers.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
/** One key and certificates signed with it: for receiver.test and 127.0.0.1, and an expired one. */
export const key = fixture('receiver.key');
export const certificate = fixture('receiver.crt');
export const expired = fixture('expired.crt');

export interface Dialling {
  /** A dialer that is closed after the test. */
  make(options?: Partial<Parameters<typeof createDialer>[0]>): Dialer;
  /** Keeps a receiver until the end of the test. */
  opened(receiver: Promise<Receiver>): Promise<Receiver>;
  /** Posts to a receiver as http://receiver.test with a new dialer for each test. */
  post(receiver: Receiver, more?: Partial<DialRequest>): Promise<DialResult>;
  /** Makes `post` use this dialer from now on. */
  use(dialer: Dialer): void;
  /** The dialer that `post` uses. */
  dialer(): Dialer;
}

/** A dialer and receivers for each test of the `describe` in which it is called. */
export function dialling(): Dialling {
  const cleanups: (() => Promise<void>)[] = [];
  let dialer: Dialer;
  const it: Dialling = {
    make(options = {}) {
      const made = createDialer({
        allowCidrs: ['127.0.0.0/8'],
        perOriginConnections: 4,
        connectTimeoutMs: 60_000,
        lookup: async () => ['127.0.0.1'],
        ...options,
      });
      cleanups.push(() => made.close());
      return made;
    },
    async opened(receiver) {
      const open = await receiver;
      cleanups.push(() => open.close());
      return open;
    },
    post: (receiver, more = {}) =>
      dialer.post({
        url: `http://receiver.test:${receiver.port}/hook?a=b`,
        headers: {},
        body: '{"ok":true}',
        deadlineMs: 60_000,
        ...more,
      }),
    use(other) {
      dialer = other;
    },
    dialer: () => dialer,
  };
  beforeEach(() => {
    dialer = it.make();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  return it;
}

/** A receiver over TLS that responds with 200 ok. */
export function https(options: Parameters<typeof createHttps>[0] = {}): Promise<Receiver> {
  return listen(
    createHttps({ key, cert: certificate, ...options }, (_request, response) => response.end('ok')),
  );
}

export function answered(result: DialResult): AnsweredResult {
  if (result.outcome !== 'answered') throw new Error(`no response: ${JSON.stringify(result)}`);
  return result;
}

export function failed(result: DialResult): FailedResult {
  if (result.outcome !== 'failed') throw new Error(`no failure: ${JSON.stringify(result)}`);
  return result;
}

/** Writes a little repeatedly, as fast as the event loop turns, until the socket is closed. */
export function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(text);
  }, 10);
  socket.on('close', () => clearInterval(timer));
  socket.resume();
}

/** Writes as much as the socket takes until it is closed; resolves with the number of bytes. */
export function flood(socket: Socket, text: string): Promise<number> {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  return new Promise((resolve) => {
    const more = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', more);
    socket.on('close', () => resolve(socket.bytesWritten));
    socket.resume();
    more();
  });
}
