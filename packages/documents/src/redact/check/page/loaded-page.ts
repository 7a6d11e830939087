import { displaySize } from '../../../geometry.ts';
import { channelsOf } from '../../../ink/channels.ts';
import { maxPagePixels } from '../../../limits.ts';
import { type PdfDocument, type Raster, renderPage } from '../../../pdf/pdfium.ts';
import type { PageFrame } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type { Claim } from '../claim.ts';
import type { readSeenGlyphs } from './glyphs.ts';
import type { HonestFonts } from './honest-fonts.ts';
import type { PictureReader } from './look.ts';
import type { DrawnObject } from './objects.ts';
import type { StrayInk } from './stray-ink.ts';
import type { GreyTile } from './tiles.ts';

/** A page of a redacted PDF, and its entry in the report. */
export interface Look {
  document: PdfDocument;
  said: RedactedPage;
  claim: Claim;
  reader: PictureReader;
}

export interface Drawn {
  drawn: GreyTile;
  /** Pixels per point. */
  scale: number;
}

/** A loaded page. Data that several checks need is read only once. */
export type Page = Look & {
  page: number;
  frame: PageFrame;
  fonts: HonestFonts;
  glyphs: () => ReturnType<typeof readSeenGlyphs>;
  objects: () => DrawnObject[];
  /** The page drawn at `unreadDpi`. */
  small: () => Drawn;
  /** The ink on `small` that neither boxes nor letters explain. */
  stray: () => StrayInk;
};

/** Draws a loaded page in greyscale. */
export function draw(look: Page, wished: number): Drawn {
  const { raster, scale } = drawAt(look, wished, true);
  return { drawn: raster, scale };
}

/**
 * Draws the channels of a loaded page, each in greyscale. Returns one channel if all are the same.
 */
export function drawChannels(look: Page, wished: number): GreyTile[] {
  const { raster } = drawAt(look, wished, false);
  return channelsOf(raster.data, raster);
}

function drawAt(
  { document, page, frame }: Page,
  wished: number,
  grey: boolean,
): { raster: Raster; scale: number } {
  const { width, height } = displaySize(frame);
  const scale = Math.min(wished / 72, Math.sqrt(maxPagePixels / (width * height)));
  const raster = renderPage(document.pdfium, page, {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    grey,
    annotations: true,
  });
  return { raster, scale };
}
