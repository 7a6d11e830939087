import { pluralise } from '@scriptorium/contracts/pluralise';
import { grow, heightOf } from '../../../geometry.ts';
import { isOfOtherScript } from '../../../pdf/shapes/other-scripts.ts';
import type { Box } from '../../../results.ts';
import { labelOn, overlap, type ReportedRegion, type SeenGlyph, typesAt } from './glyphs.ts';
import { lessonOf, linesToLearn } from './lessons.ts';
import { type Drawn, draw, drawChannels, type Page } from './loaded-page.ts';
import { type CheckOutcome, readRegions } from './look.ts';
import type { DrawnObject } from './objects.ts';
import { once } from './once.ts';
import { isSolidRegion, margin, tilesOf } from './regions.ts';
import { type StrayInk, strayInk } from './stray-ink.ts';
import { type ReadWord, readTiles, wholeWords } from './tiles.ts';
import { unprovenOf } from './unproven.ts';
import { checkUnread, hasLittleInk, unreadDpi } from './unread.ts';

const dpi = 300;

/** Checks that all text was read. */
export async function checkLeft(look: Page): Promise<CheckOutcome> {
  const { said, reader } = look;
  if (said.treatment === 'empty') return { wrong: [], looked: 'The page is empty.' };
  const objects = look.objects();
  const images = objects.filter(({ kind }) => kind === 'image');
  // Letters over or under a picture, and invisible letters, may read differently from the visible
  // content.
  const onPaper = (look.glyphs()?.glyphs ?? []).filter(
    (glyph) =>
      glyph.visible && isLegible(glyph) && !images.some((image) => overlap(image.box, glyph.box)),
  );
  const unproven = new Set([
    ...(await unprovenOn(look, onPaper, images)),
    ...unreadUnknownGlyphs(onPaper, said.seen?.own ?? []),
  ]);
  // Unexplained ink of any colour can only be in pictures, drawings and letters that may be
  // misleading.
  const mayBePale = unproven.size > 0 || mayShowLetters(objects);
  if (said.regions.length > 0 && !mayBePale) {
    // The search around the regions excluded fewer boxes, so it found at least as much ink.
    const little = hasLittleInk(look.stray().count);
    if (little) return little;
  }
  const { drawn, scale } = look.small();
  const known = onPaper.filter((glyph) => !unproven.has(glyph)).map(({ box }) => box);
  const own = (said.seen?.own ?? []).filter(
    (box) => ![...unproven].some((glyph) => overlap(glyph.box, box)),
  );
  const channels = mayBePale ? drawChannels(look, unreadDpi) : [];
  const page = { drawn, scale, channels };
  return checkUnread(page, { said, known: [...known, ...own] }, reader);
}

/**
 * Returns the letters in unknown fonts that were not recognised either. Such fonts may draw any
 * shape.
 */
const unreadUnknownGlyphs = (letters: readonly SeenGlyph[], told: readonly Box[]): SeenGlyph[] =>
  letters.filter(
    ({ text, box }) => isOfOtherScript(text) && !told.some((other) => overlap(other, box)),
  );

/** Minimum number of subpaths that can spell a word. */
const minDrawn = 12;

/**
 * Whether objects may show letters: pictures, shadings, and drawings other than straight rules and
 * boxes.
 */
function mayShowLetters(objects: readonly DrawnObject[]): boolean {
  let drawn = 0;
  for (const object of objects) {
    if (!object.visible || object.kind === 'text') continue;
    if (object.kind !== 'path') return true;
    drawn += object.parts.filter(({ isAligned }) => !isAligned).length;
  }
  return drawn >= minDrawn;
}

/**
 * Returns the letters of a page that are not proven to match what their fonts declare, after
 * reading some lines that contain them. Empty if they are too few to spell anything.
 */
async function unprovenOn(
  look: Page,
  letters: readonly SeenGlyph[],
  images: readonly DrawnObject[],
): Promise<SeenGlyph[]> {
  const unsure = unprovenOf(letters, look.fonts);
  if (unsure.length <= maxUnsure) return [];
  look.fonts.meet(letters);
  const page = once(() => draw(look, dpi));
  await learnLetters(look, page, unsure, letters, images, minToProve);
  const left = unprovenOf(letters, look.fonts);
  return left.length > maxUnsure ? left : [];
}

/** Returns the visible letters of a page, as text readers read them. */
const lettersOf = (look: Page): SeenGlyph[] =>
  (look.glyphs()?.glyphs ?? []).filter(
    (glyph) => isLegible(glyph) && glyph.visible && heightOf(glyph.box) <= largestKnown,
  );

/** Returns the ink of a page that neither its letters nor its boxes explain. */
export function strayOn(look: Page): StrayInk {
  const { drawn, scale } = look.small();
  const known = [...lettersOf(look), ...look.said.regions].map(({ box }) => box);
  return strayInk(drawn, scale, known);
}

const isLegible = ({ text }: SeenGlyph): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && text !== '\ufffd';

