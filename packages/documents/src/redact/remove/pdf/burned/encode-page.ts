/** Encodes a burned page according to its remaining colours. */
import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFHexString, type PDFObject, PDFRawStream } from 'pdf-lib';
import type { Raster } from '../../../../pdf/bitmaps.ts';
import { encodeJbig2 } from '../pictures/jbig2.ts';
import { encodeJpeg } from '../pictures/jpeg.ts';
import { flateLevel, packSamples, predict, type SampleLayout } from '../pictures/samples.ts';

/** Options for drawing a page. */
export interface DrawOptions {
  dpi: number;
  grey: boolean;
  /**
   * Whether to use antialiasing. Without it, the drawing has only the colours of the page's
   * content.
   */
  smooth: boolean;
}

/**
 * Resolutions for pages with few colours, where all detail is in sharp edges, and with many
 * colours, where edges are smooth.
 */
const fineDpi = 300;
const smoothDpi = 200;
const jpegQuality = 80;
const maxColours = 16;
/** Thresholds for tones that count as black and as white, for example the black of inks. */
const maxBlack = 48;
const minWhite = 250;
/** Maximum distance between an antialiased pixel and black or white, in pixels. */
const edgeWidth = 2;
/**
 * Tone up to which an antialiased pixel counts as ink: over a third of it is covered, so that thin
 * rules remain visible.
 */
const maxInkTone = 160;
/**
 * Minimum number of pixels per byte of an indexed picture. Below it, a page with few colours may
 * still be a photograph.
 */
const minPixelsPerByte = 24;

/**
 * Encodes a page as a picture for a PDF, in the smallest encoding that shows the page unchanged:
 * JBIG2 for black and white, a palette for few colours, and JPEG otherwise. `draw` draws the page
 * with its boxes, so that hidden content does not influence the choice.
 */
export async function encodePage(
  context: PDFContext,
  draw: (options: DrawOptions) => Promise<Raster>,
): Promise<PDFRawStream> {
  const aliased = await draw({ dpi: fineDpi, grey: false, smooth: false });
  if (isBlackOnWhite(aliased)) {
    // Scaled-down scans are sampled without antialiasing, so the page is drawn again with
    // antialiasing.
    const antialiased = await draw({ dpi: fineDpi, grey: true, smooth: true });
    return encodeBilevel(context, antialiased);
  }
  const colours = coloursOf(aliased.data);
  if (!colours) return encodeTones(context, await drawTones(draw));
  const indexed = encodeIndexed(context, aliased, colours);
  if (indexed.contents.length * minPixelsPerByte < aliased.width * aliased.height) return indexed;
  const tones = await encodeTones(context, await drawTones(draw));
  return tones.contents.length < indexed.contents.length ? tones : indexed;
}

const drawTones = (draw: (options: DrawOptions) => Promise<Raster>): Promise<Raster> =>
  draw({ dpi: smoothDpi, grey: false, smooth: true });

/** Returns the colours of pixels as sorted `rrggbb` numbers; undefined if there are too many. */
function coloursOf(pixels: Uint8Array): number[] | undefined {
  const colours = new Set<number>();
  let last = -1;
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = colourAt(pixels, at);
    if (colour === last) continue;
    last = colour;
    colours.add(colour);
    if (colours.size > maxColours) return undefined;
  }
  return [...colours].sort((a, b) => a - b);
}

const colourAt = (pixels: Uint8Array, at: number): number =>
  ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);

const rgbOf = (colour: number): number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

/**
 * Whether a page is black on white only. Masks are always antialiased: their grey is next to black
 * and, except in narrow corners of letters, next to white.
 */
function isBlackOnWhite({ data, width, height }: Raster): boolean {
  const [black, grey, white] = [0, 1, 2];
  const kinds = new Uint8Array(width * height);
  for (let at = 0; at < kinds.length; at += 1) {
    const r = data[at * 3] ?? 0;
    const g = data[at * 3 + 1] ?? 0;
    const b = data[at * 3 + 2] ?? 0;
    if (r <= maxBlack && g <= maxBlack && b <= maxBlack) kinds[at] = black;
    else if (r >= minWhite && g >= minWhite && b >= minWhite) kinds[at] = white;
    else if (r === g && g === b) kinds[at] = grey;
    else return false;
  }
  const isNear = (at: number, kind: number): boolean => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const right = Math.min(width - 1, x + edgeWidth);
    for (
      let row = Math.max(0, y - edgeWidth);
      row <= Math.min(height - 1, y + edgeWidth);
      row += 1
    ) {
      for (let column = Math.max(0, x - edgeWidth); column <= right; column += 1) {
        if (kinds[row * width + column] === kind) return true;
      }
    }
    return false;
  };
  let edges = 0;
  let corners = 0;
  for (let at = 0; at < kinds.length; at += 1) {
    if (kinds[at] !== grey) continue;
    if (!isNear(at, black)) return false;
    edges += 1;
    if (!isNear(at, white)) corners += 1;
  }
  return corners * 100 <= edges;
}

