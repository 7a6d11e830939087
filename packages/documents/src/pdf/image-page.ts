import { readFile } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { JpegEmbedder, type PDFContext, type PDFRef } from 'pdf-lib';
import type { Metadata } from 'sharp';
import type { Matrix } from '../geometry.ts';
import { stripJpeg } from '../imaging/strip/jpeg.ts';
import { describeImage, imageError, openImage } from '../source/images.ts';
import { chooseBackground } from '../transparency.ts';

/**
 * A picture in a PDF, the size of its page, and the matrix that places its unit square on the page.
 */
type PlacedImage = { image: PDFRef; matrix: Matrix; widthPt: number; heightPt: number };

/** The EXIF orientations (1 to 8) as maps of the unit square, y up. */
const orientations: readonly Matrix[] = [
  [1, 0, 0, 1, 0, 0],
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
];

type Png = {
  width: number;
  height: number;
  depth: number;
  colours: 1 | 3;
  palette: Buffer | undefined;
  data: Buffer;
};

/**
 * Parses a PNG. Its compressed rows have the format that a PDF stores with predictor 15, so they
 * are copied unchanged. Returns undefined if the PNG is interlaced or transparent, which that
 * format does not support.
 */
function parsePng(bytes: Buffer): Png | undefined {
  let at = 8;
  let header: Buffer | undefined;
  let palette: Buffer | undefined;
  const data: Buffer[] = [];
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (body.length < length) return undefined;
    if (kind === 'IHDR') header = body;
    else if (kind === 'PLTE') palette = body;
    else if (kind === 'tRNS') return undefined;
    else if (kind === 'IDAT') data.push(body);
    else if (kind === 'IEND') break;
    at += 12 + length;
  }
  if (!header || header.length < 13 || data.length === 0) return undefined;
  const colourType = header[9] ?? 0;
  if (![0, 2, 3].includes(colourType) || header[12] !== 0) return undefined;
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    depth: header[8] ?? 8,
    colours: colourType === 2 ? 3 : 1,
    palette: colourType === 3 ? palette : undefined,
    data: Buffer.concat(data),
  };
}

function embedPng(context: PDFContext, png: Png): PDFRef {
  const { width, height, depth, colours, palette, data } = png;
  const colourSpace = palette
    ? context.obj([
        'Indexed',
        'DeviceRGB',
        palette.length / 3 - 1,
        context.register(context.flateStream(palette)),
      ])
    : colours === 3
      ? 'DeviceRGB'
      : 'DeviceGray';
  return context.register(
    context.stream(data, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ColorSpace: colourSpace,
      BitsPerComponent: depth,
      Filter: 'FlateDecode',
      DecodeParms: { Predictor: 15, Colors: colours, BitsPerComponent: depth, Columns: width },
    }),
  );
}

/**
 * Embeds a black-and-white page with one bit per pixel, which takes a tenth of the size of grey
 * pixels.
 */
async function embedBilevel(
  context: PDFContext,
  path: string,
  pageNumber: number,
): Promise<PDFRef> {
  const { data, info } = await openImage(path, pageNumber)
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const stride = Math.ceil(width / 8);
  const bits = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[(y * width + x) * channels] ?? 0) >= 128) {
        const at = y * stride + (x >> 3);
        bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
      }
    }
  }
  return context.register(
    context.flateStream(bits, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 1,
    }),
  );
}

/**
 * Returns the coded pixels and the colour profile of a JPEG; undefined if the JPEG cannot be
 * parsed. Other metadata, such as the place and author of a photo, must not be disclosed in a PDF,
 * whose metadata is not stripped.
 */
function withoutMetadata(jpeg: Buffer): Uint8Array | undefined {
  try {
    // Copied, because the embedder reads from the start of the underlying memory.
    return new Uint8Array(stripJpeg(jpeg, 'all'));
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

async function embedImage(
  context: PDFContext,
  path: string,
  pageNumber: number,
  metadata: Metadata,
  convertCmyk: boolean,
): Promise<PDFRef> {
  if (metadata.format === 'jpeg' && !(convertCmyk && metadata.space === 'cmyk')) {
    const jpeg = withoutMetadata(await readFile(path));
    if (jpeg) return (await JpegEmbedder.for(jpeg)).embedIntoContext(context);
  }
  if (metadata.format === 'png') {
    const png = parsePng(await readFile(path));
    if (png) return embedPng(context, png);
  }
  if (metadata.format === 'tiff' && metadata.bitsPerSample === 1 && metadata.channels === 1) {
    return embedBilevel(context, path, pageNumber);
  }
  const bytes = await openImage(path, pageNumber)
    .flatten({ background: (await chooseBackground(path, pageNumber)) ?? '#ffffff' })
    .png({ compressionLevel: 9, adaptiveFiltering: true, progressive: false })
    .toBuffer();
  const png = parsePng(bytes);
  if (!png) throw new EngineError('unsupported', 'The image cannot be added to a PDF.');
  return embedPng(context, png);
}

/**
 * Adds one page of an image file to a PDF without loss. The coded pixels of JPEGs and most PNGs are
 * copied unchanged; other formats keep the same pixels. Transparent parts get a background on which
 * the drawing is visible. If `convertCmyk` is true, CMYK pictures are converted to RGB.
 * @throws EngineError if the page cannot be read.
 */
export async function placeImage(
  context: PDFContext,
  path: string,
  pageNumber: number,
  convertCmyk: boolean,
): Promise<PlacedImage> {
  const { metadata, orientation, widthPt, heightPt } = await describeImage(path, pageNumber);
  try {
    const image = await embedImage(context, path, pageNumber, metadata, convertCmyk);
    const [a, b, c, d, e, f] = orientations[orientation - 1] ?? [1, 0, 0, 1, 0, 0];
    const matrix: Matrix = [
      a * widthPt,
      b * heightPt,
      c * widthPt,
      d * heightPt,
      e * widthPt,
      f * heightPt,
    ];
    return { image, matrix, widthPt, heightPt };
  } catch (error) {
    throw imageError(error);
  }
}
