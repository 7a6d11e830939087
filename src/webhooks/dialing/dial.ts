/**
 * Sends webhooks to URLs chosen by untrusted users, without giving access to internal addresses.
 *
 * Only checked addresses are dialled: literals, all DNS results, and the peer address of the connected
 * socket are checked. Redirects are not followed, proxy variables are ignored, nothing is decompressed,
 * no body is buffered as a whole, and one deadline covers the exchange from the wait for a connection
 * to the end of the body.
 */
import { networkInterfaces } from 'node:os';
import { performance } from 'node:perf_hooks';
import { type AddressPolicy, createAddressPolicy } from './address.ts';
import { type Connections, createConnections } from './connections.ts';
import {
  type Destination,
  DestinationError,
  destinationNotAllowed,
  parseDestination,
} from './destination.ts';
import { type DialError, describeFailure, type FailureContext, Stopped } from './dial-errors.ts';
import {
  type DialProgress,
  exchange,
  newProgress,
  onAbort,
  type ReceiverResponse,
  StopSignal,
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
export interface AnsweredResult extends ReceiverResponse {
  outcome: 'answered';
  timings: DialTimings;
}

/** The exchange failed. If `denied`, the address is not allowed, and there are no timings. */
export interface FailedResult {
  outcome: 'failed';
  error: DialError;
  denied: boolean;
  timings?: DialTimings;
}

export type DialResult = AnsweredResult | FailedResult;

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
  /** Ranges that are denied although they look public, such as the operator's egress addresses. */
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
const STALE_CODES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * Creates a dialer with separate connections.
 * @throws AddressRangeError if a range is invalid
 */
export function createDialer(options: DialerOptions): Dialer {
  const { connectTimeoutMs, userAgent = 'Scriptorium-Webhooks/1.0' } = options;
  const policy = createAddressPolicy({ ...options, machineAddresses: listMachineAddresses() });
  const resolver = options.lookup ? undefined : createLookup({ timeoutMs: 2_500 });
  const lookup = options.lookup ?? resolver?.lookup ?? (() => Promise.resolve([]));
  const connections = createConnections({
    policy,
    lookup,
    maxPerOrigin: options.perOriginConnections,
    connectTimeoutMs,
    ...(options.maxAgeMs === undefined ? {} : { maxAgeMs: options.maxAgeMs }),
    ...(options.tls ? { tls: options.tls } : {}),
  });
  const destinationOf = createDestinationCache();
  const pending = new Set<Promise<DialResult>>();
  let isClosed = false;

  function post(request: DialRequest): Promise<DialResult> {
    const result = send(request);
    pending.add(result);
    // Not `finally`: its promise would not be awaited. `send` never rejects.
    void result.then(() => pending.delete(result));
    return result;
  }

  async function send(request: DialRequest): Promise<DialResult> {
    const started = performance.now();
    const progress = newProgress();
    const stop = new StopSignal();
    const timer = setTimeout(() => stop.trigger(new Stopped('deadline')), request.deadlineMs);
    let removeListener = () => {};
    const context: FailureContext = { progress, deadlineMs: request.deadlineMs, status: null };
    try {
      if (isClosed) throw new Stopped('closed');
      if (request.signal?.aborted) throw new Stopped('cancelled');
      removeListener = onAbort(request.signal, () => stop.trigger(new Stopped('cancelled')));
      const destination = destinationOf(request.url);
      const response = await attempt(connections, destination, request, {
        context,
        stop,
        userAgent,
      });
      return { outcome: 'answered', ...response, timings: timingsOf(progress, started) };
    } catch (error) {
      const failure = describeFailure(error, context);
      const denied = error instanceof DestinationError && !error.code.startsWith('dns_');
      return denied
        ? { outcome: 'failed', error: failure, denied }
        : { outcome: 'failed', error: failure, denied, timings: timingsOf(progress, started) };
    } finally {
      clearTimeout(timer);
      removeListener();
    }
  }

  return {
    check: (url) => checkDestination(url, policy, lookup, connectTimeoutMs),
    post,
    async close() {
      isClosed = true;
      await Promise.all(pending);
      resolver?.close();
      await connections.close();
    },
  };
}

/**
 * Creates a function that parses URLs and caches the results. A few receivers get most of the traffic,
 * and parsing their URLs took a tenth of the time of a post (measured).
 */
function createDestinationCache(): (url: string) => Destination {
  const destinations = new Map<string, Destination>();
  return (url) => {
    const cached = destinations.get(url);
    if (cached) return cached;
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
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = destination.publicAddressError
      ? destinationNotAllowed()
      : new DestinationError(
          'dns_failed',
          `The addresses of ${destination.host} could not be looked up in time. Check the name servers of the domain.`,
        );
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    await Promise.race([resolveDestination(destination, policy, lookup), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes one exchange, and a second one if a reused connection turns out to be closed. Receivers may
 * close idle connections at any time, which must not cost a delivery an attempt. Sending twice is
 * safe: the webhook-id is the same, and delivery is at least once.
 */
async function attempt(
  connections: Connections,
  destination: Destination,
  request: DialRequest,
  options: Parameters<typeof exchange>[3],
): Promise<ReceiverResponse> {
  const { context, stop } = options;
  const { progress } = context;
  for (let hasRetried = false; ; ) {
    const connection = await connections.acquire(destination, request.sender ?? '', progress, stop);
    try {
      const result = await exchange(connection, destination, request, options);
      connections.release(connection, result.isReusable);
      return result.response;
    } catch (error) {
      connections.release(connection, false);
      const mayRetry =
        !hasRetried && progress.connects === 0 && context.status === null && isStale(error);
      if (!mayRetry || stop.reason) throw error;
      hasRetried = true;
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
function listMachineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((card) =>
    (card ?? []).map(({ address }) => address),
  );
}

function isStale(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    STALE_CODES.has(error.code)
  );
}
