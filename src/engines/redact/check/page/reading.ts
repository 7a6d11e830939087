import { pluralise } from '../../../../contracts/pluralise.ts';
import { grow, heightOf } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import { labelOn, overlap, type ReportedRegion, type SeenGlyph, typesAt } from './glyphs.ts';
import { draw, type Page } from './loaded-page.ts';
import { type CheckOutcome, readRegions } from './look.ts';
import type { DrawnObject } from './objects.ts';
import { isSolidRegion, margin, tilesOf } from './regions.ts';
import { strayInk } from './stray-ink.ts';
import type { ReadWord } from './tiles.ts';
import { checkUnread } from './unread.ts';

const dpi = 300;

/** Checks that no writing was left unread. */
export async function checkLeft(look: Page): Promise<CheckOutcome> {
  const { said, reader } = look;
  if (said.treatment === 'empty') return { wrong: [], looked: 'The page is empty.' };
  const images = look.objects().filter(({ kind }) => kind === 'image');
  // Letters drawn over or under a picture, or not at all, may read differently from what is visible.
  const onPaper = (look.glyphs()?.glyphs ?? []).filter(
    (glyph) =>
      glyph.visible && isLegible(glyph) && !images.some((image) => overlap(image.box, glyph.box)),
  );
  const { drawn, scale } = look.small();
  const known = onPaper.map(({ box }) => box);
  return checkUnread(drawn, scale, { said, known }, reader);
}

const isLegible = ({ text }: SeenGlyph): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && text !== '\ufffd';

/** Words this near to the edge of a tile, in pixels, may be cut off. */
const cut = 8;
/** Larger letters may hide others. */
const largestKnown = 40;
/** So few edges next to a box are no letter. */
const mostStrayEdges = 6;

/** So few letters in fonts that were not read yet spell nothing. */
const mostUnsure = 2;

/**
 * The regions around which there may be more than text readers see: in pictures, with ink that is not
 * theirs, or with letters in fonts that have not been read yet. The others need not be recognised.
 */
function regionsToRead(look: Page, images: readonly DrawnObject[]): ReportedRegion[] {
  const { regions } = look.said;
  const { drawn, scale } = look.small();
  const glyphs = look.glyphs()?.glyphs ?? [];
  const letters = glyphs.filter(
    (glyph) => isLegible(glyph) && glyph.visible && heightOf(glyph.box) <= largestKnown,
  );
  const known = [...letters, ...regions].map(({ box }) => box);
  const ink = strayInk(drawn, scale, known);
  return regions.filter((region) => {
    if (ink.isCrowded || images.some((image) => overlap(image.box, region.box))) return true;
    const area = grow(region.box, margin);
    if (ink.within(area) > mostStrayEdges) return true;
    const unsure = letters.filter(
      ({ text, box, font }) =>
        /[\p{L}\p{N}]/u.test(text) && overlap(box, area) && !look.fonts.has(font, text),
    );
    if (unsure.length > mostUnsure) return true;
    return !isSolidRegion(drawn, scale, region, labelOn(region, typesAt(regions, region), glyphs));
  });
}

/** Checks that nothing of a value can be read on and around the boxes. */
export async function checkReading(look: Page): Promise<CheckOutcome> {
  const { said, claim, reader, fonts } = look;
  const { regions } = said;
  if (regions.length === 0) return { wrong: [], looked: 'No regions.' };
  const images = look.objects().filter(({ kind }) => kind === 'image');
  const open = regionsToRead(look, images);
  if (open.length === 0) {
    return { wrong: [], looked: `${pluralise(regions.length, 'region')} by their ink.` };
  }
  const { drawn: raster, scale } = draw(look, dpi);
  const isOnPicture = ({ box }: ReportedRegion): boolean =>
    images.some((image) => overlap(image.box, box));
  const glyphs = look.glyphs()?.glyphs ?? [];
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
  return readRegions(tiles, regions, claim, reader, ({ tile, region, part, at: [x, y] }, words) => {
    if (part !== 'around' || isOnPicture(region)) return;
    const near = visible.filter(({ box }) => overlap(box, grow(region.box, margin)));
    const whole = words.filter(({ box }) => box[1] > cut && box[3] < tile.height - cut);
    const placed = whole.map((word): ReadWord => {
      const [x0, y0, x1, y1] = word.box;
      const box: Box = [(x0 + x) / scale, (y0 + y) / scale, (x1 + x) / scale, (y1 + y) / scale];
      return { ...word, box };
    });
    fonts.learn(placed, near);
  });
}
