/**
 * One POST over one connection, from the first byte sent to the end of the part of the response
 * that is read.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Dispatcher } from 'undici';
import { parseHttpDate, parseRetryAfter } from '../retry-schedule.ts';
import { type Connection, TooManyBytes } from './connection.ts';
import { type Destination, isFramingHeader } from './destination.ts';
import type { FailureContext } from './dial-errors.ts';
import { EXCERPT_SOURCE_BYTES, makeExcerpt, secretValues } from './excerpt.ts';

/** The response of a receiver. */
export interface ReceiverResponse {
  status: number;
  /** `Retry-After` as seconds from now, at most 24 h. */
  retryAfterSeconds?: number;
  /** From `webhook-delivery`: send no more messages, or do not send this one again. */
  instruction?: 'disable' | 'abort';
  /** At most 4 KiB of the body as cleaned text. */
  excerpt: string;
}

// Bodies up to this size are read to their end, so that the connection can be reused.
const DRAIN_BYTES = 65_536;
const emptyBuffer = Buffer.alloc(0);

interface ExchangeRequest {
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

interface ExchangeResult {
  /** Whether the connection can be reused. */
  isReusable: boolean;
  response: ReceiverResponse;
}

/**
 * Makes one exchange. Resolves with the response and whether the connection can be reused; rejects with
 * the error that ended the exchange, or the reason for which it was stopped. Updates `options.context` with its
 * progress.
 */
export function exchange(
  connection: Connection,
  destination: Destination,
  request: ExchangeRequest,
  options: { context: FailureContext; stop: StopSignal; userAgent: string },
): Promise<ExchangeResult> {
  const { context, stop, userAgent } = options;
  return new Promise((resolve, reject) => {
    if (stop.reason) {
      stop.listen(null);
      reject(stop.reason);
      return;
    }
    const reader = new ResponseReader(request, context, {
      resolve(exchanged) {
        stop.listen(null);
        resolve(exchanged);
      },
      reject(error) {
        stop.listen(null);
        reject(error);
      },
    });
    stop.listen((reason) => {
      stop.listen(null);
      reject(reason);
      connection.destroy(reason);
    });
    connection.begin();
    connection.client.dispatch(
      {
        method: 'POST',
        path: destination.path,
        headers: wireHeaders(request.headers, userAgent),
        body: request.body,
      },
      reader,
    );
  });
}

/** Reads the response of one exchange from the callbacks of undici. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #context: FailureContext;
  readonly #ended: { resolve(exchanged: ExchangeResult): void; reject(error: unknown): void };
  #sentAt = performance.now();
  #start = emptyBuffer;
  #read = 0;
  #received:
    | {
        status: number;
        retryAfter: string | undefined;
        date: string | undefined;
        encoding: string | undefined;
        instruction: ReceiverResponse['instruction'];
      }
    | undefined;

  /** @param handlers called when the exchange has ended; only the first call counts */
  constructor(
    request: ExchangeRequest,
    context: FailureContext,
    handlers: { resolve(exchanged: ExchangeResult): void; reject(error: unknown): void },
  ) {
    this.#request = request;
    this.#context = context;
    this.#ended = handlers;
  }

  onRequestStart(): void {
    this.#context.progress.phase = 'waiting';
    this.#sentAt = performance.now();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return; // informational responses, such as 103, precede the final one
    const { progress } = this.#context;
    progress.firstByte = performance.now() - this.#sentAt;
    progress.phase = 'body';
    this.#context.status = status;
    this.#received = {
      status,
      retryAfter: firstOf(headers['retry-after']),
      date: firstOf(headers.date),
      encoding: firstOf(headers['content-encoding']),
      instruction: readInstruction(firstOf(headers['webhook-delivery'])),
    };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#read += chunk.length;
    const remaining = EXCERPT_SOURCE_BYTES - this.#start.length;
    if (remaining > 0) this.#start = Buffer.concat([this.#start, chunk.subarray(0, remaining)]);
    if (this.#read > DRAIN_BYTES) {
      // The status is known, and an endless body must not delay the delivery.
      this.#finish(false);
      controller.abort(new Error('The body exceeds the size that is read.'));
    }
  }

  onResponseEnd(): void {
    this.#finish(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // The response is valid; only its body was too long.
    if (this.#received && error instanceof TooManyBytes) this.#finish(false);
    else this.#ended.reject(error);
  }

  #finish(isReusable: boolean): void {
    const received = this.#received;
    if (!received) {
      this.#ended.reject(new Error('A response ended before it started.'));
      return;
    }
    // A date refers to the receiver's clock.
    const now = Date.now();
    const sentAt = parseHttpDate(received.date ?? '', now) ?? now;
    const retryAfterSeconds = parseRetryAfter(received.retryAfter, sentAt);
    // Most responses are empty and contain no secrets.
    const excerpt =
      this.#start.length === 0
        ? ''
        : makeExcerpt(this.#start, {
            contentEncoding: received.encoding,
            secrets: secretValues(this.#request.headers),
          });
    this.#ended.resolve({
      isReusable,
      response: {
        status: received.status,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        ...(received.instruction === undefined ? {} : { instruction: received.instruction }),
        excerpt,
      },
    });
  }
}

function wireHeaders(
  headers: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const framingHeader = Object.keys(headers).find(isFramingHeader);
  if (framingHeader !== undefined)
    throw new TypeError(`The header ${framingHeader} cannot be set.`);
  return { 'user-agent': userAgent, ...headers };
}

/** Unknown values are ignored: the status alone counts. */
function readInstruction(header: string | undefined): ReceiverResponse['instruction'] {
  const value = header?.trim().toLowerCase();
  return value === 'disable' ? 'disable' : value === 'abort-message' ? 'abort' : undefined;
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The phase of an exchange, which determines the error code of a timeout. */
type Phase = 'queued' | 'dns' | 'connect' | 'tls' | 'waiting' | 'body';

/** The measurements of an exchange so far, in ms; null for phases that have not happened. */
export interface DialProgress {
  phase: Phase;
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  connects: number;
}

export function newProgress(): DialProgress {
  return { phase: 'queued', dns: null, connect: null, tls: null, firstByte: null, connects: 0 };
}

/**
 * Stops one exchange from outside: at its deadline, or on request. An AbortController would work
 * too, but costs a tenth of an exchange.
 */
export class StopSignal {
  #reason: Error | null = null;
  #listener: ((reason: Error) => void) | null = null;

  /** Why the exchange was stopped; null if it was not. */
  get reason(): Error | null {
    return this.#reason;
  }

  /** Sets the listener that is called when the exchange is stopped; null removes it. */
  listen(listener: ((reason: Error) => void) | null): void {
    this.#listener = listener;
  }

  /** Stops the exchange; only the first reason counts. */
  trigger(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#listener?.(reason);
  }
}

const listenersBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal aborts; returns a function that removes the listener. There is one listener
 * per signal: a worker passes the same signal to every post, and Node warns of a leak at eleven
 * listeners.
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (!signal) return () => {};
  let listeners = listenersBySignal.get(signal);
  if (!listeners) {
    const newListeners = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const each of newListeners) each();
    });
    listenersBySignal.set(signal, newListeners);
    listeners = newListeners;
  }
  const registered = listeners;
  registered.add(stop);
  return () => {
    registered.delete(stop);
  };
}
