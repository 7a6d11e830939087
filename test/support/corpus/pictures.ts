import sharp, { type Sharp } from 'sharp';
import { rasterOf } from '../samples.ts';
import { standardFont } from './fonts.ts';
import { drawText, Maker, sheet, type TextLine } from './maker.ts';
import { type PdfWriter, type Ref, ref } from './pdf-writer.ts';
import { SecretSource } from './secrets.ts';

export type ScanKind =
  | 'jpeg-grey'
  | 'jpeg-rgb'
  | 'jpeg-cmyk'
  | 'png-grey'
  | 'png-rgb'
  | 'indexed'
  | 'bilevel'
  | 'fax';

export interface ScanOptions {
  kind: ScanKind;
  dpi: number;
  /** Degrees by which the paper lay askew. */
  skew: number;
  noise: number;
  /** Turned clockwise before it is stored: how scanners feed paper. */
  rotation?: 0 | 90 | 180 | 270;
  /** In points; the sheet's unless given. */
  width?: number;
  height?: number;
}

export interface StoredPicture {
  image: Ref;
  width: number;
  height: number;
}

/** Grey pixels, a byte each. */
export interface Grey {
  data: Buffer;
  width: number;
  height: number;
}

const toSharp = ({ data, width, height }: Grey): Sharp =>
  sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w');

async function toGrey(picture: Sharp): Promise<Grey> {
  const { data, info } = await picture
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) throw new Error('The picture is not grey.');
  return { data, width: info.width, height: info.height };
}

/** Lines as print on paper that was scanned. */
export async function scan(
  lines: readonly TextLine[],
  options: ScanOptions,
  pick: (below: number) => number,
): Promise<Grey> {
  const {
    dpi,
    skew,
    noise,
    rotation: turned = 0,
    width = sheet.width,
    height = sheet.height,
  } = options;
  const maker = new Maker(1, new SecretSource(1));
  const font = standardFont(maker.writer, 'F1');
  maker.page(drawText(lines, { font, y: height - 50 }), {
    fonts: [font],
    mediaBox: `0 0 ${width} ${height}`,
  });
  const raster = await rasterOf(maker.writer.toBuffer(maker.root().trailer), 1, dpi);
  const { channels } = raster;
  let grey = await toGrey(
    sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels } }),
  );
  if (skew !== 0) {
    const skewed = await toGrey(toSharp(grey).rotate(skew, { background: '#ffffff' }));
    const left = Math.floor((skewed.width - grey.width) / 2);
    const top = Math.floor((skewed.height - grey.height) / 2);
    const { width, height } = grey;
    grey = await toGrey(toSharp(skewed).extract({ left, top, width, height }));
  }
  const { data } = grey;
  for (let at = 0; at < data.length; at += 1) {
    // Paper is not quite white and ink not quite black.
    const value = 20 + (data[at] ?? 255) * 0.9 + pick(2 * noise + 1) - noise;
    data[at] = Math.max(0, Math.min(255, value));
  }
  if (turned !== 0) grey = await toGrey(toSharp(grey).rotate(turned));
  // Tiles of TIFF, in which fax is encoded, are multiples of 16.
  const floorTo16 = (size: number): number => size - (size % 16);
  const crop = { left: 0, top: 0, width: floorTo16(grey.width), height: floorTo16(grey.height) };
  return options.kind === 'fax' ? toGrey(toSharp(grey).extract(crop)) : grey;
}

/** A scan of the lines as an image XObject, encoded as its kind says. */
export async function addScan(
  writer: PdfWriter,
  lines: readonly TextLine[],
  options: ScanOptions,
  pick: (below: number) => number,
): Promise<StoredPicture> {
  return storePicture(writer, await scan(lines, options, pick), options.kind);
}

