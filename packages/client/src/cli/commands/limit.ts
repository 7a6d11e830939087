import type { OptionValues } from '../command.ts';
import { UsageError } from '../exit-codes.ts';

/** Returns the value of --limit, 20 by default. */
export function readLimit(options: OptionValues): number {
  const limit = options.number('limit') ?? 20;
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new UsageError(`--limit must be a positive whole number, not '${limit}'.`);
}

/** Returns the first `limit` items of a list. */
export async function take<T>(list: AsyncIterable<T>, limit: number): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) {
    items.push(item);
    if (items.length >= limit) break;
  }
  return items;
}
