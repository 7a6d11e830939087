import type { FoundType } from '../../contracts/entities.ts';
import type { Box, Quarter } from '../results.ts';

/** Something on a page that has to go: personal data, and every place it covers. */
export interface PlannedRemoval {
  type: FoundType;
  score: number;
  /** As it was read; never leaves the engine but sealed. */
  value: string;
  /** Where it stands, a box a line, in points of the page as displayed (see `Box`). */
  boxes: Box[];
  /** Where it was read: the page's own text, or its picture. */
  source: 'pdf' | 'ocr';
  /** Clockwise turn of the lines it stands on, as displayed; 0 unless given. */
  direction?: Quarter;
}

/** What has to go from one page. A page whose plan could not be made is never copied. */
export interface PagePlan {
  /** 1-based, in the source. */
  page: number;
  widthPt: number;
  heightPt: number;
  removals: PlannedRemoval[];
  /** The page's text without what is removed: `[TYPE]` stands in its place. */
  redactedText: string;
  /** Where its words were read, for the proof; nowhere unless said. */
  seen?: SeenText;
  /** The page as it was read, to look for what is found on other pages (`spreadValues`). */
  readings?: PageReading[];
}

/** Where words of a page were read. */
export interface SeenText {
  sure: Box[];
  /** Where a recogniser was not sure of them. */
  unsure: Box[];
  /** Clockwise turn of the lines that it read, as displayed. */
  direction: Quarter;
}

/** A text that stands on a page, with the place of each of its words and numbers; kept small. */
export interface PageReading {
  source: 'pdf' | 'ocr';
  text: string;
  /** For each run of letters and digits in `text` four numbers: its box in hundredths of a point. */
  boxes: number[];
  /** For each of these runs the turn of its line (see `PlannedRemoval`); left out where all are 0. */
  directions?: Quarter[];
}

/** What became of one page of a redacted PDF. */
export interface RedactedPage {
  /** 1-based, in the source. */
  page: number;
  /** 1-based, in the output. */
  outputPage: number;
  /**
   * `copied`: nothing was to be removed; `redacted`: glyphs and pixels were removed in place; `burned`:
   * the page became a picture, since removal in place was not safe; `empty`: the page failed, and only
   * says so.
   */
  treatment: 'copied' | 'redacted' | 'burned' | 'empty';
  /** Why a page was burned or left empty, in words; null else. */
  reason: string | null;
  /** The page as displayed, in points: what places of regions are measured by. */
  widthPt: number;
  heightPt: number;
  /** The boxes painted over, in points of the page as displayed, with what each hides. */
  regions: { box: Box; type: FoundType }[];
  /** Where words of the page were read before it was redacted; added by the job. */
  seen?: SeenText;
}

/** What the remover says it did: all that the checks may rely on, and nothing they must believe. */
export interface RemovalReport {
  pages: RedactedPage[];
  /** Every value that was removed anywhere, as it was read. */
  values: { type: FoundType; value: string }[];
}

/** The verdict of one check on a redacted file. Never holds a value. */
export interface Check {
  /** Such as `streams`, `text_pdfium`, `text_pdfjs`, `ocr_regions`, `pictures`, `structure`. */
  name: string;
  passed: boolean;
  /** What was looked at, or where it failed: counts and pages, no values. */
  detail: string;
  /** Output pages on which it failed; empty when it failed for the whole file. */
  pages: number[];
}
