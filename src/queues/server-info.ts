import type { Redis } from 'ioredis';

/**
 * Why a server must not hold hints; null if it may.
 * @throws if the server does not let us ask
 */
export async function unfitness(server: Redis): Promise<string | null> {
  const info = await server.info();
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction') {
    return `names a Redis with maxmemory-policy ${policy}, which may evict hints: set maxmemory-policy to noeviction`;
  }
  if (/^role:slave/m.test(info)) {
    return 'names a replica, which takes no writes: name its primary, or its sentinels (redis+sentinel://host1,host2/mymaster)';
  }
  return null;
}
