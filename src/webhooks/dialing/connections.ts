/**
 * Connections to receivers: a small pool per origin, so that one slow receiver waits for itself
 * only. One undici Client is one connection; a Pool would hide which connection served a request,
 * and an error of one connection would fail requests that wait for another.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { buildConnector, Client } from 'undici';
import type { AddressPolicy } from './address.ts';
import { admit, type Destination } from './destination.ts';
import { type Lookup, resolveDestination } from './resolve.ts';

/** How far an exchange has come; decides what a timeout is called. */
type Phase = 'queued' | 'dns' | 'connect' | 'tls' | 'waiting' | 'body';

/** What one exchange has measured so far, in ms; null for what has not happened. */
export interface Trace {
  phase: Phase;
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  connects: number;
}

/** One connection, in use by at most one exchange. */
export interface Connection {
  readonly origin: string;
  readonly client: Client;
  /** The exchange that uses it now. */
  trace: Trace | null;
  connected: boolean;
  openedAt: number;
  /** Ends it at once, in whatever phase; the exchange in it fails with `reason`. */
  destroy(reason: Error): void;
}

/** No TCP connection within the time for one. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

/** The receiver closed the connection; also when undici would open a second one for one exchange,
 * which it would do for ever with a receiver that accepts and hangs up. */
export class HungUp extends Error {
  override readonly name = 'HungUp';
}

interface ConnectionOptions {
  policy: AddressPolicy;
  lookup: Lookup;
  perOrigin: number;
  connectTimeoutMs: number;
  tls?: { ca?: string };
}

interface Waiter {
  resolve(connection: Connection): void;
  destination: Destination;
}

interface Origin {
  idle: Connection[];
  open: number;
  waiting: Waiter[];
}

const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;
// A name is asked again at the latest after this, so that a receiver that moved is followed.
const MAX_AGE_MS = 300_000;
const MAX_RESPONSE_HEADER_BYTES = 16_384;
// A first address that is 300 ms away must not be given up after node's default of 250.
const ATTEMPT_MS = 1_000;

interface Connections {
  /** A connection for one exchange; waits while the origin has all it may have. */
  take(destination: Destination, trace: Trace, signal: AbortSignal): Promise<Connection>;
  /** Gives it back; `reusable` false ends it. */
  give(connection: Connection, reusable: boolean): void;
  /** Ends all idle connections; those in use end when they are given back. */
  close(): Promise<void>;
}

