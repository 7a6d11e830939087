import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { Box, Quarter } from '../../results.ts';

/** Personal data to be removed from a page, and all of its places. */
export interface PlannedRemoval {
  type: FoundType;
  score: number;
  /** The value as it was read. Leaves the engine only in sealed form. */
  value: string;
  /** A box per line, in points of the page as displayed (see `Box`). */
  boxes: Box[];
  /** Whether it was read from the page's own text or recognised in its picture. */
  source: 'pdf' | 'ocr';
  /** Whether the value may legitimately occur elsewhere, so that it is removed only here. */
  here?: boolean;
  /** Parts of the value that must not occur anywhere in the output either. */
  parts?: string[];
  /** Clockwise rotation of its lines, as displayed; 0 by default. */
  direction?: Quarter;
}

/** The values and areas to remove from a page. A page without a plan is never copied. */
export interface PagePlan {
  /** 1-based, in the source. */
  page: number;
  widthPt: number;
  heightPt: number;
  removals: PlannedRemoval[];
  /** The page's text with `[TYPE]` in place of what is removed. */
  redactedText: string;
  /**
   * Languages of its text, as ISO 639 codes, in which no names were searched for; none by default.
   */
  notCovered?: string[];
  /** Whether fonts of the page are not trusted, so that their text was recognised instead. */
  doubted?: boolean;
  /** Kinds of content of the page that are not read and not in the output; none by default. */
  dropped?: string[];
  /** Boxes where the words of the page were read, for the checks; none by default. */
  seen?: SeenText;
  /** The page's text, to search for values found on other pages (`spreadValues`). */
  readings?: PageReading[];
  /**
   * Boxes of text that could not be read, and is therefore covered without being searched; none by
   * default.
   */
  unreadable?: Box[];
  /** The recognised words of a scan that may stay, for the output's invisible text. */
  layer?: PageLayer;
  /** Whether its layer was omitted because it failed a check. */
  layerLeftOut?: boolean;
  /** Whether the page becomes a picture without text because removal in place failed a check. */
  asPicture?: boolean;
}

/** The content that a box hides: a kind of data, or text that could not be read. */
export type HiddenType = FoundType | typeof unreadableType;
export const unreadableType = 'UNREADABLE';

/** Boxes where the words of a page were read. */
export interface SeenText {
  /** Words that were recognised with confidence. */
  sure: Box[];
  /** Words of the page's own text that are drawn on paper and trusted; none by default. */
  own?: Box[];
}

/** A text of a page with the position of each of its words and numbers, in a compact form. */
export interface PageReading {
  source: 'pdf' | 'ocr';
  text: string;
  /** Four numbers per run of letters and digits in `text`: its box in hundredths of a point. */
  boxes: number[];
  /**
   * The rotation of the line of each of these runs (see `PlannedRemoval`); omitted if all are 0.
   */
  directions?: Quarter[];
}

/** Recognised words in their lines, in a compact form. */
export interface PageLayer {
  /** The words, separated by blanks. */
  text: string;
  /** Five numbers per word: its box in hundredths of a point, and the index of its line. */
  words: number[];
  /** Four numbers per line: the start of its baseline, its size and its angle, in hundredths. */
  lines: number[];
  /** As in `PageResult`. */
  orientation: Quarter;
  skewDegrees: number;
}

/** A page to redact, or one that failed earlier and must not be copied. */
export type PlannedPage =
  | ({ state: 'planned' } & PagePlan)
  | { state: 'failed'; page: number; widthPt: number; heightPt: number };
