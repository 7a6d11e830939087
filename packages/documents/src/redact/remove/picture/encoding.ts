import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { maxImagePixels } from '../../../limits.ts';
import { qualityLike, readJpegHead } from '../pdf/pictures/jpeg.ts';

/** The encoding of a picture, to encode the output in the same way. */
export interface PictureEncoding {
  mime: 'image/png' | 'image/jpeg' | 'image/webp';
  /** The side of a block that is encoded as a unit, in pixels. */
  blockSize: number;
  quality: number;
  subsampled: boolean;
  progressive: boolean;
  isLossless: boolean;
  /** Bits per pixel of the palette; undefined without a palette. */
  paletteBits: number | undefined;
  /** The colour profile of the pixels. */
  profile: Buffer | undefined;
  /** Resolution in pixels per inch, if the file states it. */
  density: number | undefined;
}

/**
 * Reads the encoding of a picture.
 * @throws EngineError `unsupported` if the picture is not a PNG, JPEG or WebP
 */
export async function readEncoding(
  path: string,
  mime: SourceMime,
  { metadata, orientation }: { metadata: Metadata; orientation: number },
): Promise<PictureEncoding> {
  if (mime !== 'image/png' && mime !== 'image/jpeg' && mime !== 'image/webp') {
    throw new EngineError('unsupported', `A picture of type ${mime} cannot be redacted.`);
  }
  const bytes = await readFile(path);
  const head = mime === 'image/jpeg' ? readJpegHead(bytes) : undefined;
  const keepsProfile = metadata.space !== 'cmyk' && mime !== 'image/webp';
  // The blocks of a rotated picture are shifted. A block of twice the size contains each of the
  // original blocks.
  const blockScale = orientation === 1 ? 1 : 2;
  const lossyBlock = (mime === 'image/webp' || head?.subsampled ? 16 : 8) * blockScale;
  const isLossless = mime === 'image/png' || bytes.toString('latin1', 12, 16) === 'VP8L';
  return {
    mime,
    blockSize: isLossless ? 1 : lossyBlock,
    quality: qualityLike({ quality: head?.quality ?? 80 }),
    subsampled: head?.subsampled ?? true,
    progressive: head?.progressive ?? false,
    isLossless,
    paletteBits:
      metadata.isPalette || metadata.bitsPerSample === 1 ? metadata.bitsPerSample : undefined,
    profile: keepsProfile ? metadata.icc : undefined,
    density: metadata.density,
  };
}

/**
 * Encodes pixels in the original format, with colour profile and resolution as the only metadata.
 */
export async function encodePicture(
  data: Buffer,
  { width, height, channels }: { width: number; height: number; channels: 1 | 2 | 3 | 4 },
  encoding: PictureEncoding,
): Promise<Buffer> {
  const raw = { width, height, channels };
  const image = sharp(data, { raw, limitInputPixels: maxImagePixels });
  const converted = channels < 3 ? image.toColourspace('b-w') : image;
  const bytes = await applyEncoding(converted, encoding).toBuffer();
  if (encoding.mime === 'image/jpeg') return finishJpeg(bytes, encoding);
  return encoding.mime === 'image/png' ? finishPng(bytes, encoding) : bytes;
}

function applyEncoding(image: Sharp, encoding: PictureEncoding): Sharp {
  const { mime, quality, subsampled, progressive, isLossless, paletteBits } = encoding;
  if (mime === 'image/jpeg') {
    const chromaSubsampling = subsampled ? '4:2:0' : '4:4:4';
    return image.jpeg({ quality, progressive, chromaSubsampling });
  }
  if (mime === 'image/webp') return image.webp(isLossless ? { lossless: isLossless } : { quality });
  const palette =
    paletteBits === undefined ? {} : { palette: true, colours: 2 ** paletteBits, dither: 0 };
  return image.png({ compressionLevel: 9, adaptiveFiltering: true, ...palette });
}

const iccPrefix = Buffer.from('ICC_PROFILE\0', 'latin1');
/** Maximum size of profile data in a segment: 65,533 bytes minus the prefix and two numbers. */
const maxSegmentData = 65_519;

/** Returns the JFIF segment of a JPEG, without a thumbnail (ITU-T T.871). */
function jfifSegment(density: number | undefined): Buffer {
  const dotsPerInch = density === undefined ? 0 : Math.round(density);
  const isKnown = dotsPerInch > 0 && dotsPerInch < 65_536;
  const segment = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
  if (isKnown) {
    segment[11] = 1;
    segment.writeUInt16BE(dotsPerInch, 12);
    segment.writeUInt16BE(dotsPerInch, 14);
  }
  return segment;
}

/** Adds a header with the resolution and the colour profile to a JPEG. */
function finishJpeg(bytes: Buffer, { profile, density }: PictureEncoding): Buffer {
  const hasHead = bytes.readUInt16BE(2) === 0xffe0;
  const rest = bytes.subarray(hasHead ? 4 + bytes.readUInt16BE(4) : 2);
  const out = [
    bytes.subarray(0, 2),
    jfifSegment(density),
    ...(profile ? profileSegments(profile) : []),
    rest,
  ];
  return Buffer.concat(out);
}

/** Returns the JPEG segments that contain a colour profile; empty if the profile is too long. */
function profileSegments(profile: Buffer): Buffer[] {
  const count = Math.ceil(profile.length / maxSegmentData);
  if (count > 255) return [];
  const segments: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const part = profile.subarray(index * maxSegmentData, (index + 1) * maxSegmentData);
    const head = Buffer.from([0xff, 0xe2, 0, 0]);
    head.writeUInt16BE(2 + iccPrefix.length + 2 + part.length, 2);
    segments.push(head, iccPrefix, Buffer.from([index + 1, count]), part);
  }
  return segments;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function pngChunk(kind: string, body: Buffer): Buffer {
  const inner = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  let crc = 0xffffffff;
  for (const byte of inner) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  const out = Buffer.alloc(inner.length + 8);
  out.writeUInt32BE(body.length, 0);
  inner.copy(out, 4);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, out.length - 4);
  return out;
}

const inchesPerMetre = 39.3701;

/** Adds colour profile and resolution after the header of a PNG (ISO 15948 §11.3). */
function finishPng(bytes: Buffer, { profile, density }: PictureEncoding): Buffer {
  const headLength = 8 + 25;
  const extraChunks: Buffer[] = [];
  if (profile) {
    extraChunks.push(
      pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)])),
    );
  }
  const rest: Buffer[] = [];
  for (let at = headLength; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) !== 'pHYs') rest.push(bytes.subarray(at, end));
    at = end;
  }
  if (density !== undefined && density > 0) {
    const body = Buffer.alloc(9);
    body.writeUInt32BE(Math.round(density * inchesPerMetre), 0);
    body.writeUInt32BE(Math.round(density * inchesPerMetre), 4);
    body[8] = 1;
    extraChunks.push(pngChunk('pHYs', body));
  }
  return Buffer.concat([bytes.subarray(0, headLength), ...extraChunks, ...rest]);
}
