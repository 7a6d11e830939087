/**
 * One connection to a receiver, which opens with its first exchange. One undici Client is one
 * connection; a Pool would hide which connection served a request, and an error of one connection
 * would fail requests that wait for another.
 */

import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type buildConnector, Client } from 'undici';
import type { AddressPolicy } from './address.ts';
import { admitDestination, type Destination } from './destination.ts';
import type { DialProgress } from './exchange.ts';
import { type Lookup, resolveDestination } from './resolve.ts';

/** An exchange received more bytes than any valid response needs. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes';
}

/** The state shared by the connections of a dialer. */
export interface DialerState {
  readonly policy: AddressPolicy;
  readonly lookup: Lookup;
  readonly connectTimeoutMs: number;
  /** Starts TLS on an open socket; shared for its session cache. */
  readonly upgrade: buildConnector.connector;
  /** Whether no more sockets may be opened. */
  closed: boolean;
  /** Connections that are closing. */
  readonly closing: Set<Promise<void>>;
}

const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;
const MAX_RESPONSE_HEADER_BYTES = 16_384;
// Headers, the drained part of a body in its worst framing, and a handshake are far below this.
// Only endless interim responses and chunk extensions exceed it; undici hides them, and they cost
// time.
const MAX_RECEIVED_BYTES = 1_048_576;

/** One connection, used by at most one exchange at a time. */
export class Connection {
  /** The key of its pool. */
  readonly pool: string;
  readonly client: Client;
  /** The exchange that is using it. */
  progress: DialProgress | null;
  #connected = false;
  #openedAt = performance.now();
  readonly #destination: Destination;
  readonly #dialing: DialerState;
  #raw: Socket | undefined;
  /** The stream that undici reads: the socket, or TLS over it. */
  #stream: Socket | undefined;
  #receivedBefore = 0;

  /** @param options.onDisconnect called whenever the connection is lost */
  constructor(
    state: DialerState,
    destination: Destination,
    options: {
      pool: string;
      progress: DialProgress | null;
      onDisconnect: (lost: Connection) => void;
    },
  ) {
    this.#dialing = state;
    this.#destination = destination;
    this.pool = options.pool;
    this.progress = options.progress;
    this.client = new Client(destination.origin, {
      connect: (target, callback) => this.#connect(target, callback),
      pipelining: 1,
      headersTimeout: 0, // one deadline covers the whole exchange
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    });
    this.client.on('connect', () => {
      this.#connected = true;
    });
    this.client.on('disconnect', () => {
      this.#connected = false;
      options.onDisconnect(this);
    });
  }

  /** Whether the connection is open and younger than `maxAgeMs`. */
  isUsable(maxAgeMs: number): boolean {
    return (
      this.#connected && !this.client.destroyed && performance.now() - this.#openedAt < maxAgeMs
    );
  }

  /**
   * Starts to count received bytes for a new exchange; past the limit it fails with `TooManyBytes`.
   */
  begin(): void {
    this.#receivedBefore = this.#stream?.bytesRead ?? 0;
  }

  /** Closes the connection immediately, in any phase. An exchange in progress fails with `reason`. */
  destroy(reason: Error): void {
    this.#raw?.destroy(reason);
    if (this.client.destroyed) return;
    const { closing } = this.#dialing;
    const done = this.client.destroy(reason).finally(() => closing.delete(done));
    closing.add(done);
  }

  #connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    this.#dial().then(
      (socket) => {
        this.#openedAt = performance.now();
        this.#secure(target, socket, (...result) => {
          const stream = result[1];
          if (stream) this.#limit(stream);
          callback(...result);
        });
      },
      (error: unknown) => callback(asError(error), null),
    );
  }

  /**
   * Opens a TCP connection to a checked address. All addresses of a name are checked before any is
   * used.
   */
  async #dial(): Promise<Socket> {
    const { progress } = this;
    const destination = this.#destination;
    const { policy, lookup, connectTimeoutMs } = this.#dialing;
    if (progress) {
      progress.connects += 1;
      if (progress.connects > 1) throw new ConnectionClosed('The receiver hung up.');
      progress.phase = 'dns';
    }
    const started = performance.now();
    const addresses = await resolveDestination(destination, policy, lookup);
    if (this.#dialing.closed) throw new Error('closed');
    const resolved = performance.now();
    if (progress) {
      if (!destination.isLiteral) progress.dns = resolved - started;
      progress.phase = 'connect';
    }
    const socket = await openSocket(destination, addresses, connectTimeoutMs, (raw) => {
      this.#raw = raw;
    });
    // The third check: the peer address of the socket, before any byte (even of TLS) is sent.
    if (socket.remoteAddress === undefined) throw new ConnectionClosed('The receiver hung up.');
    try {
      admitDestination(destination, [socket.remoteAddress], policy);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    if (progress) progress.connect = performance.now() - resolved;
    return socket;
  }

  /** Adds TLS for https. */
  #secure(target: buildConnector.Options, socket: Socket, callback: buildConnector.Callback): void {
    if (target.protocol !== 'https:') {
      callback(null, socket);
      return;
    }
    const { progress } = this;
    const started = performance.now();
    if (progress) progress.phase = 'tls';
    this.#dialing.upgrade({ ...target, httpSocket: socket }, (...[error, secured]) => {
      if (error) {
        socket.destroy();
        callback(error, null);
        return;
      }
      if (progress) progress.tls = performance.now() - started;
      callback(null, secured);
    });
  }

  #limit(stream: Socket): void {
    this.#stream = stream;
    stream.on('readable', () => {
      if (stream.bytesRead - this.#receivedBefore > MAX_RECEIVED_BYTES) {
        stream.destroy(new TooManyBytes('Too many bytes were received.'));
      }
    });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The TCP connection was not established in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

/**
 * The receiver closed the connection. Also thrown when undici would open a second connection for an
 * exchange, which it would do forever if a receiver accepts and closes connections.
 */
export class ConnectionClosed extends Error {
  override readonly name = 'HungUp';
}

// A first address that is 300 ms away must not be abandoned after Node's default of 250 ms.
const ATTEMPT_MS = 1_000;

/**
 * Connects to the first address that accepts, without any look-up. `onSocket` gets the socket before
 * it is connected, so that the caller can close it.
 * @throws ConnectTimeout, HungUp, or the system's error
 */
function openSocket(
  destination: Destination,
  addresses: readonly string[],
  timeoutMs: number,
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const url = new URL(destination.origin);
  const port = url.port === '' ? (destination.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const targets = addresses
    .slice(0, 8)
    .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      // A literal is passed to connect() without any look-up; a name gets the checked addresses
      // only.
      host: targets.length === 1 ? (targets[0]?.address ?? '') : destination.host,
      lookup: (_name, _options, done) => done(null, targets),
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
    // Not removed: without it, an error before undici adds its own listeners would end the process.
    socket.on('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new ConnectionClosed('The connection was closed.'));
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
