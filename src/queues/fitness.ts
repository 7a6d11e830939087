import { type EventEmitter, once } from 'node:events';
import { Cluster } from 'ioredis';
import type { Redis } from './connection.ts';
import { lasting, unfitness } from './server-info.ts';

/** How long the start waits for Redis, which need not be there. */
const patienceMs = 2_000;

/**
 * Rejects a Redis with which a worker cannot work. One that cannot be reached is not rejected: the service
 * runs without it until it is back. What is less severe is logged by each connection.
 * @throws Error with what to change
 */
export async function rejectUnfitRedis(redis: Redis): Promise<void> {
  const error = await fitnessError(redis);
  if (error && lasting.test(error)) throw new Error(`REDIS_URL cannot be used: ${error}`);
  if (error !== null) return;
  for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    const fault = await unfitness(server).catch(() => null);
    if (fault?.isSevere) throw new Error(`REDIS_URL ${fault.reason}.`);
  }
}

/** Waits until Redis is ready: null. Otherwise the first error, or what is said without an answer. */
async function fitnessError(redis: Redis): Promise<string | null> {
  if (redis.status === 'ready') return null;
  try {
    // Rejects with the first error.
    await once(redis as EventEmitter, 'ready', { signal: AbortSignal.timeout(patienceMs) });
    return null;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    const cause = 'lastNodeError' in error ? error.lastNodeError : error;
    return cause instanceof Error ? cause.message : error.message;
  }
}
