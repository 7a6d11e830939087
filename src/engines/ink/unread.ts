import type { Box } from '../results.ts';
import type { Grey } from './components.ts';
import { lettersOf, type Scale } from './letters.ts';
import { mayHoldUnread, type TextLine, textLines } from './text-lines.ts';

/** Letters and lines of a page, and those of them that nobody has read; places in its pixels. */
export interface UnreadInk {
  letters: number;
  unread: number;
  /** The lines most of which was not read. */
  lines: TextLine[];
}

/** Boxes of words are rarely exact: so many pixels around them are theirs. */
const around = 3;
/** A line counts as read when more of its letters than this were. */
const mostRead = 0.5;

/** Whether the middle of a box lies in one of those known, which are rarely exact. */
function coveredBy(picture: Grey, known: readonly Box[]): (box: Box) => boolean {
  const covered = new Uint8Array(picture.width * picture.height);
  for (const [x0, y0, x1, y1] of known) {
    const left = Math.max(0, Math.floor(x0 - around));
    const right = Math.min(picture.width, Math.ceil(x1 + around));
    const bottom = Math.min(picture.height, Math.ceil(y1 + around));
    for (let y = Math.max(0, Math.floor(y0 - around)); y < bottom && left < right; y += 1) {
      covered.fill(1, y * picture.width + left, y * picture.width + right);
    }
  }
  return ([x0, y0, x1, y1]) =>
    covered[Math.floor((y0 + y1) / 2) * picture.width + Math.floor((x0 + x1) / 2)] === 1;
}

function isUnread({ pieces }: TextLine, isRead: (box: Box) => boolean): boolean {
  return pieces.filter(isRead).length / pieces.length <= mostRead;
}

/** What looks like writing on a picture of about 150 dpi and lies in none of the boxes. */
export function unreadInk(picture: Grey, known: readonly Box[]): UnreadInk {
  return unreadOf(lettersOf(picture), coveredBy(picture, known));
}

function unreadOf(letters: readonly Scale[], isRead: (box: Box) => boolean): UnreadInk {
  const found: UnreadInk = { letters: 0, unread: 0, lines: [] };
  for (const line of textLines(letters)) {
    found.letters += line.letters;
    if (!isUnread(line, isRead)) continue;
    found.unread += line.letters;
    found.lines.push(line);
  }
  return found;
}

/** Fewer letters than this say nothing of a page. */
const leastInk = 24;

/** The share of what looks like writing that lies in none of the boxes; 0 where there is hardly any. */
export function unreadShare(picture: Grey, known: readonly Box[]): number {
  const found = lettersOf(picture);
  const isRead = coveredBy(picture, known);
  // Of most pages everything was read: their lines need not be told apart.
  if (!mayHoldUnread(found, isRead, (line) => isUnread(line, isRead))) return 0;
  const { letters, unread } = unreadOf(found, isRead);
  return letters < leastInk ? 0 : Math.round((1e2 * unread) / letters) / 1e2;
}

/** Lines of fewer letters may be anything where no recogniser can read them: grass, a mesh. */
const longLine = 12;
/** So many letters in such lines, and such shares of what was not read and of all, are writing. */
const leastIllegible = 30;
const mostIllegible = { ofUnread: 0.5, ofAll: 0.3 } as const;

/** Whether so much looks like writing and was not read that nobody can vouch for the page. */
export function isIllegible({ letters, unread, lines }: UnreadInk): boolean {
  const long = lines.reduce((sum, line) => sum + (line.letters >= longLine ? line.letters : 0), 0);
  return (
    long >= leastIllegible &&
    long > mostIllegible.ofUnread * unread &&
    long > mostIllegible.ofAll * letters
  );
}
