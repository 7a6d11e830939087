import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { LibraryImage } from '../load.ts';
import type { SearchQuery } from './query-language.ts';

type Highlights = NonNullable<ListedImage['highlights']>;
type Part = Highlights[string][number];

/** Consecutive words of a query; the last one may be a prefix. */
interface Wanted {
  words: string[];
  prefix: boolean;
}

/** Letters that are not another letter with an accent. */
const letters: Record<string, string> = {
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
    .replace(/[ßæœøđðłþıħ]/g, (letter) => letters[letter] ?? letter);
}

/**
 * The fields of an image in which a query was found, split into parts: texts word by word, tags one
 * by one. Excluded words are not highlighted.
 */
export function highlight(image: LibraryImage, query: SearchQuery): Highlights {
  const wanted = query
    .flat()
    .filter((term) => !term.not)
    .map(({ words, prefix }) => ({ words: words.map(foldWord), prefix }));
  const texts = {
    title: image.title,
    description: image.description,
    alt_text: image.altText,
    filename: image.filename,
  };
  const fields = Object.entries(texts).map(([name, text]) => [name, split(text ?? '', wanted)]);
  const tags = image.tags.map((tag) => ({
    text: tag,
    match: split(tag, wanted).some((part) => part.match),
  }));
  return Object.fromEntries(
    [...fields, ['tags', tags] as const].filter(([, parts]) =>
      (parts as Part[]).some((part) => part.match),
    ),
  );
}

/** Splits a text into parts, separating the words of the query from the rest. */
function split(text: string, wanted: readonly Wanted[]): Part[] {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: foldWord(word),
    from: index,
    to: index + word.length,
  }));
  const parts: Part[] = [];
  let shown = 0;
  for (let at = 0; at < words.length; ) {
    const length = Math.max(
      0,
      ...wanted.map((term) => (startsAt(term, at) ? term.words.length : 0)),
    );
    if (length === 0) {
      at += 1;
      continue;
    }
    const [from, to] = [words[at]!.from, words[at + length - 1]!.to];
    if (from > shown) parts.push({ text: text.slice(shown, from), match: false });
    parts.push({ text: text.slice(from, to), match: true });
    shown = to;
    at += length;
  }
  if (shown < text.length) parts.push({ text: text.slice(shown), match: false });
  return parts;

  function startsAt(term: Wanted, at: number): boolean {
    return term.words.every((word, offset) => {
      const there = words[at + offset]?.word;
      const last = offset === term.words.length - 1;
      return there === word || (last && term.prefix && (there?.startsWith(word) ?? false));
    });
  }
}
