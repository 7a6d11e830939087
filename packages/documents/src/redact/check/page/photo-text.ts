import { type DrawnPage, findBarcodes } from '../../../barcodes/index.ts';
import { area, sharedArea } from '../../../geometry.ts';
import { findTextInPhotos, type PhotoText } from '../../../photos/text.ts';
import type { Box } from '../../../results.ts';
import type { GreyTile } from './tiles.ts';

/** Share of the height of a word that is in a line of text of which it is a part. */
const minWordShare = 0.5;
/** Minimum length of an unread part of a line of text beside words that were read, in heights. */
const minUnreadLength = 1;

/** Finds text in photographs. Barcodes, which may stay, resemble it. Boxes are in pixels. */
export async function textInPhotos(
  picture: GreyTile,
  read: readonly Box[],
  scales: readonly number[],
): Promise<PhotoText> {
  const found = findTextInPhotos(picture, read, scales);
  if (found.texts.length === 0) return found;
  const drawn: DrawnPage = { picture, toDisplay: [1, 0, 0, 1, 0, 0] };
  const barcodes = (await findBarcodes(drawn, read, () => drawn)).map(({ box }) => box);
  return { ...found, texts: found.texts.filter((text) => !isWithin(text, barcodes)) };
}

/**
 * Returns the parts of a line of text that were not read: between the words that were, if there is
 * room for letters.
 */
export function unreadParts(text: Box, read: readonly Box[]): Box[] {
  const [x0, y0, x1, y1] = text;
  const isLevel = x1 - x0 >= y1 - y0;
  // Positions along the line, and across it.
  const axesOf = ([left, top, right, bottom]: Box): Box =>
    isLevel ? [left, top, right, bottom] : [top, left, bottom, right];
  const [start, upper, end, lower] = axesOf(text);
  const size = lower - upper;
  const words = read
    .map(axesOf)
    .filter(([, top, , bottom]) => {
      const shared = Math.min(bottom, lower) - Math.max(top, upper);
      return shared > minWordShare * Math.min(bottom - top, size);
    })
    .filter(([from, , to]) => to > start && from < end)
    .sort(([a], [b]) => a - b);
  const parts: Box[] = [];
  let at = start;
  for (const [from, , to] of [...words, [end, upper, end, lower] as const]) {
    const isRoom = from - at > (words.length > 0 ? minUnreadLength * size : 0);
    if (isRoom) parts.push(isLevel ? [at, y0, from, y1] : [x0, at, x1, from]);
    at = Math.max(at, to);
  }
  return parts;
}

/** Whether most of a box is within other boxes. */
export function isWithin(box: Box, others: readonly Box[]): boolean {
  return others.reduce((sum, other) => sum + sharedArea(box, other), 0) > 0.5 * area(box);
}
