/**
 * The connections of a dialer: a small pool per sender and origin, so that a slow receiver delays
 * only itself, and senders never share a connection.
 */
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address.ts';
import { Connection, type DialerState } from './connection.ts';
import type { Destination } from './destination.ts';
import type { DialProgress, StopSignal } from './exchange.ts';
import type { Lookup } from './resolve.ts';

interface ConnectionOptions {
  policy: AddressPolicy;
  lookup: Lookup;
  maxPerOrigin: number;
  connectTimeoutMs: number;
  /** The maximum age, after which the name is resolved again, in case the receiver has moved. */
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

const MAX_AGE_MS = 300_000;

export interface Connections {
  /**
   * Acquires a connection for one exchange; waits while all of the sender's connections to this origin
   * are in use. Senders do not share connections.
   */
  acquire(
    destination: Destination,
    sender: string,
    progress: DialProgress,
    stop: StopSignal,
  ): Promise<Connection>;
  /** Returns a connection to its pool, or closes it if `reusable` is false. */
  release(connection: Connection, reusable: boolean): void;
  /** The number of pools that have a connection. */
  poolCount(): number;
  /** Closes all idle connections; those in use are closed when they are returned. */
  close(): Promise<void>;
}

/** Creates the pools; see `Connections`. */
export function createConnections(options: ConnectionOptions): Connections {
  const pools = new Map<string, ConnectionPool>();
  const { policy, lookup, connectTimeoutMs, maxAgeMs = MAX_AGE_MS } = options;
  const state: DialerState = {
    policy,
    lookup,
    connectTimeoutMs,
    upgrade: buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect.
      rejectUnauthorized: true,
      ...options.tls,
    }),
    closed: false,
    closing: new Set(),
  };

  function acquire(
    destination: Destination,
    sender: string,
    progress: DialProgress,
    stop: StopSignal,
  ): Promise<Connection> {
    const key = `${sender} ${destination.origin}`;
    const pool = poolOf(key);
    for (let idle = pool.idle.pop(); idle; idle = pool.idle.pop()) {
      if (idle.isUsable(maxAgeMs)) {
        idle.progress = progress;
        return Promise.resolve(idle);
      }
      closeConnection(idle, new Error('too old'));
    }
    return pool.open < options.maxPerOrigin
      ? Promise.resolve(open(destination, key, progress))
      : waitForConnection(pool, destination, progress, stop);
  }

  function release(connection: Connection, reusable: boolean): void {
    connection.progress = null;
    if (!reusable || !connection.isUsable(maxAgeMs) || state.closed) {
      closeConnection(connection, new Error('not reusable'));
      return;
    }
    const pool = poolOf(connection.pool);
    const next = pool.waiting.shift();
    if (next) next.resolve(connection);
    else pool.idle.push(connection);
  }

  function closeConnection(connection: Connection, reason: Error): void {
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

  function open(destination: Destination, pool: string, progress: DialProgress | null): Connection {
    poolOf(pool).open += 1;
    return new Connection(state, destination, { pool, progress, onDisconnect });
  }

  function onDisconnect(connection: Connection): void {
    // The receiver closed an idle connection, which no exchange is using.
    if (pools.get(connection.pool)?.idle.includes(connection))
      closeConnection(connection, new Error('gone'));
  }

  async function close(): Promise<void> {
    state.closed = true;
    for (const pool of [...pools.values()]) {
      for (const connection of [...pool.idle]) closeConnection(connection, new Error('closed'));
    }
    await Promise.all(state.closing);
  }

  return { acquire, release, poolCount: () => pools.size, close };
}

/** Waits for a connection of a full pool. */
function waitForConnection(
  pool: ConnectionPool,
  destination: Destination,
  progress: DialProgress,
  stop: StopSignal,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      destination,
      resolve(connection) {
        stop.listen(null);
        connection.progress = progress;
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
