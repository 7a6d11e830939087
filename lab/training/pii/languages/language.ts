import type { Locale } from '../lists.ts';

/** What texts in a language are made of. */
export interface Language {
  /** ISO 639-1. */
  code: string;
  /** Whose names it uses, and in which countries its addresses are; repeated by their share. */
  locales: readonly Locale[];
  countries: readonly string[];
  /** People have two surnames. */
  twoSurnames?: true;
  /** Words before surnames, and how many surnames have one. */
  particles?: readonly string[];
  particleShare?: number;
  /** Words for people before their names. */
  roles: readonly string[];
  /** What people do: verbs that stand behind a name. */
  verbs: readonly string[];
  /** Streets that are named after people: `*` is a surname, `&` a first name. */
  namedStreets: readonly string[];
  /** Words that are surnames too, as they are written in a sentence. */
  namesakes: readonly string[];
  /** Forms of dates: D day, M month in words, n month as a number, Y year. */
  dates: readonly string[];
  titles: readonly string[];
  jobs: readonly string[];
  /** `*` is a surname, `&` a first name, `@` a brand, `#` a city. */
  organizations: readonly string[];
  nationalities: readonly string[];
  laws: readonly string[];
  /** Templates with and without personal data, one a line; see `writer.ts` for the slots. */
  personal: string;
  impersonal: string;
}

export function entries(text: string): string[] {
  return text.split(' | ');
}
