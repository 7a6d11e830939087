/** Maximum number of cached results, and of characters in their texts. */
const maxEntries = 1_000;
const maxTextLength = 200;

/**
 * Memoises a pure function of short texts that recur. The cache is bounded: when it is full, it is
 * cleared. Not for secrets.
 */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  let cache = new Map<string, T>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (text.length > maxTextLength) return result;
    if (cache.size >= maxEntries) cache = new Map();
    cache.set(text, result);
    return result;
  };
}
