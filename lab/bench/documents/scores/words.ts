const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const word = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/**
 * The words of a text, for comparison: runs of letters, marks and digits in NFKC form, case-sensitive,
 * without punctuation and zero-width characters. In scripts without spaces, each character is a word.
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
 * A key for comparing short texts: its words, or if it has none (`✓`, `–`), its other characters.
 */
export function keyOf(text: string): string {
  return wordsOf(text).join(' ') || text.normalize('NFKC').replace(/[\p{Cf}\s]/gu, '');
}
