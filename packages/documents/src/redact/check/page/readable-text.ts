import { pluralise } from '@scriptorium/contracts/pluralise';
import { grow, heightOf, intersects } from '../../../geometry.ts';
import { type StrayInk, strayInk } from '../../../ink/stray-ink.ts';
import { isOfOtherScript } from '../../../pdf/shapes/other-scripts.ts';
import type { Box } from '../../../results.ts';
import { labelGlyphs, type PageGlyph, type ReportedRegion, typesAt } from './glyphs.ts';
import { drawChannels, type LoadedPage } from './loaded-page.ts';
import type { DrawnObject } from './objects.ts';
import { type CheckOutcome, readRegions } from './read-regions.ts';
import { isSolidRegion, readingMargin, tilesOf } from './regions.ts';
import { cropLine, selectSampleLines } from './sample-lines.ts';
import { type ReadWord, readTiles, wholeWords } from './tiles.ts';
import { unprovenLetters } from './unproven-letters.ts';
import { passIfLittleInk, searchForUnreadText, unreadDpi } from './unread-text.ts';

/** Minimum number of subpaths that can spell a word. */
const minSubpaths = 12;
/** Maximum height of letters that count as known ink, in points. Larger letters may hide others. */
const maxKnownHeight = 40;
/** Maximum number of edges beside a box that are too few to form a letter. */
const maxStrayEdges = 6;
/** Minimum number of letters in a line that is read as proof. */
const minToProve = 3;
/** Maximum number of letters in unread fonts that are too few to spell a value. */
const maxUnproven = 2;

/** Checks that all text was read. */
export async function checkUnreadText(loadedPage: LoadedPage): Promise<CheckOutcome> {
  const { reported, reader } = loadedPage;
  if (reported.treatment === 'empty') return { faults: [], summary: 'The page is empty.' };
  const objects = loadedPage.objects();
  const images = objects.filter(({ kind }) => kind === 'image');
  // Letters over or under a picture, and invisible letters, may read differently from the visible
  // content.
  const lettersOffImages = (loadedPage.glyphs()?.glyphs ?? []).filter(
    (glyph) =>
      glyph.visible &&
      isPrintable(glyph) &&
      !images.some((image) => intersects(image.box, glyph.box)),
  );
  const unproven = new Set([
    ...(await findUnproven(loadedPage, lettersOffImages, images)),
    ...unreadGlyphsOfUnknownFonts(lettersOffImages, reported.seen?.own ?? []),
  ]);
  // Unexplained ink of any colour can only be in pictures, drawings and letters that may be
  // misleading.
  const needsPaleInkSearch = unproven.size > 0 || mayShowLetters(objects);
  if (reported.regions.length > 0 && !needsPaleInkSearch) {
    // The search around the regions excluded fewer boxes, so it found at least as much ink.
    const outcome = passIfLittleInk(loadedPage.strayInk().count);
    if (outcome) return outcome;
  }
  const { tile, scale } = loadedPage.lowResolution();
  const trustedBoxes = lettersOffImages
    .filter((glyph) => !unproven.has(glyph))
    .map(({ box }) => box);
  const unprovenBoxes = [...unproven].map(({ box }) => box);
  const own = (reported.seen?.own ?? []).filter(
    (box) => !unprovenBoxes.some((unprovenBox) => intersects(unprovenBox, box)),
  );
  const channels = needsPaleInkSearch ? drawChannels(loadedPage, unreadDpi) : [];
  const views = { drawn: tile, scale, channels };
  const known = [...trustedBoxes, ...own];
  return searchForUnreadText(views, { page: reported, known }, reader);
}

/**
 * Returns the letters in unknown fonts that were not recognised either. Such fonts may draw any
 * shape.
 */
const unreadGlyphsOfUnknownFonts = (
  letters: readonly PageGlyph[],
  readBoxes: readonly Box[],
): PageGlyph[] =>
  letters.filter(
    ({ text, box }) => isOfOtherScript(text) && !readBoxes.some((other) => intersects(other, box)),
  );

