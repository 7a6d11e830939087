/**
 * Runs `work` on each item, at most `max` at once, and returns the results in order. After the
 * first failure, no more work starts, and work in progress is awaited.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  max: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (!hasFailed && next < items.length) {
      const at = next;
      next += 1;
      try {
        results[at] = await work(items[at]!);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: max }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}
