import { median } from '../../geometry.ts';
import { ascent, descent } from '../measures.ts';

/** The part of a line that determines the order of a page: its words. */
export type Readable = { words: readonly { text: string }[] };

/** An item in the order of a page: a line, or something opaque. */
export type Item<Line extends Readable = Readable> = {
  from: number;
  to: number;
  top: number;
  bottom: number;
  /** Baseline of a line; else the bottom. */
  base: number;
  size: number;
  line: Line | null;
  /**
   * Index of the table or line that it represents, as its creator counts; -1 for an ordinary line.
   */
  fixed: number;
};

/** Returns a line as an item in the order of a page. */
export function orderItem<Line extends Readable>(
  line: Line,
  { from, to, base, size }: { from: number; to: number; base: number; size: number },
): Item<Line> {
  const [top, bottom] = [base - ascent * size, base + descent * size];
  return { from, to, top, bottom, base, size, line, fixed: -1 };
}

const marker = /^(?:[^\p{L}\p{N}]{1,3}|\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]{1,5})[.):]?|\[\d+\])$/iu;

/** Returns the size of most lines, in points. */
export const sizeOf = (items: readonly Item[]): number =>
  median(items.flatMap(({ line, size }) => (line ? [size] : []))) || 10;

/** Bullets, numbers and checkboxes before lines are not a column. */
export const isMarker = ({ line }: Item): boolean =>
  line !== null && line.words.length <= 2 && marker.test(line.words.map((w) => w.text).join(''));
