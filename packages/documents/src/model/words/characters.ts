/** Presentation forms of letters, and ligatures, which Unicode keeps for compatibility. */
export const shaped = /[\ufb1d-\ufdff\ufe70-\ufeff]/u;

/**
 * Right-to-left letters, with their own punctuation and the vowels that Unicode assigns to no
 * script, but without numbers and the signs within them (٪ ٫ ٬).
 */
export const turnedLetter =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}،؛؟ـ\u064b-\u0655\u0670]/u;

/** Letters and digits, which have a direction; signs take that of their neighbours. */
export const letterOrDigit = /[\p{L}\p{N}]/u;
/** Controls whether letters join; has no width. */
export const joiner = /^[\u200c\u200d]$/;
/** Marks that precede the letter they are on. */
export const marksBefore = /(\p{M}+)([^\p{M}])/gu;

/** Names of symbol fonts, whose codes map to letters. */
export const symbolFont = /wingding|dingbat|webding/i;
/** The symbols at some codes of Wingdings, those that lists and forms use. */
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

/**
 * Returns the text of a symbol in such a font: a box, a tick or an arrow if it is known, else a
 * bullet.
 */
export function symbolOf(code: number): string {
  return symbols[code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code] ?? signOf(code);
}

const signOf = (code: number): string =>
  code >= 0x2190 && code < 0xe000 ? String.fromCodePoint(code) : '•';
