import { pluralise } from '@scriptorium/contracts/pluralise';
import { EngineError } from '@scriptorium/sandbox/errors';
import { displaySize } from '../../geometry.ts';
import { openCachedPdf } from '../../pdf/cached.ts';
import { frameOf } from '../../pdf/page-frame.ts';
import { withPage } from '../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../results.ts';
import type { RedactionCheck } from '../contract/report.ts';
import type { CheckRequest } from '../contract/requests.ts';
import { readClaim } from './claim.ts';
import {
  isLabel,
  type ReportedRegion,
  readSeenGlyphs,
  regionsWithText,
  typesAt,
} from './page/glyphs.ts';
import { hiddenPixels } from './page/hidden-pixels.ts';
import { honestFontsOf } from './page/honest-fonts.ts';
import { draw, type Look, type Page } from './page/loaded-page.ts';
import {
  type CheckOutcome,
  describeFound,
  guarded,
  type PictureReader,
  readDoubtful,
} from './page/look.ts';
import { type DrawnObject, readObjects } from './page/objects.ts';
import { isBoxOf, isWhollyInside, regionsHiding } from './page/occlusion.ts';
import { once } from './page/once.ts';
import { isGlyphWithin, readWithPdfJs } from './page/pdfjs.ts';
import { checkPicturePage } from './page/picture-page.ts';
import { lookAtImage } from './page/pictures.ts';
import { checkLeft, checkReading, strayOn } from './page/reading.ts';
import { crop, type GreyTile } from './page/tiles.ts';
import { unreadDpi } from './page/unread.ts';

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
      stray: once(() => strayOn(seen)),
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
  // Positions are estimates, so a character counts only if it is well within a region. A label is
  // recognised by the run that contains the character.
  const left = said.regions.filter((region) => {
    const types = typesAt(said.regions, region);
    return read.glyphs.some(
      (glyph) => isGlyphWithin(glyph, region.box) && !isLabel(glyph.run, types),
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
 * Checks that a burned page consists of one picture. Only boxes and their labels may be drawn over
 * it, and its text must be invisible and beneath it.
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

async function checkPictures(look: Page): Promise<CheckOutcome> {
  const { document, page, frame, said, claim, reader } = look;
  const drawn = look.objects();
  const images = drawn.filter((item) => item.kind === 'image');
  const wrong: string[] = [];
  if (said.treatment === 'burned') wrong.push(...wrongWithBurned(drawn, frame, said.regions));
  if (said.treatment === 'empty' && images.length > 0) wrong.push('An empty page has a picture.');
  const shownAt = (box: Box): GreyTile => {
    const { drawn: seen, scale } = look.small();
    const [x0, y0, x1, y1] = box;
    return crop(seen, [x0 * scale, y0 * scale, x1 * scale, y1 * scale]);
  };
  const doubtful = images.flatMap((image) => [
    ...lookAtImage(document, page, frame, image, said.regions),
    ...(image.visible ? hiddenPixels(document, page, frame, image, shownAt) : []),
  ]);
  wrong.push(...(await readDoubtful(doubtful, said.regions, claim, reader)));
  return {
    wrong,
    looked: `${pluralise(images.length, 'picture')}, ${pluralise(said.regions.length, 'region')}.`,
  };
}
