import { displaySize } from '../../../geometry.ts';
import { channelsOf } from '../../../ink/channels.ts';
import type { StrayInk } from '../../../ink/stray-ink.ts';
import { maxPagePixels } from '../../../limits.ts';
import { type PdfDocument, type Raster, renderPage } from '../../../pdf/pdfium.ts';
import type { PageFrame } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type { Claim } from '../claim.ts';
import type { readPageGlyphs } from './glyphs.ts';
import type { DrawnObject } from './objects.ts';
import type { PictureReader } from './read-regions.ts';
import type { GreyTile } from './tiles.ts';
import type { TrustedFonts } from './trusted-fonts.ts';

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
  /** The ink on `lowResolution` that neither boxes nor letters explain. */
  strayInk: () => StrayInk;
};

/** Draws a loaded page in greyscale. */
export function draw(loadedPage: LoadedPage, dpi: number): PageDrawing {
  const { raster, scale } = renderAt(loadedPage, dpi, true);
  return { tile: raster, scale };
}

/**
 * Draws the channels of a loaded page, each in greyscale. Returns one channel if all are the same.
 */
export function drawChannels(loadedPage: LoadedPage, dpi: number): GreyTile[] {
  const { raster } = renderAt(loadedPage, dpi, false);
  return channelsOf(raster.data, raster);
}

function renderAt(
  { document, page, frame }: LoadedPage,
  dpi: number,
  grey: boolean,
): { raster: Raster; scale: number } {
  const { width, height } = displaySize(frame);
  const scale = Math.min(dpi / 72, Math.sqrt(maxPagePixels / (width * height)));
  const raster = renderPage(document.pdfium, page, {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    grey,
    annotations: true,
  });
  return { raster, scale };
}
