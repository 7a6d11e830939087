import { hull } from '../../geometry.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { isOfOtherScript } from '../../pdf/shapes/other-scripts.ts';
import type { Box, Word } from '../../results.ts';
import { linesWith, type UnreadLines } from '../unread-lines.ts';
import { type Counts, readingsFor } from './readings.ts';
import { areClose, isOfWord, type OpenPage, type Suspect, suspectsOf } from './suspects.ts';

/** Recognises a picture of several lines of a page, with paper around them. */
export type ReadLines = (lines: UnreadLines) => Promise<readonly Word[]>;

/** Maximum number of samples per page, and of attempts, to identify a drawing by recognising it. */
const maxSamples = 3;
const maxAttempts = 2;
/**
 * Minimum number of letters that were read in a font, and minimum share of letters read as
 * declared, for the other letters of the font to be trusted.
 */
const minReadLetters = 8;
const minRightShare = 0.6;

/**
 * Returns the glyphs of a loaded page; doubted glyphs are marked. A glyph of an untrusted font is
 * doubted if its drawing does not look like its declared character and the recogniser did not read
 * that character either. If a letter is doubted, its whole word is doubted.
 * @param checkAllScripts whether letters of scripts that no reference font contains are trusted
 * only if the recogniser has read them
 */
export async function markDoubted(
  openPage: OpenPage,
  glyphs: readonly Glyph[],
  isolation: string,
  read: ReadLines,
  checkAllScripts = false,
): Promise<Glyph[]> {
  const suspects = suspectsOf(openPage, glyphs, checkAllScripts);
  if (suspects.length === 0) return [...glyphs];
  const readings = readingsFor(isolation);
  const samples = samplesOf(
    suspects,
    (key) => !isSettled(readings.countsOf(key)) && readings.attempts(key) < maxAttempts,
  );
  if (samples.length > 0) {
    const sampledGlyphs = new Set(samples.map(({ glyph }) => glyph));
    const words = await read(linesWith(glyphs, (glyph) => sampledGlyphs.has(glyph)));
    readings.recordAttempts(new Set(samples.map(({ key }) => key)));
    readings.learn(words, glyphs, suspects);
  }
  const [otherScriptSuspects, comparedSuspects] = [
    suspects.filter(isInOtherScript),
    suspects.filter((one) => !isInOtherScript(one)),
  ];
  const countsOf = (key: string): Counts => readings.countsOf(key);
  const [fonts, otherFonts] = [
    fontCounts(comparedSuspects, countsOf),
    fontCounts(otherScriptSuspects, countsOf),
  ];
  const doubtedSuspects = [
    ...comparedSuspects.filter((one) => isDoubted(one, countsOf(one.key), fonts.get(one.font))),
    // The recogniser misreads a few letters in thousands, so only all letters of a font together
    // are evidence.
    ...otherScriptSuspects.filter(({ font }) => !isMostlyRight(otherFonts.get(font))),
  ];
  return markWords(glyphs, new Set(doubtedSuspects.map(({ glyph }) => glyph)));
}

/** Marks doubted glyphs without a recogniser: only glyphs whose drawing contradicts their text. */
export function markContradicted(openPage: OpenPage, glyphs: readonly Glyph[]): Glyph[] {
  const suspects = suspectsOf(openPage, glyphs, false).filter(
    ({ verdict, inGoodFont }) => verdict === 'differs' && !inGoodFont,
  );
  return markWords(glyphs, new Set(suspects.map(({ glyph }) => glyph)));
}

const isInOtherScript = ({ glyph, verdict }: Suspect): boolean =>
  verdict !== 'differs' && isOfOtherScript(glyph.text);

const isSettled = ({ right, wrong }: Counts): boolean => right > 2 * wrong || wrong > 2 * right;

/** Returns up to `maxSamples` glyphs of each drawing that is still undecided. */
function samplesOf(suspects: readonly Suspect[], isUndecided: (key: string) => boolean): Suspect[] {
  const sampleCounts = new Map<string, number>();
  return suspects.filter(({ key }) => {
    if (!isUndecided(key)) return false;
    const count = sampleCounts.get(key) ?? 0;
    sampleCounts.set(key, count + 1);
    return count < maxSamples;
  });
}

/** Counts the readings of each font's suspects, each drawing once. */
function fontCounts(
  suspects: readonly Suspect[],
  countsOf: (key: string) => Counts,
): Map<number, Counts> {
  const fonts = new Map<number, Counts>();
  const seen = new Set<string>();
  for (const { font, key } of suspects) {
    if (seen.has(key)) continue;
    seen.add(key);
    const counts = fonts.get(font) ?? { right: 0, wrong: 0 };
    fonts.set(font, counts);
    const { right, wrong } = countsOf(key);
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
  const total = right + wrong;
  return total >= minReadLetters && right >= minRightShare * total;
}

/** Marks the doubted glyphs, and all words that contain them. */
function markWords(glyphs: readonly Glyph[], doubted: ReadonlySet<Glyph>): Glyph[] {
  if (doubted.size === 0) return [...glyphs];
  const marks = new Uint8Array(glyphs.length);
  const continuesWord = (at: number, next: number): boolean => {
    const [a, b] = [glyphs[at], glyphs[next]];
    return !!a && !!b && isOfWord(a, b);
  };
  glyphs.forEach((glyph, at) => {
    if (!doubted.has(glyph)) return;
    marks[at] = 1;
    for (let to = at; continuesWord(to, to + 1) && marks[to + 1] === 0; to += 1) marks[to + 1] = 1;
    for (let to = at; continuesWord(to, to - 1) && marks[to - 1] === 0; to -= 1) marks[to - 1] = 1;
  });
  return glyphs.map((glyph, at) => (marks[at] === 1 ? { ...glyph, doubted: true } : glyph));
}

/** Removes the text of doubted glyphs. */
export const withoutDoubtedText = (glyphs: readonly Glyph[]): Glyph[] =>
  glyphs.map((glyph) => (glyph.doubted ? { ...glyph, text: '' } : glyph));

/** Returns the boxes of the doubted words of a page, in points as displayed. */
export function doubtedBoxes(glyphs: readonly Glyph[]): Box[] {
  const boxes: Box[] = [];
  let word: Box[] = [];
  let last: Glyph | undefined;
  const endWord = (): void => {
    const box = hull(word);
    if (box) boxes.push(box);
    word = [];
  };
  for (const glyph of glyphs) {
    if (!glyph.doubted) continue;
    if (last && !areClose(last, glyph)) endWord();
    word.push(glyph.ink);
    last = glyph;
  }
  endWord();
  return boxes;
}
