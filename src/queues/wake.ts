import { Cluster } from 'ioredis';
import { endConnection, type Redis } from './connection.ts';

/**
 * Wakes the relays after a commit. Returns at once and never fails: a lost wake-up costs a quarter
 * of a second, the interval of the relay's own timer.
 */
export type Wake = () => void;

/** Wakes the relays of a deployment, and registers those of this process. */
export interface WakeChannel {
  wake: Wake;
  /**
   * Registers the relay of this process: wake-ups in this process reach it without Redis, and reach
   * no other relay.
   * @returns a function that unregisters it
   */
  register(relay: () => void): () => void;
  /** Wakes the relays of other processes, whether or not this process has one. */
  wakeOthers(): void;
}

/** The number of the Redis database; a cluster has only one. */
interface InDatabase {
  options?: { db?: number | undefined; redisOptions?: object | undefined };
}

/** The functions of Redis that the channel needs. */
interface Publisher extends InDatabase {
  publish(channel: string, message: string): Promise<unknown>;
}

/**
 * The channel that all relays of a deployment receive. Redis numbers databases but shares channels
 * among them, so each database except the first has a separate channel.
 */
export function wakeChannelName(redis: InDatabase): string {
  const db = redis.options?.db ?? 0;
  return db === 0 ? 'scriptorium:bell' : `scriptorium:bell:${db}`;
}

/** The minimum interval between wake-ups, each of which costs Redis and every relay. */
const minIntervalMs = 2;

/**
 * Creates the wake channel of a process. The first wake-up is published immediately. At most one is
 * in progress; those that follow during it, or within a few milliseconds, are published as one after
 * it, so that none is missed.
 * @param redis fails fast; without it, only a relay of this process is woken
 */
export function createWakeChannel(redis: Publisher | null): WakeChannel {
  const relays = new Set<() => void>();
  let isBusy = false;
  let isWakePending = false;
  const pauseThenRepeat = (): void => {
    const timer = setTimeout(() => {
      isBusy = false;
      if (!isWakePending) return;
      isWakePending = false;
      publish();
    }, minIntervalMs);
    timer.unref();
  };
  const publish = (): void => {
    if (!redis) return;
    isBusy = true;
    redis
      .publish(wakeChannelName(redis), '')
      // Without Redis the relay's timer finds the work.
      .catch(() => undefined)
      .finally(pauseThenRepeat);
  };
  const wakeOthers = (): void => {
    if (isBusy) isWakePending = true;
    else publish();
  };
  return {
    wakeOthers,
    wake() {
      if (relays.size === 0) wakeOthers();
      else for (const relay of relays) relay();
    },
    register(relay) {
      relays.add(relay);
      return () => relays.delete(relay);
    },
  };
}

/**
 * Receives the wake-ups of other processes over a dedicated connection. Wake-ups are lost while Redis
 * is unreachable, so each reconnection counts as one.
 * @param redis a connection that waits for Redis and is used for nothing else
 */
export function subscribeToWakes(redis: Redis, onWake: () => void): { close(): void } {
  // Subscribes explicitly, to know from when on no message is missed. The client of a cluster moves
  // its subscription to another node automatically.
  if (!(redis instanceof Cluster)) redis.options.autoResubscribe = false;
  redis.on('message', onWake);
  const subscribe = (): void => {
    redis.subscribe(wakeChannelName(redis)).then(onWake, () => undefined);
  };
  redis.on('ready', subscribe);
  if (redis.status === 'ready') subscribe();
  return { close: () => endConnection(redis) };
}
