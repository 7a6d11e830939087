/*
 * Finds words that are another form of a word in labels: inflected, misread, or misspelt by one
 * letter.
 */

/** Endings that languages with many noun forms add to the listed form. */
const endings =
  /^(?:s|es|n|en|e|er|ern|r|t|ts|et|ets|a|as|an|i|in|u|y|o|ie|ia|ow|em|om|ami|ach|ych|ego|ej|ul|ului|ii|lui|le|lor|ei|ek|ok|nak|nek|ban|ben|ja|je|janak|jenek|anak|enek|si|sini|sinin|nin|ni|nun|nu|lari|leri|lar|ler|ta|la|lla|sta|ista|ien|jen|ου|ους|ων|ης|ας|ος|α|η|α|ο|ы|а|у|е|и|ом|ов|ам|ами|ах|ой|ого|ем|я|ю)$/;
/** Minimum length of a stem. A shorter word with an ending is a different word. */
const minStem = 5;
const maxEndingLength = 5;

/** Yields the possible base forms of an inflected word, the longest first. */
export function* stemsOf(word: string): Generator<string> {
  for (let cut = 1; cut <= maxEndingLength && word.length - cut >= minStem; cut += 1) {
    if (endings.test(word.slice(-cut))) yield word.slice(0, -cut);
  }
}

/** Classes of letters that look alike in print. */
const lookalikes = ['ilj1tfr|!', 'oceaqgd069s5', 'uvyw', 'nhmbk8', 'xz2'];
const classOf = new Map(lookalikes.flatMap((signs) => [...signs].map((sign) => [sign, signs[0]!])));
const maxDifferences = 1;
/** Minimum length of a word. In shorter words, a different letter makes a different word. */
const minLetters = 6;

const letterFor: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '5': 's',
  '6': 'o',
  '|': 'l',
};

/** Corrects characters that can only be misread in a word: digits, and `rn` before `m`. */
export const correctDigits = (word: string): string =>
  word
    .replace(/[0156|]/g, (sign) => letterFor[sign] ?? sign)
    .replace(/rnm|mrn/g, 'mm')
    .replaceAll('ii', 'u');

/** Replaces pairs of letters that may be read as one letter with that letter. */
const mergePairs = (word: string): string => word.replaceAll('rn', 'm').replaceAll('ii', 'u');
const shapeOf = (word: string): string =>
  Array.from(mergePairs(word), (sign) => classOf.get(sign) ?? sign).join('');

/** Returns a function that finds the words of a list that may have been misread as a given word. */
export function misreadFinder(words: Iterable<string>): (read: string) => string[] {
  const byShape = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < minLetters) continue;
    const shape = shapeOf(word);
    byShape.set(shape, [...(byShape.get(shape) ?? []), word]);
  }
  return (read) => {
    if (read.length < minLetters) return [];
    const merged = mergePairs(read);
    return (byShape.get(shapeOf(read)) ?? []).filter((word) => {
      const other = mergePairs(word);
      let misread = 0;
      for (let at = 0; at < merged.length; at += 1) if (merged[at] !== other[at]) misread += 1;
      return misread <= maxDifferences;
    });
  };
}

/**
 * Whether two words differ by one letter that is missing, added or replaced, or by two adjacent
 * letters that are swapped.
 */
export function isMisspelt(word: string, other: string): boolean {
  const [shorter, longer] = word.length <= other.length ? [word, other] : [other, word];
  if (shorter === longer || longer.length - shorter.length > 1) return false;
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at += 1;
  if (shorter.length < longer.length) return shorter.slice(at) === longer.slice(at + 1);
  if (shorter.slice(at + 1) === longer.slice(at + 1)) return true;
  const isSwapped = shorter[at] === longer[at + 1] && shorter[at + 1] === longer[at];
  return isSwapped && shorter.slice(at + 2) === longer.slice(at + 2);
}

/** Yields all forms of a word without one letter. The first letter is always kept. */
function* withoutOneLetter(word: string): Generator<string> {
  for (let at = 1; at < word.length; at += 1) yield word.slice(0, at) + word.slice(at + 1);
}

/** Common words that differ from a label by one letter. */
const commonWords = new Set(
  'patent|patents|contract|contrast|contact|content|context|register|numbers|member|remember|persona|police|policy|reservation|preservation|students|customs|customer|costumer|positions|carton|canon|cordon|resident|president|residence|presidence'.split(
    '|',
  ),
);

/**
 * Returns a function that finds the words of a list that may have been misspelt as a given word.
 */
export function misspeltFinder(words: Iterable<string>): (read: string) => string[] {
  const byPart = new Map<string, string[]>();
  const add = (part: string, word: string): void => {
    const listed = byPart.get(part);
    if (!listed) byPart.set(part, [word]);
    else if (!listed.includes(word)) listed.push(word);
  };
  for (const word of words) {
    if (word.length < minLetters) continue;
    add(word, word);
    for (const part of withoutOneLetter(word)) add(part, word);
  }
  return (read) => {
    if (read.length < minLetters - 1 || commonWords.has(read)) return [];
    const matches = new Set<string>();
    for (const part of [read, ...withoutOneLetter(read)]) {
      for (const word of byPart.get(part) ?? []) if (isMisspelt(read, word)) matches.add(word);
    }
    return [...matches];
  };
}
