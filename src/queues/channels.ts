import { Cluster } from 'ioredis';
import { endConnection, type Redis } from './connection.ts';

/** The number of the Redis database; a cluster has only one. */
export interface InDatabase {
  options?: { db?: number | undefined; redisOptions?: object | undefined };
}

/**
 * A channel of this deployment. Redis numbers databases but shares channels among them, so each
 * database but the first has its own channels.
 */
export function channelIn(redis: InDatabase, name: string): string {
  const db = redis.options?.db ?? 0;
  return db === 0 ? `scriptorium:${name}` : `scriptorium:${name}:${db}`;
}

/**
 * Receives a channel over a dedicated connection. Messages are lost while Redis is unreachable, so
 * `back` is called each time the connection is back, the first time too.
 * @param redis a connection that waits for Redis; must not be used for anything else
 */
export function hearChannel(
  redis: Redis,
  name: string,
  heard: (message: string) => void,
  back: () => void = () => undefined,
): { close(): void } {
  // Subscribed explicitly: only then is it known from when on nothing is missed. (A cluster's client
  // moves its subscription to another node by itself.)
  if (!(redis instanceof Cluster)) redis.options.autoResubscribe = false;
  redis.on('message', (_channel: string, message: string) => heard(message));
  const subscribe = (): void => {
    redis.subscribe(channelIn(redis, name)).then(back, () => undefined);
  };
  redis.on('ready', subscribe);
  if (redis.status === 'ready') subscribe();
  return { close: () => endConnection(redis) };
}
