import { pluralise } from '../../../contracts/pluralise.ts';
import { EngineError } from '../../errors.ts';
import { displaySize, grow, heightOf } from '../../geometry.ts';
import { maxPagePixels } from '../../limits.ts';
import { type PdfDocument, renderPage, withPage } from '../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../results.ts';
import { frameOf, openCachedPdf } from '../../source.ts';
import type { RedactedPage, RedactionCheck } from '../contract/report.ts';
import type { CheckRequest } from '../contract/requests.ts';
import { type Claim, readClaim } from './claim.ts';
import {
  isLabel,
  labelOn,
  overlap,
  type ReportedRegion,
  readSeenGlyphs,
  regionsWithText,
  type SeenGlyph,
  typesAt,
} from './page/glyphs.ts';
import { type HonestFonts, honestFontsOf } from './page/honest-fonts.ts';
import {
  type CheckOutcome,
  describeFound,
  guarded,
  type PictureReader,
  readDoubtful,
  readRegions,
} from './page/look.ts';
import { type DrawnObject, readObjects } from './page/objects.ts';
import { isBoxOf, isWhollyInside, regionsHiding } from './page/occlusion.ts';
import { readWithPdfJs, standsWithin } from './page/pdfjs.ts';
import { checkPicturePage } from './page/picture-page.ts';
import { lookAtImage } from './page/pictures.ts';
import { isSolidRegion, margin, tilesOf } from './page/regions.ts';
import { strayInk } from './page/stray-ink.ts';
import type { GreyTile, ReadWord } from './page/tiles.ts';
import { checkUnread, unreadDpi } from './page/unread.ts';

/**
 * Checks one page of a redacted file without knowing how it was redacted: its text in two readers,
 * its objects, its pictures, and the page as drawn. Whatever cannot be checked fails.
 * @throws EngineError only if the whole file or the call is at fault
 */
export async function checkPage(
  { path, mime, reportFile, outputPage }: CheckRequest & { outputPage: number },
  reader: PictureReader,
): Promise<RedactionCheck[]> {
  const claim = await readClaim(reportFile);
  const said = claim.report.pages.find((page) => page.outputPage === outputPage);
  if (!said) throw new EngineError('invalid_argument', 'The page is not in the report.');
  if (mime !== 'application/pdf') return checkPicturePage(path, mime, said, claim, reader);
  const document = await openCachedPdf(path);
  const read = { document, said, claim, reader };
  const fromPdfJs = await guarded('text_pdfjs', outputPage, () => checkPdfJs(path, read));
  return withPage(document, outputPage, async (page) => {
    const frame = frameOf(document, page);
    const seen: Page = {
      ...read,
      page,
      frame,
      fonts: honestFontsOf(path),
      glyphs: once(() => readSeenGlyphs(document, page, frame)),
      objects: once(() => readObjects(document, page, frame)),
      small: once(() => draw(seen, unreadDpi)),
    };
    return [
      await guarded('text_pdfium', outputPage, () => checkPdfium(seen)),
      fromPdfJs,
      await guarded('occlusion', outputPage, () => checkOcclusion(seen)),
      await guarded('pictures', outputPage, () => checkPictures(seen)),
      await guarded('ocr_regions', outputPage, () => checkReading(seen)),
      await guarded('unread_text', outputPage, () => checkLeft(seen)),
    ];
  });
}

interface Look {
  document: PdfDocument;
  said: RedactedPage;
  claim: Claim;
  reader: PictureReader;
}

interface Drawn {
  drawn: GreyTile;
  /** Pixels per point. */
  scale: number;
}

/** A loaded page; what several checks need of it is read once. */
type Page = Look & {
  page: number;
  frame: PageFrame;
  fonts: HonestFonts;
  glyphs: () => ReturnType<typeof readSeenGlyphs>;
  objects: () => DrawnObject[];
  /** At `unreadDpi`. */
  small: () => Drawn;
};

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const leftIn = (regions: readonly ReportedRegion[], what: string): string[] =>
  regions.length === 0 ? [] : [`${what} in ${pluralise(regions.length, 'region')}.`];

function checkPdfium({ glyphs, said, claim }: Page): CheckOutcome {
  const read = glyphs();
  if (!read) throw new EngineError('damaged', 'The text of the page cannot be read.');
  return {
    wrong: [
      ...describeFound(claim.matcher, read.text, 'the text of the page'),
      ...leftIn(regionsWithText(said.regions, read.glyphs), 'Text'),
    ],
    looked: `${pluralise(read.glyphs.length, 'glyph')}, ${pluralise(said.regions.length, 'region')}.`,
  };
}

