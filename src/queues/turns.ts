import { prefixOf, type Redis } from './connection.ts';

/**
 * Decides whether this process does work that one of many processes should do.
 * @param ms how long no other process gets a turn, even if this one dies
 */
export async function takeTurn(redis: Redis, name: string, ms: number): Promise<boolean> {
  return (await redis.set(`${prefixOf(redis)}:turn:${name}`, '', 'PX', ms, 'NX')) !== null;
}