/** Maximum size of letters that count as known ink. Larger letters may hide others. */
const largestKnown = 40;
/** Maximum number of edges beside a box that are too few to form a letter. */
const maxStrayEdges = 6;

/** Minimum number of letters in a line that is read as proof. */
const minToProve = 3;
/** Maximum number of letters in unread fonts that are too few to spell a value. */
const maxUnsure = 2;

/** A region that must be recognised: either always, or because some of its letters are unproven. */
interface Doubt {
  region: ReportedRegion;
  /**
   * Letters around the region in fonts that have not been read yet. Null if the region must always
   * be read.
   */
  unsure: SeenGlyph[] | null;
}

/**
 * Returns the regions around which there may be more than text readers can read: regions in
 * pictures, with unexplained ink, or with letters in fonts that have not been read yet. The other
 * regions need not be recognised.
 */
function doubtsOf(look: Page, images: readonly DrawnObject[], letters: SeenGlyph[]): Doubt[] {
  const { regions } = look.said;
  const { drawn, scale } = look.small();
  const glyphs = look.glyphs()?.glyphs ?? [];
  const ink = look.stray();
  return regions.flatMap((region): Doubt[] => {
    const mustRead: Doubt[] = [{ region, unsure: null }];
    if (ink.isCrowded || images.some((image) => overlap(image.box, region.box))) return mustRead;
    const area = grow(region.box, margin);
    if (ink.within(area) > maxStrayEdges) return mustRead;
    const label = labelOn(region, typesAt(regions, region), glyphs);
    if (!isSolidRegion(drawn, scale, region, label)) return mustRead;
    const unsure = letters.filter(
      (glyph) =>
        overlap(glyph.box, area) &&
        /[\p{L}\p{N}]/u.test(glyph.text) &&
        glyph.verdict?.() !== 'agrees' &&
        !look.fonts.has(glyph),
    );
    return unsure.length > maxUnsure ? [{ region, unsure }] : [];
  });
}

/** Checks that no part of a value can be read on and around the boxes. */
export async function checkReading(look: Page): Promise<CheckOutcome> {
  const { said, claim, reader, fonts } = look;
  const { regions } = said;
  if (regions.length === 0) return { wrong: [], looked: 'No regions.' };
  const images = look.objects().filter(({ kind }) => kind === 'image');
  const glyphs = look.glyphs()?.glyphs ?? [];
  const letters = lettersOf(look);
  fonts.meet(letters);
  const page = once(() => draw(look, dpi));
  const doubts = doubtsOf(look, images, letters);
  const unsure = doubts.flatMap((doubt) => doubt.unsure ?? []);
  await learnLetters(look, page, unsure, letters, images);
  const isOpen = ({ unsure }: Doubt): boolean =>
    unsure === null || unsure.filter((glyph) => !fonts.has(glyph)).length > maxUnsure;
  const open = doubts.filter(isOpen).map(({ region }) => region);
  if (open.length === 0) {
    return { wrong: [], looked: `${pluralise(regions.length, 'region')} by their ink.` };
  }
  const { drawn: raster, scale } = page();
  const isOnPicture = ({ box }: ReportedRegion): boolean =>
    images.some((image) => overlap(image.box, box));
  const tiles = open.flatMap((region) =>
    tilesOf(
      raster,
      scale,
      region,
      isOnPicture(region),
      labelOn(region, typesAt(regions, region), glyphs),
    ),
  );
  const visible = glyphs.filter((glyph) => glyph.visible);
  return readRegions(tiles, regions, claim, reader, ({ tile, region, part, at }, words) => {
    if (part !== 'around' || isOnPicture(region)) return;
    const near = visible.filter(({ box }) => overlap(box, grow(region.box, margin)));
    fonts.learn(placedOn(wholeWords(words, tile), at, scale), near);
  });
}

/**
 * Reads lines of the page to learn what its fonts draw, if this is the only reason why regions must
 * be recognised. The result is trusted letter by letter, as if it had been read beside a box.
 */
async function learnLetters(
  { fonts, reader, said }: Page,
  page: () => Drawn,
  unsure: readonly SeenGlyph[],
  letters: readonly SeenGlyph[],
  images: readonly DrawnObject[],
  min?: number,
): Promise<void> {
  const others = [...images, ...said.regions].map(({ box }) => box);
  const lines = linesToLearn(unsure, letters, others, fonts, min);
  if (lines.length === 0) return;
  const { drawn, scale } = page();
  const lessons = lines.map((line) => lessonOf(drawn, scale, line));
  const tiles = lessons.map(({ tile }) => tile);
  const words = await readTiles(await reader.tesseract(), tiles, reader.isolation);
  lessons.forEach(({ glyphs, tile, at }, index) => {
    fonts.teach(glyphs);
    fonts.learn(placedOn(wholeWords(words[index] ?? [], tile), at, scale), glyphs);
  });
}

/** Converts the boxes of a tile's words to points of the page. */
function placedOn(
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
