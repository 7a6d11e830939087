import type { TextView } from '../view.ts';

/** A word of a view, in lower case and without accents. */
export interface Token {
  start: number;
  end: number;
  text: string;
}

/** Letters with a stroke or ligature, which have no accent to remove. */
const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
  ı: 'i',
  ς: 'σ',
};
const replaceLigatures = (text: string): string =>
  text.replace(/[øæœłđßıς]/g, (letter) => letters[letter] ?? letter);

/** Returns the form in which tokens are compared. */
const fold = (text: string): string =>
  replaceLigatures(text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase());

const unspacedScript = '[\\p{Script=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Hangul}]';
/**
 * Words, including parts of words such as `passportNumber` and `TaxID`, with misread digits; single
 * characters in languages without spaces between words.
 */
const word = new RegExp(
  `${unspacedScript}|\\p{L}\\p{Ll}*(?:[0156|]\\p{Ll}+)+|\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?\\p{Ll}+|\\p{L}+?(?=${unspacedScript})|\\p{L}+`,
  'gu',
);

const isUnspaced = new RegExp(unspacedScript, 'u');

/** Returns the parts of a phrase, one for each token. */
export const tokensOfPhrase = (phrase: string): string[] =>
  fold(phrase)
    .split(' ')
    .flatMap((part) => (isUnspaced.test(part) ? [...part] : [part]));

/** Returns the tokens of a view. A word that is hyphenated at the end of a line is one token. */
export function tokensOf(view: TextView): Token[] {
  const tokens: Token[] = [];
  for (const { index, 0: text } of view.text.matchAll(word)) {
    const end = index + text.length;
    const tokenText = replaceLigatures(view.lower.slice(index, end));
    const last = tokens.at(-1);
    const isLowerCase = text !== text.toUpperCase() || /^\p{Lu}{2}/u.test(text);
    if (last && isLowerCase && /^- ?\n ?$/.test(view.text.slice(last.end, index))) {
      last.end = end;
      last.text += tokenText;
    } else tokens.push({ start: index, end, text: tokenText });
  }
  return tokens;
}
