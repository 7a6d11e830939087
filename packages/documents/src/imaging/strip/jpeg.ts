import type { StripFields } from '@scriptorium/contracts/variants';
import { damagedError } from '../errors.ts';
import { exifPrefix, filterExif } from '../exif.ts';

const startOfImage = Buffer.from([0xff, 0xd8]);
const endOfImage = Buffer.from([0xff, 0xd9]);
const startOfScan = 0xda;

/**
 * Returns a JPEG with the segments that its pixels need, its colour profile and new EXIF. XMP,
 * extended XMP, IPTC, comments, thumbnails, maker notes and any data after the end (further
 * pictures, videos, trailers of phones) are dropped. A truncated file stays truncated.
 */
export function stripJpeg(bytes: Buffer, fields: StripFields): Buffer {
  return rebuild(bytes, (exif) => filterExif(exif, fields));
}

/** Returns a JPEG without EXIF, including the orientation. For PDF, whose readers ignore EXIF. */
export function jpegWithoutExif(bytes: Buffer): Buffer {
  return rebuild(bytes, () => null);
}

function rebuild(bytes: Buffer, exifOf: (body: Buffer) => Buffer | null): Buffer {
  if (!bytes.subarray(0, 2).equals(startOfImage)) throw damagedError();
  let jfif: Buffer | undefined;
  let exif: Buffer | null = null;
  const segments: Buffer[] = [];
  let at = nextMarker(bytes, 2);
  while (at < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) {
      segments.push(endOfImage);
      break;
    }
    if (hasNoBody(marker)) {
      at = nextMarker(bytes, at + 2);
      continue;
    }
    const end = at + 2 + (at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0);
    if (end < at + 4 || end > bytes.length) throw damagedError();
    const body = bytes.subarray(at + 4, end);
    if (marker === 0xe0) jfif ??= jfifWithoutThumbnail(body);
    else if (marker === 0xe1 && startsWith(body, exifPrefix)) exif ??= exifOf(body);
    else if (marker === 0xe2 && startsWith(body, iccPrefix)) segments.push(bytes.subarray(at, end));
    else if (marker === 0xee && startsWith(body, adobePrefix)) {
      segments.push(buildSegment(0xee, body.subarray(0, 12)));
    } else if (isPixelMarker(marker)) segments.push(bytes.subarray(at, end));
    at = marker === startOfScan ? endOfScan(bytes, end) : nextMarker(bytes, end);
    if (marker === startOfScan) segments.push(bytes.subarray(end, at));
  }
  return Buffer.concat([
    startOfImage,
    ...(jfif ? [jfif] : []),
    ...(exif ? [buildSegment(0xe1, Buffer.concat([exifPrefix, exif]))] : []),
    ...segments,
  ]);
}

const iccPrefix = Buffer.from('ICC_PROFILE\0', 'latin1');
const adobePrefix = Buffer.from('Adobe', 'latin1');
const jfifPrefix = Buffer.from('JFIF\0', 'latin1');

function startsWith(body: Buffer, prefix: Buffer): boolean {
  return body.subarray(0, prefix.length).equals(prefix);
}

/** Returns the version, units and density of JFIF, without the thumbnail. */
function jfifWithoutThumbnail(body: Buffer): Buffer | undefined {
  if (!startsWith(body, jfifPrefix) || body.length < 14) return undefined;
  return buildSegment(0xe0, Buffer.concat([body.subarray(0, 12), Buffer.alloc(2)]));
}

function buildSegment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** Whether a marker starts a frame, table or scan (ITU-T T.81, table B.1). */
function isPixelMarker(marker: number): boolean {
  return (
    (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xdf)
  );
}

function hasNoBody(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/**
 * Returns the position of the next marker, skipping fill bytes and stray data; the end if there are
 * no more markers.
 */
function nextMarker(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && bytes[at + 1] === 0xff) at += 1;
  return at < 0 || at + 1 >= bytes.length ? bytes.length : at;
}

/**
 * Returns the end of the coded pixels: the first marker that is neither a stuffed byte nor a
 * restart.
 */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return at;
    at = bytes.indexOf(0xff, marker === 0xff ? at + 1 : at + 2);
  }
  return bytes.length;
}