/**
 * Whether objects may show letters: pictures, shadings, and drawings other than straight rules and
 * boxes.
 */
function mayShowLetters(objects: readonly DrawnObject[]): boolean {
  let subpathCount = 0;
  for (const object of objects) {
    if (!object.visible || object.kind === 'text') continue;
    if (object.kind !== 'path') return true;
    subpathCount += object.parts.filter(({ isAligned }) => !isAligned).length;
  }
  return subpathCount >= minSubpaths;
}

/**
 * Returns the letters of a page that are not proven to match what their fonts declare, after
 * reading some lines that contain them. Empty if they are too few to spell anything.
 */
async function findUnproven(
  loadedPage: LoadedPage,
  letters: readonly PageGlyph[],
  images: readonly DrawnObject[],
): Promise<PageGlyph[]> {
  const unproven = unprovenLetters(letters, loadedPage.fonts);
  if (unproven.length <= maxUnproven) return [];
  loadedPage.fonts.recordOutlines(letters);
  await learnLetters(loadedPage, { unproven, letters, images, minLetters: minToProve });
  const remaining = unprovenLetters(letters, loadedPage.fonts);
  return remaining.length > maxUnproven ? remaining : [];
}

/** Returns the boxes of the letters whose text is proven, and whether the page has others. */
export function provenLetters(loadedPage: LoadedPage): { boxes: Box[]; hasOthers: boolean } {
  const letters = lettersOf(loadedPage);
  const unproven = new Set(unprovenLetters(letters, loadedPage.fonts));
  const proven = letters.filter((letter) => !unproven.has(letter));
  return { boxes: proven.map(({ box }) => box), hasOthers: unproven.size > 0 };
}

/**
 * Returns the visible letters of a page up to the height of known ink, as text readers read them.
 */
const lettersOf = (loadedPage: LoadedPage): PageGlyph[] =>
  (loadedPage.glyphs()?.glyphs ?? []).filter(
    (glyph) => isPrintable(glyph) && glyph.visible && heightOf(glyph.box) <= maxKnownHeight,
  );

/** Returns the ink of a page that neither its letters nor its boxes explain. */
export function strayInkOn(loadedPage: LoadedPage): StrayInk {
  const { tile, scale } = loadedPage.lowResolution();
  const known = [...lettersOf(loadedPage), ...loadedPage.reported.regions].map(({ box }) => box);
  return strayInk(tile, scale, known);
}

const isPrintable = ({ text }: PageGlyph): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && text !== '\ufffd';

/** A region that must be recognised: either always, or because some of its letters are unproven. */
interface RegionToRead {
  region: ReportedRegion;
  /**
   * Letters around the region in fonts that have not been read yet. Null if the region must always
   * be read.
   */
  unproven: PageGlyph[] | null;
}

/**
 * Returns the regions around which there may be text that text readers cannot read: regions in
 * pictures, with unexplained ink, or with letters in fonts that have not been read yet. The other
 * regions need not be recognised.
 */
function regionsToRead(
  loadedPage: LoadedPage,
  images: readonly DrawnObject[],
  letters: PageGlyph[],
): RegionToRead[] {
  const { regions } = loadedPage.reported;
  const { tile, scale } = loadedPage.lowResolution();
  const glyphs = loadedPage.glyphs()?.glyphs ?? [];
  const ink = loadedPage.strayInk();
  return regions.flatMap((region): RegionToRead[] => {
    const mustRead: RegionToRead[] = [{ region, unproven: null }];
    if (ink.isCrowded || images.some((image) => intersects(image.box, region.box))) return mustRead;
    const area = grow(region.box, readingMargin);
    if (ink.countIn(area) > maxStrayEdges) return mustRead;
    const label = labelGlyphs(region, typesAt(regions, region), glyphs);
    if (!isSolidRegion(tile, scale, region, label)) return mustRead;
    const unproven = letters.filter(
      (glyph) =>
        intersects(glyph.box, area) &&
        /[\p{L}\p{N}]/u.test(glyph.text) &&
        glyph.verdict?.() !== 'agrees' &&
        !loadedPage.fonts.has(glyph),
    );
    return unproven.length > maxUnproven ? [{ region, unproven }] : [];
  });
}

