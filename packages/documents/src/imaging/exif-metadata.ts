/** Reads metadata from the EXIF of a picture. Implausible values are ignored. */

import type { Camera, Location } from '@scriptorium/contracts/wire/library/images';
import { type Exif, findEntry } from './exif.ts';
import { type Directory, entryBytes, entryNumbers } from './tiff.ts';

const maxTextCharacters = 100;
/** Copyright notices name rights and contacts. */
export const maxCreditCharacters = 500;

/** Returns the text of a tag; null if it is missing. */
function textOf(
  exif: Exif,
  directory: Directory | null,
  tag: number,
  maxCharacters = maxTextCharacters,
): string | null {
  const entry = findEntry(directory, tag);
  if (entry?.type !== 2 && entry?.type !== 129) return null;
  const raw = entryBytes(exif.tiff, entry, 2_048);
  const end = raw.indexOf(0);
  return cleanText(decode(end < 0 ? raw : raw.subarray(0, end)), maxCharacters);
}

/**
 * Decodes text: ASCII according to the standard, UTF-8 in practice, and Latin-1 from some old
 * programs.
 */
function decode(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return raw.toString('latin1');
  }
}

/**
 * Returns a text without control characters (including U+0000), bidirectional format characters and
 * superfluous spaces, cut to `maxCharacters`. Null if no text is left.
 */
export function cleanText(text: string, maxCharacters: number): string | null {
  const clean = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return [...clean].slice(0, maxCharacters).join('').trim() || null;
}

/**
 * Returns a positive number with six significant digits; null if it is not positive or exceeds
 * `max`.
 */
function readPositive(
  exif: Exif,
  directory: Directory | null,
  tag: number,
  max: number,
): number | null {
  const entry = findEntry(directory, tag);
  const [value] = entry ? entryNumbers(exif.tiff, entry, 1) : [];
  if (value === undefined || !(value > 0 && value <= max)) return null;
  return Number(value.toPrecision(6));
}

/** Returns the camera and its settings; null if EXIF does not contain them. */
export function readCamera(exif: Exif): Camera | null {
  const { image, photo } = exif;
  const iso = readPositive(exif, photo, 0x8827, 1e7);
  const camera = {
    make: textOf(exif, image, 0x010f),
    model: textOf(exif, image, 0x0110),
    lens: textOf(exif, photo, 0xa434),
    exposure_seconds: readPositive(exif, photo, 0x829a, 1e6),
    aperture: readPositive(exif, photo, 0x829d, 1_000),
    iso: iso === null ? null : Math.round(iso) || null,
    focal_length_mm: readPositive(exif, photo, 0x920a, 1e5),
  };
  return Object.values(camera).every((value) => value === null) ? null : camera;
}

/**
 * Returns the capture time in ISO 8601 UTC, from DateTimeOriginal with its fraction of a second and
 * OffsetTimeOriginal. A time without an offset counts as UTC, so that pictures of the same camera
 * stay in order. Null if the date is invalid.
 */
export const readCapturedAt = (exif: Exif): string | null => readDate(exif, 0x9003, 0x9291, 0x9011);

/** Returns the time of digitisation in the same format. For a photo, it is the capture time. */
export const readDigitizedAt = (exif: Exif): string | null =>
  readDate(exif, 0x9004, 0x9292, 0x9012);

/** Returns who made the picture: of several, separated by semicolons. */
export const readArtist = (exif: Exif): string | null =>
  textOf(exif, exif.image, 0x013b, maxCreditCharacters);

/** Returns the copyright of the photographer. That of the editor follows it, after a zero. */
export const readCopyright = (exif: Exif): string | null =>
  textOf(exif, exif.image, 0x8298, maxCreditCharacters);

/** Returns the star rating that Windows writes; null without a rating. */
export function readRating(exif: Exif): number | null {
  const entry = findEntry(exif.image, 0x4746);
  const [rating = 0] = entry ? entryNumbers(exif.tiff, entry, 1) : [];
  return Number.isInteger(rating) && rating >= 1 && rating <= 5 ? rating : null;
}

function readDate(exif: Exif, tag: number, fractionTag: number, offsetTag: number): string | null {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(
    textOf(exif, exif.photo, tag) ?? '',
  );
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map(Number);
  if (year < 1800 || month < 1 || month > 12 || day < 1) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  if (date.getUTCDate() !== day) return null;
  const fraction = /^\d+/.exec(textOf(exif, exif.photo, fractionTag) ?? '')?.[0] ?? '';
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const offset = /^([+-])(\d\d):(\d\d)$/.exec(textOf(exif, exif.photo, offsetTag) ?? '');
  const minutes = offset ? Number(offset[2]) * 60 + Number(offset[3]) : 0;
  const offsetMinutes = minutes > 14 * 60 ? 0 : offset?.[1] === '-' ? -minutes : minutes;
  return new Date(date.getTime() + milliseconds - offsetMinutes * 60_000).toISOString();
}

/**
 * Returns the location of the picture in WGS 84; null if the latitude or longitude is implausible.
 */
export function readLocation(exif: Exif): Location | null {
  const latitude = readAngle(exif, 0x0002, 0x0001, { N: 1, S: -1 }, 90);
  const longitude = readAngle(exif, 0x0004, 0x0003, { E: 1, W: -1 }, 180);
  if (latitude === null || longitude === null) return null;
  return { latitude, longitude, altitude_metres: readAltitude(exif) };
}

/**
 * Returns degrees, minutes and seconds as a signed number of degrees with 7 decimals (a
 * centimetre).
 */
function readAngle(
  exif: Exif,
  tag: number,
  refTag: number,
  signs: Readonly<Record<string, number>>,
  maxDegrees: number,
): number | null {
  const entry = findEntry(exif.gps, tag);
  const sign = signs[textOf(exif, exif.gps, refTag)?.toUpperCase() ?? ''];
  if (!entry || sign === undefined) return null;
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = entryNumbers(exif.tiff, entry, 3);
  const angle = degrees + minutes / 60 + seconds / 3600;
  if (!(degrees >= 0 && minutes >= 0 && seconds >= 0 && angle <= maxDegrees)) return null;
  // Adding 0 turns -0 into 0.
  return Number((sign * angle).toFixed(7)) + 0;
}

function readAltitude(exif: Exif): number | null {
  const entry = findEntry(exif.gps, 0x0006);
  const [metres = Number.NaN] = entry ? entryNumbers(exif.tiff, entry, 1) : [];
  const ref = findEntry(exif.gps, 0x0005);
  // 1 means below sea level. In EXIF 3, 2 and 3 refer to the ellipsoid instead.
  const [reference = 0] = ref ? entryNumbers(exif.tiff, ref, 1) : [];
  const altitude = reference === 1 || reference === 3 ? -metres : metres;
  if (!(altitude >= -12_000 && altitude <= 1e6)) return null;
  return Number(altitude.toFixed(2)) + 0;
}
