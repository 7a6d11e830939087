import { hasFields, isListOf, isNumber, isOneOf, isString } from '../results.ts';

/** A page to draw as a picture, with places marked. */
export type DrawPageRequest = {
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
  /** In pixels; the height follows from the page. */
  width: number;
  format: 'image/webp' | 'image/png';
  /** `[x, y, width, height]` in points of the page as displayed. */
  boxes: readonly (readonly number[])[];
  outPath: string;
};

export type DrawnPage = { width: number; height: number };

export const isDrawPageRequest = (value: unknown): value is DrawPageRequest =>
  hasFields(value, {
    path: isString,
    mime: isString,
    page: isNumber,
    width: isNumber,
    format: isOneOf('image/webp', 'image/png'),
    boxes: isListOf(isListOf(isNumber, 4)),
    outPath: isString,
  });

export const isDrawnPage = (value: unknown): value is DrawnPage =>
  hasFields(value, { width: isNumber, height: isNumber });

/** Calls that show pages to people. */
export type PageImageCalls<Options> = {
  /** Draws a page and writes the picture to `outPath`. */
  drawPage(request: DrawPageRequest, options: Options): Promise<DrawnPage>;
};
