import type { Locale } from '../lists.ts';

/** The components of texts in a language. */
export interface Language {
  /** ISO 639-1. */
  code: string;
  /**
   * The locales of its names, and the countries of its addresses; repeated in proportion to their
   * share.
   */
  locales: readonly Locale[];
  countries: readonly string[];
  /** Whether people have two surnames. */
  twoSurnames?: true;
  /** Words before surnames, and the share of surnames with one. */
  particles?: readonly string[];
  particleShare?: number;
  /** Titles and nouns for people, before their names. */
  roles: readonly string[];
  /** Verbs that follow a name. */
  verbs: readonly string[];
  /** Streets named after people: `*` is a surname, `&` a first name. */
  namedStreets: readonly string[];
  /** Words that are also surnames, as they appear in a sentence. */
  namesakes: readonly string[];
  /** Forms of dates: D day, M month in words, n month as a number, Y year. */
  dates: readonly string[];
  titles: readonly string[];
  jobs: readonly string[];
  /** `*` is a surname, `&` a first name, `@` a brand, `#` a city. */
  organizations: readonly string[];
  nationalities: readonly string[];
  laws: readonly string[];
  /** Templates with and without personal data, one per line; see `writer.ts` for the slots. */
  personal: string;
  impersonal: string;
}

export function entries(text: string): string[] {
  return text.split(' | ');
}
