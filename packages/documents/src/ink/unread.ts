import type { Box } from '../results.ts';
import type { Grey } from './components.ts';
import { coveredBy } from './covered.ts';
import { lettersOf, type Scale } from './letters.ts';
import { type InkLine, inkLines, mayContainUnread } from './text-lines.ts';

/**
 * The letters and lines of a page, and the number of those that were not read; positions are in
 * pixels.
 */
export interface UnreadInk {
  letters: number;
  unread: number;
  /** Lines that were mostly not read. */
  lines: InkLine[];
}

/** A picture of about 150 dpi, with its possible letters, which are found only once. */
export interface Ink<Picture extends Grey = Grey> {
  picture: Picture;
  scales: readonly Scale[];
}

export const inkOf = <Picture extends Grey>(picture: Picture): Ink<Picture> => ({
  picture,
  scales: lettersOf(picture),
});

/** Maximum share of read letters of a line that counts as unread. */
const maxRead = 0.5;
/** The same limit where the recogniser may invent words, as on a page that is mostly unreadable. */
export const maxReadIfIllegible = 0.85;

/** Whether the centre of a box is in a known box, with a margin. */
function isIn(picture: Grey, known: readonly Box[]): (box: Box) => boolean {
  const isCovered = coveredBy(picture, known);
  return ([x0, y0, x1, y1]) => isCovered(Math.floor((x0 + x1) / 2), Math.floor((y0 + y1) / 2));
}

function isUnread({ pieces }: InkLine, isRead: (box: Box) => boolean, max = maxRead): boolean {
  return pieces.filter(isRead).length / pieces.length <= max;
}

/**
 * Finds apparent writing on a picture outside the known boxes.
 * @param max a line counts as read if more than this share of its letters is in known boxes
 */
export function unreadInk(
  { picture, scales }: Ink,
  known: readonly Box[],
  max = maxRead,
): UnreadInk {
  return unreadOf(scales, isIn(picture, known), max);
}

function unreadOf(
  scales: readonly Scale[],
  isRead: (box: Box) => boolean,
  max = maxRead,
): UnreadInk {
  const found: UnreadInk = { letters: 0, unread: 0, lines: [] };
  for (const line of inkLines(scales)) {
    found.letters += line.letters;
    if (!isUnread(line, isRead, max)) continue;
    found.unread += line.letters;
    found.lines.push(line);
  }
  return found;
}

/**
 * Like `unreadInk`; null if everything was read, as on most pages, whose lines need not be found
 * then.
 */
function unreadIfAny({ picture, scales }: Ink, known: readonly Box[]): UnreadInk | null {
  const isRead = isIn(picture, known);
  const may = mayContainUnread(scales, isRead, (line) => isUnread(line, isRead));
  return may ? unreadOf(scales, isRead) : null;
}

/** Minimum number of letters for judging a page. */
const minInk = 24;

/** Returns the share of apparent writing outside the known boxes; 0 if there is hardly any. */
export function unreadShare(ink: Ink, known: readonly Box[]): number {
  const { letters, unread } = unreadIfAny(ink, known) ?? { letters: 0, unread: 0 };
  return letters < minInk ? 0 : Math.round((100 * unread) / letters) / 100;
}

/**
 * Minimum length of a line that must be writing; shorter lines that no recogniser can read may be
 * anything: grass, a mesh.
 */
const longLine = 12;
/**
 * Minimum number of letters in such lines, and their minimum shares of the unread and of all
 * letters, for writing.
 */
const minIllegible = 30;
const minIllegibleShare = { ofUnread: 0.5, ofAll: 0.3 } as const;

/** Returns the unread lines that are too long to be anything but writing. */
export function longLines({ lines }: UnreadInk): InkLine[] {
  return lines.filter(({ letters }) => letters >= longLine);
}

/** Returns the lines outside the known boxes that are too long to be anything but writing. */
export function unreadLines(ink: Ink, known: readonly Box[]): InkLine[] {
  const found = unreadIfAny(ink, known);
  return found ? longLines(found) : [];
}

/** Whether so much apparent writing was not read that the page cannot be trusted. */
export function isIllegible(ink: UnreadInk): boolean {
  const { letters, unread } = ink;
  const long = longLines(ink).reduce((sum, line) => sum + line.letters, 0);
  return (
    long >= minIllegible &&
    long > minIllegibleShare.ofUnread * unread &&
    long > minIllegibleShare.ofAll * letters
  );
}
