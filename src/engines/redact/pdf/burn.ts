import { deflateSync } from 'node:zlib';
import { type PDFContext, type PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { displaySize } from '../../geometry.ts';
import { workingDpi } from '../../ocr/page-picture.ts';
import type { Encoding } from '../../pdf/glyphless-font.ts';
import { readPageText } from '../../pdf/page-text.ts';
import { type PdfDocument, type Raster, renderPage, withPage } from '../../pdf/pdfium.ts';
import { pdfMatrix, writeTextLayer } from '../../pdf/text-run.ts';
import type { Box, PageResult } from '../../results.ts';
import { frameOf } from '../../source.ts';
import { grow, share } from './boxes.ts';
import { drawLabels } from './labels.ts';
import type { Style } from './paint-boxes.ts';
import { encodeJpeg } from './pictures/jpeg.ts';
import { type Layout, paintSamples, predict } from './pictures/samples.ts';
import type { Region } from './regions.ts';

const burnDpi = 200;
const quality = 80;
/** A word goes when this much of it is under a box. */
const goingShare = 0.05;

/** A page as one picture with its boxes painted in, and its remaining words as invisible text. */
export interface BurnedPage {
  width: number;
  height: number;
  picture: PDFRawStream;
  text: string;
}

/** Draws page `number` (1-based) with boxes over it. Throws EngineError. */
export async function burnPage(
  context: PDFContext,
  document: PdfDocument,
  number: number,
  regions: readonly Region[],
  encoding: Encoding,
  style: Style,
): Promise<BurnedPage> {
  return withPage(document, number, async (page) => {
    const frame = frameOf(document, page);
    const size = displaySize(frame);
    const dpi = workingDpi(burnDpi, burnDpi, size.width, size.height);
    const raster = renderPage(document.pdfium, page, {
      width: Math.max(1, Math.round((size.width / 72) * dpi)),
      height: Math.max(1, Math.round((size.height / 72) * dpi)),
      grey: false,
      annotations: false,
    });
    const hidden = regions.flatMap(paintedFor);
    const { width, height } = raster;
    const scale = [width / size.width, height / size.height] as const;
    const rects = hidden.map((box) => {
      // What is drawn at a slant or smoothed hangs over its box.
      const [x0, y0, x1, y1] = grow(box, 0.5);
      return {
        x0: Math.max(0, Math.floor(x0 * scale[0])),
        y0: Math.max(0, Math.floor(y0 * scale[1])),
        x1: Math.min(width, Math.ceil(x1 * scale[0])),
        y1: Math.min(height, Math.ceil(y1 * scale[1])),
      };
    });
    paintSamples(raster.data, { width, height, components: 3, bits: 8 }, rects, [0, 0, 0]);
    if (style === 'label' && regions.length > 0) {
      const labels = await drawLabels(regions, size, { width, height });
      for (const { box } of regions) copyInside(labels, raster, box, scale);
    }
    const { words, lines } = readPageText(document, page, frame, false);
    const remaining = words
      .filter(({ box }) => !hidden.some((area) => isUnder(box, area)))
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
    const draw = `q ${pdfMatrix([size.width, 0, 0, size.height, 0, 0])} cm /Page Do Q\n`;
    return {
      width: size.width,
      height: size.height,
      picture: await encode(context, raster.data, width, height),
      text: `${draw}${writeTextLayer(result, encoding)}`,
    };
  });
}

/** Puts what is drawn in a box, in grey, into a picture in colours. */
function copyInside(
  grey: Uint8Array,
  { data, width, height }: Raster,
  [x0, y0, x1, y1]: Box,
  [across, down]: readonly [number, number],
): void {
  const last = {
    x: Math.min(width, Math.floor(x1 * across)),
    y: Math.min(height, Math.floor(y1 * down)),
  };
  for (let y = Math.max(0, Math.ceil(y0 * down)); y < last.y; y += 1) {
    for (let x = Math.max(0, Math.ceil(x0 * across)); x < last.x; x += 1) {
      const at = y * width + x;
      data.fill(grey[at] ?? 0, at * 3, at * 3 + 3);
    }
  }
}

/**
 * What is painted for a region: its box, and what is planned as far as it stands out above or below,
 * along the whole box, since the plan's own ends would tell how long the hidden text is.
 */
function paintedFor({ box, planned, direction }: Region): Box[] {
  const isLevel = direction % 180 === 0;
  const along = planned.map(
    ([x0, y0, x1, y1]): Box =>
      isLevel
        ? [Math.min(x0, box[0]), y0, Math.max(x1, box[2]), y1]
        : [x0, Math.min(y0, box[1]), x1, Math.max(y1, box[3])],
  );
  return [box, ...along];
}

function isUnder(box: Box, area: Box): boolean {
  return share(box, area) > goingShare;
}

/** Grey where it can be, as JPEG or without loss, whichever is smaller. */
async function encode(
  context: PDFContext,
  pixels: Uint8Array,
  width: number,
  height: number,
): Promise<PDFRawStream> {
  const grey = toGrey(pixels);
  const channels = grey ? 1 : 3;
  const data = grey ?? pixels;
  const layout: Layout = { width, height, components: channels, bits: 8 };
  const jpeg = await encodeJpeg(data, { width, height, channels }, quality, true);
  const flate = deflateSync(predict(data, layout), { level: 9 });
  const isJpeg = jpeg.length < flate.length;
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: grey ? 'DeviceGray' : 'DeviceRGB',
    BitsPerComponent: 8,
    Filter: isJpeg ? 'DCTDecode' : 'FlateDecode',
  });
  if (!isJpeg) {
    const parameters = { Predictor: 15, Colors: channels, BitsPerComponent: 8, Columns: width };
    dict.set(PDFName.of('DecodeParms'), context.obj(parameters) satisfies PDFDict);
  }
  return PDFRawStream.of(dict, isJpeg ? jpeg : new Uint8Array(flate));
}

function toGrey(pixels: Uint8Array): Uint8Array | undefined {
  const grey = new Uint8Array(pixels.length / 3);
  for (let at = 0; at < grey.length; at += 1) {
    const value = pixels[at * 3] ?? 0;
    if (pixels[at * 3 + 1] !== value || pixels[at * 3 + 2] !== value) return undefined;
    grey[at] = value;
  }
  return grey;
}
