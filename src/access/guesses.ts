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
   * @param of what the password is of, whose guesses are counted separately
   * @throws Problem 429 for a wrong guess above the limit, or if too many guesses are waiting
   */
  judge(
    address: string | null,
    isRight: () => boolean | Promise<boolean>,
    of?: string,
  ): Promise<boolean>;
}

const usual: Pace = { turnMs: 500, mostWaiting: 16, wait: delay };

export function createGuesses(rateLimits: RateLimits, pace: Pace = usual): Guesses {
  /** Guesses that are being checked, so that many at once do not exceed the limit. */
  const checking = new Map<string, number>();
  const lanes = new Map<string, { last: Promise<unknown>; waiting: number }>();

  const check = async (
    name: string,
    isRight: () => boolean | Promise<boolean>,
  ): Promise<boolean> => {
    checking.set(name, (checking.get(name) ?? 0) + 1);
    try {
      return await isRight();
    } finally {
      const left = checking.get(name)! - 1;
      if (left > 0) checking.set(name, left);
      else checking.delete(name);
    }
  };

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
    async judge(address, isRight, of = 'operator') {
      const name = `${of}:${networkOf(address)}`;
      const counter = [name, 'read', limits.failed_authentications_per_minute] as const;
      const refusal = (): Problem =>
        new Problem('rate_limited', 'Too many wrong passwords. Wait a minute.', {
          headers: { 'Retry-After': String(rateLimits.peek(...counter).resetSeconds) },
        });
      if (rateLimits.peek(...counter).remaining > (checking.get(name) ?? 0)) {
        if (await check(name, isRight)) return true;
        rateLimits.take(...counter);
        return false;
      }
      await myTurn(name, refusal);
      if (await isRight()) return true;
      throw refusal();
    },
  };
}
