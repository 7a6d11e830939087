import type { Failure } from '@scriptorium/contracts/wire/common';
import type { PageContent, StoredContent } from '../sealing/page-content.ts';

interface Processed {
  page: number;
  state: 'succeeded' | 'skipped';
  result: Record<string, unknown>;
}

/** A processed page and its content. */
export type ProcessedPage = Processed & PageContent;
/** A processed page as it is stored. */
export type StoredResult = Processed & StoredContent;

interface FailedPage {
  page: number;
  state: 'failed';
  error: Failure;
}

/** The outcome of one page in one operation. */
export type PageOutcome = ProcessedPage | FailedPage;
/** The outcome of a page as it is stored. */
export type StoredOutcome = StoredResult | FailedPage;
