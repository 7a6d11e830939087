/**
 * Sends webhooks to URLs chosen by untrusted users, without giving access to internal addresses.
 *
 * The address that is dialled is the address that was checked: a literal, every DNS answer, and the
 * connected socket's own peer. Redirects are not followed, proxy variables are ignored, nothing is
 * decompressed, no body is held in memory as a whole, and one deadline covers the exchange from the
 * wait for a connection to the end of the body.
 */
import { networkInterfaces } from 'node:os';
import { performance } from 'node:perf_hooks';
import { type AddressPolicy, createAddressPolicy } from './address.ts';
import { type Connections, createConnections } from './connections.ts';
import { type Destination, DestinationError, notAllowed, parseDestination } from './destination.ts';
import { type DialError, describeFailure, type FailureContext, Stopped } from './dial-errors.ts';
import {
  type DialProgress,
  exchange,
  newProgress,
  onAbort,
  type ReceiverAnswer,
  Stop,
} from './exchange.ts';
import { createLookup, type Lookup, resolveDestination } from './resolve.ts';

export { DestinationError, validateHeaders } from './destination.ts';

/**
 * Phases in ms, with one decimal. Null for phases that did not happen: dns, connect and tls on a
 * reused connection; dns for a literal address. `first_byte` is from the end of the request to the
 * response headers; `total` is from the call and includes the wait for a connection.
 */
interface DialTimings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  first_byte: number | null;
  total: number;
}

/** The receiver responded, with any status, including redirects. */
export interface Answered extends ReceiverAnswer {
  outcome: 'answered';
  timings: DialTimings;
}

/** The exchange is incomplete. `denied`: the address is not allowed, so there are no timings. */
export interface Failed {
  outcome: 'failed';
  error: DialError;
  denied: boolean;
  timings?: DialTimings;
}

export type DialResult = Answered | Failed;

export interface DialRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /**
   * Requests of different senders never share a connection, so they do not wait for each other even
   * with the same receiver.
   */
  sender?: string;
  /** For the whole exchange, including the body. */
  deadlineMs: number;
  signal?: AbortSignal;
}

export interface Dialer {
  /**
   * Checks a URL before it is saved: syntax, scheme, port, name, and every address of the name.
   * @throws DestinationError with a code and a message for the person who entered the URL
   */
  check(url: string): Promise<void>;
  /** Sends one POST. Never rejects: every outcome is a result. */
  post(request: DialRequest): Promise<DialResult>;
  /** Accepts no more requests, lets those in progress finish, and closes all connections. */
  close(): Promise<void>;
}

interface DialerOptions {
  /** Ranges that the operator allows, where http, any port and internal names are accepted. */
  allowCidrs: readonly string[];
  /** Ranges that are denied although they look public: the operator's own egress addresses. */
  denyCidrs?: readonly string[];
  perOriginConnections: number;
  connectTimeoutMs: number;
  /** The maximum age of a connection; the name is then resolved again. Default: 5 minutes. */
  maxAgeMs?: number;
  /** Replaces DNS, for tests. */
  lookup?: Lookup;
  /** Certificates to trust instead of the public ones, for tests. */
  tls?: { ca?: string };
  userAgent?: string;
}

const MAX_DESTINATIONS = 1_000;
const STALE = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * Creates a dialer with its own connections.
 * @throws AddressRangeError if a range is invalid
 */
