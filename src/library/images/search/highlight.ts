import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { LibraryImage } from '../load.ts';
import type { SearchQuery } from './query-language.ts';

type Highlights = NonNullable<ListedImage['highlights']>;
export type Part = Highlights[string][number];

/** Consecutive words of a query; the last one may be a prefix. */
export interface SearchPhrase {
  words: string[];
  prefix: boolean;
}

/** Replacements of letters that do not decompose into a letter and an accent. */
const letterReplacements: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
};

/** A word without case and accents. */
export function foldWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþıħ]/g, (letter) => letterReplacements[letter] ?? letter);
}

/**
 * The fields of an image in which a query was found, split into parts: texts word by word, tags one
 * by one. Excluded words are not highlighted.
 */
export function highlight(image: LibraryImage, query: SearchQuery): Highlights {
  const phrases = phrasesOf(query);
  const texts = {
    title: image.title,
    description: image.description,
    alt_text: image.altText,
    filename: image.filename,
  };
  const fields = Object.entries(texts).map(([name, text]) => [
    name,
    splitByMatches(text ?? '', phrases),
  ]);
  const tags = image.tags.map((tag) => ({
    text: tag,
    match: splitByMatches(tag, phrases).some((part) => part.match),
  }));
  return Object.fromEntries(
    [...fields, ['tags', tags] as const].filter(([, parts]) =>
      (parts as Part[]).some((part) => part.match),
    ),
  );
}

/** The words of a query that a result contains, as `splitByMatches` compares them. */
export function phrasesOf(query: SearchQuery): SearchPhrase[] {
  return query
    .flat()
    .filter((term) => !term.not)
    .map(({ words, prefix }) => ({ words: words.map(foldWord), prefix }));
}

/** Splits a text into parts that match the query and parts that do not. */
export function splitByMatches(text: string, phrases: readonly SearchPhrase[]): Part[] {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: foldWord(word),
    from: index,
    to: index + word.length,
  }));
  const parts: Part[] = [];
  let splitTo = 0;
  for (let at = 0; at < words.length; ) {
    const length = Math.max(
      0,
      ...phrases.map((term) => (startsAt(term, at) ? term.words.length : 0)),
    );
    if (length === 0) {
      at += 1;
      continue;
    }
    const [from, to] = [words[at]!.from, words[at + length - 1]!.to];
    if (from > splitTo) parts.push({ text: text.slice(splitTo, from), match: false });
    parts.push({ text: text.slice(from, to), match: true });
    splitTo = to;
    at += length;
  }
  if (splitTo < text.length) parts.push({ text: text.slice(splitTo), match: false });
  return parts;

  function startsAt(phrase: SearchPhrase, at: number): boolean {
    return phrase.words.every((word, offset) => {
      const actual = words[at + offset]?.word;
      const isLast = offset === phrase.words.length - 1;
      return actual === word || (isLast && phrase.prefix && (actual?.startsWith(word) ?? false));
    });
  }
}
