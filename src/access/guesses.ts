import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../contracts/limits.ts';
import { Problem } from '../contracts/problems.ts';
import { networkOf } from './addresses.ts';
import type { RateLimits } from './rate-limits.ts';

/** How long a guess waits for its turn, and how many of one network may wait. */
interface Pace {
  turnMs: number;
  mostWaiting: number;
  wait: (ms: number) => Promise<unknown>;
}

/** Protects a password chosen by people against guessing. */
export interface Guesses {
  /**
   * Checks a guess. When a network exceeds its limit of wrong guesses per minute, its further guesses are
   * checked slowly, one at a time: the right password still works, even from that network, but trying
   * many takes too long.
   * @throws Problem 429 for a wrong guess above the limit, or if too many guesses are waiting
   */
  judge(address: string | null, isRight: () => boolean): Promise<boolean>;
}

const usual: Pace = { turnMs: 500, mostWaiting: 16, wait: delay };

export function createGuesses(rateLimits: RateLimits, pace: Pace = usual): Guesses {
  const lanes = new Map<string, { last: Promise<unknown>; waiting: number }>();

  const myTurn = async (network: string, refusal: () => Problem): Promise<void> => {
    const lane = lanes.get(network) ?? { last: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= pace.mostWaiting) throw refusal();
    lanes.set(network, lane);
    lane.waiting += 1;
    const turn = lane.last.then(() => pace.wait(pace.turnMs));
    lane.last = turn;
    try {
      await turn;
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) lanes.delete(network);
    }
  };

  return {
    async judge(address, isRight) {
      const network = networkOf(address);
      const counter = [
        `operator:${network}`,
        'read',
        limits.failed_authentications_per_minute,
      ] as const;
      const refusal = (): Problem =>
        new Problem('rate_limited', 'Too many wrong passwords from this address.', {
          headers: { 'Retry-After': String(rateLimits.peek(...counter).resetSeconds) },
        });
      if (rateLimits.peek(...counter).allowed) {
        if (isRight()) return true;
        rateLimits.take(...counter);
        return false;
      }
      await myTurn(network, refusal);
      if (isRight()) return true;
      throw refusal();
    },
  };
}
