import { Cluster } from 'ioredis';
import { endConnection, type Redis } from './connection.ts';

/**
 * Wakes the relays after a commit. Returns at once and never fails: a lost wake-up costs a quarter
 * of a second, the interval of the relay's own timer.
 */
export type Wake = () => void;

/** How the processes of a deployment wake their relays. */
export interface Bell {
  ring: Wake;
  /**
   * Registers the relay of this process: wake-ups in this process reach it without Redis, and reach
   * no other relay.
   * @returns a function that unregisters it
   */
  answer(relay: () => void): () => void;
  /** Wakes the relays of other processes, whether or not this process has one. */
  pass(): void;
}

/** The number of the Redis database; a cluster has only one. */
interface InDatabase {
  options?: { db?: number | undefined; redisOptions?: object | undefined };
}

/** The functions of Redis that a bell needs. */
interface Publisher extends InDatabase {
  publish(channel: string, message: string): Promise<unknown>;
}

/**
 * The channel that all relays of a deployment receive. Redis numbers databases but shares channels
 * among them, so each database except the first has a separate channel.
 */
export function bellChannel(redis: InDatabase): string {
  const db = redis.options?.db ?? 0;
  return db === 0 ? 'scriptorium:bell' : `scriptorium:bell:${db}`;
}

/** The minimum interval between wake-ups under load: each costs Redis and every relay. */
const betweenMs = 2;

/**
 * Creates the bell of a process. The first ring is published at once; at most one is in progress,
 * and a commit during it, or within a few milliseconds, rings once more after it, so that none is
 * missed.
 * @param redis fails fast; without it only a relay of this process is woken
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
      .publish(bellChannel(redis), '')
      // Without Redis the relay's timer finds the work.
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
 * Receives the bells of other processes over a dedicated connection. Wake-ups are lost while Redis
 * is unreachable, so each reconnection counts as one.
 * @param redis a connection that waits for Redis and is used for nothing else
 */
export function hearBell(redis: Redis, heard: () => void): { close(): void } {
  // Subscribed explicitly, because only then is it known from when on no message is missed. (A
  // cluster's client moves its subscription to another node by itself.)
  if (!(redis instanceof Cluster)) redis.options.autoResubscribe = false;
  redis.on('message', heard);
  const subscribe = (): void => {
    redis.subscribe(bellChannel(redis)).then(heard, () => undefined);
  };
  redis.on('ready', subscribe);
  if (redis.status === 'ready') subscribe();
  return { close: () => endConnection(redis) };
}
