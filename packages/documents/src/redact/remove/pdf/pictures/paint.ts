import { deflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from 'pdf-lib';
import { maxImagePixels, maxPicturePixels } from '../../../../limits.ts';
import { decodeStream } from '../../../../pdf/streams.ts';
import { lookUp, numbersIn, numberValue } from '../build/values.ts';
import { MustBurn } from '../must-burn.ts';
import { decodePicture } from './decode.ts';
import { encodeJbig2 } from './jbig2.ts';
import { encodeJpeg, paintJpeg, qualityLike, readJpegHead, requireSize } from './jpeg.ts';
import { codedBytes, streamFilters } from './metadata.ts';
import {
  flateLevel,
  packSamples,
  paintSamples,
  predict,
  type Rect,
  type SampleLayout,
  strideOf,
  undoPredictor,
} from './samples.ts';

/**
 * The role of a picture, which determines whether rectangles are painted black, made opaque in a
 * mask, or omitted from a stencil.
 */
type Role = 'picture' | 'soft mask' | 'stencil mask';

const lossyFilters: ReadonlySet<string> = new Set(['DCTDecode', 'JPXDecode']);
const bilevelFilters: ReadonlySet<string> = new Set(['CCITTFaxDecode', 'JBIG2Decode']);
/** JPEG quality for pictures from other encodings: low loss at a moderate size. */
const defaultQuality = 80;
const maxGrowth = 1.3;

export const pixelSizeOf = ({ dict }: PDFRawStream): { width: number; height: number } => ({
  width: numberValue(dict, 'Width') ?? 0,
  height: numberValue(dict, 'Height') ?? 0,
});

/**
 * Paints rectangles over a picture of the source and encodes it as before, or as JBIG2 for fax
 * encodings. The caller sets the picture's masks.
 * @throws MustBurn if this is not possible
 */
export async function paintPicture(
  stream: PDFRawStream,
  source: PDFContext,
  rects: readonly Rect[],
  role: Role,
): Promise<PDFRawStream> {
  const { width, height } = pixelSizeOf(stream);
  if (!(width > 0 && height > 0) || width * height > maxPicturePixels) {
    throw new MustBurn('a picture is too large to be changed');
  }
  const filters = streamFilters(stream);
  const last = filters.at(-1) ?? '';
  const dict = stream.dict.clone(source);
  for (const key of ['Filter', 'DecodeParms', 'Length']) dict.delete(PDFName.of(key));
  if (lossyFilters.has(last)) return paintLossy(stream, source, dict, rects, role);
  if (bilevelFilters.has(last)) {
    const raster = await decodePicture(stream, source, true);
    requireSize(raster, { width, height });
    const layout: SampleLayout = { width, height, components: 1, bits: 1 };
    const step = raster.channels;
    if (raster.data.length < width * height * step) throw new MustBurn('a picture cannot be read');
    const bits = packSamples(layout, (at) => ((raster.data[at * step] ?? 0) < 128 ? 0 : 1));
    paintSamples(bits, layout, rects, paintValues(dict, layout, role));
    dict.set(PDFName.of('Filter'), PDFName.of('JBIG2Decode'));
    return PDFRawStream.of(dict, encodeJbig2(bits, width, height));
  }
  const layout = layoutOf(stream, width, height);
  if (strideOf(layout) * height > maxPicturePixels) {
    throw new MustBurn('a picture is too large to be changed');
  }
  const data = samplesOf(stream, layout);
  paintSamples(data, layout, rects, paintValues(dict, layout, role));
  const options = { level: flateLevel };
  const unpredicted = deflateSync(data, options);
  dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'));
  const predicted = layout.bits >= 8 ? deflateSync(predict(data, layout), options) : unpredicted;
  if (predicted.length >= unpredicted.length)
    return PDFRawStream.of(dict, new Uint8Array(unpredicted));
  const parameters = {
    Predictor: 15,
    Colors: layout.components,
    BitsPerComponent: layout.bits,
    Columns: width,
  };
  dict.set(PDFName.of('DecodeParms'), source.obj(parameters));
  return PDFRawStream.of(dict, new Uint8Array(predicted));
}

async function paintLossy(
  stream: PDFRawStream,
  source: PDFContext,
  dict: PDFDict,
  rects: readonly Rect[],
  role: Role,
): Promise<PDFRawStream> {
  dict.set(PDFName.of('Filter'), PDFName.of('DCTDecode'));
  const isJpeg = streamFilters(stream).at(-1) === 'DCTDecode';
  const decode = numbersIn(dict, 'Decode');
  const isInverted = (decode?.[0] ?? 0) > (decode?.[1] ?? 1);
  const paintsWhite =
    role === 'soft mask' ? !isInverted : isSubtractive(dict) ? !isInverted : isInverted;
  const coded = isJpeg ? codedBytes(stream) : undefined;
  if (isJpeg && !coded) throw new MustBurn('a picture cannot be read');
  if (coded) {
    const painted = await paintJpeg(coded, pixelSizeOf(stream), rects, paintsWhite);
    if (painted) return PDFRawStream.of(dict, painted);
  }
  // JPEG 2000 and four-colour pictures are painted as displayed, in device colours.
  const { data, width, height, channels } = await decodePicture(stream, source, false);
  if (width * height > maxImagePixels || channels === 4) {
    throw new MustBurn('a picture cannot be changed');
  }
  const size = pixelSizeOf(stream);
  const scaledRects = rects.map(({ x0, y0, x1, y1 }) => ({
    x0: Math.floor((x0 * width) / size.width),
    y0: Math.floor((y0 * height) / size.height),
    x1: Math.ceil((x1 * width) / size.width),
    y1: Math.ceil((y1 * height) / size.height),
  }));
  const value = role === 'soft mask' ? 255 : 0;
  paintSamples(data, { width, height, components: channels, bits: 8 }, scaledRects, [
    value,
    value,
    value,
  ]);
  dict.set(PDFName.of('ColorSpace'), PDFName.of(channels === 1 ? 'DeviceGray' : 'DeviceRGB'));
  dict.set(PDFName.of('BitsPerComponent'), source.obj(8));
  dict.set(PDFName.of('Width'), source.obj(width));
  dict.set(PDFName.of('Height'), source.obj(height));
  dict.delete(PDFName.of('Decode'));
  const raw = { width, height, channels };
  const options = { subsampled: true, progressive: true };
  const head = coded && readJpegHead(coded);
  if (head) return PDFRawStream.of(dict, await encodeJpeg(data, raw, qualityLike(head), options));
  const maxLength = stream.contents.length * maxGrowth;
  let jpeg = await encodeJpeg(data, raw, defaultQuality, options);
  for (let quality = 60; jpeg.length > maxLength && quality >= 30; quality -= 15) {
    jpeg = await encodeJpeg(data, raw, quality, options);
  }
  return PDFRawStream.of(dict, jpeg);
}

const componentCounts: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  Indexed: 1,
  Separation: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
};

