const [k1, b] = [1.2, 0.75];

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Ranks texts by BM25 (Robertson and Zaragoza, 2009): lower-case words, without stems and stop words. */
export function createBm25(texts: readonly string[]): (query: string) => number[] {
  const documents = texts.map((text) => {
    const counts = new Map<string, number>();
    const words = wordsOf(text);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const frequencies = new Map<string, number>();
  for (const { counts } of documents) {
    for (const word of counts.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return (query) => {
    const words = [...new Set(wordsOf(query))];
    const scores = documents.map(({ counts, length }) =>
      words.reduce((sum, word) => {
        const n = frequencies.get(word) ?? 0;
        const frequency = counts.get(word) ?? 0;
        const rarity = Math.log(1 + (documents.length - n + 0.5) / (n + 0.5));
        const norm = k1 * (1 - b + (b * length) / meanLength);
        return sum + (rarity * frequency * (k1 + 1)) / (frequency + norm);
      }, 0),
    );
    return scores
      .map((score, at) => ({ score, at }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.at - other.at)
      .map(({ at }) => at);
  };
}

/** nDCG of the first ten results, with gains 2^grade - 1 (Burges et al., 2005). */
export function ndcgAt10(grades: readonly number[], all: readonly number[]): number {
  const dcg = (some: readonly number[]): number =>
    some.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  return dcg(grades) / dcg(all.toSorted((a, c) => c - a));
}
