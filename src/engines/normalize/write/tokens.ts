import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The encoding that chunks are counted in, as OpenAI's and tiktoken name it. */
export const encoding = 'o200k_base';

/** Text that looks like a special token is text. */
const asText = { disallowedSpecial: new Set<string>() };

/** Merging byte pairs is quadratic in the length of a word: longer runs are counted in parts. */
const longRun = 256;
const longRuns = new RegExp(`[^\\s]{${longRun}}(?=\\S)|\\s{${longRun}}`, 'gu');

/** Tokens of a text in `encoding`. Linear in its length. */
export function count(text: string): number {
  if (text === '') return 0;
  let sum = 0;
  let from = 0;
  for (const run of text.matchAll(longRuns)) {
    const end = run.index + run[0].length;
    sum += countTokens(text.slice(from, end), asText);
    from = end;
  }
  return sum + countTokens(text.slice(from), asText);
}
