import type { PDFContext, PDFDict, PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import type { Matrix } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import type { Copier } from '../copier.ts';
import type { IsShown } from '../layers.ts';
import { MustBurn } from './burn.ts';
import { type Font, readFont } from './font.ts';

/** A picture where a page draws it. */
export interface DrawnPicture {
  /** Null for one that stands in the content itself. */
  ref: PDFRef | null;
  stream: PDFRawStream;
  /** From its unit square to points as displayed. */
  matrix: Matrix;
  /** What of the page it can be seen in: the page, cut by clipping paths. */
  clip: Box;
}

/** What a page's content is rewritten with. */
export interface Scene {
  /** The page as displayed. */
  page: Box;
  /** What has to go: text in these boxes, as displayed, and what is drawn in them. */
  areas: readonly Box[];
  /** Where drawings of letters would tell what is removed: any other lines may stay under a box. */
  drawings: readonly Box[];
  /** Where what is removed was read in a picture: patterns and masks can show it there. */
  shown: readonly Box[];
  /** The document that the content comes from. */
  source: PDFContext;
  isShown: IsShown;
  copier: Copier;
  /** Gives the picture to draw instead, in the new document; undefined for none. */
  draw(picture: DrawnPicture): PDFRef | undefined;
  fonts: Map<PDFObject, Font>;
  /** Operations left before the page counts as too complex. */
  budget: { operations: number };
}

/** Most operations of a page, its forms counted as often as they are drawn. */
export const mostOperations = 5_000_000;
export const deepestForm = 12;

export function spend({ budget }: Scene): void {
  budget.operations -= 1;
  if (budget.operations < 0) throw new MustBurn('the page is too complex');
}

/** A font's measures, read once. */
export function fontOf({ fonts }: Scene, dict: PDFDict): Font {
  let font = fonts.get(dict);
  if (!font) {
    font = readFont(dict);
    fonts.set(dict, font);
  }
  return font;
}
