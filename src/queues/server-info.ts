import type { Redis } from 'ioredis';

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
