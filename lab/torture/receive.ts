import type { Received } from '../../test/support/receiver.ts';

/** How far a sender's clock may be off before receivers reject its signatures. */
const toleranceSeconds = 300;

export function isOnTime({ headers, at }: Received): boolean {
  return Math.abs(Number(headers['webhook-timestamp']) - at / 1_000) <= toleranceSeconds;
}

/** Responds like a careful receiver. */
export function receive(received: Received): number {
  return isOnTime(received) ? 204 : 400;
}
