import type { DrawnType, FoundType } from '@scriptorium/contracts/documents/entities';
import type { Box, Quarter } from '../../results.ts';

/** A piece of personal data to remove from a page, with all of its places. */
export interface PlannedRemoval {
  type: FoundType;
  score: number;
  /** The value as it was read. It leaves the engine only in sealed form. */
  value: string;
  /** One box per line, in points of the page as displayed (see `Box`). */
  boxes: Box[];
  /** Whether the value was read from the page's own text or recognised in its picture. */
  source: 'pdf' | 'ocr';
  /**
   * Whether the value may legitimately occur elsewhere. If so, it is removed only in these places.
   */
  here?: boolean;
  /** Parts of the value that must not occur anywhere in the output. */
  parts?: string[];
  /** Clockwise rotation of the value's lines, as displayed. Default: 0. */
  direction?: Quarter;
}

/** The values and areas to remove from a page. A page without a plan is never copied. */
export interface PagePlan {
  /** 1-based page number in the source. */
  page: number;
  widthPt: number;
  heightPt: number;
  removals: PlannedRemoval[];
  /** The page's text with `[TYPE]` in place of each removal. */
  redactedText: string;
  /**
   * Languages of the page's text in which names were not searched for, as ISO 639 codes. Default:
   * none.
   */
  notCovered?: string[];
  /** Whether fonts of the page were not trusted, so that their text was recognised instead. */
  doubted?: boolean;
  /** Kinds of content that were neither read nor copied to the output. Default: none. */
  dropped?: string[];
  /** Boxes where the words of the page were read, for the checks. Default: none. */
  seen?: SeenText;
  /** The texts of the page, in which `spreadValues` searches for values found on other pages. */
  readings?: PageReading[];
  /**
   * Boxes of text that could not be read. They are covered without being searched. Default: none.
   */
  unreadable?: Box[];
  /**
   * Areas that stay although they are of a type that is not text: allowed by an option, or kept by
   * a reviewer. Types that are missing were not searched for. Default: none.
   */
  kept?: KeptAreas;
  /** The recognised words of a scan that may be written as invisible text in the output. */
  layer?: PageLayer;
  /** Whether the page's layer was omitted because it failed a check. */
  layerLeftOut?: boolean;
  /** Whether another recogniser has searched the page as well. Default: it was not asked. */
  external?: 'searched' | 'unavailable';
  /** Whether the page becomes a picture without text because removal in place failed a check. */
  asPicture?: boolean;
}

/** The content that a box hides: a type of personal data, or text that could not be read. */
export type HiddenType = FoundType | typeof unreadableType;
export const unreadableType = 'UNREADABLE';

/** Areas of a page that stay, by the type that is not text. */
export type KeptAreas = Partial<Record<DrawnType, Box[]>>;

/** Boxes where the words of a page were read. */
export interface SeenText {
  /** Boxes of words that were recognised with confidence. */
  sure: Box[];
  /** Boxes of words of the page's own text that are drawn on paper and trusted. Default: none. */
  own?: Box[];
}

/** A text of a page with the position of each of its words and numbers, in compact form. */
export interface PageReading {
  source: 'pdf' | 'ocr';
  text: string;
  /**
   * The box of each run of letters and digits in `text`: four numbers, in hundredths of a point.
   */
  boxes: number[];
  /** The rotation of the line of each run (see `PlannedRemoval`). Omitted if all are 0. */
  directions?: Quarter[];
}

/** Recognised words and their lines, in compact form. */
export interface PageLayer {
  /** The words, separated by spaces. */
  text: string;
  /** Five numbers per word: its box in hundredths of a point, and the index of its line. */
  words: number[];
  /** Four numbers per line: the start of its baseline, its size and its angle, in hundredths. */
  lines: number[];
  /** The orientation and skew of the page, as in `PageResult`. */
  orientation: Quarter;
  skewDegrees: number;
}

/**
 * The number of a page that stands for the text of a file around its embedded files. Its plan has
 * values and a reading without boxes; it is part of no output.
 */
export const textPage = 0;

/** A page to redact, or a page that failed earlier and must not be copied. */
export type PlannedPage =
  | ({ state: 'planned' } & PagePlan)
  | { state: 'failed'; page: number; widthPt: number; heightPt: number };
