import { gazetteerBits as bits } from '@scriptorium/pii/tagger/gazetteer';
import { foldedHash } from '@scriptorium/pii/tagger/segment';
import type { World } from './fill.ts';
import { writtenLanguages } from './languages/index.ts';
import { censusNames, contributedNames, englishWords, fakerList, geoNames } from './lists.ts';
import * as kinds from './words/kinds.ts';
import { states } from './words/streets.ts';
import * as things from './words/things.ts';

/**
 * A word on one of these lists is not considered a name just because a long list of names contains
 * it.
 */
const notNames =
  bits.commonest |
  bits.common |
  bits.word |
  bits.rare |
  bits.foreign |
  bits.thing |
  bits.seldom |
  bits.calendar |
  bits.street |
  bits.unit |
  bits.legal |
  bits.organization |
  bits.job |
  bits.honorific |
  bits.nationality;
/** Rarer surnames of the census are excluded. */
const CENSUS_LAST = 75_000;
/** Shorter names on the long lists too often mean something else. */
const MIN_LETTERS = 3;

/** The words on lists, as sorted hashes, with the lists that contain each. */
export function buildGazetteer(
  world: World,
  { scowl, packages }: { scowl: string; packages: string },
): { hashes: Int32Array; masks: Uint32Array } {
  const masks = new Map<number, number>();
  const add = (bit: number, words: Iterable<string>, least = 2): void => {
    for (const name of words) {
      for (const word of name.split(/[^\p{L}\p{M}\p{N}'’]+/u)) {
        if (word.length < least || /^\p{N}+$/u.test(word)) continue;
        const hash = foldedHash(word);
        masks.set(hash, (masks.get(hash) ?? 0) | bit);
      }
    }
  };
  for (const [, people] of world.peoples) {
    add(bits.first, people.first);
    add(bits.last, people.last);
  }
  for (const people of world.locals.values()) {
    add(bits.first, people.first);
    add(bits.last, people.last);
  }
  for (const { jobs, titles, nationalities } of writtenLanguages) {
    add(bits.job, jobs.filter(isWord), 4);
    add(bits.honorific, titles.filter(isWord));
    add(bits.nationality, nationalities.filter(isWord), 4);
  }
  add(
    bits.city,
    geoNames(15000).map(({ name }) => name),
    3,
  );
  add(bits.country, [...world.places.countries.values()].flat(), 2);
  add(bits.region, [...world.regions, ...Object.values(states).flat()], 2);
  add(bits.region, fakerList('en', 'location.county'), 3);
  add(bits.street, kinds.streetWords, 1);
  add(bits.legal, kinds.legalForms, 2);
  add(bits.organization, kinds.organizationWords);
  add(bits.organization, kinds.wellKnown, 3);
  add(bits.job, kinds.jobs, 3);
  add(bits.honorific, kinds.honorifics, 1);
  add(bits.nationality, [...kinds.nationalities, ...kinds.groups]);
  add(bits.calendar, kinds.calendar);
  add(bits.unit, kinds.unitWords, 1);
  add(bits.commonest, [...englishWords(scowl, 10), ...'a i'.split(' ')], 1);
  add(bits.common, englishWords(scowl, 20));
  add(bits.word, [
    ...englishWords(scowl, 35),
    ...englishWords(scowl, 40),
    ...englishWords(scowl, 50),
  ]);
  add(bits.rare, [...englishWords(scowl, 55), ...englishWords(scowl, 60)]);
  add(bits.foreign, world.foreign.flat());
  add(bits.seldom, world.seldom.flat());
  add(bits.thing, world.things, 3);
  add(
    bits.thing,
    Object.values(things)
      .flat(2)
      .filter((words) => !words.includes('*')),
    3,
  );
  const addNames = (bit: number, names: readonly string[]): void => {
    for (const name of names) {
      const hash = foldedHash(name);
      const mask = masks.get(hash) ?? 0;
      if (name.length >= MIN_LETTERS && (mask & notNames) === 0) masks.set(hash, mask | bit);
    }
  };
  const census = censusNames(packages);
  addNames(bits.first, census.first);
  addNames(bits.last, census.last.slice(0, CENSUS_LAST));
  const isNamed = (name: string) =>
    ((masks.get(foldedHash(name)) ?? 0) & (bits.first | bits.last)) !== 0;
  addNames(
    bits.first | bits.last,
    contributedNames(packages).filter((name) => !isNamed(name)),
  );
  const sorted = [...masks].sort(([a], [b]) => a - b);
  return {
    hashes: Int32Array.from(sorted, ([hash]) => hash),
    masks: Uint32Array.from(sorted, ([, mask]) => mask),
  };
}

const isWord = (entry: string) => !entry.includes(' ');
