import {
  type Checked,
  isListOf,
  isNumber,
  isOneOf,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { defineTask, ofSource } from '@scriptorium/sandbox/children/define-task';

const isDrawPageRequest = isRecord({
  path: isString,
  mime: isString,
  /** 1-based. */
  page: isNumber,
  /** In pixels; the height follows from the page. */
  width: isNumber,
  format: isOneOf('image/webp', 'image/png'),
  /** Places to mark: `[x, y, width, height]` in points of the page as displayed. */
  boxes: isListOf(isListOf(isNumber, 4)),
  outPath: isString,
});
export type DrawPageRequest = Checked<typeof isDrawPageRequest>;

const isDrawnPage = isRecord({ width: isNumber, height: isNumber });
export type DrawnPage = Checked<typeof isDrawnPage>;

/** Calls that show pages to people. */
export const pageImageTasks = {
  /** Draws a page and writes the picture to `outPath`. */
  drawPage: defineTask({
    request: isDrawPageRequest,
    answer: isDrawnPage,
    files: (request) => ({ ...ofSource(request), writes: [request.outPath] }),
  }),
};
