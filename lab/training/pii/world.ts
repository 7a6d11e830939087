import { base, en, Faker } from '@faker-js/faker';
import type { World } from './fill.ts';
import { compilerMessages, foreignWords, humanRights } from './foreign.ts';
import { Inventor } from './invent.ts';
import { writtenLanguages } from './languages/index.ts';
import {
  type City,
  censusNames,
  contributedNames,
  countryNames,
  englishWords,
  fakerList,
  geoNames,
  type Locale,
} from './lists.ts';
import { censusPeople, loadPeople, peopleOfLocale } from './people.ts';
import { legalForms } from './words/kinds.ts';

/** Locales whose regions occur in English texts. */
const regional: readonly Locale[] = [
  'en',
  'en',
  'en_AU',
  'en_CA',
  'en_IN',
  'en_IE',
  'de',
  'es',
  'fr',
  'it',
  'nl',
  'pt_BR',
  'sv',
  'fi',
  'hu',
  'da',
];
/** The languages in which names of countries are generated. */
const languages = ['en', 'en', 'en', 'en', 'de', 'fr', 'es', 'it', 'sv', 'pt'];
const shortNames: Record<string, string[]> = {
  US: ['USA', 'US', 'U.S.A.', 'U.S.', 'United States', 'United States of America', 'America'],
  GB: [
    'UK',
    'United Kingdom',
    'England',
    'Scotland',
    'Wales',
    'Great Britain',
    'U.K.',
    'Northern Ireland',
    'Britain',
  ],
  CZ: ['Czech Republic', 'Czechia'],
  NL: ['Netherlands', 'the Netherlands', 'Holland'],
  RU: ['Russia', 'Russian Federation'],
  KR: ['South Korea', 'Korea'],
  AE: ['UAE', 'United Arab Emirates'],
  GL: ['Greenland'],
  CY: ['Cyprus'],
};

/** The paths of faker's names of things. */
const thingLists: readonly (readonly [Locale, string])[] = [
  ...['dish', 'fruit', 'ingredient', 'meat', 'spice', 'vegetable'].flatMap((kind) => [
    ['en', `food.${kind}`] as const,
    ['nb_NO', `food.${kind}`] as const,
  ]),
  ...['bird', 'cat', 'dog', 'fish', 'horse', 'insect', 'rodent', 'snake', 'type'].map(
    (kind) => ['en', `animal.${kind}`] as const,
  ),
  ...(
    ['en', 'de', 'fr', 'nl', 'sv', 'da', 'es', 'pt_PT', 'pt_BR', 'hu', 'it', 'pl'] as const
  ).flatMap((locale) =>
    [
      'color.human',
      'commerce.department',
      'commerce.product_name.product',
      'vehicle.type',
      'vehicle.fuel',
    ].map((path) => [locale, path] as const),
  ),
  ...[
    'finance.account_type',
    'finance.transaction_type',
    'music.genre',
    'book.genre',
    'book.format',
    'science.chemical_element',
    'vehicle.bicycle_type',
  ].map((path) => ['en', path] as const),
];
const months = [
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'pl',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'tr',
  'en',
  'en',
];

/** Months and weekdays in several languages, from Node's Unicode data. */
function calendar(): string[] {
  return months.flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const month = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      const day = new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' });
      return [
        ...Array.from({ length: 12 }, (_, at) => month.format(new Date(Date.UTC(2024, at, 1)))),
        ...Array.from({ length: 7 }, (_, at) => day.format(new Date(Date.UTC(2024, 0, at + 1)))),
      ].flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)]);
    }),
  );
}

/**
 * Loads all components of texts. `folders` are the locations of SCOWL's lists and the unpacked
 * packages.
 */