async function checkPdfJs(path: string, { said, claim, document }: Look): Promise<CheckOutcome> {
  const read = await readWithPdfJs(path, said.outputPage);
  const wrong = describeFound(claim.matcher, read.text, 'the text of the page');
  if (read.pages !== document.pageCount) wrong.push('The readers disagree on the number of pages.');
  // Positions are estimates: a character counts only if it is certainly within a region, and a
  // label is recognised by its run.
  const left = said.regions.filter((region) => {
    const types = typesAt(said.regions, region);
    return read.glyphs.some(
      (glyph) => standsWithin(glyph, region.box) && !isLabel(glyph.run, types),
    );
  });
  return {
    wrong: [...wrong, ...leftIn(left, 'Text')],
    looked: `${pluralise(read.glyphs.length, 'character')}, ${pluralise(said.regions.length, 'region')}.`,
  };
}

function checkOcclusion({ objects, said }: Page): CheckOutcome {
  if (said.regions.length === 0) return { wrong: [], looked: 'No regions.' };
  const drawn = objects();
  return {
    wrong: leftIn(regionsHiding(said.regions, drawn), 'Something lies under the box'),
    looked: `${pluralise(drawn.length, 'object')}, ${pluralise(said.regions.length, 'region')}.`,
  };
}

/**
 * A burned page is one picture. Only boxes and their labels may be drawn over it; its text must be
 * invisible beneath it.
 */
function wrongWithBurned(
  drawn: readonly DrawnObject[],
  frame: PageFrame,
  regions: readonly ReportedRegion[],
): string[] {
  const [image, ...others] = drawn.filter(({ visible }) => visible);
  const { width, height } = displaySize(frame);
  const covers =
    image?.kind === 'image' &&
    image.box[0] <= 2 &&
    image.box[1] <= 2 &&
    image.box[2] >= width - 2 &&
    image.box[3] >= height - 2;
  const belongs = others.every((item) =>
    regions.some(
      ({ box }) => isBoxOf(item, box) || (item.kind === 'text' && isWhollyInside(item.box, box)),
    ),
  );
  return covers && belongs ? [] : ['A burned page is not one picture.'];
}

async function checkPictures({
  document,
  page,
  frame,
  said,
  claim,
  reader,
  objects,
}: Page): Promise<CheckOutcome> {
  const drawn = objects();
  const images = drawn.filter((item) => item.kind === 'image');
  const wrong: string[] = [];
  if (said.treatment === 'burned') wrong.push(...wrongWithBurned(drawn, frame, said.regions));
  if (said.treatment === 'empty' && images.length > 0) wrong.push('An empty page has a picture.');
  const doubtful = images.flatMap((image) =>
    lookAtImage(document, page, frame, image, said.regions),
  );
  wrong.push(...(await readDoubtful(doubtful, said.regions, claim, reader)));
  return {
    wrong,
    looked: `${pluralise(images.length, 'picture')}, ${pluralise(said.regions.length, 'region')}.`,
  };
}

const dpi = 300;

/** Draws a loaded page in greyscale; `scale` is in pixels per point. */
function draw({ document, page, frame }: Page, wished: number): Drawn {
  const { width, height } = displaySize(frame);
  const scale = Math.min(wished / 72, Math.sqrt(maxPagePixels / (width * height)));
  const drawn = renderPage(document.pdfium, page, {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    grey: true,
    annotations: true,
  });
  return { drawn, scale };
}

async function checkLeft(look: Page): Promise<CheckOutcome> {
  const { said, reader } = look;
  if (said.treatment === 'empty') return { wrong: [], looked: 'The page is empty.' };
  const images = look.objects().filter(({ kind }) => kind === 'image');
  // Letters drawn over or under a picture may read differently from what is visible.
  const onPaper = (look.glyphs()?.glyphs ?? []).filter(
    (glyph) => isLegible(glyph) && !images.some((image) => overlap(image.box, glyph.box)),
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
        /[\p{L}\p{N}]/u.test(text) && overlap(box, area) && !look.fonts.has(font),
    );
    if (unsure.length > mostUnsure) return true;
    return !isSolidRegion(drawn, scale, region, labelOn(region, typesAt(regions, region), glyphs));
  });
}

async function checkReading(look: Page): Promise<CheckOutcome> {
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
