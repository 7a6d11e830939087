import type { DrawnType, FoundType } from '@scriptorium/contracts/documents/entities';
import type { TextLocation } from '@scriptorium/contracts/documents/shown-text';
import type { DetectorOptions } from '@scriptorium/pii/finding';
import type { RecognitionOptions } from '../../ocr/trusted-recognition.ts';
import type { Box } from '../../results.ts';
import type { EmbeddedRedaction } from './embedded.ts';
import type { RedactionCheck } from './report.ts';

/** Finds the content that must be removed from a page of a PDF or picture. */
export interface FindRequest {
  path: string;
  mime: string;
  /** 1-based page number. */
  page: number;
  /** Path of a file with the `PageResult` that recognition returned for the page. */
  pageFile: string;
  options: DetectorOptions;
  /** Types that are not text and stay. Default: none. */
  keep?: readonly DrawnType[] | undefined;
  /**
   * The options with which the page was recognised. Default: the default options. Unreliable
   * results are recognised again.
   */
  how?: RecognitionOptions;
}

/** Personal data that was found somewhere in the document. */
export interface KnownValue {
  type: FoundType;
  value: string;
  score: number;
}

/**
 * Searches each page for values found on other pages. Works on the `readings` of the plans and
 * opens no document.
 */
export interface SpreadRequest {
  /** Path of a file with `PlannedPage`s, one per line of JSON. */
  plansFile: string;
  /** Path of the output: the same plans with the added removals and without the readings. */
  outPath: string;
  /** Texts that are not searched for on their own, even if they are parts of names. */
  allowList?: readonly string[] | undefined;
}

/** The result of `SpreadRequest`, with the number of added removals. */
export interface SpreadResult {
  removals: number;
}

/**
 * Prepares plans in which a person decided what to remove. Nothing is added. If a value remains
 * elsewhere, the plans claim its removal only from its decided places.
 */
export interface SettleRequest {
  /** Path of a file with `PlannedPage`s and their readings, one per line of JSON. */
  plansFile: string;
  /** Path of the output: the same plans without the readings, and with the remaining text. */
  outPath: string;
}

/** Number of values and parts of names whose removal is claimed only for their decided places. */
export interface SettleResult {
  staying: number;
}

/** Computes where boxes would be painted, without redacting. */
export interface LayOutRequest {
  path: string;
  mime: string;
  /** Path of a file with `PlannedPage`s, one per line of JSON, in page order. */
  plansFile: string;
  /** Default: `to_edge`. */
  box?: BoxExtent | undefined;
  /** Prefix of the names of intermediate files. */
  workPath: string;
}

/** The boxes to paint on a page. */
export interface LaidOutPage {
  page: number;
  /**
   * The painted boxes, each with the planned boxes that it hides, in points of the page as
   * displayed.
   */
  regions: { painted: Box[]; planned: Box[] }[];
}

/** The extent of boxes: see `extendBox` in `remove/pdf/regions`. */
export type BoxExtent = 'tight' | 'padded' | 'to_edge';

/** Redacts the planned pages of a PDF or picture. The output contains no other pages. */
export interface RedactPagesRequest {
  path: string;
  mime: string;
  /** Path of a file with `PlannedPage`s, one per line of JSON, in page order. */
  plansFile: string;
  style: 'blackbox' | 'label';
  /** Default: `to_edge`. */
  box?: BoxExtent | undefined;
  outPath: string;
}

/** Checks one page of an output, or the whole file, independently of the code that redacted it. */
export interface CheckRequest {
  path: string;
  mime: string;
  /** Path of a file with a `RemovalReport` as JSON. */
  reportFile: string;
  /** 1-based page number in the output; null for the whole file. */
  outputPage: number | null;
}

/** Redacts a file without pages in its own format, and checks the output. */
export interface RedactInKindRequest {
  path: string;
  mime: string;
  options: DetectorOptions;
  /** Whether the recipients of a message are kept. Default: false. */
  keepRecipients?: boolean | undefined;
  style: 'blackbox' | 'label';
  outPath: string;
  /** Findings of another recogniser, which are removed in addition. Ignored with `decided`. */
  external?: ExternalInKind | undefined;
  /** The decisions of people. Without them, all findings are removed. */
  decided?: DecidedInKind | undefined;
  /** The redactions of files inside it, which passed all checks. Default: they are left out. */
  embedded?: readonly EmbeddedRedaction[] | undefined;
  /** See `EmbeddedPlans`. Ignored with decisions, which are complete. */
  embeddedPlans?: EmbeddedPlans | undefined;
}

