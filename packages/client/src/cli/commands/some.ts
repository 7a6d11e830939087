import type { Given } from '../command.ts';
import { UsageError } from '../exit.ts';

/** The value of --limit, 20 by default. */
export function readLimit(options: Given): number {
  const limit = options.number('limit') ?? 20;
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new UsageError(`--limit must be a positive whole number, not '${limit}'.`);
}

/** The first `limit` items of a list. */
export async function some<T>(list: AsyncIterable<T>, limit: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of list) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}
