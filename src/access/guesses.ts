import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import { networkOf } from './ip-addresses.ts';
import type { RateLimits } from './rate-limits.ts';

/** How long a guess waits for its turn, and how many guesses from one network may wait. */
interface GuessPace {
  turnMs: number;
  maxWaiting: number;
  wait: (ms: number) => Promise<unknown>;
}

/** Protects a password chosen by people against guessing. */
export interface GuessLimiter {
  /**
   * Checks a guess. After a network exceeds its limit of wrong guesses per minute, its guesses are
   * checked slowly, one at a time: the right password still works from that network, but trying many
   * takes too long.
   * @throws Problem 429 for a wrong guess above the limit, or if too many guesses are waiting
   */
  check(guess: Guess, isRight: () => boolean | Promise<boolean>): Promise<boolean>;
}

interface Guess {
  /** Null to count guesses from all networks together. */
  address: string | null;
  /** The resource that the password protects; guesses are counted per resource. */
  of: string;
  /** Aborted when the client disconnects, which ends its wait. */
  signal: AbortSignal;
}

const defaultPace: GuessPace = { turnMs: 500, maxWaiting: 16, wait: delay };

export function createGuessLimiter(
  rateLimits: RateLimits,
  pace: GuessPace = defaultPace,
): GuessLimiter {
  /** Guesses that are being checked, counted so that many at once do not exceed the limit. */
  const checking = new Map<string, number>();
  const lanes = new Map<string, { last: Promise<unknown>; waiting: number }>();

  const runCheck = async (
    name: string,
    isRight: () => boolean | Promise<boolean>,
  ): Promise<boolean> => {
    checking.set(name, (checking.get(name) ?? 0) + 1);
    try {
      return await isRight();
    } finally {
      const remaining = checking.get(name)! - 1;
      if (remaining > 0) checking.set(name, remaining);
      else checking.delete(name);
    }
  };

  const waitForTurn = async (
    network: string,
    signal: AbortSignal,
    tooMany: () => Problem,
  ): Promise<void> => {
    const lane = lanes.get(network) ?? { last: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= pace.maxWaiting) throw tooMany();
    lanes.set(network, lane);
    lane.waiting += 1;
    let isCounted = true;
    const stopWaiting = (): void => {
      if (isCounted) lane.waiting -= 1;
      isCounted = false;
    };
    signal.addEventListener('abort', stopWaiting);
    const turn = lane.last.then(() => (signal.aborted ? undefined : pace.wait(pace.turnMs)));
    lane.last = turn;
    try {
      await turn;
      if (signal.aborted) throw tooMany();
    } finally {
      signal.removeEventListener('abort', stopWaiting);
      stopWaiting();
      if (lane.last === turn) lanes.delete(network);
    }
  };

  return {
    async check({ address, of: resource, signal }, isRight) {
      const counterKey = `${resource}:${networkOf(address)}`;
      const counter = [counterKey, 'read', limits.failed_authentications_per_minute] as const;
      const tooMany = (): Problem =>
        new Problem('rate_limited', 'Too many wrong passwords. Wait a minute.', {
          headers: { 'Retry-After': String(rateLimits.peek(...counter).resetSeconds) },
        });
      if (rateLimits.peek(...counter).remaining > (checking.get(counterKey) ?? 0)) {
        if (await runCheck(counterKey, isRight)) return true;
        rateLimits.take(...counter);
        return false;
      }
      await waitForTurn(counterKey, signal, tooMany);
      if (await isRight()) return true;
      throw tooMany();
    },
  };
}