interface EncodedPicture {
  colourSpace: string | PDFObject;
  filter: string;
  parameters: Record<string, number> | undefined;
  bytes: Uint8Array;
}

function createPicture(
  context: PDFContext,
  { width, height, bits }: SampleLayout,
  { colourSpace, filter, parameters, bytes }: EncodedPicture,
): PDFRawStream {
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: colourSpace,
    BitsPerComponent: bits,
    Filter: filter,
    ...(parameters && { DecodeParms: parameters }),
  });
  return PDFRawStream.of(dict, bytes);
}

function encodeBilevel(context: PDFContext, { data, width, height }: Raster): PDFRawStream {
  const layout: SampleLayout = { width, height, components: 1, bits: 1 };
  const bits = packSamples(layout, (at) => ((data[at] ?? 255) < maxInkTone ? 0 : 1));
  return createPicture(context, layout, {
    colourSpace: 'DeviceGray',
    filter: 'JBIG2Decode',
    parameters: undefined,
    bytes: encodeJbig2(bits, width, height),
  });
}

function encodeIndexed(
  context: PDFContext,
  { data, width, height }: Raster,
  colours: readonly number[],
): PDFRawStream {
  const index = new Map(colours.map((colour, at) => [colour, at]));
  const layout: SampleLayout = {
    width,
    height,
    components: 1,
    bits: colours.length <= 2 ? 1 : colours.length <= 4 ? 2 : 4,
  };
  const samples = packSamples(layout, (at) => index.get(colourAt(data, at * 3)) ?? 0);
  const palette = PDFHexString.of(Buffer.from(colours.flatMap(rgbOf)).toString('hex'));
  const space = context.obj(['Indexed', 'DeviceRGB', colours.length - 1, palette]);
  return createPicture(context, layout, smallestOf(deflate(samples, layout, space)));
}

/** Encodes tones as JPEG or losslessly, in greyscale if possible. */
async function encodeTones(
  context: PDFContext,
  { data, width, height }: Raster,
): Promise<PDFRawStream> {
  const grey = toGrey(data);
  const channels = grey ? 1 : 3;
  const pixels = grey ?? data;
  const layout: SampleLayout = { width, height, components: channels, bits: 8 };
  const colourSpace = grey ? 'DeviceGray' : 'DeviceRGB';
  const options = { subsampled: true, progressive: true };
  const jpeg: EncodedPicture = {
    colourSpace,
    filter: 'DCTDecode',
    parameters: undefined,
    bytes: await encodeJpeg(pixels, { width, height, channels }, jpegQuality, options),
  };
  return createPicture(
    context,
    layout,
    smallestOf([jpeg, ...deflate(pixels, layout, colourSpace)]),
  );
}

/** Compresses samples losslessly, with and without a predictor, and returns the smaller result. */
function deflate(
  samples: Uint8Array,
  layout: SampleLayout,
  colourSpace: EncodedPicture['colourSpace'],
): EncodedPicture[] {
  const { components, bits, width } = layout;
  const common = { colourSpace, filter: 'FlateDecode' };
  const differences = deflateSync(predict(samples, layout), { level: flateLevel });
  return [
    {
      ...common,
      parameters: undefined,
      bytes: new Uint8Array(deflateSync(samples, { level: flateLevel })),
    },
    {
      ...common,
      parameters: { Predictor: 15, Colors: components, BitsPerComponent: bits, Columns: width },
      bytes: new Uint8Array(differences),
    },
  ];
}

const smallestOf = (codings: readonly EncodedPicture[]): EncodedPicture =>
  codings.reduce((a, b) => (b.bytes.length < a.bytes.length ? b : a));

function toGrey(pixels: Uint8Array): Uint8Array | undefined {
  const grey = new Uint8Array(pixels.length / 3);
  for (let at = 0; at < grey.length; at += 1) {
    const value = pixels[at * 3] ?? 0;
    if (pixels[at * 3 + 1] !== value || pixels[at * 3 + 2] !== value) return undefined;
    grey[at] = value;
  }
  return grey;
}
