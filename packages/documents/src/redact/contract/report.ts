import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { Box } from '../../results.ts';
import type { HiddenType, SeenText } from './plan.ts';

/** How a page of a redacted PDF was processed. */
export interface RedactedPage {
  /** 1-based, in the source. */
  page: number;
  /** 1-based, in the output. */
  outputPage: number;
  /**
   * `copied`: nothing had to be removed; `redacted`: glyphs and pixels were removed in place;
   * `burned`: the page became a picture, because removal in place was not safe; `empty`: the page
   * failed and contains only a notice.
   */
  treatment: 'copied' | 'redacted' | 'burned' | 'empty';
  /** Why a page was burned or left empty; null otherwise. */
  reason: string | null;
  /** The size of the page as displayed, in points. */
  widthPt: number;
  heightPt: number;
  /**
   * The painted boxes, in points of the page as displayed, with the type of data that each hides.
   */
  regions: { box: Box; type: HiddenType }[];
  /** Whether the page's `layer` was not written, since it was not clear of removed areas. */
  layerLeftOut?: boolean;
  /** Where words of the page were read before redaction; added by the job. */
  seen?: SeenText;
}

/**
 * The remover's report. The checks use it for what had to be removed and where, not for whether it
 * was removed.
 */
export interface RemovalReport {
  pages: RedactedPage[];
  /**
   * Every value that was removed anywhere, as it was read, with the parts of names. A value that
   * was removed from `here` only may occur elsewhere.
   */
  values: { type: FoundType; value: string; here?: boolean }[];
}

/** The verdict of one check on a redacted file. Never holds a value. */
export interface RedactionCheck {
  /** For example `streams`, `text_pdfium`, `text_pdfjs`, `ocr_regions`, `pictures`, `structure`. */
  name: string;
  passed: boolean;
  /** The scope of the check, or the place of its failure: counts and pages, no values. */
  detail: string;
  /** Output pages that failed it; empty if it failed for the whole file. */
  pages: number[];
  /** Text that was never read, in points of the page as displayed, if that is why it failed. */
  unread?: Box[];
}
