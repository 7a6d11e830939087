/*
 * Words that are one of the labels' words in another form: inflected, or misread in a letter or two.
 */

/** What languages with many forms of a noun add to the one in the lists. */
const endings =
  /^(?:s|es|n|en|e|er|ern|r|t|ts|et|ets|a|as|an|i|in|u|y|o|ie|ia|ow|em|om|ami|ach|ych|ego|ej|ul|ului|ii|lui|le|lor|ei|ek|ok|nak|nek|ban|ben|ja|je|janak|jenek|anak|enek|si|sini|sinin|nin|ni|nun|nu|lari|leri|lar|ler|ta|la|lla|sta|ista|ien|jen|ου|ους|ων|ης|ας|ος|α|η|α|ο|ы|а|у|е|и|ом|ов|ам|ами|ах|ой|ого|ем|я|ю)$/;
/** Shorter words with an ending are others. */
const leastStem = 5;
const longestEnding = 5;

/** The words that a word may be an inflected form of, the longest first. */
export function* stemsOf(word: string): Generator<string> {
  for (let cut = 1; cut <= longestEnding && word.length - cut >= leastStem; cut += 1) {
    if (endings.test(word.slice(-cut))) yield word.slice(0, -cut);
  }
}

/** Letters that look alike in print; a misread one is of the same class. */
const alike = ['ilj1tfr|!', 'oceaqgd069s5', 'uvyw', 'nhmbk8', 'xz2'];
const classOf = new Map(alike.flatMap((signs) => [...signs].map((sign) => [sign, signs[0]!])));
const mostMisread = 1;
/** In a shorter word a letter makes another one. */
const leastLetters = 6;

const letterFor: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', '5': 's', '|': 'l' };

/** A word with what can only be misread put right: digits, and `rn` before `m`. */
export const asRead = (word: string): string =>
  word
    .replace(/[015|]/g, (sign) => letterFor[sign] ?? sign)
    .replace(/rnm|mrn/g, 'mm')
    .replaceAll('ii', 'u');

/** With the letters that are read as one, or one as two, made one. */
const joined = (word: string): string => word.replaceAll('rn', 'm').replaceAll('ii', 'u');
const shapeOf = (word: string): string =>
  Array.from(joined(word), (sign) => classOf.get(sign) ?? sign).join('');

/** Finds the words of a list that another may be a misread form of. */
export function misreadForms(words: Iterable<string>): (read: string) => string[] {
  const byShape = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < leastLetters) continue;
    const shape = shapeOf(word);
    byShape.set(shape, [...(byShape.get(shape) ?? []), word]);
  }
  return (read) => {
    if (read.length < leastLetters) return [];
    const own = joined(read);
    return (byShape.get(shapeOf(read)) ?? []).filter((word) => {
      const other = joined(word);
      let misread = 0;
      for (let at = 0; at < own.length; at += 1) if (own[at] !== other[at]) misread += 1;
      return misread <= mostMisread;
    });
  };
}
