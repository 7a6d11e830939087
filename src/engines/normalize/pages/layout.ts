import type { Box } from '../../results.ts';
import { hasFields, isBoolean, isListOf, isNumber, isOneOf, isString } from '../../results.ts';
import type { Cell, Mark, Span } from '../document.ts';

/** A line of text as it is set on the page. */
export type LayoutLine = {
  /** In reading order; words are parted by single blanks, but in lines of code. */
  spans: Span[];
  box: Box;
  /** y of the baseline, in points of the page as displayed. */
  base: number;
  /** Size of most of its letters, in points. */
  size: number;
  /** Most of its letters are set so. */
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** Share of its characters that are set in a font of mathematics, 0 to 1. */
  math: number;
};

/** A part of a page that stands by itself, as far as the page alone tells. */
export type LayoutBlock =
  | {
      kind: 'text';
      lines: LayoutLine[];
      box: Box;
      confidence: number;
      /** What the file itself calls it (`H1`, `P`, `L`…); null where it does not say. */
      tag: string | null;
      /** The file says that it is no part of its content, as a running header. */
      artifact: boolean;
      /** It stands beside the text and is none of it: numbers of lines, a stamp up the margin. */
      margin: boolean;
      /** The column it stands in: left and right edge. */
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
      /** What is written in it, such as the labels of a drawing. */
      text: string | null;
    };

/** One page as blocks in reading order, and what the pass over the whole document needs of it. */
export type PageLayout = {
  /** What the page is called in the output. */
  page: number;
  widthPt: number;
  heightPt: number;
  /** What the document says of itself: its title, and the code of its language. */
  title: string | null;
  language: string | null;
  /** The entries of the document's outline that lead to this page, 1 the outermost. */
  outline: { title: string; level: number }[];
  blocks: LayoutBlock[];
};

const isBox = isListOf(isNumber, 4);
const isStringOrNull = (value: unknown): boolean => value === null || isString(value);

const marks: readonly Mark[] = ['bold', 'italic', 'code', 'strike', 'superscript', 'subscript'];

const isSpan = (value: unknown): boolean =>
  hasFields(value, { text: isString, marks: isListOf(isOneOf(...marks)), href: isStringOrNull });

const isLine = (value: unknown): boolean =>
  hasFields(value, {
    spans: isListOf(isSpan),
    box: isBox,
    base: isNumber,
    size: isNumber,
    bold: isBoolean,
    italic: isBoolean,
    mono: isBoolean,
    math: isNumber,
  });

const isCell = (value: unknown): boolean =>
  hasFields(value, {
    row: isNumber,
    column: isNumber,
    rowSpan: isNumber,
    columnSpan: isNumber,
    header: isBoolean,
    text: isString,
    box: (box) => box === null || isBox(box),
  });

const isBlock = (value: unknown): boolean =>
  hasFields(value, { box: isBox, confidence: isNumber }) &&
  (hasFields(value, {
    kind: isOneOf('text'),
    lines: isListOf(isLine),
    tag: isStringOrNull,
    artifact: isBoolean,
    margin: isBoolean,
    column: isListOf(isNumber, 2),
  }) ||
    hasFields(value, {
      kind: isOneOf('table'),
      rows: isNumber,
      columns: isNumber,
      headerRows: isNumber,
      cells: isListOf(isCell),
    }) ||
    hasFields(value, { kind: isOneOf('picture'), alt: isStringOrNull, text: isStringOrNull }));

export function isPageLayout(value: unknown): value is PageLayout {
  return hasFields(value, {
    page: isNumber,
    widthPt: isNumber,
    heightPt: isNumber,
    title: isStringOrNull,
    language: isStringOrNull,
    outline: isListOf((entry) => hasFields(entry, { title: isString, level: isNumber })),
    blocks: isListOf(isBlock),
  });
}

/** The text of a line. */
export function textOf({ spans }: Pick<LayoutLine, 'spans'>): string {
  return spans.map(({ text }) => text).join('');
}
