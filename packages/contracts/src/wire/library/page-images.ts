import { type Static, Type } from 'typebox';
import { limits } from '../../limits.ts';
import { strictObject } from '../shapes.ts';

/** The formats of a page's picture; the first one is preferred. */
export const pageImageMimes = ['image/webp', 'image/png'] as const;
export type PageImageMime = (typeof pageImageMimes)[number];

/** `n` in a path: a page number, from 1. */
export const PageNumber = Type.String({
  title: 'page',
  pattern: '^[1-9][0-9]{0,3}$',
  description: 'The number of the page, from 1.',
});

const number = '[0-9]{1,6}(?:\\.[0-9]{1,20})?';
const box = `${number}(?:,${number}){3}`;
export const boxesPattern = `^${box}(?:;${box})*$`;

/**
 * The widths of page pictures, in pixels. They are few, so that requests share pictures and storage
 * is bounded.
 */
const pageImageWidths = [160, 320, 480, 700, 1000, 1280, 1400, 2000, 2400] as const;

/** Returns the width of the picture for a requested width: the next larger one. */
export function renderedWidth(requested: number): number {
  return pageImageWidths.find((width) => width >= requested) ?? limits.page_image_width;
}

export const PageImageQuery = strictObject({
  width: Type.Integer({
    minimum: 50,
    maximum: limits.page_image_width,
    default: 1000,
    description: `The minimum width in pixels. Default: 1000. The page is drawn in the next larger of ${pageImageWidths.join(', ')}. Very long pages become narrower.`,
  }),
  boxes: Type.Optional(
    Type.String({
      pattern: boxesPattern,
      maxLength: 2000,
      description:
        'Areas to mark: `x,y,width,height` in points of the page as displayed, from its top left corner, separated by semicolons. Chunks and words have the same unit, but as left, top, right and bottom sides.',
    }),
  ),
});
export type PageImageQuery = Static<typeof PageImageQuery>;
