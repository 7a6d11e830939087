/** The results of the imaging engine, with hand-written checks: see `../results.ts`. */
import { limits } from '@scriptorium/contracts/limits';
import type {
  Camera,
  Location,
  Orientation,
  RenditionMime,
  RenditionName,
} from '@scriptorium/contracts/wire/library/images';
import { hasFields, isListOf, isNumber, isOneOf } from '@scriptorium/sandbox/checks';
import { maxCreditCharacters } from './exif-metadata.ts';

/** A smaller picture, written to one of the given files. Several renditions may share a file. */
export type WrittenRendition = {
  name: RenditionName;
  mime: RenditionMime;
  path: string;
  width: number;
  height: number;
};

/** All metadata that was read from a picture. */
export type PictureReading = {
  /** Width in pixels as displayed, after EXIF orientation. */
  width: number;
  height: number;
  orientation: Orientation;
  /** ISO 8601, UTC. */
  capturedAt: string | null;
  title: string | null;
  /** Who made the picture: of several, separated by semicolons. */
  creator: string | null;
  copyright: string | null;
  /** 1 to 5. */
  rating: number | null;
  camera: Camera | null;
  location: Location | null;
  /** `#rrggbb`, most frequent first; never empty. */
  palette: string[];
  blurhash: string;
  renditions: WrittenRendition[];
};

/** The files to which renditions may be written, by names such as `name.webp` and `name.avif`. */
export type RenditionFiles = Readonly<Record<string, string>>;

const isSize = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1e9;
const isTextUpTo =
  (max: number) =>
  (value: unknown): boolean =>
    value === null || (typeof value === 'string' && value.length <= max && !/\p{Cc}/u.test(value));
const isPlainText = isTextUpTo(200);
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);
const matches =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);
const isTime = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const isCamera = (value: unknown): boolean =>
  hasFields(value, {
    make: isPlainText,
    model: isPlainText,
    lens: isPlainText,
    exposure_seconds: isNumberOrNull,
    aperture: isNumberOrNull,
    iso: isNumberOrNull,
    focal_length_mm: isNumberOrNull,
  });

const isLocation = (value: unknown): boolean =>
  hasFields(value, {
    latitude: (angle) => isNumber(angle) && Math.abs(angle) <= 90,
    longitude: (angle) => isNumber(angle) && Math.abs(angle) <= 180,
    altitude_metres: isNumberOrNull,
  });

/** Whether a child's answer is a reading that refers only to the given files. */
export function isReading(value: unknown, files: RenditionFiles): value is PictureReading {
  return hasFields(value, {
    width: isSize,
    height: isSize,
    orientation: isOneOf('landscape', 'portrait', 'square'),
    capturedAt: (time) => time === null || isTime(time),
    title: isTextUpTo(2 * limits.title_characters),
    creator: isTextUpTo(2 * maxCreditCharacters),
    copyright: isTextUpTo(2 * maxCreditCharacters),
    rating: isOneOf(null, 1, 2, 3, 4, 5),
    camera: (camera) => camera === null || isCamera(camera),
    location: (location) => location === null || isLocation(location),
    palette: (palette) =>
      isListOf(matches(/^#[0-9a-f]{6}$/))(palette) && Array.isArray(palette) && palette.length > 0,
    blurhash: matches(/^[\x21-\x7e]{6,200}$/),
    renditions: isListOf((rendition) =>
      hasFields(rendition, {
        name: isOneOf('thumb', 'w320', 'w640', 'w1280'),
        mime: isOneOf('image/webp', 'image/avif'),
        path: isOneOf(...Object.values(files)),
        width: isSize,
        height: isSize,
      }),
    ),
  });
}
