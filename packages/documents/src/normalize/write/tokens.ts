import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The encoding used to count tokens, as OpenAI and tiktoken name it. */
export const encoding = 'o200k_base';

/** Text that looks like a special token is counted as text. */
const asText = { disallowedSpecial: new Set<string>() };

/**
 * Merging byte pairs takes quadratic time in the length of a word, so longer runs are counted in
 * parts.
 */
const maxRunLength = 256;
const longRuns = new RegExp(`[^\\s]{${maxRunLength}}(?=\\S)|\\s{${maxRunLength}}`, 'gu');

/** The token counts of recent words. Most words of a document repeat. */
const countsByWord = new Map<string, number>();
const maxCachedWords = 20_000;
const maxCachedLength = 64;

const blank = /\s/;
const isBlank = (code: number): boolean =>
  code <= 0x7f ? code === 0x20 || (code >= 9 && code <= 13) : blank.test(String.fromCharCode(code));

/** Clears the token counts of a document's words. */
export const clearTokenCounts = (): void => countsByWord.clear();

/**
 * Whether a text may contain a run that is too long. Non-ASCII characters count as letters and as
 * spaces.
 */
function mayRunLong(text: string): boolean {
  let [letters, blanks] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isAsciiSpace = code <= 0x7f && isBlank(code);
    letters = isAsciiSpace ? 0 : letters + 1;
    blanks = isAsciiSpace || code > 0x7f ? blanks + 1 : 0;
    if (letters >= maxRunLength || blanks >= maxRunLength) return true;
  }
  return false;
}

/** Counts a word with the space before it and adjacent punctuation. */
function countWord(word: string): number {
  const cached = countsByWord.get(word);
  if (cached !== undefined) return cached;
  const tokens = countTokens(word, asText);
  if (word.length > maxCachedLength) return tokens;
  if (countsByWord.size >= maxCachedWords) countsByWord.clear();
  countsByWord.set(word, tokens);
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
export function countTextTokens(text: string): number {
  if (text === '') return 0;
  if (text.length < maxRunLength || !mayRunLong(text)) return countRun(text);
  let sum = 0;
  let from = 0;
  for (const run of text.matchAll(longRuns)) {
    const end = run.index + run[0].length;
    sum += countRun(text.slice(from, end));
    from = end;
  }
  return sum + countRun(text.slice(from));
}
