import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EngineError } from '@scriptorium/sandbox/errors';
import {
  prepareZXingModule,
  type ReaderOptions,
  type ReadResult,
  readBarcodes,
} from 'zxing-wasm/reader';
import type { GreyRaster } from '../ink/components.ts';

/** A corner of a barcode, in pixels. */
export type Corner = readonly [x: number, y: number];

/** A barcode that was decoded in a picture. */
export interface DecodedBarcode {
  /** The content as text. Control characters and bytes are written as `<GS>` or in hexadecimal. */
  value: string;
  /** Whether it has bars, of which the corners contain only the part that was scanned. */
  isLinear: boolean;
  /** Whether it has rows of bars, of which the corners may not contain the first and last. */
  isStacked: boolean;
  /** Whether its symbology has no check digits, so that other stripes may be mistaken for it. */
  isUnchecked: boolean;
  /** Top left, top right, bottom right, bottom left; in the direction of reading. */
  corners: readonly [Corner, Corner, Corner, Corner];
}

let loading: Promise<unknown> | undefined;

/**
 * Loads ZXing-C++ as WebAssembly from the package; by default, it would be downloaded. Only called
 * in engine children.
 */
function loadDecoder(): Promise<unknown> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  loading ??= prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer },
    fireImmediately: true,
  });
  return loading;
}

/**
 * Decodes all barcodes in a greyscale picture, of every symbology that ZXing-C++ reads, level,
 * upright or upside down, dark on light. Those with modules in both directions are also decoded
 * light on dark.
 * @throws EngineError `too_large` if the memory for the picture is not sufficient
 */
export async function decodeBarcodes(picture: GreyRaster): Promise<DecodedBarcode[]> {
  return decode(picture, { tryInvert: true });
}

/** Decodes the barcodes of bars in a greyscale picture that are light on dark. */
export async function decodeLightBars(picture: GreyRaster): Promise<DecodedBarcode[]> {
  return decode(invertTones(picture), { formats: ['AllLinear', 'PDF417'], tryInvert: false });
}

async function decode(picture: GreyRaster, options: ReaderOptions): Promise<DecodedBarcode[]> {
  await loadDecoder();
  const results = await readBarcodes(toPgm(picture), {
    tryHarder: true,
    tryRotate: true,
    tryDownscale: true,
    textMode: 'HRI',
    ...options,
  });
  const failure = results.find(({ format, isValid }) => !isValid && String(format) === '');
  if (failure) throw new EngineError('too_large', 'The barcodes of the page cannot be decoded.');
  return results.filter(({ isValid }) => isValid).map(toBarcode);
}

const invertTones = ({ data, width, height }: GreyRaster): GreyRaster => ({
  data: data.map((tone) => 255 - tone),
  width,
  height,
});

/** Returns a picture as a file in the format PGM, which needs a quarter of the memory of RGBA. */
function toPgm({ data, width, height }: GreyRaster): Uint8Array {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  const file = new Uint8Array(header.length + width * height);
  file.set(header);
  file.set(data.subarray(0, width * height), header.length);
  return file;
}

/** Symbologies of bars. Stacked ones have rows of bars, and their corners contain all rows. */
const linear: ReadonlySet<string> = new Set([
  'Codabar',
  'Code39',
  'Code93',
  'Code128',
  'DataBar',
  'DXFilmEdge',
  'EANUPC',
  'ITF',
  'Telepen',
]);
/** Symbologies without a mandatory check digit. */
const unchecked: ReadonlySet<string> = new Set(['Codabar', 'Code39', 'ITF']);

function toBarcode({ text, position, symbology }: ReadResult): DecodedBarcode {
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  const corner = ({ x, y }: { x: number; y: number }): Corner => [x, y];
  return {
    value: text,
    isLinear: linear.has(symbology),
    isStacked: symbology === 'PDF417',
    isUnchecked: unchecked.has(symbology),
    corners: [corner(topLeft), corner(topRight), corner(bottomRight), corner(bottomLeft)],
  };
}
