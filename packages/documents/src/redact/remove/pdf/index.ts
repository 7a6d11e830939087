import { rm, writeFile } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { ParseSpeeds, PDFDocument } from 'pdf-lib';
import { displaySize, isInside } from '../../../geometry.ts';
import { renderPage } from '../../../pdf/bitmaps.ts';
import { frameOf } from '../../../pdf/page-frame.ts';
import { openPdf, type PdfDocument, saveCopy, withPage } from '../../../pdf/pdfium.ts';
import { withPreparedPage } from '../../../pdf/prepare.ts';
import type { PlannedPage } from '../../contract/plan.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type {
  BoxExtent,
  LaidOutPage,
  LayOutRequest,
  RedactPagesRequest,
} from '../../contract/requests.ts';
import {
  buildDocument,
  mayDrawPictures,
  type SourceDocument,
  type WorkPage,
} from './build/build-document.ts';
import { type GreyPage, inkScale } from './regions/box-around-ink.ts';
import {
  glyphsIn,
  isOnPage,
  layOutRegions,
  type PaintRegion,
  paintedAreas,
  plannedAreas,
} from './regions/regions.ts';
import { type Survey, surveyGlyphs } from './regions/survey.ts';
import { redactionFault } from './verify.ts';

type PageWithPlan = Extract<PlannedPage, { state: 'planned' }>;

/** Maximum size at which a page is drawn to examine the surroundings of boxes, in pixels. */
const maxInkPixels = 30e6;

/**
 * Redacts pages of a PDF. Removes the planned content, paints boxes, turns pages into pictures
 * where removal in place is not safe, and writes a new file that contains nothing else. Returns the
 * treatment of each page.
 * @throws EngineError if the file cannot be redacted
 */
export async function redactPdf(
  { path, outPath, style, box }: Pick<RedactPagesRequest, 'path' | 'outPath' | 'style' | 'box'>,
  plans: readonly PlannedPage[],
): Promise<RedactedPage[]> {
  return withLayout({ path, workPath: outPath, box }, plans, ({ source, pages, surveys }) =>
    buildAndVerify(source, pages, surveys, { outPath, style }),
  );
}

/**
 * Computes where boxes would be painted on the pages of a PDF.
 * @throws EngineError if the file cannot be read
 */
export async function layOutPdf(
  request: Pick<LayOutRequest, 'path' | 'workPath' | 'box'>,
  plans: readonly PlannedPage[],
): Promise<LaidOutPage[]> {
  return withLayout(request, plans, async ({ pages }) => pages.map(layoutOfPage));
}

/** A document with its boxes laid out. */
interface DocumentLayout {
  source: SourceDocument;
  pages: WorkPage[];
  surveys: Map<number, Survey>;
}

/** Opens a PDF and lays out its boxes, for the duration of `run`. */
async function withLayout<T>(
  { path, workPath, box }: Pick<LayOutRequest, 'path' | 'workPath' | 'box'>,
  plans: readonly PlannedPage[],
  run: (layout: DocumentLayout) => Promise<T>,
): Promise<T> {
  const cleanPath = `${workPath}.clean`;
  const opened: PdfDocument[] = [];
  const openTracked = async (file: string): Promise<PdfDocument> => {
    const document = await openPdf(file);
    opened.push(document);
    return document;
  };
  try {
    const prepared = await openTracked(path);
    const pages = plans.map(createWorkPage);
    for (const page of pages) await prepare(prepared, page);
    const document = await loadInPdfLib(prepared);
    const cleanPages = new Map<number, { document: PdfDocument; number: number }>();
    // These pages have no alternative texts or hidden layers, which are not visible. The other pages
    // are written once, because only pages with boxes or pictures may be drawn from a clean copy.
    const pagesToClean = document
      ? pages.filter((page, at) => mayNeedCleanCopy(document, page, plans[at]))
      : [];
    if (document && pagesToClean.length > 0) {
      const pagesWithoutBoxes: WorkPage[] = pagesToClean.map((page) => ({
        ...page,
        regions: [],
        layer: undefined,
      }));
      const preparedSource: SourceDocument = {
        document,
        drawingSource: (page) => ({ document: prepared, number: page }),
      };
      // The style makes no difference without boxes.
      await writeFile(
        cleanPath,
        await buildDocument(preparedSource, pagesWithoutBoxes, 'blackbox', { passing: true }),
      );
      const cleanDocument = await openTracked(cleanPath);
      for (const [index, { page, burnReason }] of pagesWithoutBoxes.entries()) {
        const originalPage = pagesToClean[index];
        if (originalPage && burnReason !== null) originalPage.burnReason = burnReason;
        if (burnReason === null)
          cleanPages.set(page, { document: cleanDocument, number: index + 1 });
      }
    }
    const source: SourceDocument = {
      document,
      drawingSource: (page) => cleanPages.get(page) ?? { document: prepared, number: page },
    };
    const surveys = await layOut(source, pages, plans, box);
    return await run({ source, pages, surveys });
  } finally {
    for (const document of opened) document.close();
    await rm(cleanPath, { force: true });
  }
}

