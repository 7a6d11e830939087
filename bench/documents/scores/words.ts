const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const word = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/**
 * The words of a text, for comparison: runs of letters, marks and digits of its NFKC form, case and
 * all. Punctuation is no word, and what has no width is left out. Scripts that are written without
 * blanks count by the character.
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .match(word) ?? []
  );
}

/**
 * A short text by which two are held to be the same: its words, or where it has none (`✓`, `–`) its
 * other signs.
 */
export function keyOf(text: string): string {
  return wordsOf(text).join(' ') || text.normalize('NFKC').replace(/[\p{Cf}\s]/gu, '');
}
