/**
 * Runs `work` on each item, at most `max` at once, and returns the results in order. After the
 * first failure no more work starts; work in progress is awaited.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  max: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers = new Array<R>(items.length);
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (!failed && next < items.length) {
      const at = next;
      next += 1;
      try {
        answers[at] = await work(items[at]!);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: max }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
  return answers;
}
