/**
 * Sends a webhook to a URL that a stranger chose, without letting that URL reach anything inside.
 *
 * The address dialled is the address checked: a literal, every DNS answer, and the connected
 * socket's own peer. No redirect is followed, no proxy variable read, nothing decompressed, no body
 * held whole, and one deadline covers the exchange from the wait for a connection to the body's end.
 */
import { networkInterfaces } from 'node:os';
import { performance } from 'node:perf_hooks';
import { createAddressPolicy } from './address.ts';
import { createConnections } from './connections.ts';
import { type Destination, DestinationError, notAllowed, parseDestination } from './destination.ts';
import { type DialError, describeFailure, type FailureContext, Stopped } from './dial-errors.ts';
import { type Answer, exchange } from './exchange.ts';
import { createLookup, type Lookup, resolveDestination } from './resolve.ts';
import { Stop } from './stop.ts';
import { type DialTimings, newTrace, timingsOf } from './trace.ts';

export { DestinationError, type HeaderProblem, validateHeaders } from './destination.ts';
export type { DialError, DialErrorCode } from './dial-errors.ts';

/** The receiver answered, with whatever status (a redirect is an answer like any other). */
export interface Answered extends Answer {
  outcome: 'answered';
  timings: DialTimings;
}

/** There was no complete answer. `refused`: the address is not allowed; then there are no timings. */
export interface Failed {
  outcome: 'failed';
  error: DialError;
  refused: boolean;
  timings?: DialTimings;
}

export type DialResult = Answered | Failed;

export interface DialRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /**
   * Requests of different senders share no connection, so that neither waits for the other where
   * both have the same receiver.
   */
  sender?: string;
  /** The whole exchange, body included. */
  deadlineMs: number;
  signal?: AbortSignal;
}

export interface Dialer {
  /**
   * The check when a URL is saved: shape, scheme, port, name, and every address behind the name.
   * @throws DestinationError with a code and words for whoever gave the URL
   */
  check(url: string): Promise<void>;
  /** Sends one POST. Never rejects: whatever happens is a result. */
  post(request: DialRequest): Promise<DialResult>;
  /** Takes no more requests, lets those in hand finish, ends all connections. */
  close(): Promise<void>;
}

interface DialerOptions {
  /** Ranges the operator opens: there, http, any port and internal names are fine. */
  allowCidrs: readonly string[];
  /** Public-looking ranges that nobody may reach: the operator's own egress addresses. */
  denyCidrs?: readonly string[];
  perOriginConnections: number;
  connectTimeoutMs: number;
  /** A connection is used for at most this long, then the name is asked again; 5 min by default. */
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
 * Makes a dialer with its own connections.
 * @throws AddressRangeError when a range cannot be read
 */
export function createDialer(options: DialerOptions): Dialer {
  const policy = createAddressPolicy({ ...options, own: ownAddresses() });
  const resolver = options.lookup ? undefined : createLookup({ timeoutMs: 2_500 });
  const lookup = options.lookup ?? resolver?.lookup ?? (() => Promise.resolve([]));
  const connections = createConnections({
    policy,
    lookup,
    perOrigin: options.perOriginConnections,
    connectTimeoutMs: options.connectTimeoutMs,
    ...(options.maxAgeMs === undefined ? {} : { maxAgeMs: options.maxAgeMs }),
    ...(options.tls ? { tls: options.tls } : {}),
  });
  const userAgent = options.userAgent ?? 'Scriptorium-Webhooks/1.0';
  const running = new Set<Promise<DialResult>>();
  let closed = false;

  // The same few receivers get most of the traffic; reading their URLs was a tenth of a post (m).
  const destinations = new Map<string, Destination>();
  function parsed(url: string): Destination {
    const known = destinations.get(url);
    if (known) return known;
    const destination = parseDestination(url);
    if (destinations.size >= MAX_DESTINATIONS) destinations.clear();
    destinations.set(url, destination);
    return destination;
  }

  async function check(url: string): Promise<void> {
    const destination = parseDestination(url);
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_resolve, reject) => {
      const error = destination.needsAllowed
        ? notAllowed()
        : new DestinationError(
            'dns_failed',
            `The addresses of ${destination.host} could not be looked up in time. Check the name servers of the domain.`,
          );
      timer = setTimeout(() => reject(error), options.connectTimeoutMs);
    });
    try {
      await Promise.race([resolveDestination(destination, policy, lookup), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  function post(request: DialRequest): Promise<DialResult> {
    const result = send(request);
    running.add(result);
    // Not `finally`: this promise is nobody's to await, and send never rejects.
    void result.then(() => running.delete(result));
    return result;
  }

  async function send(request: DialRequest): Promise<DialResult> {
    const started = performance.now();
    const trace = newTrace();
    const stop = new Stop();
    const timer = setTimeout(() => stop.now(new Stopped('deadline')), request.deadlineMs);
    let off = () => {};
    const context: FailureContext = { trace, deadlineMs: request.deadlineMs, status: null };
    try {
      if (closed) throw new Stopped('closed');
      if (request.signal?.aborted) throw new Stopped('cancelled');
      off = onAbort(request.signal, () => stop.now(new Stopped('cancelled')));
      const destination = parsed(request.url);
      const answer = await attempt(destination, request, context, stop);
      return { outcome: 'answered', ...answer, timings: timingsOf(trace, started) };
    } catch (error) {
      const failure = describeFailure(error, context);
      const refused = error instanceof DestinationError && !error.code.startsWith('dns_');
      return refused
        ? { outcome: 'failed', error: failure, refused }
        : { outcome: 'failed', error: failure, refused, timings: timingsOf(trace, started) };
    } finally {
      clearTimeout(timer);
      off();
    }
  }

  /**
   * One exchange; a second one when a kept connection turns out to be dead. Receivers close idle
   * connections whenever they like, and a delivery must not lose an attempt to that. Sending twice
   * is safe: the webhook-id is the same, and at least once is the promise.
   */
  async function attempt(
    destination: Destination,
    request: DialRequest,
    context: FailureContext,
    stop: Stop,
  ): Promise<Answer> {
    const { trace } = context;
    for (let reusedBefore = false; ; ) {
      const connection = await connections.take(destination, request.sender ?? '', trace, stop);
      try {
        const answer = await exchange(connection, destination, request, {
          context,
          stop,
          userAgent,
        });
        connections.give(connection, answer.complete);
        return answer.answer;
      } catch (error) {
        connections.give(connection, false);
        const stale =
          !reusedBefore && trace.connects === 0 && context.status === null && isStale(error);
        if (!stale || stop.reason) throw error;
        reusedBefore = true;
        trace.phase = 'queued';
      }
    }
  }

  async function close(): Promise<void> {
    closed = true;
    await Promise.all(running);
    resolver?.close();
    await connections.close();
  }

  return { check, post, close };
}

/** The addresses of this machine's network cards, as they are now. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((card) =>
    (card ?? []).map(({ address }) => address),
  );
}

const stops = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal aborts; returns how to take that back. One listener per signal: a
 * worker hands the same signal to every post, and node warns of a leak at the eleventh.
 */
function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (!signal) return () => {};
  let set = stops.get(signal);
  if (!set) {
    const fresh = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const each of fresh) each();
    });
    stops.set(signal, fresh);
    set = fresh;
  }
  const all = set;
  all.add(stop);
  return () => {
    all.delete(stop);
  };
}

function isStale(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    STALE.has(error.code)
  );
}
