import type { JobWarning } from '@scriptorium/contracts/jobs';
import { pagesInWords } from '../pages-in-words.ts';

/** The languages in a page's text in which names cannot be found. */
export interface UncoveredLanguages {
  page: number;
  /** ISO 639 codes. */
  languages: readonly string[];
}

/** A warning that names and addresses were not searched for in some languages, if any. */
export function languageWarnings(uncovered: readonly UncoveredLanguages[]): JobWarning[] {
  const pages = uncovered.filter(({ languages }) => languages.length > 0);
  if (pages.length === 0) return [];
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  const languages = [...new Set(pages.flatMap(({ languages }) => languages))].map((code) =>
    code === 'und' ? 'an unknown language' : (names.of(code) ?? code),
  );
  return [
    {
      code: 'language_not_covered',
      message: `${pagesInWords(pages.map(({ page }) => page))}: names, places, addresses, organisations and titles are not detected in ${new Intl.ListFormat('en').format(languages)}. Identifiers, contact data, labelled values and custom patterns are detected. Check the output for names.`,
    },
  ];
}
