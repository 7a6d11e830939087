import { type EventEmitter, once } from 'node:events';
import { Cluster } from 'ioredis';
import type { Logger } from '../logger.ts';
import { prefixOf, type Redis } from './connection.ts';
import { lasting, unfitness } from './server-info.ts';

/** How long the start waits for Redis, which need not be there. */
const patienceMs = 2_000;
/** How long a deployment that no longer runs keeps its Redis. */
const holdSeconds = 60;

/**
 * Refuses a Redis with which a worker cannot work. One that cannot be reached is not refused: the service
 * runs without it until it is back. What is less severe is logged by each connection.
 * @throws Error with what to change
 */
export async function refuseUnfitRedis(redis: Redis): Promise<void> {
  const error = await settled(redis);
  if (error && lasting.test(error)) throw new Error(`REDIS_URL cannot be used: ${error}`);
  if (error !== null) return;
  for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    const fault = await unfitness(server).catch(() => null);
    if (fault?.isSevere) throw new Error(`REDIS_URL ${fault.reason}.`);
  }
}

/** The Redis of which was logged that another database uses it. */
const toldShared = new WeakSet<Redis>();

/**
 * Logs if another database uses our Redis, and when it no longer does. It may be the one that ours
 * replaces, so the process starts.
 * @param deployment the identity of our database, if it is known
 */
export async function tellSharedRedis(
  redis: Redis,
  deployment: string | null,
  logger: Logger,
): Promise<void> {
  if (deployment === null || (await settled(redis)) !== null) return;
  const holds = await holdRedis(redis, deployment).catch(() => null);
  if (holds === null || holds !== toldShared.has(redis)) return;
  if (holds) {
    toldShared.delete(redis);
    logger.info('REDIS_URL names a Redis that no other database uses any more');
    return;
  }
  toldShared.add(redis);
  logger.error(
    'REDIS_URL names a Redis that processes of another database have used within the last minute: unless they are being replaced, give each deployment a Redis of its own, or another database number (redis://host:6379/1)',
  );
}

/**
 * Keeps a Redis for the deployment, for a minute.
 * @returns false if another deployment has it
 */
export async function holdRedis(redis: Redis, deployment: string): Promise<boolean> {
  const key = `${prefixOf(redis)}:database`;
  await redis.set(key, deployment, 'EX', holdSeconds, 'NX');
  const holder = await redis.get(key);
  if (holder === deployment) await redis.expire(key, holdSeconds);
  return holder === null || holder === deployment;
}

/** Waits until Redis is ready: null. Otherwise the first error, or what is said without an answer. */
async function settled(redis: Redis): Promise<string | null> {
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
