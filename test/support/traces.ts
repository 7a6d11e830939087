import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from '../../src/queues/connection.ts';
import type { TestApi } from './api.ts';
import { everyText } from './database-text.ts';

/**
 * Finds bytes wherever the service stores anything: in the rows of all tables, also in binary and
 * deflated values, in files of the storage with their names, and in the keys and values of Redis.
 * Returns the places.
 */
export async function findTraces(
  { rows, storageRoot }: Pick<TestApi, 'rows' | 'storageRoot'>,
  redis: Redis | null,
  needles: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  const look = (place: string, content: Buffer | string): void => {
    const text = typeof content === 'string' ? content : content.toString('latin1');
    for (const needle of needles) {
      if (text.includes(needle)) found.push(`${place}: ${needle}`);
    }
  };
  for await (const { text, where } of everyText(rows)) look(where.replace('public.', ''), text);
  for (const entry of await readdir(storageRoot, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    look('storage (name)', path.slice(storageRoot.length));
    if (entry.isFile()) look('storage', await readFile(path));
  }
  if (redis) for (const [key, value] of await dumpRedis(redis)) look(`redis ${key}`, value);
  return found;
}

async function dumpRedis(redis: Redis): Promise<[string, Buffer][]> {
  const dump: [string, Buffer][] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    const value =
      type === 'string'
        ? await redis.get(key)
        : type === 'hash'
          ? await redis.hgetall(key)
          : type === 'list'
            ? await redis.lrange(key, 0, -1)
            : type === 'set'
              ? await redis.smembers(key)
              : type === 'zset'
                ? await redis.zrange(key, '0', '-1')
                : type === 'stream'
                  ? await redis.xrange(key, '-', '+')
                  : [];
    dump.push([key, Buffer.from(`${key} ${JSON.stringify(value)}`)]);
  }
  return dump;
}
