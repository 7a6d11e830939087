import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { TextLocation } from '@scriptorium/contracts/documents/shown-text';
import type { DetectorOptions } from '@scriptorium/pii/finding';
import type { HowRead } from '../../ocr/own-means.ts';
import type { Box } from '../../results.ts';
import type { RedactionCheck } from './report.ts';

/** Finds what must be removed from a page of a PDF or picture. */
export interface FindRequest {
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
  /** A file with the page's `PageResult`, as left by the recognition of the page. */
  pageFile: string;
  options: DetectorOptions;
  /**
   * The options with which the page was recognised; the defaults apply if omitted. Unreliable
   * results are recognised again.
   */
  how?: HowRead;
}

/** Personal data found somewhere in the document. */
export interface KnownValue {
  type: FoundType;
  value: string;
  score: number;
}

/**
 * Searches every page for what was found on the others, in the `readings` of the plans; no document
 * is opened.
 */
export interface SpreadRequest {
  /** `PlannedPage`s, one per line of JSON. */
  plansFile: string;
  /** The same with the further removals and without the readings. */
  outPath: string;
  /** Texts that are not searched for alone, even if they are parts of names. */
  allowList?: readonly string[] | undefined;
}

/** The number of removals added. */
export interface Spread {
  removals: number;
}

/**
 * Prepares plans in which a person decided what to remove: nothing is added. A value that is kept
 * elsewhere is claimed to be removed only from its own places.
 */
export interface SettleRequest {
  /** `PlannedPage`s with their readings, one per line of JSON. */
  plansFile: string;
  /** The same plans without the readings, and with the remaining text. */
  outPath: string;
}

/**
 * The number of values and parts of names that are claimed to be removed only from their own
 * places.
 */
export interface Settled {
  staying: number;
}

/** Computes where boxes would be painted, without redacting anything. */
export interface LayOutRequest {
  path: string;
  mime: string;
  /** `PlannedPage`s, one per line of JSON, in page order. */
  plansFile: string;
  /** `to_edge` by default. */
  box?: BoxExtent | undefined;
  /** Prefix of the names of intermediate files. */
  workPath: string;
}

/** The boxes to paint on a page. */
export interface LaidOutPage {
  page: number;
  /**
   * The painted boxes, and the planned boxes that they hide, in points of the page as displayed.
   */
  regions: { painted: Box[]; planned: Box[] }[];
}

/** The extent of boxes: see `extended` in `remove/pdf/regions`. */
export type BoxExtent = 'tight' | 'padded' | 'to_edge';

/** Redacts the planned pages of a PDF or picture; the output has no other pages. */
export interface RedactPagesRequest {
  path: string;
  mime: string;
  /** `PlannedPage`s, one per line of JSON, in page order. */
  plansFile: string;
  style: 'blackbox' | 'label';
  /** `to_edge` by default. */
  box?: BoxExtent | undefined;
  outPath: string;
}

/** Checks one page of an output, or the whole file, independently of what redacted it. */
export interface CheckRequest {
  path: string;
  mime: string;
  /** A `RemovalReport` as JSON. */
  reportFile: string;
  /** 1-based, in the output; null for the whole file. */
  outputPage: number | null;
}

/** Redacts a file without pages in its own format, and checks the output. */
export interface RedactInKindRequest {
  path: string;
  mime: string;
  options: DetectorOptions;
  style: 'blackbox' | 'label';
  outPath: string;
  /** The decisions of a person; without them, everything found is removed. */
  decided?: DecidedInKind | undefined;
}

/** The decisions of people about a file without pages. */
export interface DecidedInKind {
  /** `DecidedPlace`s, one per line of JSON. */
  decisionsFile: string;
  /** The `digest` of the text that they saw. */
  digest: string;
}

/** A range of a page's text that a person decided about. */
export interface DecidedPlace {
  /** 0 for content that is on no page. */
  page: number;
  start: number;
  end: number;
  type: FoundType;
  score: number;
  /** False for what must stay. */
  goes: boolean;
}

/** Finds what would be removed from a file without pages, without removing it. */
export interface FindInKindRequest {
  path: string;
  mime: string;
  options: DetectorOptions;
  /** Its text: `TextPiece`s, one per line of JSON. */
  textFile: string;
  /** The findings in it: `FoundPlace`s, one per line of JSON. */
  findingsFile: string;
}

/** A place in the text of a page. */
export interface FoundPlace {
  type: FoundType;
  score: number;
  value: string;
  /** 0 for content that is on no page. */
  page: number;
  /** In UTF-16 units of the page's text. */
  start: number;
  end: number;
  location: TextLocation;
}

export interface FoundInKind {
  findings: number;
  /** Digest of the text and its position. */
  digest: string;
}

/**
 * The result of redacting a file in its own format. There is an output only if every check passed.
 */
export interface RedactedInKind {
  /**
   * The removed values, one entry per place, as they were read there. Leaves the engine only in
   * sealed form.
   */
  removals: PlaceInKind[];
  /**
   * The text of each page with `[TYPE]` in place of what was removed. A workbook has a page per
   * sheet, other files one.
   */
  pages: string[];
  checks: RedactionCheck[];
  /**
   * The number of pictures, which are not recognised here: all are replaced with grey or removed.
   */
  picturesReplaced: number;
  /** The kinds of parts with text that were removed without being read. */
  dropped: readonly string[];
  /** Per page, the languages of its text, as ISO 639 codes, in which no names were searched for. */
  notCovered: string[][];
}

export interface PlaceInKind {
  type: FoundType;
  score: number;
  value: string;
  /** 1-based; null for what is not visible: attributes, link targets, hidden names. */
  page: number | null;
}
