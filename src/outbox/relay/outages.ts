import { renewalSeconds } from '../lease.ts';

/**
 * Relays reach Postgres every second. After a longer pause than this, workers may have missed a renewal
 * of their leases as well.
 */
const pauseMs = renewalSeconds * 1_000;
/** Within this time workers renew their leases once Postgres is back. */
const recoveryMs = pauseMs + 1_000;

/** Tells workers that died from those that could not renew their leases because Postgres was away. */
export interface Outages {
  /** Notes that Postgres has answered. */
  note(): void;
  /** Postgres is back, and workers are about to renew their leases. */
  isRecovering(): boolean;
  /** Since when workers have been able to renew their leases, in seconds; null without an outage. */
  secondsSince(): number | null;
}

/** @param now monotonic, in milliseconds */
export function watchOutages(now: () => number = () => performance.now()): Outages {
  let answered = now();
  let recovered: number | null = null;
  return {
    note() {
      if (now() - answered > pauseMs) recovered = now() + recoveryMs;
      answered = now();
    },
    isRecovering: () => recovered !== null && now() < recovered,
    secondsSince: () => (recovered === null ? null : (now() - recovered) / 1_000),
  };
}
