import { displaySize } from '../../../geometry.ts';
import type { StrayInk } from '../../../ink/stray-ink.ts';
import { maxPagePixels } from '../../../limits.ts';
import { renderChannels, renderPage } from '../../../pdf/bitmaps.ts';
import type { PdfDocument } from '../../../pdf/pdfium.ts';
import type { PageFrame } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type { Claim } from '../claim.ts';
import type { readPageGlyphs } from './glyphs.ts';
import type { DrawnObject } from './objects.ts';
import type { PictureReader } from './read-regions.ts';
import type { GreyTile } from './tiles.ts';
import type { TrustedFonts } from './trusted-fonts.ts';

/** Resolution at which text and barcodes are read, in dpi. */
const readingDpi = 300;

/** A page of a redacted PDF, and its entry in the report. */
export interface CheckedPage {
  document: PdfDocument;
  reported: RedactedPage;
  claim: Claim;
  reader: PictureReader;
}

export interface PageDrawing {
  tile: GreyTile;
  /** Pixels per point. */
  scale: number;
}

/** A loaded page. Data that several checks need is read only once. */
export type LoadedPage = CheckedPage & {
  page: number;
  frame: PageFrame;
  fonts: TrustedFonts;
  glyphs: () => ReturnType<typeof readPageGlyphs>;
  objects: () => DrawnObject[];
  /** The page drawn at `unreadDpi`. */
  lowResolution: () => PageDrawing;
  /** The page drawn at `readingDpi`. */
  highResolution: () => PageDrawing;
  /** The ink on `lowResolution` that neither boxes nor letters explain. */
  strayInk: () => StrayInk;
};

/** Draws a loaded page in greyscale, at `readingDpi` by default. */
export function draw({ document, page, frame }: LoadedPage, dpi: number = readingDpi): PageDrawing {
  const { scale, ...size } = sizeAt(frame, dpi);
  const tile = renderPage(document.pdfium, page, { ...size, grey: true, annotations: true });
  return { tile, scale };
}

/**
 * Draws the channels of a loaded page, each in greyscale. Returns one channel if all are the same.
 */
export function drawChannels({ document, page, frame }: LoadedPage, dpi: number): GreyTile[] {
  const { width, height } = sizeAt(frame, dpi);
  return renderChannels(document.pdfium, page, { width, height, annotations: true });
}

/** Returns the size of a page in pixels, and its pixels per point. */
function sizeAt(frame: PageFrame, dpi: number): { width: number; height: number; scale: number } {
  const { width, height } = displaySize(frame);
  const scale = Math.min(dpi / 72, Math.sqrt(maxPagePixels / (width * height)));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    scale,
  };
}
