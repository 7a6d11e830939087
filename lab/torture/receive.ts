import type { ReceivedRequest } from '../../test/support/receiver.ts';

/** How far a sender's clock may be off before receivers reject its signatures. */
const toleranceSeconds = 300;

export function isOnTime({ headers, at }: ReceivedRequest): boolean {
  return Math.abs(Number(headers['webhook-timestamp']) - at / 1_000) <= toleranceSeconds;
}

/** Responds like a careful receiver. */
export function respondIfOnTime(received: ReceivedRequest): number {
  return isOnTime(received) ? 204 : 400;
}
