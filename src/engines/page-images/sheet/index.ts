import { type SourceKind, type SourceMime, sources } from '../../../contracts/documents/sources.ts';
import { EngineError } from '../../errors.ts';
import type { DocBlock, NormalDocument } from '../../normalize/document.ts';
import { readBeginning, readPlainText } from '../../normalize/kinds/beginning.ts';
import type { Raster } from '../../pdf/pdfium.ts';
import { drawBlocks } from './blocks.ts';
import { createFlow } from './flow.ts';
import { loadFonts } from './fonts.ts';
import { plainMarkup } from './markup.ts';
import { createPaper, putText, setText } from './paper.ts';

const a4 = { width: 595, height: 842 };
const slideWidth = 540;
/** More than fits a sheet. */
const mostPlainText = 8_000;

/**
 * Draws a page of a file without pages plainly, from its text: a sheet of a workbook, a slide, or the
 * beginning of any other file. Throws EngineError.
 */
export async function drawSheet(
  path: string,
  mime: SourceMime,
  number: number,
  width: number,
): Promise<{ raster: Raster; widthPt: number }> {
  const { kind } = sources[mime];
  await loadFonts();
  if (kind === 'text') return drawPlainText(await readPlainText(path), number, width);
  const document = await readBeginning(path, mime);
  const page = document.pages.find(({ page }) => page === number);
  if (!page) throw noPage(number);
  const format = formatOf(kind, page);
  const paper = createPaper(format.width, format.height, width);
  await drawBlocks(createFlow(paper, format), blocksOf(document, number));
  return { raster: paper.raster, widthPt: paper.width };
}

const noPage = (number: number): EngineError =>
  new EngineError('page_not_found', `The file has no page ${number}.`);

/** The blocks of a page; those that name none belong to the first. */
function blocksOf({ pages, blocks }: NormalDocument, number: number): DocBlock[] {
  const known = new Set(pages.map(({ page }) => page));
  return blocks.filter(({ page }) => (known.has(page) ? page : 1) === number);
}

function formatOf(kind: SourceKind, page: NormalDocument['pages'][number]) {
  switch (kind) {
    case 'pptx':
    case 'odp': {
      const ratio = page.widthPt && page.heightPt ? page.heightPt / page.widthPt : 9 / 16;
      const height = slideWidth * Math.min(2, Math.max(0.4, ratio));
      const headings = [26, 22, 18, 16, 15, 14];
      return { width: slideWidth, height, margin: 34, size: 14, headings, ...prose };
    }
    case 'xlsx':
    case 'ods':
    case 'csv': {
      const headings = [14, 12, 11, 10, 10, 10];
      const { width: height, height: width } = a4;
      return { width, height, margin: 24, size: 10, headings, isSheet: true, even: kind === 'csv' };
    }
    default:
      return { ...a4, margin: 54, size: 11, headings: [22, 17, 14, 12.5, 11.5, 11], ...prose };
  }
}

const prose = { isSheet: false, even: false };

/** Plain text stays as it is: its lines and spaces, in letters of one width. */
async function drawPlainText(text: string, number: number, width: number) {
  if (number !== 1) throw noPage(number);
  const paper = createPaper(a4.width, a4.height, width);
  const margin = 48;
  const [room, height] = [a4.width - 2 * margin, a4.height - 2 * margin];
  const markup = plainMarkup(text.replace(/^\s*\n/, ''), mostPlainText);
  const set = await setText(paper, markup, { size: 9.5, even: true }, room);
  if (set) {
    const shift = set.fromRight ? Math.max(0, room - set.width) : 0;
    putText(paper, set, { x: margin + shift, y: margin, width: room, height });
  }
  return { raster: paper.raster, widthPt: paper.width };
}
