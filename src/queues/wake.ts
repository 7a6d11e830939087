import { channelIn, hearChannel, type InDatabase } from './channels.ts';
import type { Redis } from './connection.ts';

/**
 * Tells the relays that something was committed. Returns at once and never fails: a ring that is
 * lost costs a quarter of a second, the relay's own timer.
 */
export type Wake = () => void;

/** How the processes of a deployment ring their relays. */
export interface Bell {
  ring: Wake;
  /**
   * A relay of this process answers from now on: rings of this process reach it without Redis, and no
   * other relay.
   * @returns ends it
   */
  answer(relay: () => void): () => void;
  /** Rings the relays of other processes, whether or not one answers here. */
  pass(): void;
}

/** What a bell needs of Redis. */
interface Publisher extends InDatabase {
  publish(channel: string, message: string): Promise<unknown>;
}

/** The channel that all relays of a deployment hear. */
const bell = 'bell';

/** Under load a process publishes no oftener than this: each ring costs Redis and every relay. */
const betweenMs = 2;

/**
 * Makes the bell of a process. The first ring is published at once; at most one is on its way at a
 * time, and a commit meanwhile, or within a few milliseconds, rings once more after it, so that none
 * goes unheard.
 * @param redis fails fast; without one only a relay of this process hears the bell
 */
export function createBell(redis: Publisher | null): Bell {
  const relays = new Set<() => void>();
  let busy = false;
  let again = false;
  const rest = (): void => {
    const timer = setTimeout(() => {
      busy = false;
      if (!again) return;
      again = false;
      publish();
    }, betweenMs);
    timer.unref();
  };
  const publish = (): void => {
    if (!redis) return;
    busy = true;
    redis
      .publish(channelIn(redis, bell), '')
      // Redis only carries the bell: without it the relay's timer finds the work.
      .catch(() => undefined)
      .finally(rest);
  };
  const pass = (): void => {
    if (busy) again = true;
    else publish();
  };
  return {
    pass,
    ring() {
      if (relays.size === 0) pass();
      else for (const relay of relays) relay();
    },
    answer(relay) {
      relays.add(relay);
      return () => relays.delete(relay);
    },
  };
}

/**
 * Hears the bells of other processes over a connection of its own. What was rung while Redis was out
 * of reach went unheard, so each time the connection is back counts as a ring.
 * @param redis a connection that waits for Redis; nothing else may use it
 */
export function hearBell(redis: Redis, heard: () => void): { close(): void } {
  return hearChannel(redis, bell, heard, heard);
}
