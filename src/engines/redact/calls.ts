import type { FoundType } from '../../contracts/entities.ts';
import type { HowRead } from '../ocr/own-means.ts';
import type { DetectorOptions } from '../pii/finding.ts';
import type { Check, PagePlan } from './plan.ts';

/** Finds what has to go from one page of a PDF or picture. */
export interface FindRequest {
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
  /** A file with the page's `PageResult`, as the recognition of the page left it. */
  pageFile: string;
  options: DetectorOptions;
  /** How that was read; by the defaults unless given. What cannot be relied on is read again. */
  how?: HowRead;
}

/** Personal data that stands somewhere in the document. */
export interface KnownValue {
  type: FoundType;
  value: string;
  score: number;
}

/** A page to redact, or one that failed earlier and must not be copied. */
export type PlannedPage =
  | ({ state: 'planned' } & PagePlan)
  | { state: 'failed'; page: number; widthPt: number; heightPt: number };

/**
 * Looks on every page for what was found on the others, in the `readings` that the plans hold; no
 * document is opened for it.
 */
export interface SpreadRequest {
  /** `PlannedPage`s, one a line of JSON. */
  plansFile: string;
  /** The same with what was found further, and without their readings. */
  outPath: string;
}

/** How many removals were added. */
export interface Spread {
  removals: number;
}

/** Redacts the pages of a PDF or picture; what is not named does not come into the output. */
export interface RedactPagesRequest {
  path: string;
  mime: string;
  /** `PlannedPage`s, one a line of JSON, in the order of pages. */
  plansFile: string;
  style: 'blackbox' | 'label';
  outPath: string;
}

/** Looks with other eyes at one page of what was made, or at the whole file. */
export interface CheckRequest {
  path: string;
  mime: string;
  /** A `RemovalReport` as JSON. */
  reportFile: string;
  /** 1-based, of the output; null for what concerns the whole file. */
  outputPage: number | null;
}

/** Redacts a file that has no pages to speak of, in its own kind, and checks what it made. */
export interface RedactInKindRequest {
  path: string;
  mime: string;
  options: DetectorOptions;
  style: 'blackbox' | 'label';
  outPath: string;
}

/** What redacting a file in its own kind came to. There is an output only when every check passed. */
export interface RedactedInKind {
  /** What was removed, an entry a place, as it was read there; never leaves the engine but sealed. */
  removals: PlaceInKind[];
  /** The text of each page, `[TYPE]` in place of what went. A workbook has a page a sheet, others one. */
  pages: string[];
  checks: Check[];
  /** Pictures inside, which are not recognised here: all are replaced by grey or removed. */
  picturesReplaced: number;
}

export interface PlaceInKind {
  type: FoundType;
  score: number;
  value: string;
  /** 1-based; null for what does not show: attributes, targets of links, hidden names. */
  page: number | null;
}
