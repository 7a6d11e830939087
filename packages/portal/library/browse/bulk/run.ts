import { asProblem } from '../../../api/hooks.ts';
import { ApiProblem } from '../../../api/request.ts';
import type { Item } from '../item.ts';

/** The outcome of a bulk change. */
export interface Outcome {
  done: string[];
  failed: { id: string; name: string; reason: string }[];
  /** The new state of the items, as far as the responses contain it. */
  after?: ReadonlyMap<string, Pick<Item, 'tags' | 'version'>>;
}

const atOnce = 4;
const waitMs = 5_000;
const tries = 20;

/** Runs `work` on each item, a few at a time. A failure is recorded and does not stop the others. */
export async function forEach(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onProgress: (settled: number) => void,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item; item = left.shift()) {
      try {
        await patiently(() => work(item));
        outcome.done.push(item.id);
      } catch (error) {
        const { message } = asProblem(error);
        outcome.failed.push({ id: item.id, name: item.name, reason: message });
      }
      onProgress(outcome.done.length + outcome.failed.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcome;
}

/** Retries while the key's rate limit is exceeded. @throws ApiProblem */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429 || left === 0) throw error;
      await new Promise((resolve) => window.setTimeout(resolve, waitMs));
    }
  }
}

/** Splits into batches of at most `size`. */
export function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
