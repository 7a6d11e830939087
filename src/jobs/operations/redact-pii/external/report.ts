import type { JobWarning } from '@scriptorium/contracts/jobs';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PagePlan, RedactionCheck } from '@scriptorium/documents';
import { pagesInWords } from '../../pages-in-words.ts';

/** A page that an external recogniser was asked to search, and whether it did. */
type SearchedPage = Pick<PagePlan, 'page' | 'external'>;

/** States which pages an external recogniser searched. None if it was not asked. */
export function externalChecks(pages: readonly SearchedPage[]): RedactionCheck[] {
  const asked = pages.filter(({ external }) => external !== undefined);
  if (asked.length === 0) return [];
  const missing = pagesMissing(asked);
  const detail =
    missing.length === 0
      ? `An external recogniser also searched the text of ${pluralise(asked.length, 'page')}.`
      : `An external recogniser was unavailable for ${missing.length} of ${pluralise(asked.length, 'page')}.`;
  return [{ name: 'external_recogniser', passed: missing.length === 0, detail, pages: missing }];
}

/** A warning about pages that an external recogniser did not search, if any. */
export function externalWarnings(pages: readonly SearchedPage[]): JobWarning[] {
  const missing = pagesMissing(pages);
  if (missing.length === 0) return [];
  return [
    {
      code: 'recogniser_unavailable',
      message: `${pagesInWords(missing)}: the external recogniser was unavailable, so only values that this service finds were removed. The output is not verified. Retry the redaction in a new job.`,
    },
  ];
}

const pagesMissing = (pages: readonly SearchedPage[]): number[] =>
  pages.filter(({ external }) => external === 'unavailable').map(({ page }) => page);
