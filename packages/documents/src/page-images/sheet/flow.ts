import type { Paper } from './paper.ts';

/** Maximum number of texts on a sheet, and the time limit for setting them. */
const maxSet = 900;
const maxMs = 10_000;

/** A sheet that is filled from the top. */
export interface Flow {
  paper: Paper;
  x: number;
  width: number;
  /** Position of the next block. */
  y: number;
  bottom: number;
  /** Font size of paragraphs. */
  size: number;
  /** The sizes of headings by their level. */
  headings: readonly number[];
  /** Counts a text that is set. */
  spend(): void;
  /** Whether anything more can be drawn. */
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