export function createDialer(options: DialerOptions): Dialer {
  const { connectTimeoutMs, userAgent = 'Scriptorium-Webhooks/1.0' } = options;
  const policy = createAddressPolicy({ ...options, own: ownAddresses() });
  const resolver = options.lookup ? undefined : createLookup({ timeoutMs: 2_500 });
  const lookup = options.lookup ?? resolver?.lookup ?? (() => Promise.resolve([]));
  const connections = createConnections({
    policy,
    lookup,
    perOrigin: options.perOriginConnections,
    connectTimeoutMs,
    ...(options.maxAgeMs === undefined ? {} : { maxAgeMs: options.maxAgeMs }),
    ...(options.tls ? { tls: options.tls } : {}),
  });
  const destinationOf = createDestinationCache();
  const running = new Set<Promise<DialResult>>();
  let closed = false;

  function post(request: DialRequest): Promise<DialResult> {
    const result = send(request);
    running.add(result);
    // Not `finally`: its promise would not be awaited. `send` never rejects.
    void result.then(() => running.delete(result));
    return result;
  }

  async function send(request: DialRequest): Promise<DialResult> {
    const started = performance.now();
    const progress = newProgress();
    const stop = new Stop();
    const timer = setTimeout(() => stop.now(new Stopped('deadline')), request.deadlineMs);
    let off = () => {};
    const context: FailureContext = { progress, deadlineMs: request.deadlineMs, status: null };
    try {
      if (closed) throw new Stopped('closed');
      if (request.signal?.aborted) throw new Stopped('cancelled');
      off = onAbort(request.signal, () => stop.now(new Stopped('cancelled')));
      const destination = destinationOf(request.url);
      const answer = await attempt(connections, destination, request, { context, stop, userAgent });
      return { outcome: 'answered', ...answer, timings: timingsOf(progress, started) };
    } catch (error) {
      const failure = describeFailure(error, context);
      const denied = error instanceof DestinationError && !error.code.startsWith('dns_');
      return denied
        ? { outcome: 'failed', error: failure, denied }
        : { outcome: 'failed', error: failure, denied, timings: timingsOf(progress, started) };
    } finally {
      clearTimeout(timer);
      off();
    }
  }

  return {
    check: (url) => checkDestination(url, policy, lookup, connectTimeoutMs),
    post,
    async close() {
      closed = true;
      await Promise.all(running);
      resolver?.close();
      await connections.close();
    },
  };
}

/**
 * Creates the reader of URLs to post to. A few receivers get most of the traffic; parsing their
 * URLs took a tenth of the time of a post (measured).
 */
function createDestinationCache(): (url: string) => Destination {
  const destinations = new Map<string, Destination>();
  return (url) => {
    const known = destinations.get(url);
    if (known) return known;
    const destination = parseDestination(url);
    if (destinations.size >= MAX_DESTINATIONS) destinations.clear();
    destinations.set(url, destination);
    return destination;
  };
}

/** Checks a URL and the addresses of its name. @throws DestinationError */
async function checkDestination(
  url: string,
  policy: AddressPolicy,
  lookup: Lookup,
  timeoutMs: number,
): Promise<void> {
  const destination = parseDestination(url);
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    const error = destination.needsAllowed
      ? notAllowed()
      : new DestinationError(
          'dns_failed',
          `The addresses of ${destination.host} could not be looked up in time. Check the name servers of the domain.`,
        );
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    await Promise.race([resolveDestination(destination, policy, lookup), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes one exchange, and a second one if a kept connection turns out to be dead. Receivers may
 * close idle connections at any time, which must not cost a delivery an attempt. Sending twice is
 * safe: the webhook-id is the same, and delivery is at least once.
 */
async function attempt(
  connections: Connections,
  destination: Destination,
  request: DialRequest,
  options: Parameters<typeof exchange>[3],
): Promise<ReceiverAnswer> {
  const { context, stop } = options;
  const { progress } = context;
  for (let reusedBefore = false; ; ) {
    const connection = await connections.take(destination, request.sender ?? '', progress, stop);
    try {
      const answer = await exchange(connection, destination, request, options);
      connections.give(connection, answer.complete);
      return answer.answer;
    } catch (error) {
      connections.give(connection, false);
      const stale =
        !reusedBefore && progress.connects === 0 && context.status === null && isStale(error);
      if (!stale || stop.reason) throw error;
      reusedBefore = true;
      progress.phase = 'queued';
    }
  }
}

/** The timings of a request, with the time since `started`, a reading of `performance.now()`. */
function timingsOf(progress: DialProgress, started: number): DialTimings {
  return {
    dns: round(progress.dns),
    connect: round(progress.connect),
    tls: round(progress.tls),
    first_byte: round(progress.firstByte),
    total: round(performance.now() - started) ?? 0,
  };
}

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}

/** The current addresses of this machine's network interfaces. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((card) =>
    (card ?? []).map(({ address }) => address),
  );
}

function isStale(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    STALE.has(error.code)
  );
}