/**
 * Path of a file with the `PlannedPage`s of embedded files, one per line of JSON. The values found
 * there are removed from the text too. Default: none.
 */
export type EmbeddedPlans = string;

/** Extracts the files inside a file without pages, and finds the values in its text. */
export interface ExtractEmbeddedRequest {
  path: string;
  mime: string;
  options: DetectorOptions;
  /** Whether the recipients of a message are kept. Default: false. */
  keepRecipients?: boolean | undefined;
  /** Findings of another recogniser, whose values count too. Ignored with `decided`. */
  external?: ExternalInKind | undefined;
  /** The decisions of people. Without them, the values are those of all findings. */
  decided?: DecidedInKind | undefined;
  /** Path for the embedded files, one after the other. */
  filesPath: string;
  /** Path for the plan of the text (see `textPage`). Not written without embedded files. */
  textPlan: string;
}

/** Reads the text of a file without pages, for another recogniser. */
export interface ReadInKindRequest {
  path: string;
  mime: string;
  /** Path for the text of the file: `TextPiece`s, one per line of JSON. */
  textFile: string;
}

export interface TextInKind {
  /** Digest of the text and its positions. */
  digest: string;
}

/** Findings of another recogniser in a file without pages. */
export interface ExternalInKind {
  /** Path of a file with `ExternalPlace`s, one per line of JSON. */
  placesFile: string;
  /** The `digest` of the text that was searched. */
  digest: string;
}

/** A finding of another recogniser, as a range of a page's text. */
export interface ExternalPlace {
  /** Page number; 0 for content that is on no page. */
  page: number;
  start: number;
  end: number;
  type: FoundType;
  score: number;
}

/** The decisions of people about a file without pages. */
export interface DecidedInKind {
  /** Path of a file with `DecidedPlace`s, one per line of JSON. */
  decisionsFile: string;
  /** The `digest` of the text that people reviewed. */
  digest: string;
}

/** A range of a page's text about which a person decided. */
export interface DecidedPlace extends ExternalPlace {
  /** Whether the range is removed. False if it must stay. */
  goes: boolean;
}

/** Finds the content that would be removed from a file without pages, without removing it. */
export interface FindInKindRequest {
  path: string;
  mime: string;
  options: DetectorOptions;
  /** Whether the recipients of a message are kept. Default: false. */
  keepRecipients?: boolean | undefined;
  /** Findings of another recogniser, which are reported in addition. */
  external?: ExternalInKind | undefined;
  /** Path for the text of the file: `TextPiece`s, one per line of JSON. */
  textFile: string;
  /** Path for the findings in this text: `FoundPlace`s, one per line of JSON. */
  findingsFile: string;
  /** See `EmbeddedPlans`. */
  embeddedPlans?: EmbeddedPlans | undefined;
}

/** A range of a name. */
export interface FoundInName {
  type: FoundType;
  start: number;
  end: number;
}

/** A place in the text of a page. */
export interface FoundPlace {
  type: FoundType;
  score: number;
  value: string;
  /** Page number; 0 for content that is on no page. */
  page: number;
  /** Offsets in the page's text, in UTF-16 units. */
  start: number;
  end: number;
  location: TextLocation;
}

export interface FoundInKind {
  findings: number;
  /** Digest of the text and its positions. */
  digest: string;
}

/**
 * The result of redacting a file in its own format. An output exists only if every check passed.
 */
export interface RedactedInKind {
  /**
   * The removed values as they were read, one entry per place. They leave the engine only in sealed
   * form.
   */
  removals: PlaceInKind[];
  /**
   * The text of each page with `[TYPE]` in place of each removal. A workbook has a page per sheet,
   * other files have one page.
   */
  pages: string[];
  checks: RedactionCheck[];
  /** The numbers of distinct embedded files in the output, unchanged and with removals. */
  embedded: { kept: number; redacted: number };
  /** The number of pictures that were removed or replaced with grey, because none was proved. */
  picturesReplaced: number;
  /** The kinds of parts with text that were removed unread. */
  dropped: readonly string[];
  /**
   * For each page, the languages of its text in which names were not searched for, as ISO 639
   * codes.
   */
  notCovered: string[][];
}

export interface PlaceInKind {
  type: FoundType;
  score: number;
  value: string;
  /**
   * 1-based page number; null for invisible content, such as attributes, link targets and hidden
   * names.
   */
  page: number | null;
}
