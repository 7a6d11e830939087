import { pluralise } from '@scriptorium/contracts/pluralise';

/** The maximum number of pages listed in a warning. */
const maxPages = 10;

/** Page numbers at the start of a warning: "Page 3", "Pages 1, 2, 5 and 14 more pages". */
export function pagesInWords(pages: readonly number[]): string {
  const shown = pages.slice(0, maxPages).join(', ');
  const unlisted = pages.length - maxPages;
  const more = unlisted > 0 ? ` and ${pluralise(unlisted, 'more page')}` : '';
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${shown}${more}`;
}
