import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The encoding that counts tokens, as OpenAI and tiktoken name it. */
export const encoding = 'o200k_base';

/** Text that looks like a special token is text. */
const asText = { disallowedSpecial: new Set<string>() };

/** Merging byte pairs is quadratic in the length of a word: longer runs are counted in parts. */
const longRun = 256;
const longRuns = new RegExp(`[^\\s]{${longRun}}(?=\\S)|\\s{${longRun}}`, 'gu');

/** How the encoding splits plain ASCII; the result is the same, without Unicode tables. */
const asciiPieces =
  /[^\r\nA-Za-z0-9]?(?:[A-Z]*[a-z]+|[A-Z]+)(?:'(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE]))?|[0-9]{1,3}| ?[^\sA-Za-z0-9]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ascii = /^[\x00-\x7f]*$/;

/** Tokens of the latest pieces; a language has few words. */
const known = new Map<string, number>();
const mostKnown = 20_000;

/** Forgets the words of a document. */
export const forgetCounts = (): void => known.clear();

/** Whether a text may have a run that is too long: non-ASCII characters count as any kind. */
function mayRunLong(text: string): boolean {
  let [letters, blanks] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isBlank = code === 0x20 || (code >= 9 && code <= 13);
    letters = isBlank ? 0 : letters + 1;
    blanks = isBlank || code > 0x7f ? blanks + 1 : 0;
    if (letters >= longRun || blanks >= longRun) return true;
  }
  return false;
}

function countRun(text: string): number {
  if (!ascii.test(text)) return countTokens(text, asText);
  let sum = 0;
  for (const piece of text.match(asciiPieces) ?? []) {
    let tokens = known.get(piece);
    if (tokens === undefined) {
      tokens = countTokens(piece, asText);
      if (known.size >= mostKnown) known.clear();
      known.set(piece, tokens);
    }
    sum += tokens;
  }
  return sum;
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
