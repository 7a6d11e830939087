/**
 * Connections to receivers: a small pool per sender and origin, so that a slow receiver delays only
 * itself, and senders never share a connection. One undici Client is one connection; a Pool would
 * hide which connection served a request, and an error of one connection would fail requests that
 * wait for another.
 */
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { buildConnector, Client } from 'undici';
import type { AddressPolicy } from './address.ts';
import { admit, type Destination } from './destination.ts';
import { type Lookup, resolveDestination } from './resolve.ts';
import { HungUp, openSocket } from './socket.ts';
import type { Stop } from './stop.ts';
import type { Trace } from './trace.ts';

/** An exchange received more bytes than any valid answer needs. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes';
}

/** One connection, used by at most one exchange at a time. */
export interface Connection {
  /** The key of its pool. */
  readonly pool: string;
  readonly client: Client;
  /** The exchange that is using it. */
  trace: Trace | null;
  connected: boolean;
  openedAt: number;
  /**
   * Starts to count received bytes for a new exchange; past the limit it fails with `TooManyBytes`.
   */
  begin(): void;
  /** Closes it at once, in any phase; the exchange in progress fails with `reason`. */
  destroy(reason: Error): void;
}

interface ConnectionOptions {
  policy: AddressPolicy;
  lookup: Lookup;
  perOrigin: number;
  connectTimeoutMs: number;
  /**
   * The maximum age. The name is then resolved again, so that a receiver that moved is followed.
   */
  maxAgeMs?: number;
  tls?: { ca?: string };
}

interface Waiter {
  resolve(connection: Connection): void;
  destination: Destination;
}

interface ConnectionPool {
  idle: Connection[];
  open: number;
  waiting: Waiter[];
}

const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;
const MAX_AGE_MS = 300_000;
const MAX_RESPONSE_HEADER_BYTES = 16_384;
// Headers, the drained part of a body in its worst framing, and a handshake are far below this.
// Only endless interim responses and chunk extensions exceed it; undici hides them, and they cost
// time.
const MAX_RECEIVED_BYTES = 1_048_576;

interface Connections {
  /**
   * Takes a connection for one exchange; waits while all of the sender's connections to this origin
   * are in use. Senders share none.
   */
  take(destination: Destination, sender: string, trace: Trace, stop: Stop): Promise<Connection>;
  /** Returns a connection to its pool, or closes it if `reusable` is false. */
  give(connection: Connection, reusable: boolean): void;
  /** The number of pools that have a connection. */
  pools(): number;
  /** Closes all idle connections; those in use are closed when they are returned. */
  close(): Promise<void>;
}

/** Creates the pools; see `Connections`. */
export function createConnections(options: ConnectionOptions): Connections {
  const pools = new Map<string, ConnectionPool>();
  const closing = new Set<Promise<void>>();
  const maxAgeMs = options.maxAgeMs ?? MAX_AGE_MS;
  let closed = false;
  // Shared by all, for its cache of TLS sessions. It only upgrades sockets that are already open.
  const upgrade = buildConnector({
    timeout: options.connectTimeoutMs,
    allowH2: false,
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect.
    rejectUnauthorized: true,
    ...options.tls,
  });

  function take(
    destination: Destination,
    sender: string,
    trace: Trace,
    stop: Stop,
  ): Promise<Connection> {
    const key = `${sender} ${destination.origin}`;
    const pool = poolOf(key);
    for (let idle = pool.idle.pop(); idle; idle = pool.idle.pop()) {
      if (isFit(idle)) {
        idle.trace = trace;
        return Promise.resolve(idle);
      }
      end(idle, new Error('too old'));
    }
    if (pool.open < options.perOrigin) {
      return Promise.resolve(open(destination, key, trace));
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        destination,
        resolve(connection) {
          stop.listen(null);
          connection.trace = trace;
          resolve(connection);
        },
      };
      stop.listen((reason) => {
        pool.waiting = pool.waiting.filter((other) => other !== waiter);
        reject(reason);
      });
      pool.waiting.push(waiter);
    });
  }

  function isFit(connection: Connection): boolean {
    return (
      connection.connected &&
      !connection.client.destroyed &&
      performance.now() - connection.openedAt < maxAgeMs
    );
  }

  function give(connection: Connection, reusable: boolean): void {
    connection.trace = null;
    if (!reusable || !isFit(connection) || closed) {
      end(connection, new Error('not reusable'));
      return;
    }
    const pool = poolOf(connection.pool);
    const next = pool.waiting.shift();
    if (next) next.resolve(connection);
    else pool.idle.push(connection);
  }

  function end(connection: Connection, reason: Error): void {
    const pool = poolOf(connection.pool);
    pool.idle = pool.idle.filter((other) => other !== connection);
    pool.open -= 1;
    connection.destroy(reason);
    const next = pool.waiting.shift();
    if (next) next.resolve(open(next.destination, connection.pool, null));
    else if (pool.open === 0) pools.delete(connection.pool);
  }

  function poolOf(key: string): ConnectionPool {
    let pool = pools.get(key);
    if (!pool) {
      pool = { idle: [], open: 0, waiting: [] };
      pools.set(key, pool);
    }
    return pool;
  }

  function open(destination: Destination, pool: string, trace: Trace | null): Connection {
    poolOf(pool).open += 1;
    let raw: Socket | undefined;
    /** The stream that undici reads: the socket, or TLS over it. */
    let stream: Socket | undefined;
    let receivedBefore = 0;
    const client = new Client(destination.origin, {
      connect: (target, callback) => {
        dial(destination, connection.trace, (socket) => {
          raw = socket;
        }).then(
          (socket) => {
            connection.openedAt = performance.now();
            finishConnect(target, socket, connection.trace, (...result) => {
              const ready = result[1];
              if (ready) limit(ready);
              callback(...result);
            });
          },
          (error: unknown) => callback(asError(error), null),
        );
      },
      pipelining: 1,
      headersTimeout: 0, // one deadline covers the whole exchange
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    });
    const limit = (ready: Socket): void => {
      stream = ready;
      ready.on('readable', () => {
        if (ready.bytesRead - receivedBefore > MAX_RECEIVED_BYTES) {
          ready.destroy(new TooManyBytes('Too many bytes were received.'));
        }
      });
    };
    const connection: Connection = {
      pool,
      client,
      trace,
      connected: false,
      openedAt: performance.now(),
      begin() {
        receivedBefore = stream?.bytesRead ?? 0;
      },
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
      // The receiver closed an idle connection, which no exchange is using.
      if (pools.get(pool)?.idle.includes(connection)) end(connection, new Error('gone'));
    });
    return connection;
  }

  /**
   * Opens a TCP connection to a checked address. All addresses of a name are checked before any is
   * used.
   */
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
    // The third check: the socket's own peer address, before any byte (even of TLS) is sent.
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
    for (const pool of [...pools.values()]) {
      for (const connection of [...pool.idle]) end(connection, new Error('closed'));
    }
    await Promise.all(closing);
  }

  return { take, give, pools: () => pools.size, close };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