/** Returns the family of a colour space and its number of components. */
function spaceOf(dict: PDFDict): {
  family: string;
  components: number;
  space: PDFObject | undefined;
} {
  const space = lookUp(dict, 'ColorSpace');
  const first = space instanceof PDFArray ? space.lookup(0) : space;
  const family = first instanceof PDFName ? first.decodeText() : 'DeviceGray';
  const second = space instanceof PDFArray && space.size() > 1 ? space.lookup(1) : undefined;
  if (family === 'ICCBased' && second instanceof PDFRawStream) {
    return { family, components: numberValue(second.dict, 'N') ?? 3, space };
  }
  if (family === 'DeviceN' && second instanceof PDFArray) {
    return { family, components: second.size(), space };
  }
  const components = componentCounts[family];
  if (components === undefined) throw new MustBurn('a picture has an unknown colour space');
  return { family, components, space };
}

/** Whether components are amounts of ink, so that the maximum is darkest. */
const isSubtractive = (dict: PDFDict): boolean => {
  const { family } = spaceOf(dict);
  return family === 'Separation' || family === 'DeviceN';
};

function layoutOf({ dict }: PDFRawStream, width: number, height: number): SampleLayout {
  if (lookUp(dict, 'ImageMask')?.toString() === 'true') {
    return { width, height, components: 1, bits: 1 };
  }
  const bits = numberValue(dict, 'BitsPerComponent') ?? 8;
  if (![1, 2, 4, 8, 16].includes(bits)) throw new MustBurn('a picture has an unsupported format');
  return { width, height, components: spaceOf(dict).components, bits };
}

