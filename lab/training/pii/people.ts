import { Inventor } from './invent.ts';
import { censusNames, fakerList, type Locale, pythonNames, romanise } from './lists.ts';
import type { Random } from './random.ts';
import { Text } from './text.ts';
import { commonHonorifics, honorifics } from './words/kinds.ts';
import { type LocalNames, localNames } from './words/local-names.ts';
import { romanised } from './words/names.ts';

export interface People {
  first: readonly string[];
  last: readonly string[];
  middle: readonly string[];
  familyFirst: boolean;
  inventFirst: Inventor;
  inventLast: Inventor;
}

/** The weight of each faker locale's names. English names are the most frequent. */
const shares: Partial<Record<Locale, number>> = {
  en: 22,
  en_AU: 3,
  en_IN: 3,
  en_NG: 2,
  en_GH: 1,
  en_ZA: 1,
  de: 5,
  fr: 4,
  fr_SN: 1,
  es: 4,
  es_MX: 3,
  it: 4,
  pt_BR: 4,
  pt_PT: 3,
  nl: 4,
  nl_BE: 1,
  da: 4,
  nb_NO: 4,
  sv: 4,
  fi: 4,
  pl: 4,
  cs_CZ: 4,
  sk: 2,
  sl_SI: 3,
  hr: 4,
  hu: 5,
  ro: 2,
  tr: 2,
  lv: 1,
  az: 1,
  id_ID: 1,
  vi: 2,
  yo_NG: 1,
  zu_ZA: 1,
  uz_UZ_latin: 1,
  ku_kmr_latin: 1,
  sr_RS_latin: 1,
  af_ZA: 1,
  el: 2,
  ru: 2,
  uk: 1,
  mk: 1,
  he: 0.3,
  ar: 0.3,
  ka_GE: 0.3,
  hy: 0.3,
};

/** Locales whose names also occur in Latin script. */
const latinised: readonly (readonly [Locale, number])[] = [
  ['ru', 4],
  ['uk', 1.5],
  ['mk', 1],
  ['el', 2],
];

function peopleOf(first: string[], last: string[], familyFirst = false, middle = first): People {
  return {
    first,
    last,
    middle,
    familyFirst,
    inventFirst: new Inventor(first),
    inventLast: new Inventor(last),
  };
}

const none: LocalNames = { first: [], last: [] };

/**
 * The names of a locale: faker's and, if the folder of the unpacked packages is given, those of
 * Faker for Python and the built-in ones. Throws if it has none.
 */
export function peopleOfLocale(locale: Locale, packages: string | null): People {
  const python = packages === null ? none : pythonNames(packages, locale);
  const own = (packages === null ? null : localNames[locale.slice(0, 2)]) ?? none;
  const merged = (...lists: (readonly string[])[]) => [...new Set(lists.flat())];
  const first = merged(fakerList(locale, 'person.first_name'), python.first, own.first);
  const last = merged(fakerList(locale, 'person.last_name'), python.last, own.last);
  if (first.length === 0 || last.length === 0) throw new Error(`Locale ${locale} has no names.`);
  const middle = fakerList(locale, 'person.middle_name');
  return peopleOf(first, last, locale === 'hu', middle.length ? middle : first);
}

/** How many of the most frequent census surnames are used. */
const CENSUS_LAST = 30_000;
const CENSUS_SHARE = 10;

/**
 * The people of the US census, with their weight, excluding names that are common words. `packages`
 * is the folder of the unpacked packages.
 */
export function censusPeople(
  packages: string,
  isWord: (name: string) => boolean,
): readonly [number, People] {
  const { first, last } = censusNames(packages);
  const isName = (name: string) => !isWord(name);
  return [CENSUS_SHARE, peopleOf(first.filter(isName), last.slice(0, CENSUS_LAST).filter(isName))];
}

/** The names of each locale, as above, with its weight. */
export function loadPeople(packages: string | null): (readonly [number, People])[] {
  const all: (readonly [number, People])[] = [];
  for (const [locale, share] of Object.entries(shares) as [Locale, number][]) {
    all.push([share, peopleOfLocale(locale, packages)]);
  }
  for (const [locale, share] of latinised) {
    const first = fakerList(locale, 'person.first_name').map(romanise);
    const last = fakerList(locale, 'person.last_name').map(romanise);
    all.push([share, peopleOf(first, last)]);
  }
  for (const [name, { first, last }] of Object.entries(romanised)) {
    const share = name === 'icelandic' ? 3 : name === 'estonian' ? 2 : 1.2;
    all.push([share, peopleOf([...first], [...last])]);
  }
  return all;
}

export interface Person {
  first: string;
  last: string;
  people: People;
}

export function randomPerson(random: Random, people: People): Person {
  const invented = random.chance(0.08);
  const first = invented ? people.inventFirst.invent(random) : random.pick(people.first);
  const last = random.chance(0.12) ? people.inventLast.invent(random) : random.pick(people.last);
  return { first, last, people };
}

/** A name as people write it, with initials, titles and so on. */
export function fullName(random: Random, { first, last, people }: Person): string {
  const initial = (random.chance(0.5) ? random.pick(people.middle) : first)[0]!.toUpperCase();
  const other = random.pick(people.middle);
  const second = random.pick(people.last);
  return random.weighted([
    [
      52,
      () => (people.familyFirst && random.chance(0.5) ? `${last} ${first}` : `${first} ${last}`),
    ],
    [9, () => `${first} ${initial}. ${last}`],
    [7, () => `${first} ${initial} ${last}`],
    [5, () => `${first} ${other} ${last}`],
    [3, () => `${first[0]}. ${last}`],
    [1, () => `${first[0]}. ${initial}. ${last}`],
    [3, () => `${last}, ${first}`],
    [1, () => `${last}, ${first} ${initial}.`],
    [1, () => `${first} ${last[0]}.`],
    [2, () => `${first} ${last}-${second}`],
    [2, () => `${first} ${last} ${second}`],
    [
      1.5,
      () => `${first} ${random.pick(['Jr.', 'Sr.', 'III', 'II', 'Jr'])}`.replace(' ', ` ${last} `),
    ],
    [
      2,
      () =>
        `${first} ${random.pick(['de', 'van', 'von', 'van der', 'de la', 'dos', 'da', 'di', 'al', 'bin', 'van den', 'af', 'le'])} ${last}`,
    ],
    [1, () => `${first}-${other} ${last}`],
    [1, () => `${first} ${random.pick(["O'", 'Mc', 'Mac', "D'"])}${last}`],
    [1, () => `${initial}.${other[0]}. ${last}`],
    [0.7, () => `${first} “${random.pick(people.first)}” ${last}`],
  ])();
}

/** A name in the case used in forms, lists and informal text. */
export function writtenName(random: Random, person: Person): string {
  const name = fullName(random, person);
  return random.weighted([
    [91, () => name],
    [3, () => name.toUpperCase()],
    [3, () => name.toLowerCase()],
    [2, () => `${person.first} ${person.last.toUpperCase()}`],
    [1, () => `${person.last.toUpperCase()} ${person.first}`],
  ])();
}

export function honorific(random: Random): string {
  const title = random.pick(random.chance(0.75) ? commonHonorifics : honorifics);
  return random.chance(0.06) ? title.toLowerCase() : title;
}

/** A name, sometimes with a form of address. */
export function addressed(random: Random, person: Person): Text {
  const text = new Text();
  if (random.chance(0.3)) text.add(honorific(random), 'TITLE').add(' ');
  return text.add(writtenName(random, person), 'PERSON');
}
