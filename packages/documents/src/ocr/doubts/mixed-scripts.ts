import type { Glyph } from '../../pdf/page-glyphs.ts';

/**
 * Letters that look like Latin letters. Greek letters that are also used in units and formulas are
 * not included.
 */
const lookAlike = /[\p{Script=Cyrillic}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳοϲ]/u;
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
  const found = new Set<Glyph>();
  let word: Glyph[] = [];
  const end = (): void => {
    const others = word.filter(({ text }) => lookAlike.test(text));
    const count = others.length > 0 ? word.filter(({ text }) => latin.test(text)).length : 0;
    if (count >= minLatin) for (const other of others) found.add(other);
    word = [];
  };
  for (const glyph of glyphs) {
    const last = word.at(-1);
    if (last && !isOfWord(last, glyph)) end();
    if (glyph.text.trim() !== '') word.push(glyph);
  }
  end();
  return found;
}
