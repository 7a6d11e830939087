import type { Paper } from './paper.ts';

/** Maximum number of texts on a sheet, and time limit for their layout, in milliseconds. */
const maxSet = 900;
const maxMs = 10_000;

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
  spend(): void;
  /** Whether there is space for more content. */
  hasRoom(): boolean;
}

export function createFlow(
  paper: Paper,
  format: Pick<Flow, 'size' | 'headings'> & { margin: number },
): Flow {
  const { margin, ...rest } = format;
  const until = performance.now() + maxMs;
  let set = 0;
  return {
    ...rest,
    paper,
    x: margin,
    y: margin,
    width: paper.width - 2 * margin,
    bottom: paper.height - margin,
    spend() {
      set += 1;
    },
    hasRoom() {
      return this.y < this.bottom && set < maxSet && performance.now() < until;
    },
  };
}
