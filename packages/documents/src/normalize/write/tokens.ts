import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The encoding used to count tokens, as OpenAI and tiktoken name it. */
export const encoding = 'o200k_base';

/** Text that looks like a special token is counted as text. */
const asText = { disallowedSpecial: new Set<string>() };

/**
 * Merging byte pairs takes quadratic time in the length of a word, so longer runs are counted in
 * parts.
 */
const longRun = 256;
const longRuns = new RegExp(`[^\\s]{${longRun}}(?=\\S)|\\s{${longRun}}`, 'gu');

/** The token counts of recent words. Most words of a document repeat. */
const known = new Map<string, number>();
const maxKnown = 20_000;
const longestKnown = 64;

const blank = /\s/;
const isBlank = (code: number): boolean =>
  code <= 0x7f ? code === 0x20 || (code >= 9 && code <= 13) : blank.test(String.fromCharCode(code));

/** Clears the token counts of a document's words. */
export const forgetCounts = (): void => known.clear();

/**
 * Whether a text may contain a run that is too long. Non-ASCII characters count as letters and as
 * spaces.
 */
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

/** Counts a word with the space before it and adjacent punctuation. */
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
 * Counts a text word by word, cut before each single space. The encoding always begins a new piece
 * there, so the sum equals the count of the whole text.
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

/** Returns the number of tokens of a text in `encoding`. Takes linear time. */
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
