/** The measurements of one exchange. */
import { performance } from 'node:perf_hooks';

/** The phase that an exchange has reached; it determines the name of a timeout. */
type Phase = 'queued' | 'dns' | 'connect' | 'tls' | 'waiting' | 'body';

/** The measurements of an exchange so far, in ms; null for what has not happened. */
export interface DialProgress {
  phase: Phase;
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  connects: number;
}

/**
 * Phases in ms, with one decimal. Null for phases that did not happen: dns, connect and tls on a
 * reused connection; dns for a literal address. `first_byte` is from the end of the request to the
 * headers of the answer; `total` is from the call and includes the wait for a connection.
 */
export interface DialTimings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  first_byte: number | null;
  total: number;
}

export function newProgress(): DialProgress {
  return { phase: 'queued', dns: null, connect: null, tls: null, firstByte: null, connects: 0 };
}

/** The timings of a request, with the time since `started`, a reading of `performance.now()`. */
export function timingsOf(progress: DialProgress, started: number): DialTimings {
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

/**
 * Stops one exchange from outside: at its deadline, or on request. An AbortController would work
 * too, but costs a tenth of an exchange.
 */
export class Stop {
  #reason: Error | null = null;
  #listener: ((reason: Error) => void) | null = null;

  /** Why it was stopped; null until then. */
  get reason(): Error | null {
    return this.#reason;
  }

  /** Calls `listener` when it is stopped, replacing the previous listener; null removes it. */
  listen(listener: ((reason: Error) => void) | null): void {
    this.#listener = listener;
  }

  /** Stops it; only the first reason counts. */
  now(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#listener?.(reason);
  }
}

const stops = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal aborts; returns a function that cancels this. There is one listener
 * per signal: a worker passes the same signal to every post, and Node warns of a leak at eleven
 * listeners.
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
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
