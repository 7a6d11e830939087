/** Maximum number of cached results, and of characters in their texts. */
const max = 1_000;
const longest = 200;

/**
 * Memoises a pure function of short texts that recur. The cache is bounded: when it is full, it is
 * cleared. Not for secrets.
 */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  let known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = compute(text);
    if (text.length > longest) return answer;
    if (known.size >= max) known = new Map();
    known.set(text, answer);
    return answer;
  };
}
