/** How many answers are remembered at a time, and of texts of which length. */
const most = 1_000;
const longest = 200;

/**
 * Remembers what a pure function makes of short texts that come again and again. The memory is
 * bounded whatever the texts are: when it is full it begins anew. Never for secrets.
 */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  let known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = compute(text);
    if (text.length > longest) return answer;
    if (known.size >= most) known = new Map();
    known.set(text, answer);
    return answer;
  };
}
