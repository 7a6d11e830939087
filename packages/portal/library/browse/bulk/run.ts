import { asProblem } from '../../../api/hooks.ts';
import { ApiProblem } from '../../../api/request.ts';
import type { Item } from '../item.ts';

/** The outcome of a bulk change. */
export interface Outcome {
  succeededIds: string[];
  failed: { id: string; name: string; reason: string }[];
  /** The new state of the items, as far as the responses contain it. */
  after?: ReadonlyMap<string, Pick<Item, 'tags' | 'version'>>;
}

const concurrency = 4;
/** Without Retry-After, in seconds. */
const defaultRetryAfter = 5;
const maxRetries = 20;

/** Runs `work` on each item, a few at a time. A failure is recorded, and the other items continue. */
export async function forEach(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onProgress: (settled: number) => void,
): Promise<Outcome> {
  const outcome: Outcome = { succeededIds: [], failed: [] };
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      try {
        await retryWhileBusy(() => work(item));
        outcome.succeededIds.push(item.id);
      } catch (error) {
        const { message } = asProblem(error);
        outcome.failed.push({ id: item.id, name: item.name, reason: message });
      }
      onProgress(outcome.succeededIds.length + outcome.failed.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return outcome;
}

/** Codes of errors after which it is unknown whether the request took effect. */
const unknownOutcomes = ['dependency_unavailable', 'unreadable_answer'];

/** Whether the key's rate limit is exceeded, or the service is busy and did nothing. */
const isBusy = ({ status, code }: ApiProblem): boolean =>
  status === 429 || (status === 503 && !unknownOutcomes.includes(code));

/** Retries when the service asks for it, after the time that it asks for. @throws ApiProblem */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let retriesLeft = maxRetries; ; retriesLeft--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiProblem) || !isBusy(error) || retriesLeft === 0) throw error;
      const delayMs = 1_000 * (error.retryAfter ?? defaultRetryAfter);
      await new Promise((resolve) => window.setTimeout(resolve, delayMs));
    }
  }
}

/** Splits into batches of at most `size`. */
export function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
