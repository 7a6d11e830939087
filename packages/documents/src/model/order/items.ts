import { median } from '../../geometry.ts';
import { ascent, descent } from '../measures.ts';

/** The part of a line that determines the reading order: its words. */
export type HasWords = { words: readonly { text: string }[] };

/** An item in reading order: a line, or an opaque item such as a table. */
export type Item<Line extends HasWords = HasWords> = {
  from: number;
  to: number;
  top: number;
  bottom: number;
  /** The baseline of a line, or the bottom of another item. */
  base: number;
  size: number;
  line: Line | null;
  /**
   * The index of the table or line that the item represents, as numbered by its creator; -1 for an
   * ordinary line.
   */
  opaqueIndex: number;
};

/** Returns the item for a line. */
export function orderItem<Line extends HasWords>(
  line: Line,
  { from, to, base, size }: { from: number; to: number; base: number; size: number },
): Item<Line> {
  const [top, bottom] = [base - ascent * size, base + descent * size];
  return { from, to, top, bottom, base, size, line, opaqueIndex: -1 };
}

const marker = /^(?:[^\p{L}\p{N}]{1,3}|\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]{1,5})[.):]?|\[\d+\])$/iu;

/** Returns the median size of the lines, in points. */
export const sizeOf = (items: readonly Item[]): number =>
  median(items.flatMap(({ line, size }) => (line ? [size] : []))) || 10;

/**
 * Whether an item is a marker: a bullet, number or checkbox before a line, which is not a column.
 */
export const isMarker = ({ line }: Item): boolean =>
  line !== null && line.words.length <= 2 && marker.test(line.words.map((w) => w.text).join(''));
