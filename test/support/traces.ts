import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from '../../src/queues/connection.ts';
import type { TestApi } from './api.ts';

/**
 * Finds bytes wherever the service stores anything: in the rows of all tables, in files of the
 * storage with their names, and in the keys and values of Redis. Returns the places.
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
  const tables = await rows<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'm')
     AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  for (const { name } of tables) {
    // Binary columns are written in hexadecimal, so that their bytes are compared, too.
    for (const row of await rows<{ line: string }>(`SELECT t::text AS line FROM ${name} t`)) {
      look(name, row.line);
      for (const [, hex = ''] of row.line.matchAll(/\\x([0-9a-f]{8,})/g)) {
        look(`${name} (binary)`, Buffer.from(hex, 'hex'));
      }
    }
  }
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
