import { EngineError } from '../../errors.ts';
import { displaySize } from '../../geometry.ts';
import { maxPagePixels } from '../../limits.ts';
import { type PdfDocument, renderPage, withPage } from '../../pdf/pdfium.ts';
import type { Frame } from '../../results.ts';
import { frameOf, openCachedPdf } from '../../source.ts';
import type { CheckRequest } from '../calls.ts';
import type { Check, RedactedPage } from '../plan.ts';
import {
  isLabel,
  labelOn,
  overlap,
  type Region,
  readGlyphs,
  regionsWithText,
  typesAt,
} from './page/glyphs.ts';
import {
  guarded,
  type Outcome,
  type Reader,
  readDoubtful,
  readRegions,
  valueIn,
} from './page/look.ts';
import { type Drawn, readObjects } from './page/objects.ts';
import { isBoxOf, isInside, regionsHiding } from './page/occlusion.ts';
import { readWithPdfJs, standsWithin } from './page/pdfjs.ts';
import { lookAtImage } from './page/pictures.ts';
import { tilesOf } from './page/regions.ts';
import type { Tile } from './page/tiles.ts';
import { checkUnread, unreadDpi } from './page/unread.ts';
import { checkPicturePage } from './picture-page.ts';
import { type Claim, readClaim } from './report.ts';
import { count } from './verdict.ts';

/**
 * Looks at one page of a redacted file with eyes that know nothing of how it was redacted: two readers
 * of its text, its objects, its pictures, and the page as drawn. What cannot be looked at fails.
 * @throws EngineError only where the whole file or the call is at fault
 */
export async function checkPage(
  { path, mime, reportFile, outputPage }: CheckRequest & { outputPage: number },
  reader: Reader,
): Promise<Check[]> {
  const claim = await readClaim(reportFile);
  const said = claim.report.pages.find((page) => page.outputPage === outputPage);
  if (!said) throw new EngineError('invalid_argument', 'The report does not have the page.');
  if (mime !== 'application/pdf') return checkPicturePage(path, mime, said, claim, reader);
  const document = await openCachedPdf(path);
  const read = { document, said, claim, reader };
  const fromPdfJs = await guarded('text_pdfjs', outputPage, () => checkPdfJs(path, read));
  return withPage(document, outputPage, async (page) => {
    const frame = frameOf(document, page);
    const seen: Page = { ...read, page, frame };
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
  reader: Reader;
}
type Page = Look & { page: number; frame: Frame };

const leftIn = (regions: readonly Region[], what: string): string[] =>
  regions.length === 0 ? [] : [`${what} in ${count(regions.length, 'region')}.`];

function checkPdfium({ document, page, frame, said, claim }: Page): Outcome {
  const read = readGlyphs(document, page, frame);
  if (!read) throw new EngineError('damaged', 'The text of the page cannot be read.');
  return {
    wrong: [
      ...valueIn(claim.matcher, read.text, 'the text of the page'),
      ...leftIn(regionsWithText(said.regions, read.glyphs), 'Text'),
    ],
    looked: `${count(read.glyphs.length, 'glyph')}, ${count(said.regions.length, 'region')}.`,
  };
}

async function checkPdfJs(path: string, { said, claim, document }: Look): Promise<Outcome> {
  const read = await readWithPdfJs(path, said.outputPage);
  const wrong = valueIn(claim.matcher, read.text, 'the text of the page');
  if (read.pages !== document.pageCount) wrong.push('Readers see different numbers of pages.');
  // Places are estimates: only what surely stands in a region does, and a label is told by its run.
  const left = said.regions.filter((region) => {
    const types = typesAt(said.regions, region);
    return read.glyphs.some(
      (glyph) => standsWithin(glyph, region.box) && !isLabel(glyph.run, types),
    );
  });
  return {
    wrong: [...wrong, ...leftIn(left, 'Text')],
    looked: `${count(read.glyphs.length, 'character')}, ${count(said.regions.length, 'region')}.`,
  };
}

function checkOcclusion({ document, page, frame, said }: Page): Outcome {
  if (said.regions.length === 0) return { wrong: [], looked: 'No regions.' };
  const drawn = readObjects(document, page, frame);
  return {
    wrong: leftIn(regionsHiding(said.regions, drawn), 'Something lies under the box'),
    looked: `${count(drawn.length, 'object')}, ${count(said.regions.length, 'region')}.`,
  };
}

/**
 * A burned page is one picture; only boxes and their labels may be drawn on it, and what text it still
 * has lies under it unseen.
 */
function wrongWithBurned(
  drawn: readonly Drawn[],
  frame: Frame,
  regions: readonly Region[],
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
      ({ box }) => isBoxOf(item, box) || (item.kind === 'text' && isInside(item.box, box)),
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
}: Page): Promise<Outcome> {
  const drawn = readObjects(document, page, frame);
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
    looked: `${count(images.length, 'picture')}, ${count(said.regions.length, 'region')}.`,
  };
}

const dpi = 300;

/** A loaded page as it is drawn, in grey, and its pixels a point. */
function draw({ document, page, frame }: Page, wished: number): { drawn: Tile; scale: number } {
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

async function checkLeft(look: Page): Promise<Outcome> {
  const { document, page, frame, said, reader } = look;
  if (said.treatment === 'empty') return { wrong: [], looked: 'The page is empty.' };
  const images = readObjects(document, page, frame).filter(({ kind }) => kind === 'image');
  // Letters over a picture, or under it, may say something else than that shows.
  const onPaper = (readGlyphs(document, page, frame)?.glyphs ?? []).filter(
    ({ text, box }) =>
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) &&
      text !== '\ufffd' &&
      !images.some((image) => overlap(image.box, box)),
  );
  const { drawn, scale } = draw(look, unreadDpi);
  const known = onPaper.map(({ box }) => box);
  return checkUnread(drawn, scale, { said, known }, reader);
}

async function checkReading(look: Page): Promise<Outcome> {
  const { document, page, frame, said, claim, reader } = look;
  const { regions } = said;
  if (regions.length === 0) return { wrong: [], looked: 'No regions.' };
  const { drawn: raster, scale } = draw(look, dpi);
  const images = readObjects(document, page, frame).filter(({ kind }) => kind === 'image');
  const isOnPicture = ({ box }: Region): boolean => images.some((image) => overlap(image.box, box));
  const glyphs = readGlyphs(document, page, frame)?.glyphs ?? [];
  const tiles = regions.flatMap((region) =>
    tilesOf(
      raster,
      scale,
      region,
      isOnPicture(region),
      labelOn(region, typesAt(regions, region), glyphs),
    ),
  );
  return readRegions(tiles, regions, claim, reader);
}
