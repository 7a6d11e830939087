import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Pictures for tests, made here and now. */

export const formats = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  tiff: 'image/tiff',
} as const;
export type Format = keyof typeof formats;

/** Red, green, blue and yellow, from the top left in the order of reading. */
export const quarters = ['#e03030', '#30c040', '#3050e0', '#f0e040'] as const;

/** A picture of four quarters, each in a colour of its own. */
export function quarteredPicture(width: number, height: number): Sharp {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const rect = (at: number, x: number, y: number) =>
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${quarters[at]}"/>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
    shape-rendering="crispEdges">${rect(0, 0, 0)}${rect(1, w, 0)}${rect(2, 0, h)}${rect(3, w, h)}</svg>`;
  return sharp(Buffer.from(drawing)).removeAlpha();
}

/** What a good camera writes; the place is Brandenburg Gate. */
export const cameraExif = {
  IFD0: {
    Make: 'ACME',
    Model: 'Camera 1',
    Copyright: '(c) Ida Orr',
    Artist: 'Some Body',
    ImageDescription: 'SECRETPLACE in words',
  },
  IFD2: {
    DateTimeOriginal: '2024:07:01 14:30:05',
    SubSecTimeOriginal: '25',
    OffsetTimeOriginal: '+02:00',
    ExposureTime: '1/250',
    FNumber: '28/10',
    ISOSpeedRatings: '400',
    FocalLength: '35/1',
    LensModel: 'ACME 35mm',
    UserComment: 'SECRETPLACE in a comment',
  },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 30/1 5869/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 22/1 3972/100',
    GPSAltitudeRef: '0',
    GPSAltitude: '345/10',
  },
} as const;

/** The numbers of the place above, as they stand in EXIF of either order. */
export const placeBytes: readonly Buffer[] = [5869, 3972].flatMap((number) => {
  const raw = Buffer.alloc(8);
  raw.writeUInt32LE(number, 0);
  raw.writeUInt32LE(100, 4);
  const bigEndian = Buffer.concat([
    Buffer.from(raw.subarray(0, 4)).reverse(),
    Buffer.from(raw.subarray(4)).reverse(),
  ]);
  return [raw, bigEndian];
});

/** A PNG by its parts. */
export function png(
  header: { width: number; height: number; depth?: number; colours?: number; interlaced?: boolean },
  pixels: Buffer,
  extra: readonly (readonly [string, Buffer])[] = [],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(header.width, 0);
  head.writeUInt32BE(header.height, 4);
  head[8] = header.depth ?? 8;
  head[9] = header.colours ?? 0;
  head[12] = header.interlaced ? 1 : 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    ...extra.map(([kind, body]) => pngChunk(kind, body)),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(kind: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(kind, 4, 'latin1');
  body.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

/** Grey rows of zeros, packed. */
export function emptyRows(width: number, height: number): Buffer {
  return deflateSync(Buffer.alloc((width + 1) * height), { level: 9 });
}

/** Puts chunks before the pixels of a PNG. */
export function withChunks(bytes: Buffer, ...chunks: Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, 33), ...chunks, bytes.subarray(33)]);
}

/** A segment of a JPEG. */
export function segment(marker: number, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body as string, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

/** Puts segments at the beginning of a JPEG. */
export function withSegments(bytes: Buffer, ...segments: Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(2)]);
}

/** A chunk of a WebP at its end. */
export function withWebpChunk(bytes: Buffer, kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  const out = Buffer.concat([bytes, head, body, Buffer.alloc(body.length % 2)]);
  out.writeUInt32LE(out.length - 8, 4);
  return out;
}

/** An entry of EXIF: tag, type, count, and four bytes of value or where it stands. */
export type RawEntry = readonly [tag: number, type: number, count: number, value: number];

/** Handmade EXIF, little-endian and without prefix: the directory starts at 8, followed by `data`. */
export function rawExif(entries: readonly RawEntry[], next = 0, data = Buffer.alloc(0)): Buffer {
  const table = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  table.write('II*\0', 0, 'latin1');
  table.writeUInt32LE(8, 4);
  table.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, type, count, value], index) => {
    const at = 10 + index * 12;
    table.writeUInt16LE(tag, at);
    table.writeUInt16LE(type, at + 2);
    table.writeUInt32LE(count, at + 4);
    table.writeUInt32LE(value, at + 8);
  });
  table.writeUInt32LE(next, table.length - 4);
  return Buffer.concat([table, data]);
}

/** A JPEG with this EXIF. */
export function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  return withSegments(
    jpeg,
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])),
  );
}
