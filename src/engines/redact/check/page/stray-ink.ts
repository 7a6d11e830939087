import type { Box } from '../../../results.ts';
import type { GreyTile } from './tiles.ts';

/** Neighbouring tones that differ by more are an edge; gradients differ by less. */
const step = 12;
/** Straight edges of this length, in points, are rules and backgrounds, not letters. */
const longEdge = 60;
/** A rule that crosses another one is interrupted by no more than this, in pixels. */
const mostCrossed = 4;
/** Around boxes, in pixels, since ink is blurred. */
const around = 2;
/** With more edges than this, the page is looked at in the ordinary way. */
const mostStray = 300_000;

/** Where a page shows edges that neither known boxes nor long straight lines explain. */
export interface StrayInk {
  /** How many of these are in an area, in points. */
  within(area: Box): number;
  /** Whether there are too many to tell. */
  isCrowded: boolean;
  count: number;
}

/**
 * Looks for ink outside of known boxes, in points, on a page drawn at `scale` pixels per point. Where
 * nothing of it is left there is nothing that text readers have not seen.
 */
export function strayInk(picture: GreyTile, scale: number, known: readonly Box[]): StrayInk {
  const { data, width, height } = picture;
  const covered = coveredBy(picture, scale, known);
  const least = longEdge * scale;
  const stray: number[] = [];
  const level = new Run(least, stray);
  const upright = Array.from({ length: width }, () => new Run(least, stray));
  for (let y = 0; y < height && stray.length <= mostStray; y += 1) {
    const row = y * width;
    const below = y + 1 < height ? row + width : row;
    for (let x = 0; x < width; x += 1) {
      const at = row + x;
      const tone = data[at] ?? 0;
      const isKnown = covered[at] === 1;
      const down = tone - (data[below + x] ?? 0);
      level.add(at, down > step || down < -step, isKnown);
      const along = x + 1 < width ? tone - (data[at + 1] ?? 0) : 0;
      upright[x]?.add(at, along > step || along < -step, isKnown);
    }
    level.end();
  }
  for (const run of upright) run.end();
  return {
    isCrowded: stray.length > mostStray,
    count: stray.length,
    within([x0, y0, x1, y1]) {
      const [left, top, right, bottom] = [x0 * scale, y0 * scale, x1 * scale, y1 * scale];
      return stray.reduce((sum, at) => {
        const [x, y] = [at % width, Math.floor(at / width)];
        return x >= left && x <= right && y >= top && y <= bottom ? sum + 1 : sum;
      }, 0);
    },
  };
}

/**
 * Edges in one row or column. Where a known box or another rule crosses an edge, it continues behind
 * it. What letters have in common with rules are edges in one direction; they have some in both.
 */
class Run {
  readonly #least: number;
  readonly #stray: number[];
  #length = 0;
  #gap = 0;
  #open: number[] = [];

  constructor(least: number, stray: number[]) {
    this.#least = least;
    this.#stray = stray;
  }

  add(at: number, isEdge: boolean, isKnown: boolean): void {
    if (isEdge) {
      this.#length += 1;
      this.#gap = 0;
      if (!isKnown && this.#length < this.#least) this.#open.push(at);
    } else if (!isKnown && this.#length > 0) {
      this.#gap += 1;
      if (this.#gap > mostCrossed) this.end();
    }
  }

  end(): void {
    if (this.#length > 0 && this.#length < this.#least) this.#stray.push(...this.#open);
    if (this.#open.length > 0) this.#open = [];
    this.#length = 0;
    this.#gap = 0;
  }
}

function coveredBy({ width, height }: GreyTile, scale: number, known: readonly Box[]): Uint8Array {
  const covered = new Uint8Array(width * height);
  for (const [x0, y0, x1, y1] of known) {
    const left = Math.max(0, Math.floor(x0 * scale) - around);
    const right = Math.min(width, Math.ceil(x1 * scale) + around);
    const last = Math.min(height, Math.ceil(y1 * scale) + around);
    if (right <= left) continue;
    for (let y = Math.max(0, Math.floor(y0 * scale) - around); y < last; y += 1) {
      covered.fill(1, y * width + left, y * width + right);
    }
  }
  return covered;
}
