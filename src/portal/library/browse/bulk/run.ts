import { asProblem } from '../../../api/hooks.ts';
import { ApiProblem } from '../../../api/request.ts';
import type { Item } from '../item.ts';

/** What became of a change of many. */
export interface Outcome {
  done: string[];
  failed: { id: string; name: string; reason: string }[];
}

const atOnce = 4;
const waitMs = 5_000;
const tries = 20;

/** Does something to each, a few at a time; what fails is told and does not stop the others. */
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

/** Waits where the rate of the key is used up: many changes take as long as they may take. */
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

/** In groups of at most so many. */
export function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