function samplesOf(stream: PDFRawStream, layout: SampleLayout): Uint8Array {
  const bytes = decodeStream(stream);
  if (!bytes) throw new MustBurn('a picture cannot be read');
  const list = lookUp(stream.dict, 'DecodeParms');
  const last = list instanceof PDFArray ? list.lookup(list.size() - 1) : list;
  const predictor = last instanceof PDFDict ? (numberValue(last, 'Predictor') ?? 1) : 1;
  if (predictor > 1 && streamFilters(stream).length > 1) {
    throw new MustBurn('a picture has an unsupported format');
  }
  if (predictor === 2 && layout.bits !== 8)
    throw new MustBurn('a picture has an unsupported format');
  return undoPredictor(bytes, predictor, layout);
}

/** Returns the samples to paint with: black or, for a mask, the value that hides nothing. */
function paintValues(dict: PDFDict, { components, bits }: SampleLayout, role: Role): number[] {
  const maxValue = 2 ** bits - 1;
  const decode = numbersIn(dict, 'Decode');
  const rangeOf = (at: number): [number, number] =>
    (decode?.[at * 2] ?? 0) > (decode?.[at * 2 + 1] ?? 1) ? [maxValue, 0] : [0, maxValue];
  if (role === 'soft mask') return [rangeOf(0)[1]];
  // An explicit mask is opaque at 0. A stencil paints at 0, and must paint nothing here.
  if (role === 'stencil mask') return [rangeOf(0)[0]];
  if (lookUp(dict, 'ImageMask')?.toString() === 'true') return [rangeOf(0)[1]];
  const { family, space } = spaceOf(dict);
  if (family === 'Indexed') return [darkestOf(space, maxValue)];
  return Array.from({ length: components }, (_, at) => {
    if (family === 'Separation' || family === 'DeviceN') return rangeOf(at)[1];
    if (family === 'DeviceCMYK' || (family === 'ICCBased' && components === 4)) {
      return at === 3 ? rangeOf(at)[1] : rangeOf(at)[0];
    }
    if (family === 'Lab') return at === 0 ? 0 : Math.round(maxValue / 2);
    return rangeOf(at)[0];
  });
}

/** Returns the palette entry that is closest to black, for RGB and grey palettes. */
function darkestOf(space: PDFObject | undefined, maxIndex: number): number {
  if (!(space instanceof PDFArray)) return 0;
  const base = space.lookup(1);
  const family = base instanceof PDFName ? base.decodeText() : '';
  const step = family === 'DeviceGray' ? 1 : family === 'DeviceCMYK' ? 4 : 3;
  const table = space.lookup(3);
  const bytes =
    table instanceof PDFRawStream
      ? decodeStream(table)
      : table instanceof PDFString || table instanceof PDFHexString
        ? Buffer.from(table.asBytes())
        : undefined;
  if (!bytes) return 0;
  let darkest = 0;
  let minSum = Number.POSITIVE_INFINITY;
  const count = Math.min(maxIndex + 1, Math.floor(bytes.length / step));
  for (let index = 0; index < count; index += 1) {
    let sum = 0;
    for (let at = 0; at < step; at += 1) {
      const value = bytes[index * step + at] ?? 0;
      sum += step === 4 ? 255 - value : value;
    }
    if (sum < minSum) [minSum, darkest] = [sum, index];
  }
  return darkest;
}

/** Returns the masks of a picture, explicit or soft, as streams. */
export function masksOf({ dict }: PDFRawStream): { key: 'SMask' | 'Mask'; stream: PDFRawStream }[] {
  return (['SMask', 'Mask'] as const).flatMap((key) => {
    const stream = lookUp(dict, key);
    return stream instanceof PDFRawStream ? [{ key, stream }] : [];
  });
}
