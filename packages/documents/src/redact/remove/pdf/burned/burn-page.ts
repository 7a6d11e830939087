import type { PDFContext, PDFRawStream } from 'pdf-lib';
import { coverage, displaySize, grow } from '../../../../geometry.ts';
import { existingWords } from '../../../../ocr/existing-words.ts';
import { workingDpi } from '../../../../ocr/pictures/picture.ts';
import { type Raster, renderPage } from '../../../../pdf/bitmaps.ts';
import type { Encoding } from '../../../../pdf/glyphless-font.ts';
import { frameOf } from '../../../../pdf/page-frame.ts';
import { readText } from '../../../../pdf/page-glyphs.ts';
import { type PdfDocument, withPage } from '../../../../pdf/pdfium.ts';
import { pdfMatrix, writeTextLayer } from '../../../../pdf/text-run.ts';
import type { Box, PageResult } from '../../../../results.ts';
import { remainingLayer } from '../../../contract/layer.ts';
import type { WorkPage } from '../build/build-document.ts';
import { paintSamples } from '../pictures/samples.ts';
import type { BoxStyle } from '../regions/paint-boxes.ts';
import { paintedAreas } from '../regions/regions.ts';
import { type DrawOptions, encodePage } from './encode-page.ts';
import { drawLabels } from './labels.ts';

/** Minimum share of a word under a box for the word to be omitted. */
const minCoveredShare = 0.05;
/** Threshold of white for labels in pictures without grey. */
const whiteThreshold = 128;

/**
 * A page as one picture that includes its painted boxes, with its remaining words as invisible
 * text.
 */
interface BurnedPage {
  width: number;
  height: number;
  picture: PDFRawStream;
  text: string;
}

/**
 * Draws page `number` (1-based) with its boxes.
 * @throws EngineError if the page cannot be drawn
 */
export async function burnPage(
  context: PDFContext,
  document: PdfDocument,
  number: number,
  { regions, omitsTextLayer, layer }: Pick<WorkPage, 'regions' | 'omitsTextLayer' | 'layer'>,
  encoding: Encoding,
  style: BoxStyle,
): Promise<BurnedPage> {
  return withPage(document, number, async (page) => {
    const frame = frameOf(document, page);
    const size = displaySize(frame);
    const paintedBoxes = regions.flatMap(paintedAreas);
    const draw = async (drawing: DrawOptions): Promise<Raster> => {
      const dpi = workingDpi(drawing.dpi, drawing.dpi, size.width, size.height);
      const raster = renderPage(document.pdfium, page, {
        width: Math.max(1, Math.round((size.width / 72) * dpi)),
        height: Math.max(1, Math.round((size.height / 72) * dpi)),
        grey: drawing.grey,
        smooth: drawing.smooth,
        annotations: false,
      });
      paintHidden(raster, paintedBoxes, size);
      if (style === 'label' && regions.length > 0) {
        const labels = await drawLabels(regions, size, raster);
        for (const { box } of regions) copyBox(labels, raster, box, size, drawing.smooth);
      }
      return raster;
    };
    const picture = await encodePage(context, draw);
    const placement = `q ${pdfMatrix([size.width, 0, 0, size.height, 0, 0])} cm /Page Do Q\n`;
    if (omitsTextLayer) return { width: size.width, height: size.height, picture, text: placement };
    const { words, lines } = existingWords(document, readText(document, page, frame), frame, false);
    if (words.length === 0 && layer) {
      const remainingText = remainingLayer(
        layer,
        { page: number, frame: null, ...size },
        paintedBoxes,
      );
      const text = `${placement}${writeTextLayer(remainingText, encoding)}`;
      return { width: size.width, height: size.height, picture, text };
    }
    const remaining = words
      .filter(({ box }) => !paintedBoxes.some((area) => isCovered(box, area)))
      .map((word) => ({ ...word, source: 'ocr' as const }));
    const result: PageResult = {
      page: number,
      state: 'recognised',
      treatment: 'add',
      widthPt: size.width,
      heightPt: size.height,
      frame: null,
      text: '',
      words: remaining,
      lines,
      meanConfidence: 1,
      characters: 0,
      orientation: 0,
      skewDegrees: 0,
      deskew: false,
      blank: false,
    };
    return {
      width: size.width,
      height: size.height,
      picture,
      text: `${placement}${writeTextLayer(result, encoding)}`,
    };
  });
}

interface Size {
  width: number;
  height: number;
}

/** Paints boxes black. */
function paintHidden(raster: Raster, boxes: readonly Box[], size: Size): void {
  const { width, height, channels, data } = raster;
  const [scaleX, scaleY] = [width / size.width, height / size.height];
  const rects = boxes.map((box) => {
    // Slanting or antialiased marks extend beyond their box.
    const [x0, y0, x1, y1] = grow(box, 0.5);
    return {
      x0: Math.max(0, Math.floor(x0 * scaleX)),
      y0: Math.max(0, Math.floor(y0 * scaleY)),
      x1: Math.min(width, Math.ceil(x1 * scaleX)),
      y1: Math.min(height, Math.ceil(y1 * scaleY)),
    };
  });
  paintSamples(data, { width, height, components: channels, bits: 8 }, rects, [0, 0, 0]);
}

/**
 * Copies the contents of a box from a greyscale drawing to a picture, in greyscale or in black and
 * white.
 */
function copyBox(
  grey: Uint8Array,
  { data, width, height, channels }: Raster,
  [x0, y0, x1, y1]: Box,
  size: Size,
  smooth: boolean,
): void {
  const [scaleX, scaleY] = [width / size.width, height / size.height];
  const last = {
    x: Math.min(width, Math.floor(x1 * scaleX)),
    y: Math.min(height, Math.floor(y1 * scaleY)),
  };
  for (let y = Math.max(0, Math.ceil(y0 * scaleY)); y < last.y; y += 1) {
    for (let x = Math.max(0, Math.ceil(x0 * scaleX)); x < last.x; x += 1) {
      const at = y * width + x;
      const tone = grey[at] ?? 0;
      const painted = smooth ? tone : tone < whiteThreshold ? 0 : 255;
      data.fill(painted, at * channels, (at + 1) * channels);
    }
  }
}

function isCovered(box: Box, area: Box): boolean {
  return coverage(box, area) > minCoveredShare;
}
