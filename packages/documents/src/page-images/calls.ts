import {
  type Checked,
  isListOf,
  isNumber,
  isOneOf,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { defineTask, filesOfSource } from '@scriptorium/sandbox/children/define-task';

const isDrawPageRequest = isRecord({
  path: isString,
  mime: isString,
  /** 1-based. */
  page: isNumber,
  /** Width in pixels. The height follows from the page. */
  width: isNumber,
  format: isOneOf('image/webp', 'image/png'),
  /** The areas to mark: `[x, y, width, height]` in points on the page as displayed. */
  boxes: isListOf(isListOf(isNumber, 4)),
  outPath: isString,
});
export type DrawPageRequest = Checked<typeof isDrawPageRequest>;

const isDrawnPage = isRecord({ width: isNumber, height: isNumber });
export type DrawnPage = Checked<typeof isDrawnPage>;

/** The calls that draw pages for people. */
export const pageImageTasks = {
  /** Draws a page and writes the picture to `outPath`. */
  drawPage: defineTask({
    request: isDrawPageRequest,
    answer: isDrawnPage,
    files: (request) => ({ ...filesOfSource(request), writes: [request.outPath] }),
  }),
};
