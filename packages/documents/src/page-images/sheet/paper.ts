import sharp from 'sharp';
import { isTurned } from '../../model/direction.ts';
import type { Raster } from '../../pdf/pdfium.ts';
import { monospaceFamily, sansFamily, withMissingReplaced } from './fonts.ts';
import { ink, softInk } from './markup.ts';

/** A white sheet to draw on. Places and sizes are in points, from its top left corner. */
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
export const shade: Colour = [242, 244, 247];

export function createPaper(width: number, height: number, pixels: number): Paper {
  const scale = pixels / width;
  const rows = Math.max(1, Math.round(height * scale));
  const data = new Uint8Array(pixels * rows * 3).fill(255);
  const raster: Raster = { data, width: pixels, height: rows, channels: 3 };
  return { raster, scale, width, height, missing: new Set() };
}

/** Fills a rectangle; lines that are thinner than a pixel have one. */
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
  /** With letters of one width. */
  even?: boolean;
  soft?: boolean;
  isCentred?: boolean;
}

/** A text that is set and not yet put on the paper: pixels with their opacity. */
export interface SetText {
  data: Uint8Array;
  /** In pixels. */
  columns: number;
  rows: number;
  /** In points, from the top of the first line to the bottom of the last one. */
  width: number;
  height: number;
  fromRight: boolean;
}

/** Of the font's size: what a line takes beyond its ink. */
const leading = 0.22;
/** The advance of the bar that each text begins and ends with, of the font's size. */
const barAdvance = { plain: 0.26, even: 0.6 };

/**
 * Sets a text, given as Pango markup, in lines that fit a width; in one line per line of the text
 * without one. Null if there is nothing to be seen.
 * @param plain the text without markup
 */
export async function setText(
  { scale, missing }: Paper,
  markup: string,
  style: TextStyle,
  width: number | null,
): Promise<SetText | null> {
  if (markup.trim() === '') return null;
  const size = style.size * scale;
  const bar = invisibleBar(size, style.even === true);
  const text = `<span size="${Math.max(1, Math.round(size * 1024))}" foreground="${
    style.soft ? softInk : ink
  }"${style.bold ? ' weight="bold"' : ''}${style.italic ? ' style="italic"' : ''}>${bar}${withMissingReplaced(markup, missing)}${bar}</span>`;
  try {
    const { data, info } = await sharp({
      text: {
        text,
        font: style.even ? monospaceFamily : sansFamily,
        // A point is a pixel then.
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
      fromRight: isTurned([{ text: markup }]),
    };
  } catch {
    // Too small to be seen, or markup that Pango rejects: the sheet goes without it.
    return null;
  }
}

/**
 * libvips crops a text to its ink. A bar that cannot be seen and takes no room makes the ink of the
 * first and the last line as high as all lines, so that texts beside each other are level.
 */
function invisibleBar(size: number, even: boolean): string {
  const advance = size * (even ? barAdvance.even : barAdvance.plain) * 1024;
  // Pango takes half of it away where a line begins.
  return `<span alpha="1" letter_spacing="${Math.round(-2 * advance)}">|</span>`;
}

/** Puts a text on the paper, as far as it is within a width and height. */
export function putText(
  { raster, scale }: Paper,
  { data, columns, rows }: SetText,
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

/** Says below a page which of its texts no font has; grey patches are in their places. */
export async function noteMissing(paper: Paper): Promise<void> {
  const names = [...paper.missing];
  if (names.length === 0) return;
  const y = paper.height - noteHeight;
  fill(paper, [0, y, paper.width, noteHeight], shade);
  const note = `Not shown, for lack of a font: ${names.join(', ')}`;
  const text = await setText(paper, note, { size: 8.5, soft: true }, null);
  if (text) putText(paper, text, { x: 8, y: y + 1, width: paper.width - 16, height: noteHeight });
}
