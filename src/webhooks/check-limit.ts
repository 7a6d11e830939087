import { Problem } from '../contracts/problems.ts';
import type { Dialer } from './dialing/dial.ts';

/**
 * Lets at most `most` checks of URLs run at once, and refuses more: each holds a transaction while
 * name servers that a stranger chose take their time, and must not take all there are.
 */
export function limitChecks(dialer: Pick<Dialer, 'check'>, most: number): Pick<Dialer, 'check'> {
  let running = 0;
  return {
    async check(url) {
      if (running >= most) {
        throw new Problem(
          'rate_limited',
          'Too many URLs of webhooks are being checked; ask again in a moment.',
          { headers: { 'Retry-After': '1' } },
        );
      }
      running += 1;
      try {
        await dialer.check(url);
      } finally {
        running -= 1;
      }
    },
  };
}