/** Checks that no part of a value can be read on and around the boxes. */
export async function checkReadableText(loadedPage: LoadedPage): Promise<CheckOutcome> {
  const { reported, claim, reader, fonts } = loadedPage;
  const { regions } = reported;
  if (regions.length === 0) return { faults: [], summary: 'No regions.' };
  const images = loadedPage.objects().filter(({ kind }) => kind === 'image');
  const glyphs = loadedPage.glyphs()?.glyphs ?? [];
  const letters = lettersOf(loadedPage);
  fonts.recordOutlines(letters);
  const candidates = regionsToRead(loadedPage, images, letters);
  const allUnproven = candidates.flatMap(({ unproven }) => unproven ?? []);
  await learnLetters(loadedPage, { unproven: allUnproven, letters, images });
  const mustRead = ({ unproven }: RegionToRead): boolean =>
    unproven === null || unproven.filter((glyph) => !fonts.has(glyph)).length > maxUnproven;
  const regionsLeft = candidates.filter(mustRead).map(({ region }) => region);
  if (regionsLeft.length === 0) {
    return { faults: [], summary: `Checked the ink of ${pluralise(regions.length, 'region')}.` };
  }
  const { tile: page, scale } = loadedPage.highResolution();
  const isOnPicture = ({ box }: ReportedRegion): boolean =>
    images.some((image) => intersects(image.box, box));
  const tiles = regionsLeft.flatMap((region) =>
    tilesOf(
      page,
      scale,
      region,
      isOnPicture(region),
      labelGlyphs(region, typesAt(regions, region), glyphs),
    ),
  );
  const visible = glyphs.filter((glyph) => glyph.visible);
  return readRegions(tiles, regions, claim, reader, ({ tile, region, part, at }, words) => {
    if (part !== 'around' || isOnPicture(region)) return;
    const near = visible.filter(({ box }) => intersects(box, grow(region.box, readingMargin)));
    fonts.learn(toPagePoints(wholeWords(words, tile), at, scale), near);
  });
}

/** The letters of a page to learn, and where they are. */
interface LettersToLearn {
  unproven: readonly PageGlyph[];
  /** The visible letters of the page, in the order of its text. */
  letters: readonly PageGlyph[];
  images: readonly DrawnObject[];
  /** Minimum number of letters in a line. */
  minLetters?: number;
}

/**
 * Reads lines of the page to learn which characters its fonts draw, if this is the only reason why
 * regions must be recognised. The result is trusted letter by letter, as if it had been read beside
 * a box.
 */
async function learnLetters(
  { fonts, reader, reported, highResolution }: LoadedPage,
  { unproven, letters, images, minLetters }: LettersToLearn,
): Promise<void> {
  const obstacles = [...images, ...reported.regions].map(({ box }) => box);
  const lines = selectSampleLines(unproven, letters, obstacles, fonts, minLetters);
  if (lines.length === 0) return;
  const { tile: page, scale } = highResolution();
  const samples = lines.map((line) => cropLine(page, scale, line));
  const tiles = samples.map(({ tile }) => tile);
  const words = await readTiles(await reader.tesseract(), tiles, reader.isolation);
  samples.forEach(({ glyphs, tile, at }, index) => {
    fonts.countAttempt(glyphs);
    fonts.learn(toPagePoints(wholeWords(words[index] ?? [], tile), at, scale), glyphs);
  });
}

/** Converts the boxes of a tile's words to points of the page. */
function toPagePoints(
  words: readonly ReadWord[],
  [x, y]: readonly [number, number],
  scale: number,
): ReadWord[] {
  return words.map((word): ReadWord => {
    const [x0, y0, x1, y1] = word.box;
    const box: Box = [(x0 + x) / scale, (y0 + y) / scale, (x1 + x) / scale, (y1 + y) / scale];
    return { ...word, box };
  });
}
