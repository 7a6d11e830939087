import { type EventEmitter, once } from 'node:events';
import { Cluster } from 'ioredis';
import type { Redis } from './connection.ts';

/** How long a worker waits for Redis at its start. */
const readyTimeoutMs = 2_000;

/**
 * Rejects a Redis that a worker cannot use. One that cannot be reached is accepted: the service
 * runs without it until it is back. Lesser problems are logged by each connection.
 * @throws Error that says what to change
 */
export async function rejectUnfitRedis(redis: Redis): Promise<void> {
  const error = await connectError(redis);
  if (error && permanentErrors.test(error)) throw new Error(`REDIS_URL cannot be used: ${error}`);
  if (error !== null) return;
  for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    const fault = await findUnfitness(server).catch(() => null);
    if (fault?.isSevere) throw new Error(`REDIS_URL ${fault.reason}.`);
  }
}

/**
 * Waits until Redis is ready and returns null; otherwise returns the message of the first error or of
 * the timeout.
 */
async function connectError(redis: Redis): Promise<string | null> {
  if (redis.status === 'ready') return null;
  try {
    // Rejects with the first error.
    await once(redis as EventEmitter, 'ready', { signal: AbortSignal.timeout(readyTimeoutMs) });
    return null;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    const cause = 'lastNodeError' in error ? error.lastNodeError : error;
    return cause instanceof Error ? cause.message : error.message;
  }
}

/** Errors that persist until the URL or the user of Redis is changed. */
export const permanentErrors =
  /WRONGPASS|NOAUTH|NOPERM|invalid password|certificate|CERT_|ERR_TLS|SSL routines/i;

/** A problem with a server for hints. */
interface Unfitness {
  /** Continues a sentence that begins with REDIS_URL, and says what to change. */
  reason: string;
  /** Hints would be lost or could not be added, so no worker starts. */
  isSevere: boolean;
}

/**
 * Why a server is not fit for hints; null if it is.
 * @throws if the server rejects the command
 */
export async function findUnfitness(server: Redis): Promise<Unfitness | null> {
  const info = await server.info();
  if (/^role:slave/m.test(info)) {
    return {
      reason:
        'names a replica, which does not accept writes: name its primary, or its sentinels (redis+sentinel://host1,host2/mymaster)',
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
