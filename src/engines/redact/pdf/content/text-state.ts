import { compose, type Matrix } from '../../../geometry.ts';
import type { Font } from './font.ts';

/** The state of text (PDF 32000-1 §9.3), which q and Q save. Never changed, only replaced. */
export interface TextState {
  readonly font: Font;
  readonly size: number;
  readonly characterSpace: number;
  readonly wordSpace: number;
  /** 1 is the font's own width. */
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
  readonly mode: number;
}

/** How far a glyph, or an adjustment in a TJ array, moves the pen along the line. */
export function advanceOf(state: TextState, code: number): number {
  const { font, size, characterSpace, wordSpace, stretch } = state;
  const isSpace = font.bytesPerCode === 1 && code === 32;
  return (font.widthOf(code) * size + characterSpace + (isSpace ? wordSpace : 0)) * stretch;
}

export const adjustmentOf = ({ size, stretch }: TextState, thousandths: number): number =>
  (-thousandths / 1000) * size * stretch;

/** The text matrix after the pen moved by (x, y) in text space. */
export const moved = (matrix: Matrix, x: number, y: number): Matrix =>
  compose(matrix, [1, 0, 0, 1, x, y]);

/** From the glyph's own space (1 is its size) to what the text matrix maps from. */
export const glyphMatrix = ({ size, stretch, rise }: TextState): Matrix => [
  size * stretch,
  0,
  0,
  size,
  0,
  rise,
];
