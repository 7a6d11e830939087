import { endConnection, queuePrefix, type Redis } from './connection.ts';

/** What says which of Redis's databases somebody works in. */
export interface InDatabase {
  options?: { db?: number | undefined };
}

/**
 * A channel of this deployment. Redis numbers databases but shares channels among them, so each
 * database but the first has channels of its own.
 */
export function channelIn(redis: InDatabase, name: string): string {
  const db = redis.options?.db ?? 0;
  return db === 0 ? `${queuePrefix}:${name}` : `${queuePrefix}:${name}:${db}`;
}

/**
 * Hears a channel over a connection of its own. What was said while Redis was out of reach went
 * unheard, so `back` is called each time the connection hears again, the first time too.
 * @param redis a connection that waits for Redis; nothing else may use it
 */
export function hearChannel(
  redis: Redis,
  name: string,
  heard: (message: string) => void,
  back: () => void = () => undefined,
): { close(): void } {
  // Subscribing is ours: only then is it known that nothing is missed from here on.
  redis.options.autoResubscribe = false;
  redis.on('message', (_channel: string, message: string) => heard(message));
  const subscribe = (): void => {
    redis.subscribe(channelIn(redis, name)).then(back, () => undefined);
  };
  redis.on('ready', subscribe);
  if (redis.status === 'ready') subscribe();
  return { close: () => endConnection(redis) };
}
