import type { Box } from '../results.ts';
import { boxMask } from './box-mask.ts';
import type { GreyRaster } from './components.ts';
import { type LettersAtScale, lettersOf } from './letters.ts';
import { type SlantedLine, slantedLines } from './slanted.ts';
import { type InkLine, inkLines, mayContainUnread } from './text-lines.ts';

/**
 * The lines of a page that were mostly not read, and the numbers of letters of the page. Positions
 * are in pixels.
 */
export interface UnreadInk {
  letters: number;
  unread: number;
  /** Lines whose letters were mostly not read. */
  lines: InkLine[];
}

/** A picture of about 150 dpi, with its possible letters, which are found only once. */
export interface PictureWithLetters<Picture extends GreyRaster = GreyRaster> {
  picture: Picture;
  scales: readonly LettersAtScale[];
}

export const withLetters = <Picture extends GreyRaster>(
  picture: Picture,
): PictureWithLetters<Picture> => ({
  picture,
  scales: lettersOf(picture),
});

/** A line counts as read if more than this share of its letters was read. */
const maxReadShare = 0.5;
/**
 * The same limit for a page that was mostly illegible. The recogniser invents words on such pages.
 */
export const maxReadShareIfIllegible = 0.85;

/** Whether the centre of a box is in a known box or its margin. */
function centreTest(picture: GreyRaster, known: readonly Box[]): (box: Box) => boolean {
  const isCovered = boxMask(picture, known);
  return ([x0, y0, x1, y1]) => isCovered(Math.floor((x0 + x1) / 2), Math.floor((y0 + y1) / 2));
}

function isUnread({ pieces }: InkLine, isRead: (box: Box) => boolean, max = maxReadShare): boolean {
  return pieces.filter(isRead).length / pieces.length <= max;
}

/**
 * Finds apparent writing outside the known boxes of a picture.
 * @param max a line counts as read if more than this share of its letters is in known boxes
 */
export function unreadInk(
  { picture, scales }: PictureWithLetters,
  known: readonly Box[],
  max = maxReadShare,
): UnreadInk {
  return findUnread(scales, centreTest(picture, known), max);
}

/** Finds rows of letters outside the known boxes that are neither level nor upright. */
export const unreadSlanted = (
  { picture, scales }: PictureWithLetters,
  known: readonly Box[],
): SlantedLine[] => slantedLines(scales, centreTest(picture, known));

function findUnread(
  scales: readonly LettersAtScale[],
  isRead: (box: Box) => boolean,
  max = maxReadShare,
): UnreadInk {
  const result: UnreadInk = { letters: 0, unread: 0, lines: [] };
  for (const line of inkLines(scales)) {
    result.letters += line.letters;
    if (!isUnread(line, isRead, max)) continue;
    result.unread += line.letters;
    result.lines.push(line);
  }
  return result;
}

/** Returns unread ink without the lines for which `isOther` holds. */
export function withoutLines(ink: UnreadInk, isOther: (line: InkLine) => boolean): UnreadInk {
  const left = ink.lines.filter((line) => !isOther(line));
  const letters = (lines: readonly InkLine[]): number =>
    lines.reduce((sum, line) => sum + line.letters, 0);
  const removed = letters(ink.lines) - letters(left);
  return { letters: ink.letters - removed, unread: ink.unread - removed, lines: left };
}

/**
 * Like `unreadInk`, but null if everything was read. Most pages were read completely, so their lines
 * need not be found.
 */
function unreadIfAny(
  { picture, scales }: PictureWithLetters,
  known: readonly Box[],
): UnreadInk | null {
  const isRead = centreTest(picture, known);
  const mayBeUnread = mayContainUnread(scales, isRead, (line) => isUnread(line, isRead));
  return mayBeUnread ? findUnread(scales, isRead) : null;
}

/** Minimum number of letters on a page for computing a share. */
const minLetters = 24;

/**
 * Returns the share of apparent writing outside the known boxes; 0 if the page has hardly any
 * writing.
 */
export function unreadShare(ink: PictureWithLetters, known: readonly Box[]): number {
  const { letters, unread } = unreadIfAny(ink, known) ?? { letters: 0, unread: 0 };
  return letters < minLetters ? 0 : Math.round((100 * unread) / letters) / 100;
}

/**
 * Minimum number of letters in a line that must be writing. Shorter illegible lines may be
 * textures, such as grass or a mesh.
 */
const minLongLine = 12;
/**
 * Minimum number of letters in long lines, and their minimum shares of the unread letters and of
 * all letters. Above these limits, they are writing.
 */
const minLongLetters = 30;
const minIllegibleShare = { ofUnread: 0.5, ofAll: 0.3 } as const;

/** Returns the unread lines that are long enough to be writing beyond doubt. */
export function longLines({ lines }: UnreadInk): InkLine[] {
  return lines.filter(({ letters }) => letters >= minLongLine);
}

/** Returns the lines outside the known boxes that are long enough to be writing beyond doubt. */
export function unreadLines(ink: PictureWithLetters, known: readonly Box[]): InkLine[] {
  const found = unreadIfAny(ink, known);
  return found ? longLines(found) : [];
}

/** Whether so much apparent writing was not read that the page cannot be trusted. */
export function isIllegible(ink: UnreadInk): boolean {
  const { letters, unread } = ink;
  const long = longLines(ink).reduce((sum, line) => sum + line.letters, 0);
  return (
    long >= minLongLetters &&
    long > minIllegibleShare.ofUnread * unread &&
    long > minIllegibleShare.ofAll * letters
  );
}
