import type { Glyph } from '../../pdf/page-glyphs.ts';

/**
 * Letters that look like Latin letters. Greek letters that are also used in units and formulas are
 * not included.
 */
const lookAlikeLetter = /[\p{Script=Cyrillic}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳοϲ]/u;
const latin = /\p{Script=Latin}/u;
/** Minimum number of Latin letters in a Latin word. */
const minLatin = 2;

/**
 * Finds letters of other scripts in words of Latin letters. People read them as Latin letters, but
 * programs extract different text.
 * @param isOfWord whether a glyph continues the word of the previous glyph
 */
export function lookAlikesIn(
  glyphs: readonly Glyph[],
  isOfWord: (last: Glyph, next: Glyph) => boolean,
): Set<Glyph> {
  const lookAlikes = new Set<Glyph>();
  let word: Glyph[] = [];
  const endWord = (): void => {
    const candidates = word.filter(({ text }) => lookAlikeLetter.test(text));
    const count = candidates.length > 0 ? word.filter(({ text }) => latin.test(text)).length : 0;
    if (count >= minLatin) for (const other of candidates) lookAlikes.add(other);
    word = [];
  };
  for (const glyph of glyphs) {
    const last = word.at(-1);
    if (last && !isOfWord(last, glyph)) endWord();
    if (glyph.text.trim() !== '') word.push(glyph);
  }
  endWord();
  return lookAlikes;
}
