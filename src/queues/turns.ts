import { prefixOf, type Redis } from './connection.ts';

/**
 * Whether this process is the one that does something now which is enough if one of many does it.
 * @param ms for how long no other turn is given, also if the process dies
 */
export async function takeTurn(redis: Redis, name: string, ms: number): Promise<boolean> {
  return (await redis.set(`${prefixOf(redis)}:turn:${name}`, '', 'PX', ms, 'NX')) !== null;
}
