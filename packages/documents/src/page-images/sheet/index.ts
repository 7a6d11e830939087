import {
  type SourceKind,
  type SourceMime,
  sources,
} from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import type { DocBlock, NormalDocument } from '../../normalize/document.ts';
import { readBeginning, readPlainText } from '../../normalize/kinds/read-beginning.ts';
import type { Raster } from '../../pdf/bitmaps.ts';
import { drawBlocks } from './blocks.ts';
import { createFlow } from './flow.ts';
import { loadFonts } from './fonts.ts';
import { drawWorkbook } from './grid.ts';
import { plainMarkup } from './markup.ts';
import { createPaper, drawText, layOutText, noteMissing, type Paper } from './paper.ts';
import { drawSlide, slideWidth } from './slide.ts';
import { readThumbnail } from './thumbnail.ts';

const a4 = { width: 595, height: 842 };
/** Maximum number of characters of plain text. More do not fit on a sheet. */
const maxPlainText = 8_000;

/**
 * Draws a page of a file without pages in a plain layout, from its text: a sheet of a workbook, a
 * slide, or the beginning of any other file.
 * @param isPreview whether the thumbnail in the file may be used, for the first slide or for a
 * sheet without cells. Sheets with cells are always drawn, because their thumbnails are not
 * readable
 * @throws EngineError if the file cannot be read.
 */
export async function drawSheet(
  path: string,
  mime: SourceMime,
  { page, width, isPreview }: { page: number; width: number; isPreview: boolean },
): Promise<{ raster: Raster; widthPt: number }> {
  const { kind } = sources[mime];
  const thumbnail = async (): Promise<Raster | null> =>
    isPreview && page === 1 ? readThumbnail(path, kind, width) : null;
  const embedded = isSlide(kind) ? await thumbnail() : null;
  if (embedded) return { raster: embedded, widthPt: slideWidth };
  await loadFonts();
  if (kind === 'text')
    return finishSheet(await drawPlainText(await readPlainText(path), page, width));
  const document = await readBeginning(path, mime);
  const format = document.pages.find((one) => one.page === page);
  if (!format) throw pageNotFound(page);
  const blocks = blocksOf(document, page);
  if (isSlide(kind)) return finishSheet(await drawSlide(format, blocks, width));
  if (isWorkbook(kind)) {
    const hasCells = blocks.some(({ at }) => at !== undefined);
    const preview = hasCells || kind === 'csv' ? null : await thumbnail();
    if (preview) return { raster: preview, widthPt: slideWidth };
    return finishSheet(await drawWorkbook(format, blocks, width));
  }
  const paper = createPaper(a4.width, a4.height, width);
  await drawBlocks(createFlow(paper, proseFormat), blocks);
  return finishSheet(paper);
}

async function finishSheet(paper: Paper): Promise<{ raster: Raster; widthPt: number }> {
  await noteMissing(paper);
  return { raster: paper.raster, widthPt: paper.width };
}

const isSlide = (kind: SourceKind): boolean => kind === 'pptx' || kind === 'odp';
const isWorkbook = (kind: SourceKind): boolean =>
  kind === 'xlsx' || kind === 'ods' || kind === 'csv';

const pageNotFound = (number: number): EngineError =>
  new EngineError('page_not_found', `The file has no page ${number}.`);

/** Returns the blocks of a page. Blocks without a page belong to the first page. */
function blocksOf({ pages, blocks }: NormalDocument, number: number): DocBlock[] {
  const known = new Set(pages.map(({ page }) => page));
  return blocks.filter(({ page }) => (known.has(page) ? page : 1) === number);
}

const proseFormat = { margin: 54, size: 11, headings: [22, 17, 14, 12.5, 11.5, 11] };

/** Draws plain text with its lines and spaces, in a monospaced font. */
async function drawPlainText(text: string, number: number, width: number): Promise<Paper> {
  if (number !== 1) throw pageNotFound(number);
  const paper = createPaper(a4.width, a4.height, width);
  const margin = 48;
  const [textWidth, height] = [a4.width - 2 * margin, a4.height - 2 * margin];
  const markup = plainMarkup(text.replace(/^\s*\n/, ''), maxPlainText);
  const layout = await layOutText(paper, markup, { size: 9.5, isMonospaced: true }, textWidth);
  if (layout) {
    const shift = layout.isRightToLeft ? Math.max(0, textWidth - layout.width) : 0;
    drawText(paper, layout, { x: margin + shift, y: margin, width: textWidth, height });
  }
  return paper;
}
