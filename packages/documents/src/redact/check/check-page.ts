import { pluralise } from '@scriptorium/contracts/pluralise';
import { EngineError } from '@scriptorium/sandbox/errors';
import { displaySize } from '../../geometry.ts';
import { once } from '../../once.ts';
import { openCachedPdf } from '../../pdf/document-cache.ts';
import { frameOf } from '../../pdf/page-frame.ts';
import { withPage } from '../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../results.ts';
import type { RedactionCheck } from '../contract/report.ts';
import type { CheckRequest } from '../contract/requests.ts';
import { readClaim } from './claim.ts';
import { checkBarcodes } from './page/barcodes.ts';
import { checkFaces } from './page/faces.ts';
import {
  isLabel,
  type ReportedRegion,
  readPageGlyphs,
  regionsWithText,
  typesAt,
} from './page/glyphs.ts';
import { hiddenPixels } from './page/hidden-pixels.ts';
import { type CheckedPage, draw, type LoadedPage } from './page/loaded-page.ts';
import { type DrawnObject, readObjects } from './page/objects.ts';
import { isBoxOf, isWhollyInside, regionsHidingContent } from './page/occlusion.ts';
import { isGlyphWithin, readWithPdfJs } from './page/pdfjs.ts';
import { checkPicturePage } from './page/picture-page.ts';
import { examineImage } from './page/pictures.ts';
import {
  type CheckOutcome,
  describeFound,
  type PictureReader,
  readDoubtfulParts,
  runCheck,
} from './page/read-regions.ts';
import { checkReadableText, checkUnreadText, strayInkOn } from './page/readable-text.ts';
import { crop, type GreyTile } from './page/tiles.ts';
import { trustedFontsOf } from './page/trusted-fonts.ts';
import { unreadDpi } from './page/unread-text.ts';

/**
 * Checks one page of a redacted file, without any knowledge of how it was redacted: its text in two
 * readers, its objects, its pictures, and the page as drawn. Content that cannot be checked fails.
 * @throws EngineError only if the whole file is damaged or the call is invalid
 */
export async function checkPage(
  { path, mime, reportFile, outputPage }: CheckRequest & { outputPage: number },
  reader: PictureReader,
): Promise<RedactionCheck[]> {
  const claim = await readClaim(reportFile);
  const reported = claim.report.pages.find((page) => page.outputPage === outputPage);
  if (!reported) throw new EngineError('invalid_argument', 'The page is not in the report.');
  if (mime !== 'application/pdf') return checkPicturePage(path, mime, reported, claim, reader);
  const document = await openCachedPdf(path);
  const read = { document, reported, claim, reader };
  const fromPdfJs = await runCheck('text_pdfjs', outputPage, () => checkPdfJs(path, read));
  return withPage(document, outputPage, async (page) => {
    const frame = frameOf(document, page);
    const loadedPage: LoadedPage = {
      ...read,
      page,
      frame,
      fonts: trustedFontsOf(path),
      glyphs: once(() => readPageGlyphs(document, page, frame)),
      objects: once(() => readObjects(document, page, frame)),
      lowResolution: once(() => draw(loadedPage, unreadDpi)),
      highResolution: once(() => draw(loadedPage)),
      strayInk: once(() => strayInkOn(loadedPage)),
    };
    return [
      await runCheck('text_pdfium', outputPage, () => checkPdfium(loadedPage)),
      fromPdfJs,
      await runCheck('occlusion', outputPage, () => checkOcclusion(loadedPage)),
      await runCheck('pictures', outputPage, () => checkPictures(loadedPage)),
      await runCheck('ocr_regions', outputPage, () => checkReadableText(loadedPage)),
      await runCheck('unread_text', outputPage, () => checkUnreadText(loadedPage)),
      await runCheck('barcodes', outputPage, () => checkBarcodes(loadedPage)),
      await runCheck('faces', outputPage, () => checkFaces(loadedPage)),
    ];
  });
}

const describeRemaining = (regions: readonly ReportedRegion[], what: string): string[] =>
  regions.length === 0 ? [] : [`${what} in ${pluralise(regions.length, 'region')}.`];

