/** Forms that a letter takes within a word, and ligatures, which Unicode keeps for old files. */
export const shaped = /[\ufb1d-\ufdff\ufe70-\ufeff]/u;

/**
 * Letters that run from right to left, with the signs that are theirs alone and the vowels that Unicode
 * counts to no script; no number does, nor the signs within one (٪ ٫ ٬).
 */
export const turnedLetter =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}،؛؟ـ\u064b-\u0655\u0670]/u;

/** Letters and digits, which run one way or the other; signs run with what they stand beside. */
export const letterOrDigit = /[\p{L}\p{N}]/u;
/** Tells whether letters join; has no width. */
export const joiner = /^[\u200c\u200d]$/;
/** Marks that stand before the letter they are on. */
export const marksBefore = /(\p{M}+)([^\p{M}])/gu;

/** Names of fonts of signs, whose codes read as letters. */
export const symbolFont = /wingding|dingbat|webding/i;
/** What fonts of symbols show at some codes of Wingdings, those that lists and forms use. */
const symbols: Readonly<Record<number, string>> = {
  111: '☐',
  113: '☐',
  168: '☐',
  114: '☐',
  120: '☒',
  253: '☒',
  254: '☑',
  252: '✓',
  251: '✗',
  224: '→',
  232: '→',
};

/** What a sign of such a font reads as: a box, a tick or an arrow where known, else a bullet. */
export function symbolOf(code: number): string {
  return symbols[code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code] ?? signOf(code);
}

const signOf = (code: number): string =>
  code >= 0x2190 && code < 0xe000 ? String.fromCodePoint(code) : '•';
