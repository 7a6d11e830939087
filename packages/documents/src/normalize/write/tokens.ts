import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The encoding that counts tokens, as OpenAI and tiktoken name it. */
export const encoding = 'o200k_base';

/** Text that looks like a special token is text. */
const asText = { disallowedSpecial: new Set<string>() };

/** Merging byte pairs is quadratic in the length of a word: longer runs are counted in parts. */
const longRun = 256;
const longRuns = new RegExp(`[^\\s]{${longRun}}(?=\\S)|\\s{${longRun}}`, 'gu');

/** Tokens of the latest words; a document repeats most of its own. */
const known = new Map<string, number>();
const maxKnown = 20_000;
const longestKnown = 64;

const blank = /\s/;
const isBlank = (code: number): boolean =>
  code <= 0x7f ? code === 0x20 || (code >= 9 && code <= 13) : blank.test(String.fromCharCode(code));

/** Forgets the words of a document. */
export const forgetCounts = (): void => known.clear();

/** Whether a text may have a run that is too long: non-ASCII characters count as any kind. */
function mayRunLong(text: string): boolean {
  let [letters, blanks] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const plain = code <= 0x7f && isBlank(code);
    letters = plain ? 0 : letters + 1;
    blanks = plain || code > 0x7f ? blanks + 1 : 0;
    if (letters >= longRun || blanks >= longRun) return true;
  }
  return false;
}

/** Counts a word with the space before it, and the punctuation beside it. */
function countWord(word: string): number {
  const before = known.get(word);
  if (before !== undefined) return before;
  const tokens = countTokens(word, asText);
  if (word.length > longestKnown) return tokens;
  if (known.size >= maxKnown) known.clear();
  known.set(word, tokens);
  return tokens;
}

/**
 * Cut before each single space, where the encoding always begins a piece that ends before the next
 * one: the sum is that of the whole.
 */
function countRun(text: string): number {
  let [sum, from] = [0, 0];
  for (let at = text.indexOf(' ', 1); at > 0; at = text.indexOf(' ', at + 1)) {
    if (isBlank(text.charCodeAt(at - 1)) || isBlank(text.charCodeAt(at + 1))) continue;
    sum += countWord(text.slice(from, at));
    from = at;
  }
  return sum + countWord(text.slice(from));
}

/** Tokens of a text in `encoding`. Linear in its length. */
export function count(text: string): number {
  if (text === '') return 0;
  if (text.length < longRun || !mayRunLong(text)) return countRun(text);
  let sum = 0;
  let from = 0;
  for (const run of text.matchAll(longRuns)) {
    const end = run.index + run[0].length;
    sum += countRun(text.slice(from, end));
    from = end;
  }
  return sum + countRun(text.slice(from));
}
