import type { Given } from '../command.ts';
import { UsageError } from '../exit.ts';

/** How many to show: --limit, or twenty. */
export function readLimit(options: Given): number {
  const limit = options.number('limit') ?? 20;
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new UsageError(`--limit takes a whole number from 1 on, not '${limit}'.`);
}

/** The first of a list, up to `limit`, however many pages that is. */
export async function some<T>(list: AsyncIterable<T>, limit: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of list) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}
