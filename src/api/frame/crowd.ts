/** For how long a round waits for those who were here a moment ago. */
const lingerMs = 1;
/** Who was answered so long ago is not expected back. */
const returnMs = 5;
/** After a wait that nobody came to, so many rounds wait for nobody. */
const hastyRounds = 8;

/** Those who do something in rounds, and how many of them are likely to come to the next one. */
export interface Crowd {
  join(): void;
  leave(): void;
  /** For how long the next round should wait for others, when so many are waiting for it. */
  lingerMs(waiting: number): number;
  /** How many are expected: when they are here, there is nobody to wait for. */
  expected(): number;
  /** A round begins, with so many. */
  begin(taken: number): void;
  /** It has ended: its members may be back in a moment. */
  end(): void;
}

/**
 * Keeps clients that ask for one thing after the other in step: those of a round come back at about the
 * same time, and without a moment's wait the first of them would go by itself, over and over.
 * @param now milliseconds
 */
export function createCrowd(now: () => number): Crowd {
  let members = 0;
  /** The most that were here at once since the last round began. */
  let peak = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let hasty = 0;
  /** How many there were when the last wait began. */
  let waited: number | null = null;
  return {
    join() {
      members += 1;
      peak = Math.max(peak, members);
    },
    leave() {
      members -= 1;
    },
    lingerMs(waiting) {
      waited = null;
      if (hasty > 0) hasty -= 1;
      else if (waiting < peak && now() - endedAt < returnMs) waited = waiting;
      return waited === null ? 0 : lingerMs;
    },
    expected: () => peak,
    begin(taken) {
      if (waited !== null && taken <= waited) hasty = hastyRounds;
      waited = null;
      peak = members;
    },
    end() {
      endedAt = now();
    },
  };
}
