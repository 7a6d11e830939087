import { type EventEmitter, once } from 'node:events';
import { Cluster } from 'ioredis';
import type { Redis } from './connection.ts';

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

/** Errors that stay until the URL or the user of Redis is changed. */
export const lasting =
  /WRONGPASS|NOAUTH|NOPERM|invalid password|certificate|CERT_|ERR_TLS|SSL routines/i;

/** What is wrong with a server that should hold hints. */
interface Unfitness {
  /** Continues a sentence that begins with REDIS_URL, and says what to change. */
  reason: string;
  /** Hints would be lost or could not be given: no worker starts. */
  isSevere: boolean;
}

/**
 * Why a server is not fit to hold hints; null if it is.
 * @throws if the server does not let us ask
 */
export async function unfitness(server: Redis): Promise<Unfitness | null> {
  const info = await server.info();
  if (/^role:slave/m.test(info)) {
    return {
      reason:
        'names a replica, which takes no writes: name its primary, or its sentinels (redis+sentinel://host1,host2/mymaster)',
      isSevere: true,
    };
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  // Without a limit, nothing is evicted.
  const limit = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0);
  if (policy === 'noeviction' || limit === 0) return null;
  return {
    reason: `names a Redis with maxmemory-policy ${policy}, which may evict keys of this service: set maxmemory-policy to noeviction`,
    isSevere: policy.startsWith('allkeys-'),
  };
}
