import type { PDFContext, PDFDict, PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import type { Matrix } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';
import type { Copier } from '../build/copier.ts';
import type { IsShown } from '../build/layers.ts';
import { MustBurn } from '../must-burn.ts';
import { type Font, readFont } from './font.ts';

/** A picture and its placement on a page. */
export interface DrawnPicture {
  /** The reference of the picture; null for an inline picture. */
  ref: PDFRef | null;
  stream: PDFRawStream;
  /** Maps the picture's unit square to points as displayed. */
  matrix: Matrix;
  /** The part of the page where the picture is visible: the page, clipped by clipping paths. */
  clip: Box;
}

/** The context of rewriting a page's content. */
export interface Scene {
  /** The page as displayed. */
  page: Box;
  /** Boxes, as displayed, whose text and drawings must be removed. */
  areas: readonly Box[];
  /**
   * Boxes in which drawings of letters would reveal removed text. Elsewhere, lines may remain under
   * a box.
   */
  drawings: readonly Box[];
  /**
   * Boxes in which removed values were recognised in a picture. Patterns and masks may show them
   * there.
   */
  recognisedAreas: readonly Box[];
  /** The source document of the content. */
  source: PDFContext;
  isShown: IsShown;
  copier: Copier;
  /** Returns the picture to draw instead, in the new document; undefined to draw nothing. */
  draw(picture: DrawnPicture): PDFRef | undefined;
  fonts: Map<PDFObject, Font>;
  /** Number of operations left before the page counts as too complex. */
  budget: { operations: number };
}

/** Maximum number of operations per page. Forms count each time they are drawn. */
export const maxOperations = 5_000_000;
export const maxFormDepth = 12;

export function countOperation({ budget }: Scene): void {
  budget.operations -= 1;
  if (budget.operations < 0) throw new MustBurn('the page is too complex');
}

/** Returns the metrics of a font, which are read once. */
export function fontOf({ fonts }: Scene, dict: PDFDict): Font {
  let font = fonts.get(dict);
  if (!font) {
    font = readFont(dict);
    fonts.set(dict, font);
  }
  return font;
}
