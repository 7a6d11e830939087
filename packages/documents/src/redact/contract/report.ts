import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { Box } from '../../results.ts';
import type { HiddenType, KeptAreas, PlannedPage, SeenText } from './plan.ts';

/** The treatment of a page of a redacted PDF. */
export interface RedactedPage {
  /** 1-based page number in the source. */
  page: number;
  /** 1-based page number in the output. */
  outputPage: number;
  /**
   * `copied`: nothing had to be removed. `redacted`: glyphs and pixels were removed in place.
   * `burned`: the page became a picture, because removal in place was not safe. `empty`: the page
   * failed and contains only a notice.
   */
  treatment: 'copied' | 'redacted' | 'burned' | 'empty';
  /** Why a page was burned or left empty; null otherwise. */
  reason: string | null;
  /** The size of the page as displayed, in points. */
  widthPt: number;
  heightPt: number;
  /**
   * The painted boxes, in points of the page as displayed, with the type of content that each box
   * hides.
   */
  regions: { box: Box; type: HiddenType }[];
  /** Whether the page's `layer` was omitted because it failed a check. */
  layerLeftOut?: boolean;
  /** Where words of the page were read before redaction. Added by the job. */
  seen?: SeenText;
  /** Areas of the page that stay (see `PagePlan`). Added by the job. */
  kept?: KeptAreas;
}

/** Maximum length of a removed value, in UTF-16 units. */
export const maxValueLength = 10_000;

/**
 * The report of the removal. The checks use it to learn which content had to be removed and where,
 * but not to decide whether it was removed.
 */
export interface RemovalReport {
  pages: RedactedPage[];
  /**
   * All values that were removed anywhere, as they were read, with the parts of names. A value with
   * `here` may occur elsewhere.
   */
  values: { type: FoundType; value: string; here?: boolean }[];
}

/** Returns each removed value once, in page order, with its parts that are also removed. */
export function valuesOf(plans: readonly PlannedPage[]): RemovalReport['values'] {
  const values = new Map<string, RemovalReport['values'][number]>();
  for (const plan of plans) {
    for (const { type, value, here, parts } of plan.state === 'planned' ? plan.removals : []) {
      const key = `${type} ${value}`;
      if (!here) values.set(key, { type, value });
      else if (!values.has(key)) values.set(key, { type, value, here });
      for (const part of parts ?? []) values.set(`${type} ${part}`, { type, value: part });
    }
  }
  return [...values.values()];
}

/** The verdict of one check on a redacted file. Never contains a value. */
export interface RedactionCheck {
  /**
   * The name of the check, such as `streams`, `text_pdfium`, `text_pdfjs`, `ocr_regions`,
   * `pictures` or `structure`.
   */
  name: string;
  passed: boolean;
  /** The scope of the check, or the place where it failed: counts and pages, never values. */
  detail: string;
  /** The output pages that failed the check. Empty if the check failed for the whole file. */
  pages: number[];
  /**
   * If the check failed because of text that was never read: the boxes of this text, in points of
   * the page as displayed.
   */
  unread?: Box[];
}
