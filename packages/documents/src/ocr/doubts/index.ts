import { hull } from '../../geometry.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { isOfOtherScript } from '../../pdf/shapes/other-scripts.ts';
import type { Box, Word } from '../../results.ts';
import { linesWith, type UnreadLines } from '../unread-lines.ts';
import { type Counts, readingsFor } from './readings.ts';
import { areClose, isOfWord, type OpenPage, type Suspect, suspectsOf } from './suspects.ts';

/** Recognises a picture of several lines of a page, with paper around them. */
export type ReadLines = (lines: UnreadLines) => Promise<readonly Word[]>;

/** Maximum number of places and of pages in which the recogniser reads a drawing to identify it. */
const maxPlaces = 3;
const maxTried = 2;
/**
 * Minimum number of letters that were read in a font, and minimum share of letters read as
 * declared, for the other letters of the font to be trusted.
 */
const minRead = 8;
const minRight = 0.6;

/**
 * Returns the glyphs of a loaded page; doubted glyphs are marked. A glyph of an untrusted font is
 * doubted if its drawing does not look like its declared character and the recogniser did not read
 * that character either. If a letter is doubted, its whole word is doubted.
 * @param ofAll whether letters of scripts that no reference font contains are trusted only if they
 * were read
 */
export async function withDoubts(
  open: OpenPage,
  glyphs: readonly Glyph[],
  isolation: string,
  read: ReadLines,
  ofAll = false,
): Promise<Glyph[]> {
  const suspects = suspectsOf(open, glyphs, ofAll);
  if (suspects.length === 0) return [...glyphs];
  const readings = readingsFor(isolation);
  const wanted = samplesOf(
    suspects,
    (key) => !isSettled(readings.of(key)) && readings.tried(key) < maxTried,
  );
  if (wanted.length > 0) {
    const some = new Set(wanted.map(({ glyph }) => glyph));
    const words = await read(linesWith(glyphs, (glyph) => some.has(glyph)));
    readings.try(new Set(wanted.map(({ key }) => key)));
    readings.learn(words, glyphs, suspects);
  }
  const [others, usual] = [suspects.filter(isOther), suspects.filter((one) => !isOther(one))];
  const of = (key: string): Counts => readings.of(key);
  const [fonts, otherFonts] = [fontCounts(usual, of), fontCounts(others, of)];
  const doubted = [
    ...usual.filter((one) => isDoubted(one, of(one.key), fonts.get(one.font))),
    // The recogniser misreads a few of thousands of letters. Only the letters of a font as a whole
    // are evidence.
    ...others.filter(({ font }) => !isMostlyRight(otherFonts.get(font))),
  ];
  return marked(glyphs, new Set(doubted.map(({ glyph }) => glyph)));
}

/** Marks doubted glyphs without a recogniser: only glyphs whose drawing contradicts their text. */
export function withContradicted(open: OpenPage, glyphs: readonly Glyph[]): Glyph[] {
  const suspects = suspectsOf(open, glyphs, false).filter(
    ({ verdict, inGoodFont }) => verdict === 'differs' && !inGoodFont,
  );
  return marked(glyphs, new Set(suspects.map(({ glyph }) => glyph)));
}

const isOther = ({ glyph, verdict }: Suspect): boolean =>
  verdict !== 'differs' && isOfOtherScript(glyph.text);

const isSettled = ({ right, wrong }: Counts): boolean => right > 2 * wrong || wrong > 2 * right;

/** Returns up to `maxPlaces` places of each drawing that is still undecided. */
function samplesOf(suspects: readonly Suspect[], isOpen: (key: string) => boolean): Suspect[] {
  const places = new Map<string, number>();
  return suspects.filter(({ key }) => {
    if (!isOpen(key)) return false;
    const before = places.get(key) ?? 0;
    places.set(key, before + 1);
    return before < maxPlaces;
  });
}

/** Counts the readings of each font's suspects, each drawing once. */
function fontCounts(
  suspects: readonly Suspect[],
  of: (key: string) => Counts,
): Map<number, Counts> {
  const fonts = new Map<number, Counts>();
  const seen = new Set<string>();
  for (const { font, key } of suspects) {
    if (seen.has(key)) continue;
    seen.add(key);
    const counts = fonts.get(font) ?? { right: 0, wrong: 0 };
    fonts.set(font, counts);
    const { right, wrong } = of(key);
    counts.right += right;
    counts.wrong += wrong;
  }
  return fonts;
}

function isDoubted(
  { verdict }: Suspect,
  { right, wrong }: Counts,
  font: Counts | undefined,
): boolean {
  if (right > 0 && right >= 2 * wrong) return false;
  return wrong > right || verdict === 'differs' || !isMostlyRight(font);
}

/** Whether most readings of a font match its declarations. */
function isMostlyRight({ right, wrong }: Counts = { right: 0, wrong: 0 }): boolean {
  const all = right + wrong;
  return all >= minRead && right >= minRight * all;
}

/** Marks the doubted glyphs, and all words that contain them. */
function marked(glyphs: readonly Glyph[], doubted: ReadonlySet<Glyph>): Glyph[] {
  if (doubted.size === 0) return [...glyphs];
  const marks = new Uint8Array(glyphs.length);
  const goesOn = (at: number, next: number): boolean => {
    const [a, b] = [glyphs[at], glyphs[next]];
    return !!a && !!b && isOfWord(a, b);
  };
  glyphs.forEach((glyph, at) => {
    if (!doubted.has(glyph)) return;
    marks[at] = 1;
    for (let to = at; goesOn(to, to + 1) && marks[to + 1] === 0; to += 1) marks[to + 1] = 1;
    for (let to = at; goesOn(to, to - 1) && marks[to - 1] === 0; to -= 1) marks[to - 1] = 1;
  });
  return glyphs.map((glyph, at) => (marks[at] === 1 ? { ...glyph, doubted: true } : glyph));
}

/** Removes the text of doubted glyphs. */
export const believed = (glyphs: readonly Glyph[]): Glyph[] =>
  glyphs.map((glyph) => (glyph.doubted ? { ...glyph, text: '' } : glyph));

/** Returns the boxes of the doubted words of a page, in points as displayed. */
export function doubtedBoxes(glyphs: readonly Glyph[]): Box[] {
  const boxes: Box[] = [];
  let word: Box[] = [];
  let last: Glyph | undefined;
  const end = (): void => {
    const box = hull(word);
    if (box) boxes.push(box);
    word = [];
  };
  for (const glyph of glyphs) {
    if (!glyph.doubted) continue;
    if (last && !areClose(last, glyph)) end();
    word.push(glyph.ink);
    last = glyph;
  }
  end();
  return boxes;
}
