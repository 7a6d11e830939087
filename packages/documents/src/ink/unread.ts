import type { Box } from '../results.ts';
import type { Grey } from './components.ts';
import { coveredBy } from './covered.ts';
import { lettersOf, type Scale } from './letters.ts';
import { type SlantedLine, slantedLines } from './slanted.ts';
import { type InkLine, inkLines, mayContainUnread } from './text-lines.ts';

/**
 * The lines of a page that were mostly not read, with counts of its letters. Positions are in
 * pixels.
 */
export interface UnreadInk {
  letters: number;
  unread: number;
  /** Lines of which most letters were not read. */
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

/** A line counts as read if more than this share of its letters was read. */
const maxRead = 0.5;
/**
 * The same limit for a page that was mostly illegible. The recogniser invents words on such pages.
 */
export const maxReadIfIllegible = 0.85;

/** Whether the centre of a box is in a known box or its margin. */
function isIn(picture: Grey, known: readonly Box[]): (box: Box) => boolean {
  const isCovered = coveredBy(picture, known);
  return ([x0, y0, x1, y1]) => isCovered(Math.floor((x0 + x1) / 2), Math.floor((y0 + y1) / 2));
}

function isUnread({ pieces }: InkLine, isRead: (box: Box) => boolean, max = maxRead): boolean {
  return pieces.filter(isRead).length / pieces.length <= max;
}

/**
 * Finds apparent writing outside the known boxes of a picture.
 * @param max a line counts as read if more than this share of its letters is in known boxes
 */
export function unreadInk(
  { picture, scales }: Ink,
  known: readonly Box[],
  max = maxRead,
): UnreadInk {
  return unreadOf(scales, isIn(picture, known), max);
}

/** Finds rows of letters outside the known boxes that are neither level nor upright. */
export const unreadSlanted = ({ picture, scales }: Ink, known: readonly Box[]): SlantedLine[] =>
  slantedLines(scales, isIn(picture, known));

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
 * Like `unreadInk`, but null if everything was read. This is the case on most pages, and avoids
 * finding their lines.
 */
function unreadIfAny({ picture, scales }: Ink, known: readonly Box[]): UnreadInk | null {
  const isRead = isIn(picture, known);
  const may = mayContainUnread(scales, isRead, (line) => isUnread(line, isRead));
  return may ? unreadOf(scales, isRead) : null;
}

/** Minimum number of letters on a page for computing a share. */
const minInk = 24;

/**
 * Returns the share of apparent writing outside the known boxes; 0 if the page has hardly any
 * writing.
 */
export function unreadShare(ink: Ink, known: readonly Box[]): number {
  const { letters, unread } = unreadIfAny(ink, known) ?? { letters: 0, unread: 0 };
  return letters < minInk ? 0 : Math.round((100 * unread) / letters) / 100;
}

/**
 * Minimum number of letters in a line that must be writing. Shorter illegible lines may be
 * textures, such as grass or a mesh.
 */
const longLine = 12;
/**
 * Minimum number of letters in long lines, and their minimum shares of the unread letters and of
 * all letters. Above these limits, they are writing.
 */
const minIllegible = 30;
const minIllegibleShare = { ofUnread: 0.5, ofAll: 0.3 } as const;

/** Returns the unread lines that are long enough to be writing beyond doubt. */
export function longLines({ lines }: UnreadInk): InkLine[] {
  return lines.filter(({ letters }) => letters >= longLine);
}

/** Returns the lines outside the known boxes that are long enough to be writing beyond doubt. */
export function unreadLines(ink: Ink, known: readonly Box[]): InkLine[] {
  const found = unreadIfAny(ink, known);
  return found ? longLines(found) : [];
}

/** Whether too much apparent writing was not read for the page to be trusted. */
export function isIllegible(ink: UnreadInk): boolean {
  const { letters, unread } = ink;
  const long = longLines(ink).reduce((sum, line) => sum + line.letters, 0);
  return (
    long >= minIllegible &&
    long > minIllegibleShare.ofUnread * unread &&
    long > minIllegibleShare.ofAll * letters
  );
}
