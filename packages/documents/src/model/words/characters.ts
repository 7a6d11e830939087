/** Presentation forms of letters and ligatures, which Unicode contains for compatibility. */
export const presentationForm = /[\ufb1d-\ufdff\ufe70-\ufeff]/u;

/**
 * Right-to-left letters with their punctuation and the vowels that Unicode assigns to no script,
 * but without numbers and the signs in numbers (٪ ٫ ٬).
 */
export const rightToLeftLetter =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}،؛؟ـ\u064b-\u0655\u0670]/u;

/** Letters and digits, which have a direction. Signs take the direction of their neighbours. */
export const letterOrDigit = /[\p{L}\p{N}]/u;
/** Characters without width that control whether letters join. */
export const joiner = /^[\u200c\u200d]$/;
/** Marks that precede their letter. */
export const marksBefore = /(\p{M}+)([^\p{M}])/gu;

/** Names of symbol fonts, whose codes map to letters. */
export const symbolFont = /wingding|dingbat|webding/i;
/** The Wingdings symbols that lists and forms use, by code. */
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

/** Returns the text of a symbol in a symbol font: a known box, tick or arrow, or else a bullet. */
export function symbolOf(code: number): string {
  return (
    symbols[code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code] ?? characterOrBullet(code)
  );
}

const characterOrBullet = (code: number): string =>
  code >= 0x2190 && code < 0xe000 ? String.fromCodePoint(code) : '•';
