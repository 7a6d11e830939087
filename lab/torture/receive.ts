import type { Received } from '../../test/support/receiver.ts';

/** By how much the clock of a sender may be off before receivers reject what it signed. */
const toleranceSeconds = 300;

export function isOnTime({ headers, at }: Received): boolean {
  return Math.abs(Number(headers['webhook-timestamp']) - at / 1_000) <= toleranceSeconds;
}

/** Answers as a careful receiver does. */
export function receive(received: Received): number {
  return isOnTime(received) ? 204 : 400;
}
