import sharp from 'sharp';
import { isRightToLeftLine } from '../../model/direction.ts';
import type { Raster } from '../../pdf/bitmaps.ts';
import { monospaceFamily, replaceMissing, sansFamily } from './fonts.ts';
import { mutedColour, textColour } from './markup.ts';

/** A white sheet to draw on. Positions and sizes are in points from the top left corner. */
export interface Paper {
  raster: Raster;
  /** Pixels per point. */
  scale: number;
  width: number;
  height: number;
  /** The scripts of its texts that no font has. */
  missing: Set<string>;
}

type Colour = readonly [red: number, green: number, blue: number];
export const lineColour: Colour = [208, 213, 221];
export const paperColour: Colour = [255, 255, 255];
export const shadeColour: Colour = [242, 244, 247];

export function createPaper(width: number, height: number, pixels: number): Paper {
  const scale = pixels / width;
  const rows = Math.max(1, Math.round(height * scale));
  const data = new Uint8Array(pixels * rows * 3).fill(255);
  const raster: Raster = { data, width: pixels, height: rows, channels: 3 };
  return { raster, scale, width, height, missing: new Set() };
}

/** Fills a rectangle. Lines thinner than a pixel are drawn one pixel wide. */
export function fill(
  { raster, scale }: Paper,
  [x, y, width, height]: readonly [number, number, number, number],
  colour: Colour,
): void {
  const left = Math.max(0, Math.round(x * scale));
  const top = Math.max(0, Math.round(y * scale));
  const right = Math.min(raster.width, Math.max(left + 1, Math.round((x + width) * scale)));
  const bottom = Math.min(raster.height, Math.max(top + 1, Math.round((y + height) * scale)));
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      raster.data.set(colour, (row * raster.width + column) * 3);
    }
  }
}

export interface TextStyle {
  size: number;
  bold?: boolean;
  italic?: boolean;
  /** Whether to use a monospaced font. */
  isMonospaced?: boolean;
  isMuted?: boolean;
  isCentred?: boolean;
}

/** A text that is laid out but not drawn yet: pixels with opacity. */
export interface LaidOutText {
  data: Uint8Array;
  /** Size in pixels. */
  columns: number;
  rows: number;
  /** Size in points, from the top of the first line to the bottom of the last line. */
  width: number;
  height: number;
  isRightToLeft: boolean;
}

/** The space between lines, relative to the font size. */
const leading = 0.22;
/** The advance of the bar at the start and end of each text, relative to the font size. */
const barAdvance = { plain: 0.26, monospaced: 0.6 };

/**
 * Lays out a text, given as Pango markup. With a width, lines are wrapped; without a width, the
 * lines of the text are kept. Null if the text has no visible content.
 */
export async function layOutText(
  { scale, missing }: Paper,
  markup: string,
  style: TextStyle,
  width: number | null,
): Promise<LaidOutText | null> {
  if (markup.trim() === '') return null;
  const size = style.size * scale;
  const bar = invisibleBar(size, style.isMonospaced === true);
  const text = `<span size="${Math.max(1, Math.round(size * 1024))}" foreground="${
    style.isMuted ? mutedColour : textColour
  }"${style.bold ? ' weight="bold"' : ''}${style.italic ? ' style="italic"' : ''}>${bar}${replaceMissing(markup, missing)}${bar}</span>`;
  try {
    const { data, info } = await sharp({
      text: {
        text,
        font: style.isMonospaced ? monospaceFamily : sansFamily,
        // At 72 dpi, a point is a pixel.
        dpi: 72,
        rgba: true,
        spacing: Math.round(size * leading),
        ...(style.isCentred ? { align: 'centre' } : {}),
        ...(width === null
          ? {}
          : { width: Math.max(8, Math.floor(width * scale)), wrap: 'word-char' }),
      },
    })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return {
      data,
      columns: info.width,
      rows: info.height,
      width: info.width / scale,
      height: info.height / scale + style.size * leading,
      isRightToLeft: isRightToLeftLine([{ text: markup }]),
    };
  } catch {
    // The text is too small to be visible, or Pango rejects the markup. The text is omitted.
    return null;
  }
}

/**
 * Returns an invisible bar without width. libvips crops a text to its ink. The bar makes the ink of
 * the first and the last line as high as the other lines, so that adjacent texts are level.
 */
function invisibleBar(size: number, isMonospaced: boolean): string {
  const advance = size * (isMonospaced ? barAdvance.monospaced : barAdvance.plain) * 1024;
  // At the start of a line, Pango removes half of the spacing.
  return `<span alpha="1" letter_spacing="${Math.round(-2 * advance)}">|</span>`;
}

/** Draws a text on the sheet, cropped to a width and height. */
export function drawText(
  { raster, scale }: Paper,
  { data, columns, rows }: LaidOutText,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  const left = Math.round(x * scale);
  const top = Math.round(y * scale);
  const right = Math.min(raster.width, left + columns, Math.round((x + width) * scale));
  const bottom = Math.min(raster.height, top + rows, Math.round((y + height) * scale));
  for (let row = Math.max(0, top); row < bottom; row += 1) {
    for (let column = Math.max(0, left); column < right; column += 1) {
      const from = ((row - top) * columns + column - left) * 4;
      const opacity = (data[from + 3] ?? 0) / 255;
      if (opacity === 0) continue;
      const to = (row * raster.width + column) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const below = raster.data[to + channel] ?? 255;
        raster.data[to + channel] = below + ((data[from + channel] ?? 0) - below) * opacity;
      }
    }
  }
}

const noteHeight = 13;

/**
 * Writes a note below a page with the scripts that no font has. Grey patches replace their text.
 */
export async function noteMissing(paper: Paper): Promise<void> {
  const names = [...paper.missing];
  if (names.length === 0) return;
  const y = paper.height - noteHeight;
  fill(paper, [0, y, paper.width, noteHeight], shadeColour);
  const note = `Not shown because no font is available: ${names.join(', ')}`;
  const text = await layOutText(paper, note, { size: 8.5, isMuted: true }, null);
  if (text) drawText(paper, text, { x: 8, y: y + 1, width: paper.width - 16, height: noteHeight });
}