/** Pixels as an image XObject; `extra` goes into its dictionary. */
export async function storePicture(
  writer: PdfWriter,
  grey: Grey,
  kind: ScanKind,
  extra = '',
): Promise<StoredPicture> {
  const { width, height } = grey;
  const { entries, bytes, compress } = await encoders[kind](grey);
  const image = writer.stream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries} ${extra}`,
    bytes,
    compress,
  );
  return { image, width, height };
}

type Encoded = { entries: string; bytes: Buffer; compress: boolean };

const grey8 = '/ColorSpace /DeviceGray /BitsPerComponent 8';
const rgb8 = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
const grey1 = '/ColorSpace /DeviceGray /BitsPerComponent 1';

const encoders: Record<ScanKind, (grey: Grey) => Encoded | Promise<Encoded>> = {
  'jpeg-grey': async (grey) => ({
    entries: `${grey8} /Filter /DCTDecode`,
    bytes: await toSharp(grey).jpeg({ quality: 80 }).toBuffer(),
    compress: false,
  }),
  'jpeg-rgb': async (grey) => {
    const { width, height } = grey;
    const picture = sharp(tintPaper(grey), { raw: { width, height, channels: 3 } });
    const bytes = await picture.jpeg({ quality: 80 }).toBuffer();
    return { entries: `${rgb8} /Filter /DCTDecode`, bytes, compress: false };
  },
  // What Adobe's programs write: inverted, which the array of decoding undoes.
  'jpeg-cmyk': async (grey) => {
    const { width, height } = grey;
    const pixels = Buffer.alloc(width * height * 4);
    for (let at = 0; at < grey.data.length; at += 1)
      pixels[at * 4 + 3] = 255 - (grey.data[at] ?? 0);
    const raw = { width, height, channels: 4 as const };
    const bytes = await sharp(pixels, { raw })
      .pipelineColourspace('cmyk')
      .toColourspace('cmyk')
      .jpeg({ quality: 80 })
      .toBuffer();
    const space = '/ColorSpace /DeviceCMYK /BitsPerComponent 8 /Decode [1 0 1 0 1 0 1 0]';
    return { entries: `${space} /Filter /DCTDecode`, bytes, compress: false };
  },
  /** Four bits a pixel, into a palette. */
  indexed: ({ data, width, height }) => {
    const stride = Math.ceil(width / 2);
    const nibbles = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const tone = (data[y * width + x] ?? 0) >> 4;
        nibbles[y * stride + (x >> 1)]! |= x % 2 === 0 ? tone << 4 : tone;
      }
    }
    const palette = Array.from({ length: 16 }, (_, tone) => tone * 17);
    const colours = palette.map((tone) => Buffer.from([tone, tone, 200]).toString('hex')).join('');
    const entries = `/ColorSpace [/Indexed /DeviceRGB 15 <${colours}>] /BitsPerComponent 4`;
    return { entries, bytes: nibbles, compress: true };
  },
  'png-grey': async (grey) => ({
    entries: `${grey8} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent 8 /Columns ${grey.width} >>`,
    bytes: pngRows(await toSharp(grey).png({ compressionLevel: 9 }).toBuffer()),
    compress: false,
  }),
  'png-rgb': (grey) => ({ entries: rgb8, bytes: tintPaper(grey), compress: true }),
  bilevel: ({ data, width, height }) => {
    const stride = Math.ceil(width / 8);
    const bits = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if ((data[y * width + x] ?? 0) > 150) bits[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
      }
    }
    return { entries: grey1, bytes: bits, compress: true };
  },
  fax: async (grey) => {
    const { width, height } = grey;
    const tiff = await toSharp(grey)
      .threshold(150)
      .tiff({
        compression: 'ccittfax4',
        bitdepth: 1,
        tile: true,
        tileWidth: width,
        tileHeight: height,
      })
      .toBuffer();
    const { bytes, blackIs1 } = readFaxTile(tiff);
    const parameters = `/DecodeParms << /K -1 /Columns ${width} /BlackIs1 ${blackIs1} >>`;
    return { entries: `${grey1} /Filter /CCITTFaxDecode ${parameters}`, bytes, compress: false };
  },
};

/** The paper of a colour scan. */
function tintPaper({ data, width, height }: Grey): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 1) {
    const value = data[at] ?? 0;
    pixels[at * 3] = value;
    pixels[at * 3 + 1] = Math.round(value * 0.98);
    pixels[at * 3 + 2] = Math.round(value * 0.9);
  }
  return pixels;
}

/** A PNG's compressed rows as they are, for a predictor of a PDF. */
function pngRows(png: Buffer): Buffer {
  if (png[24] !== 8 || png[25] !== 0) throw new Error('The PNG is not grey of 8 bits.');
  const rows: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      rows.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  return Buffer.concat(rows);
}

/** The one tile of a TIFF in CCITT G4. */
function readFaxTile(tiff: Buffer): { bytes: Buffer; blackIs1: boolean } {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number): number =>
    isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const u32 = (at: number): number =>
    isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at);
  const entries = new Map<number, { count: number; value: number }>();
  const directory = u32(4);
  for (let index = 0; index < u16(directory); index += 1) {
    const at = directory + 2 + index * 12;
    const isShort = u16(at + 2) === 3 && u32(at + 4) === 1;
    entries.set(u16(at), { count: u32(at + 4), value: isShort ? u16(at + 8) : u32(at + 8) });
  }
  const offset = entries.get(324);
  const length = entries.get(325);
  if (offset?.count !== 1 || !length) throw new Error('The TIFF has several tiles.');
  // PhotometricInterpretation 0: zero is white, which fax calls its default.
  return {
    bytes: tiff.subarray(offset.value, offset.value + length.value),
    blackIs1: entries.get(262)?.value !== 0,
  };
}

/** Operators that draw an image over a rectangle. */
export function drawImage(
  name: string,
  x: number,
  y: number,
  width: number,
  height: number,
): string {
  return `q ${width} 0 0 ${height} ${x} ${y} cm /${name} Do Q\n`;
}

export const imageResource = (name: string, { image }: StoredPicture): string =>
  `/XObject << /${name} ${ref(image)} >>`;
