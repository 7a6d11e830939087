import type { Paper } from './paper.ts';

/** Maximum number of texts on a sheet, and time limit for their layout, in milliseconds. */
const maxTexts = 900;
const maxLayoutMs = 10_000;

/** A sheet that is filled from top to bottom. */
export interface Flow {
  paper: Paper;
  x: number;
  width: number;
  /** The vertical position of the next block. */
  y: number;
  bottom: number;
  /** The font size of paragraphs. */
  size: number;
  /** The font sizes of headings, by level. */
  headings: readonly number[];
  /** Counts a text towards the maximum. */
  countText(): void;
  /** Whether there is space for more content. */
  hasSpace(): boolean;
}

export function createFlow(
  paper: Paper,
  format: Pick<Flow, 'size' | 'headings'> & { margin: number },
): Flow {
  const { margin, ...rest } = format;
  const deadline = performance.now() + maxLayoutMs;
  let textCount = 0;
  return {
    ...rest,
    paper,
    x: margin,
    y: margin,
    width: paper.width - 2 * margin,
    bottom: paper.height - margin,
    countText() {
      textCount += 1;
    },
    hasSpace() {
      return this.y < this.bottom && textCount < maxTexts && performance.now() < deadline;
    },
  };
}