function checkPdfium({ glyphs, reported, claim }: LoadedPage): CheckOutcome {
  const read = glyphs();
  if (!read) throw new EngineError('damaged', 'The text of the page cannot be read.');
  return {
    faults: [
      ...describeFound(claim.matcher, read.text, 'the text of the page'),
      ...describeRemaining(regionsWithText(reported.regions, read.glyphs), 'Text'),
    ],
    summary: `${pluralise(read.glyphs.length, 'glyph')}, ${pluralise(reported.regions.length, 'region')}.`,
  };
}

async function checkPdfJs(
  path: string,
  { reported, claim, document }: CheckedPage,
): Promise<CheckOutcome> {
  const read = await readWithPdfJs(path, reported.outputPage);
  const faults = describeFound(claim.matcher, read.text, 'the text of the page');
  if (read.pages !== document.pageCount)
    faults.push('The readers disagree on the number of pages.');
  // Positions are estimates, so a character counts only if it is well within a region. A label is
  // recognised by the run that contains the character.
  const regionsWithCharacters = reported.regions.filter((region) => {
    const types = typesAt(reported.regions, region);
    return read.glyphs.some(
      (glyph) => isGlyphWithin(glyph, region.box) && !isLabel(glyph.run, types),
    );
  });
  return {
    faults: [...faults, ...describeRemaining(regionsWithCharacters, 'Text')],
    summary: `${pluralise(read.glyphs.length, 'character')}, ${pluralise(reported.regions.length, 'region')}.`,
  };
}

function checkOcclusion({ objects, reported }: LoadedPage): CheckOutcome {
  if (reported.regions.length === 0) return { faults: [], summary: 'No regions.' };
  const drawnObjects = objects();
  return {
    faults: describeRemaining(
      regionsHidingContent(reported.regions, drawnObjects),
      'Content lies under the box',
    ),
    summary: `${pluralise(drawnObjects.length, 'object')}, ${pluralise(reported.regions.length, 'region')}.`,
  };
}

/**
 * Checks that a burned page consists of one picture. Only boxes and their labels may be drawn over
 * it, and its text must be invisible and beneath it.
 */
function burnedPageFaults(
  objects: readonly DrawnObject[],
  frame: PageFrame,
  regions: readonly ReportedRegion[],
): string[] {
  const [image, ...others] = objects.filter(({ visible }) => visible);
  const { width, height } = displaySize(frame);
  const coversPage =
    image?.kind === 'image' &&
    image.box[0] <= 2 &&
    image.box[1] <= 2 &&
    image.box[2] >= width - 2 &&
    image.box[3] >= height - 2;
  const areOnlyBoxes = others.every((item) =>
    regions.some(
      ({ box }) => isBoxOf(item, box) || (item.kind === 'text' && isWhollyInside(item.box, box)),
    ),
  );
  return coversPage && areOnlyBoxes ? [] : ['A burned page is not a single picture.'];
}

async function checkPictures(loadedPage: LoadedPage): Promise<CheckOutcome> {
  const { document, page, frame, reported, claim, reader } = loadedPage;
  const objects = loadedPage.objects();
  const images = objects.filter((item) => item.kind === 'image');
  const faults: string[] = [];
  if (reported.treatment === 'burned')
    faults.push(...burnedPageFaults(objects, frame, reported.regions));
  if (reported.treatment === 'empty' && images.length > 0)
    faults.push('An empty page has a picture.');
  const shownAt = (box: Box): GreyTile => {
    const { tile, scale } = loadedPage.lowResolution();
    const [x0, y0, x1, y1] = box;
    return crop(tile, [x0 * scale, y0 * scale, x1 * scale, y1 * scale]);
  };
  const doubtful = images.flatMap((image) => [
    ...examineImage(document, page, frame, image, reported.regions),
    ...(image.visible ? hiddenPixels(document, page, frame, image, shownAt) : []),
  ]);
  faults.push(...(await readDoubtfulParts(doubtful, reported.regions, claim, reader)));
  return {
    faults,
    summary: `${pluralise(images.length, 'picture')}, ${pluralise(reported.regions.length, 'region')}.`,
  };
}
