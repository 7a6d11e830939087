import {
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { type Box, isBox } from '../../results.ts';
import type { Cell, Mark, Span } from '../document.ts';

/** A line of text of the page. */
export type LayoutLine = {
  /** The words in reading order, separated by single spaces, except in lines of code. */
  spans: Span[];
  box: Box;
  /** The y coordinate of the baseline, in points of the page as displayed. */
  base: number;
  /** The size of most letters, in points. */
  size: number;
  /** Whether most letters have this style. */
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** The share of characters in mathematical fonts, from 0 to 1. */
  math: number;
};

/** Marks a hyphen at a line end in the text of a cell. The following text may continue the word. */
export const lineEndHyphen = '\u00ad';

/** A separate part of a page, detected without the other pages. */
export type LayoutBlock =
  | {
      kind: 'text';
      lines: LayoutLine[];
      box: Box;
      confidence: number;
      /** Its tag in the file (`H1`, `P`, `L`…); null without one. */
      tag: string | null;
      /** Whether the file marks it as an artifact, such as a running header. */
      artifact: boolean;
      /**
       * Whether it is beside the text and not part of it, such as line numbers or a stamp in the
       * margin.
       */
      margin: boolean;
      /** The left and the right edge of its column. */
      column: [number, number];
    }
  | {
      kind: 'table';
      box: Box;
      confidence: number;
      rows: number;
      columns: number;
      headerRows: number;
      cells: Cell[];
    }
  | {
      kind: 'picture';
      box: Box;
      confidence: number;
      alt: string | null;
      /** The text in the picture, such as the labels of a drawing. */
      text: string | null;
    };

/**
 * One page as blocks in reading order, with the data that is needed to process the whole document.
 */
export type PageLayout = {
  /** The page's number in the output. */
  page: number;
  widthPt: number;
  heightPt: number;
  /** The title and the language code from the document's metadata. */
  title: string | null;
  language: string | null;
  /** The entries of the document's outline for this page. Level 1 is the outermost. */
  outline: { title: string; level: number }[];
  /** The number of letters and digits that the page shows. */
  letters: number;
  blocks: LayoutBlock[];
  /** The kinds of content of the page or its document that are not read. */
  unread?: string[];
};

/** Returns the number of letters and digits in a text. */
export function lettersIn(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7e) return text.replace(/[^\p{L}\p{N}]+/gu, '').length;
    const lower = code | 0x20;
    if ((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)) letters += 1;
  }
  return letters;
}

const marks: readonly Mark[] = ['bold', 'italic', 'code', 'strike', 'superscript', 'subscript'];

const isSpan = isRecord({
  text: isString,
  marks: isListOf(isOneOf(...marks)),
  href: isNullOr(isString),
});

const isLine = isRecord({
  spans: isListOf(isSpan),
  box: isBox,
  base: isNumber,
  size: isNumber,
  bold: isBoolean,
  italic: isBoolean,
  mono: isBoolean,
  math: isNumber,
});

const isCell = isRecord({
  row: isNumber,
  column: isNumber,
  rowSpan: isNumber,
  columnSpan: isNumber,
  header: isBoolean,
  text: isString,
  box: isNullOr(isBox),
});

const isTextBlock = isRecord({
  kind: isOneOf('text'),
  lines: isListOf(isLine),
  tag: isNullOr(isString),
  artifact: isBoolean,
  margin: isBoolean,
  column: isListOf(isNumber, 2),
});
const isTable = isRecord({
  kind: isOneOf('table'),
  rows: isNumber,
  columns: isNumber,
  headerRows: isNumber,
  cells: isListOf(isCell),
});
const isPicture = isRecord({
  kind: isOneOf('picture'),
  alt: isNullOr(isString),
  text: isNullOr(isString),
});

const hasPosition = isRecord({ box: isBox, confidence: isNumber });
const isBlock = (value: unknown): boolean =>
  hasPosition(value) && (isTextBlock(value) || isTable(value) || isPicture(value));

const isLayout = isRecord({
  page: isNumber,
  widthPt: isNumber,
  heightPt: isNumber,
  title: isNullOr(isString),
  language: isNullOr(isString),
  outline: isListOf(isRecord({ title: isString, level: isNumber })),
  letters: isNumber,
  blocks: isListOf(isBlock),
  unread: isOptional(isListOf(isString)),
});

export const isPageLayout = (value: unknown): value is PageLayout => isLayout(value);

/** Returns the text of a line. */
export function textOf({ spans }: Pick<LayoutLine, 'spans'>): string {
  return spans.map(({ text }) => text).join('');
}
