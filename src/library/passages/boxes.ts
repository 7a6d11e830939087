import { foldWord } from '../images/search/highlight.ts';

/** A word of a page with its box in points: left, top, right, bottom. */
export interface PlacedWord {
  text: string;
  box: readonly number[];
  line: number;
}

/**
 * The boxes of a passage, one for each line, by the words of its page. Empty if the words do not
 * contain the passage.
 */
export function boxesOfPassage(text: string, words: readonly PlacedWord[]): number[][] {
  // Without spaces, because programs separate words differently.
  const letters = words.map((word) => lettersOf(word.text));
  const all = letters.join('');
  const passage = lettersOf(text);
  const from = passage === '' ? -1 : all.indexOf(passage);
  if (from < 0) return [];
  const to = from + passage.length;
  const lines = new Map<number, number[]>();
  let start = 0;
  for (const [at, word] of words.entries()) {
    const end = start + letters[at]!.length;
    if (end > from && start < to) {
      const line = lines.get(word.line);
      lines.set(word.line, line ? union(line, word.box) : [...word.box]);
    }
    start = end;
  }
  return [...lines.values()];
}

const lettersOf = (text: string): string => foldWord(text).replace(/[^\p{L}\p{N}]+/gu, '');

function union(a: readonly number[], b: readonly number[]): number[] {
  return [
    Math.min(a[0]!, b[0]!),
    Math.min(a[1]!, b[1]!),
    Math.max(a[2]!, b[2]!),
    Math.max(a[3]!, b[3]!),
  ];
}