/**
 * Whether a page may have to be measured, or drawn as a picture, without the content that it does
 * not display.
 */
function mayNeedCleanCopy(
  document: PDFDocument,
  page: WorkPage,
  plan: PlannedPage | undefined,
): boolean {
  if (page.emptyReason !== null || page.burnReason !== null) return false;
  const hasAreas = plan?.state === 'planned' && plannedAreas(plan).length > 0;
  return hasAreas || mayDrawPictures(document, page);
}

function createWorkPage(plan: PlannedPage): WorkPage {
  const size = { width: plan.widthPt, height: plan.heightPt };
  const emptyReason = plan.state === 'failed' ? 'The page failed in an earlier step.' : null;
  const omitsTextLayer = plan.state === 'planned' && plan.asPicture === true;
  const burnReason = omitsTextLayer ? 'removal in place could not be proven' : null;
  const layer = plan.state === 'planned' ? plan.layer : undefined;
  return {
    page: plan.page,
    size,
    frame: undefined,
    regions: [],
    burnReason,
    omitsTextLayer,
    emptyReason,
    layer,
  };
}

/**
 * Prepares a page so that it has the content that readers display. A page that cannot be read is
 * left empty.
 */
async function prepare(document: PdfDocument, page: WorkPage): Promise<void> {
  if (page.emptyReason !== null) return;
  try {
    page.frame = await withPreparedPage(document, page.page, async (loaded) =>
      frameOf(document, loaded),
    );
    page.size = displaySize(page.frame);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    page.emptyReason = error.message;
  }
}

/**
 * Loads the prepared document in pdf-lib. Returns undefined if this fails. All pages are burned in
 * this case.
 */
async function loadInPdfLib(prepared: PdfDocument): Promise<PDFDocument | undefined> {
  const bytes = saveCopy(prepared);
  try {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fastest,
    });
    return document.getPageCount() === prepared.pageCount ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Lays out the boxes, and determines the pages with text that cannot be removed in place. */
async function layOut(
  source: SourceDocument,
  pages: readonly WorkPage[],
  plans: readonly PlannedPage[],
  box: BoxExtent | undefined,
): Promise<Map<number, Survey>> {
  const surveys = new Map<number, Survey>();
  for (const [index, page] of pages.entries()) {
    const plan = plans[index];
    if (page.emptyReason !== null || plan?.state !== 'planned') continue;
    if (!source.document) page.burnReason = 'the file is damaged';
    if (plannedAreas(plan).length === 0) continue;
    const { document, number } = source.drawingSource(page.page);
    const survey = await surveyGlyphs(document, number);
    surveys.set(page.page, survey);
    await layOutPage(page, plan, survey, box, () => drawInk(document, number, page));
  }
  return surveys;
}

