/** What is measured of one exchange. */
import { performance } from 'node:perf_hooks';

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

/**
 * Phases in ms, one decimal. Null for what did not happen: a reused connection has no dns, connect
 * and tls; a literal address no dns. `first_byte` counts from the request written to the answer's
 * headers, `total` from the call, the wait for a free connection included.
 */
export interface DialTimings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  first_byte: number | null;
  total: number;
}

export function newTrace(): Trace {
  return { phase: 'queued', dns: null, connect: null, tls: null, firstByte: null, connects: 0 };
}

/** What a trace measured, with the time since `started`, a reading of `performance.now()`. */
export function timingsOf(trace: Trace, started: number): DialTimings {
  return {
    dns: round(trace.dns),
    connect: round(trace.connect),
    tls: round(trace.tls),
    first_byte: round(trace.firstByte),
    total: round(performance.now() - started) ?? 0,
  };
}

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
