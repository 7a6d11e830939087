import { median } from '../../../geometry.ts';
import type { TextLine } from '../lines.ts';

/** What has a place in the order of a page: a line, or something that is not looked into. */
export type Item = {
  from: number;
  to: number;
  top: number;
  bottom: number;
  /** A line's baseline; the bottom of what is none. */
  base: number;
  size: number;
  line: TextLine | null;
  /** Which table or picture it is; -1 for a line. */
  fixed: number;
};

const marker = /^(?:[^\p{L}\p{N}]{1,3}|\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]{1,5})[.):]?|\[\d+\])$/iu;

/** The size of most lines, in points. */
export const sizeOf = (items: readonly Item[]): number =>
  median(items.flatMap(({ line, size }) => (line ? [size] : []))) || 10;

/** Bullets, numbers and boxes to tick stand before their lines, and are no column. */
export const isMarker = ({ line }: Item): boolean =>
  line !== null && line.words.length <= 2 && marker.test(line.words.map((w) => w.text).join(''));