async function layOutPage(
  page: WorkPage,
  plan: PageWithPlan,
  survey: Survey,
  box: BoxExtent | undefined,
  draw: () => Promise<GreyPage>,
): Promise<void> {
  let ink: Promise<GreyPage> | undefined;
  const inkOfPage = (): Promise<GreyPage> => {
    ink ??= draw();
    return ink;
  };
  page.regions = await layOutRegions(survey, page.size, plan, inkOfPage, box);
  const hasUnmapped = [...glyphsIn(survey, plannedAreas(plan))].some((glyph) => glyph.isUnmapped);
  if (hasUnmapped) page.burnReason ??= 'the page has text in a font without a character mapping';
}

/** Returns the page in greyscale, for examining the surroundings of a box. */
async function drawInk(document: PdfDocument, number: number, page: WorkPage): Promise<GreyPage> {
  const { width, height } = page.size;
  const scale = Math.min(inkScale, Math.sqrt(maxInkPixels / (width * height)));
  return withPage(document, number, (loaded) => {
    const raster = renderPage(document.pdfium, loaded, {
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      grey: true,
      annotations: false,
    });
    return { data: raster.data, width: raster.width, height: raster.height, scale };
  });
}

/**
 * Writes the file and verifies it by reading it again. In the next round, faulty pages lose their
 * layer or are burned.
 */
async function buildAndVerify(
  source: SourceDocument,
  pages: readonly WorkPage[],
  surveys: ReadonlyMap<number, Survey>,
  { outPath, style }: Pick<RedactPagesRequest, 'outPath' | 'style'>,
): Promise<RedactedPage[]> {
  const pagesWithoutLayer = new Set<WorkPage>();
  for (let round = 1; ; round += 1) {
    await writeFile(outPath, await buildDocument(source, pages, style));
    const output = await openPdf(outPath);
    let faults = 0;
    try {
      for (const [index, page] of pages.entries()) {
        const sourceSurvey = surveys.get(page.page);
        if (page.burnReason !== null || page.emptyReason !== null || !sourceSurvey) continue;
        const outputSurvey = await surveyGlyphs(output, index + 1);
        const pageBox = [0, 0, page.size.width, page.size.height] as const;
        const fault = redactionFault(sourceSurvey, outputSurvey, [...pageBox], page.regions, style);
        if (fault === undefined) continue;
        faults += 1;
        if (page.layer) {
          page.layer = undefined;
          pagesWithoutLayer.add(page);
        } else page.burnReason = fault;
      }
      if (faults === 0 && output.pageCount === pages.length)
        return pages.map((page, at) => ({
          ...reportOf(page, at),
          ...(pagesWithoutLayer.has(page) ? { layerLeftOut: true } : {}),
        }));
    } finally {
      output.close();
    }
    // A page may first lose its layer and then become a picture. A picture has no text that could
    // be faulty.
    if (round > 2) throw new EngineError('damaged', 'The redacted PDF could not be written.');
  }
}

function reportOf(page: WorkPage, index: number): RedactedPage {
  const { burnReason, emptyReason, regions, size } = page;
  const inPlace = regions.length > 0 ? 'redacted' : 'copied';
  return {
    page: page.page,
    outputPage: index + 1,
    treatment: emptyReason !== null ? 'empty' : burnReason !== null ? 'burned' : inPlace,
    reason: emptyReason ?? burnReason,
    widthPt: size.width,
    heightPt: size.height,
    regions:
      emptyReason !== null
        ? []
        : regions
            .filter(isOnPage)
            .flatMap(({ box, types }) => types.map((type) => ({ box, type }))),
  };
}

function layoutOfPage({ page, emptyReason, regions }: WorkPage): LaidOutPage {
  return { page, regions: emptyReason === null ? regions.map(paintedRegion) : [] };
}

/** Returns the painted boxes of a region, without those inside the region's box. */
export function paintedRegion(region: PaintRegion): LaidOutPage['regions'][number] {
  const painted = paintedAreas(region).filter((box, at) => at === 0 || !isInside(box, region.box));
  return { painted, planned: region.planned };
}
