/** The layouts in which the review of a file without pages displays its text. */
export const textLayouts = ['lines', 'table', 'sheet'] as const;
/**
 * `lines`: running text. `table`: a row per line, with cells separated by tabs. `sheet`: the same,
 * with the row number as the first cell.
 */
export type TextLayout = (typeof textLayouts)[number];

/**
 * The part of a file to which a text belongs. `hidden`: not visible to readers, such as link
 * targets, attributes and names.
 */
export const textParts = [
  'body',
  'header',
  'footer',
  'notes',
  'chart',
  'drawing',
  'hidden',
] as const;
export type TextPart = (typeof textParts)[number];

/** The page number of text that is not on a page. */
export const hiddenPage = 0;

/** The position of a range of text within a file. */
export interface TextLocation {
  part: TextPart;
  /** The number of the line in the text of the page, from 1. */
  line: number;
  /** The first cell, such as `B4`; null outside of tables, or if it is not known. */
  cell: string | null;
}

/** A range of the text of a page: whole lines, unless these are too long. */
export interface TextPiece {
  page: number;
  /** The number of the piece on the page, from 0. */
  piece: number;
  layout: TextLayout;
  /** The name of a sheet. */
  name: string | null;
  /** Its first character in the text of the page, in UTF-16 units. */
  start: number;
  /** The line number of its first line, starting at 1. */
  line: number;
  /** The number of its line ends. */
  lines: number;
  text: string;
  /** The parts to which its text belongs, and their start in the page. */
  parts: { start: number; part: TextPart }[];
}

/** The name of a column: 1 is A, 27 is AA. */
export function columnName(column: number): string {
  let name = '';
  for (let remaining = column; remaining > 0; remaining = Math.floor((remaining - 1) / 26)) {
    name = String.fromCharCode(65 + ((remaining - 1) % 26)) + name;
  }
  return name;
}

/**
 * The cell that contains a character of a line.
 * @param lineBefore the line up to that character
 * @param line the number of the line
 */
export function cellIn(layout: TextLayout, lineBefore: string, line: number): string | null {
  if (layout === 'lines') return null;
  const tabs = lineBefore.split('\t').length - 1;
  if (layout === 'table') return `${columnName(tabs + 1)}${line}`;
  const row = /^\d+(?=\t)/.exec(lineBefore)?.[0];
  return row === undefined ? null : `${columnName(tabs)}${row}`;
}