/** Opens, keeps and ends connections; see `Connections`. */
export function createConnections(options: ConnectionOptions): Connections {
  const origins = new Map<string, Origin>();
  const closing = new Set<Promise<void>>();
  let closed = false;
  // Shared by all, for its cache of TLS sessions. It only ever upgrades sockets that we opened.
  const upgrade = buildConnector({
    timeout: options.connectTimeoutMs,
    allowH2: false,
    // Said here, NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment changes nothing.
    rejectUnauthorized: true,
    ...options.tls,
  });

  function take(destination: Destination, trace: Trace, signal: AbortSignal): Promise<Connection> {
    const origin = originOf(destination.origin);
    for (let idle = origin.idle.pop(); idle; idle = origin.idle.pop()) {
      if (idle.connected && performance.now() - idle.openedAt < MAX_AGE_MS) {
        idle.trace = trace;
        return Promise.resolve(idle);
      }
      end(idle, new Error('too old'));
    }
    if (origin.open < options.perOrigin) {
      return Promise.resolve(open(destination, trace));
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        destination,
        resolve(connection) {
          signal.removeEventListener('abort', onAbort);
          connection.trace = trace;
          resolve(connection);
        },
      };
      const onAbort = () => {
        origin.waiting = origin.waiting.filter((other) => other !== waiter);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      origin.waiting.push(waiter);
    });
  }

  function give(connection: Connection, reusable: boolean): void {
    connection.trace = null;
    const origin = originOf(connection.origin);
    const keep = reusable && connection.connected && !connection.client.destroyed && !closed;
    if (!keep) {
      end(connection, new Error('not reusable'));
    } else {
      const next = origin.waiting.shift();
      if (next) next.resolve(connection);
      else origin.idle.push(connection);
    }
  }

  function end(connection: Connection, reason: Error): void {
    const origin = originOf(connection.origin);
    origin.idle = origin.idle.filter((other) => other !== connection);
    origin.open -= 1;
    connection.destroy(reason);
    const next = origin.waiting.shift();
    if (next) next.resolve(open(next.destination, null));
    else if (origin.open === 0) origins.delete(connection.origin);
  }

  function originOf(key: string): Origin {
    let origin = origins.get(key);
    if (!origin) {
      origin = { idle: [], open: 0, waiting: [] };
      origins.set(key, origin);
    }
    return origin;
  }

  function open(destination: Destination, trace: Trace | null): Connection {
    originOf(destination.origin).open += 1;
    let raw: Socket | undefined;
    const client = new Client(destination.origin, {
      connect: (target, callback) => {
        dial(destination, connection.trace, (socket) => {
          raw = socket;
        }).then(
          (socket) => {
            connection.openedAt = performance.now();
            finishConnect(target, socket, connection.trace, callback);
          },
          (error: unknown) => callback(asError(error), null),
        );
      },
      pipelining: 1,
      headersTimeout: 0, // the exchange has one deadline of its own, for everything
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    });
    const connection: Connection = {
      origin: destination.origin,
      client,
      trace,
      connected: false,
      openedAt: performance.now(),
      destroy(reason) {
        raw?.destroy(reason);
        if (client.destroyed) return;
        const done = client.destroy(reason).finally(() => closing.delete(done));
        closing.add(done);
      },
    };
    client.on('connect', () => {
      connection.connected = true;
    });
    client.on('disconnect', () => {
      connection.connected = false;
      // The receiver hung up on an idle connection: nothing waits for it, so it can go.
      if (originOf(connection.origin).idle.includes(connection)) end(connection, new Error('gone'));
    });
    return connection;
  }

  /** TCP to an address that was checked; every answer of the name is checked before any is used. */
  async function dial(
    destination: Destination,
    trace: Trace | null,
    onSocket: (socket: Socket) => void,
  ): Promise<Socket> {
    if (trace) {
      trace.connects += 1;
      if (trace.connects > 1) throw new HungUp('The receiver hung up.');
      trace.phase = 'dns';
    }
    const started = performance.now();
    const addresses = await resolveDestination(destination, options.policy, options.lookup);
    if (closed) throw new Error('closed');
    const resolved = performance.now();
    if (trace) {
      if (!destination.literal) trace.dns = resolved - started;
      trace.phase = 'connect';
    }
    const socket = await openSocket(destination, addresses, options.connectTimeoutMs, onSocket);
    // The third look, at what the socket says itself, before a byte (of TLS, too) is sent.
    if (socket.remoteAddress === undefined) throw new HungUp('The receiver hung up.');
    try {
      admit(destination, [socket.remoteAddress], options.policy);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    if (trace) trace.connect = performance.now() - resolved;
    return socket;
  }

  function finishConnect(
    target: buildConnector.Options,
    socket: Socket,
    trace: Trace | null,
    callback: buildConnector.Callback,
  ): void {
    if (target.protocol !== 'https:') {
      callback(null, socket);
      return;
    }
    const started = performance.now();
    if (trace) trace.phase = 'tls';
    upgrade({ ...target, httpSocket: socket }, (...[error, secured]) => {
      if (error) {
        socket.destroy();
        callback(error, null);
        return;
      }
      if (trace) trace.tls = performance.now() - started;
      callback(null, secured);
    });
  }

  async function close(): Promise<void> {
    closed = true;
    for (const origin of [...origins.values()]) {
      for (const connection of [...origin.idle]) end(connection, new Error('closed'));
    }
    await Promise.all(closing);
  }

  return { take, give, close };
}

function openSocket(
  destination: Destination,
  addresses: readonly string[],
  timeoutMs: number,
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const url = new URL(destination.origin);
  const port = url.port === '' ? (destination.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const answers = addresses
    .slice(0, 8)
    .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      port,
      // A literal goes to connect() without any look-up; a name gets the checked answers only.
      host: answers.length === 1 ? (answers[0]?.address ?? '') : destination.host,
      lookup: (_name, _options, done) => done(null, answers),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    onSocket(socket);
    const timer = setTimeout(
      () => socket.destroy(new ConnectTimeout('connect timeout')),
      timeoutMs,
    );
    // Stays on: between here and undici's own listeners an error must not end the process.
    socket.on('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new HungUp('The connection was closed.'));
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