export function loadWorld(folders: { scowl: string; packages: string }): World {
  const { scowl } = folders;
  const peoples = loadPeople(folders.packages);
  const cities = new Map<string, City[]>();
  for (const city of geoNames(1000))
    cities.set(city.country, [...(cities.get(city.country) ?? []), city]);
  const countries = new Map<string, string[]>();
  for (const language of languages) {
    for (const [code, name] of countryNames(language)) {
      countries.set(code, [...(countries.get(code) ?? []), name]);
    }
  }
  for (const [code, names] of Object.entries(shortNames))
    countries.set(code, [...names, ...(countries.get(code) ?? []).slice(0, 4)]);
  const tens = englishWords(scowl, 10);
  const common = [...tens, ...englishWords(scowl, 20)];
  const list = (kind: string) =>
    fakerList('en', `word.${kind}`).filter((word) => /^[a-z]+$/.test(word));
  const rare = [35, 40, 50].flatMap((size) => englishWords(scowl, size));
  const usual = common.filter((word) => word.length > 3);
  // Roughly by their endings; the generated sentences are not strictly grammatical anyway.
  const nouns = [
    ...list('noun'),
    ...list('noun'),
    ...usual.filter((word) => !/(ed|ing|ly|s)$/.test(word)),
    ...rare.filter((word) => !/(ed|ing|ly|s)$/.test(word)),
  ];
  const adjectives = [
    ...list('adjective'),
    ...list('adjective'),
    ...usual.filter((word) => /(ed|ing)$/.test(word)),
    ...rare.filter((word) => /(ed|ing|al|ic|ous|ful|less)$/.test(word)),
  ];
  const faker = new Faker({ locale: [en, base], seed: 1 });
  const products = Array.from({ length: 600 }, () => faker.commerce.productName());
  const locals = new Map(
    writtenLanguages.flatMap(({ locales }) =>
      locales.map((locale) => [locale, peopleOfLocale(locale, folders.packages)] as const),
    ),
  );
  // Names that are also words are removed from the lists of words, so of the longer lists only
  // first names count.
  const listed = [
    ...loadPeople(null).flatMap(([, { first, last }]) => [...first, ...last]),
    ...[...locals.values()].flatMap(({ first }) => first),
  ].map((name) => name.toLowerCase());
  const names = [...cities.values()].flatMap((all) =>
    all.filter(({ population }) => population > 50000).map(({ name }) => name),
  );
  const places = [
    ...geoNames(15000).map(({ name }) => name),
    ...[...countries.values()].flat(),
  ].map((name) => name.toLowerCase());
  const coined = [...legalForms, ...nouns.slice(0, 800), ...names.slice(0, 800)].filter((word) =>
    /^[A-Za-z]+$/.test(word),
  );
  const named = new Set([...listed, ...places]);
  const { first, last } = censusNames(folders.packages);
  const seldomNamed = new Set(
    [...first, ...last, ...contributedNames(folders.packages)].map((name) => name.toLowerCase()),
  );
  const { usual: foreign, seldom } = foreignWords(
    folders.packages,
    named,
    (small) => named.has(small) || seldomNamed.has(small),
  );
  const known = new Set(
    [
      ...foreign.flat(),
      ...seldom.flat(),
      ...usual,
      ...rare,
      ...[55, 60].flatMap((size) => englishWords(scowl, size)),
    ].map((word) => word.toLowerCase()),
  );
  const census = censusPeople(folders.packages, (name) => known.has(name.toLowerCase()));
  return {
    peoples: [...peoples, census],
    locals,
    places: { cities, countries },
    business: {
      nouns,
      adjectives,
      cities: names,
      invented: new Inventor(
        coined.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
      ),
    },
    regions: [...new Set(regional.flatMap((locale) => fakerList(locale, 'location.state')))],
    words: { nouns, adjectives, verbs: list('verb'), adverbs: list('adverb'), common: tens },
    products,
    comments: [],
    messages: [...compilerMessages(folders.packages), ...humanRights(folders.packages)],
    things: [...new Set(thingLists.flatMap(([locale, path]) => fakerList(locale, path)))],
    dishes: fakerList('en', 'food.dish'),
    calendar: calendar(),
    foreign,
    seldom,
  };
}
