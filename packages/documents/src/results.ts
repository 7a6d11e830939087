/* The results of the engines, and the functions that check them. */

import { readFile } from 'node:fs/promises';
import { type SourceKind, sources } from '@scriptorium/contracts/documents/sources';
import {
  type Check,
  hasFields,
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { EngineError } from '@scriptorium/sandbox/errors';
import { maxPages } from './limits.ts';

/**
 * [x0, y0, x1, y1] in points on the page as displayed, after /Rotate: origin at the top left, y
 * down.
 */
export type Box = [number, number, number, number];

/** A quarter turn, clockwise, in degrees. */
export type Quarter = 0 | 90 | 180 | 270;

/** A page of a source as reported by `inspect`. Sizes are in points, after rotation. */
export type InspectedPage = {
  /** 1-based. */
  number: number;
  /** 0 × 0 if the page cannot be read. Such a page fails when it is processed. */
  widthPt: number;
  heightPt: number;
  /** The /Rotate of the page, clockwise: 0, 90, 180 or 270. */
  rotation: number;
  /** Width times height of an image page, in pixels; null for a PDF page. */
  pixels: number | null;
  /** Number of visible characters of text, without spaces; null for a file without pages. */
  characters: number | null;
  /** Whether the page already has text, visible or in an invisible layer. */
  hasText: boolean;
};

/** The properties of a source that are known without reading its pages. */
export type SourceSummary = {
  /** For a workbook, its sheets. Other files without pages count as one page. */
  pageCount: number;
  /** Whether the file has a digital signature, which does not cover a changed copy. */
  signed: boolean;
  /** Whether the cross-reference table of the PDF had to be rebuilt. */
  repaired: boolean;
};

/** The properties of a source and of its pages, before it is processed. */
export type Inspection = Omit<SourceSummary, 'pageCount'> & {
  kind: SourceKind;
  pages: InspectedPage[];
};

/** A word with its position and the confidence of the recogniser. */
export type Word = {
  text: string;
  box: Box;
  /** 0 to 1; 1 for text from the PDF. */
  confidence: number;
  /** Index into `lines`. */
  line: number;
  source: 'ocr' | 'pdf';
};

/** A line of text: the properties that its words share in the text layer. */
export type Line = {
  /** Start of the baseline, in points on the page as displayed. */
  origin: [number, number];
  /** Direction of the baseline in degrees, clockwise as displayed; 0 is left to right. */
  angle: number;
  /** Height of the line from descender to ascender, in points. */
  size: number;
  /** Whether a paragraph starts with this line. */
  paragraph: boolean;
};

/** The visible rectangle of a page in user space, and its /Rotate. */
export type PageFrame = {
  left: number;
  bottom: number;
  width: number;
  height: number;
  rotation: number;
};

/** The treatment of a page by the text layer. */
type Treatment = 'keep' | 'add' | 'replace_invisible' | 'rasterise';

/** A page that was recognised, or that already had text. */
export type PageResult = {
  /** 1-based. */
  page: number;
  state: 'recognised' | 'has_text';
  treatment: Treatment;
  widthPt: number;
  heightPt: number;
  /** Null for images. */
  frame: PageFrame | null;
  text: string;
  words: Word[];
  lines: Line[];
  /** Mean confidence, weighted by letters, from 0 to 1; 0 for a page without words. */
  meanConfidence: number;
  /** Number of characters in `text`, without spaces. */
  characters: number;
  /** Clockwise turn that makes the page upright, in degrees; 0 unless rotation was requested. */
  orientation: Quarter;
  /** Clockwise skew of the text after `orientation`, in degrees. */
  skewDegrees: number;
  /** Whether the searchable PDF straightens the page by `skewDegrees`. */
  deskew: boolean;
  blank: boolean;
  /** The share of the apparent writing on the page in which no word was read with confidence. */
  unreadShare?: number;
  /**
   * Boxes of words whose text in the PDF does not match their appearance, and that were therefore
   * recognised. Default: none.
   */
  doubted?: Box[];
};

/** A page that is empty in an output, with the reason. */
export type EmptyPage = {
  /** 1-based. */
  page: number;
  /** 0 × 0 if unknown. */
  widthPt: number;
  heightPt: number;
  reason: string;
};

/** The changes that made a file conform to PDF/A-2b. */
export type ArchiveReport = {
  /** Pages that became pictures, with the clauses of ISO 19005-2 that they did not meet. */
  pictures: { page: number; faults: string[] }[];
  /** The kinds of removed content, such as attachments and scripts. */
  removed: string[];
};

/** The result of an assembly. */
export type AssemblyResult = {
  bytes: number;
  pages: number;
  /** Pages that are unexpectedly empty because they could not be copied. */
  leftEmpty: EmptyPage[];
  /** Present only for PDF/A. */
  archived?: ArchiveReport;
};

export const isBox: Check<Box> = (value): value is Box => isListOf(isNumber, 4)(value);

const pageFields = {
  number: isNumber,
  widthPt: isNumber,
  heightPt: isNumber,
  rotation: isNumber,
  pixels: isNullOr(isNumber),
  characters: isNullOr(isNumber),
  hasText: isBoolean,
};
const wordFields = {
  text: isString,
  box: isBox,
  confidence: isNumber,
  line: isNumber,
  source: isOneOf('ocr', 'pdf'),
};
const lineFields = {
  origin: isListOf(isNumber, 2),
  angle: isNumber,
  size: isNumber,
  paragraph: isBoolean,
};
const frameFields = {
  left: isNumber,
  bottom: isNumber,
  width: isNumber,
  height: isNumber,
  rotation: isNumber,
};
const resultFields = {
  page: isNumber,
  state: isOneOf('recognised', 'has_text'),
  treatment: isOneOf('keep', 'add', 'replace_invisible', 'rasterise'),
  widthPt: isNumber,
  heightPt: isNumber,
  frame: isNullOr(isRecord(frameFields)),
  text: isString,
  words: isListOf(isRecord(wordFields)),
  lines: isListOf(isRecord(lineFields)),
  meanConfidence: isNumber,
  characters: isNumber,
  orientation: isOneOf(0, 90, 180, 270),
  skewDegrees: isNumber,
  deskew: isBoolean,
  blank: isBoolean,
  unreadShare: isOptional(isNumber),
  doubted: isOptional(isListOf(isBox)),
};

/**
 * Whether the value is a list of consecutive pages, at most `maxPages`: each page becomes a
 * database row.
 */
const isPages = (pages: unknown): boolean =>
  Array.isArray(pages) &&
  pages.length <= maxPages &&
  pages.every((page, at) => hasFields(page, pageFields) && Reflect.get(page, 'number') === at + 1);

/** Each page becomes a database row, so the number of pages is limited. */
export const isSourceSummary = isRecord({
  pageCount: (value: unknown): value is number => isNumber(value) && value <= maxPages,
  signed: isBoolean,
  repaired: isBoolean,
});

export function isInspection(value: unknown): value is Inspection {
  return hasFields(value, {
    kind: isOneOf(...Object.values(sources).map(({ kind }) => kind)),
    pages: isPages,
    signed: isBoolean,
    repaired: isBoolean,
  });
}

export function isPageResult(value: unknown): value is PageResult {
  return hasFields(value, resultFields);
}

/**
 * Reads the result of a page from a file.
 * @throws EngineError `invalid_argument` if the file does not contain a page result.
 */
export async function readPageResult(path: string): Promise<PageResult> {
  const result: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isPageResult(result)) {
    throw new EngineError('invalid_argument', 'A page result is malformed.');
  }
  return result;
}

export function isEmptyPage(value: unknown): value is EmptyPage {
  return hasFields(value, {
    page: isNumber,
    widthPt: isNumber,
    heightPt: isNumber,
    reason: isString,
  });
}

const isArchiveReport = isRecord({
  pictures: isListOf(isRecord({ page: isNumber, faults: isListOf(isString) })),
  removed: isListOf(isString),
});

export function isAssemblyResult(value: unknown): value is AssemblyResult {
  return hasFields(value, {
    bytes: isNumber,
    pages: isNumber,
    leftEmpty: isListOf(isEmptyPage),
    archived: isOptional(isArchiveReport),
  });
}
