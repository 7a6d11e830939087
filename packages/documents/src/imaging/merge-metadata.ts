/**
 * Reads the date, title, creator, copyright and rating of a picture from EXIF, IPTC and XMP, in the order of precedence
 * of the Metadata Working Group (Guidelines for Handling Image Metadata 2.0, 3.3 and 5).
 */
import { limits } from '@scriptorium/contracts/limits';
import type { Exif } from './exif.ts';
import {
  cleanText,
  maxCreditCharacters,
  readArtist,
  readCapturedAt,
  readCopyright,
  readDigitizedAt,
  readRating,
} from './exif-metadata.ts';
import type { Iptc } from './iptc.ts';
import type { PictureReading } from './results.ts';
import type { Xmp } from './xmp.ts';

export interface MetadataSources {
  exif: Exif | null;
  iptc: Iptc | null;
  xmp: Xmp | null;
}

type MergedMetadata = Pick<
  PictureReading,
  'capturedAt' | 'title' | 'creator' | 'copyright' | 'rating'
>;

/** Merges the metadata of the sources. Fields without a value in any source are null. */
export function mergeMetadata({ exif, iptc, xmp }: MetadataSources): MergedMetadata {
  // EXIF has the highest precedence. XMP precedes IPTC, unless IPTC was changed after XMP was
  // written.
  const byPrecedence = <T>(values: { exif?: T | null; iptc: T | null; xmp: T | null }): T | null =>
    values.exif ??
    (iptc?.isNewerThanXmp ? (values.iptc ?? values.xmp) : (values.xmp ?? values.iptc));
  const capturedAt = byPrecedence({
    exif: exif && readCapturedAt(exif),
    iptc: iptc && dateOfIptc(iptc.value(55), iptc.value(60)),
    xmp:
      xmp &&
      (dateOfXmp(xmp('exif', 'DateTimeOriginal')) ?? dateOfXmp(xmp('photoshop', 'DateCreated'))),
  });
  const digitisedAt = byPrecedence({
    exif: exif && readDigitizedAt(exif),
    iptc: iptc && dateOfIptc(iptc.value(62), iptc.value(63)),
    xmp:
      xmp && (dateOfXmp(xmp('exif', 'DateTimeDigitized')) ?? dateOfXmp(xmp('xmp', 'CreateDate'))),
  });
  const clean = (
    text: string | null | undefined,
    maxCharacters: number = limits.title_characters,
  ): string | null => (text ? cleanText(text, maxCharacters) : null);
  return {
    capturedAt: capturedAt ?? digitisedAt,
    title: byPrecedence({
      iptc: clean(iptc?.value(5)),
      xmp: clean(xmp?.('dc', 'title')),
    }),
    creator: byPrecedence({
      exif: exif && readArtist(exif),
      iptc: clean(iptc?.values(80).join('; '), maxCreditCharacters),
      xmp: clean(xmp?.('dc', 'creator'), maxCreditCharacters),
    }),
    copyright: byPrecedence({
      exif: exif && readCopyright(exif),
      iptc: clean(iptc?.value(116), maxCreditCharacters),
      xmp: clean(xmp?.('dc', 'rights'), maxCreditCharacters),
    }),
    rating: byPrecedence({
      exif: exif && readRating(exif),
      iptc: null,
      xmp: xmp && ratingOf(xmp('xmp', 'Rating')),
    }),
  };
}

/** Returns a rating from 1 to 5; null for 0 (unrated) and -1 (rejected). */
function ratingOf(text: string | null): number | null {
  const rating = Math.round(Number(text ?? ''));
  return rating >= 1 && rating <= 5 ? rating : null;
}

/** Returns the date of IPTC `CCYYMMDD` and `HHMMSS±HHMM`; the time is optional. */
function dateOfIptc(date: string | null, time: string | null): string | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date?.trim() ?? '') ?? [];
  if (year === undefined) return null;
  const [, hour = '00', minute = '00', second = '00', sign = '', east = '', past = ''] =
    /^(\d\d)(\d\d)(\d\d)(?:([+-])(\d\d)(\d\d))?$/.exec(time?.trim() ?? '') ?? [];
  const zone = sign === '' ? 'Z' : `${sign}${east}:${past}`;
  return dateOfXmp(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}

/**
 * Returns an ISO 8601 date with a day, in UTC. A date without an offset counts as UTC, as in EXIF.
 */
function dateOfXmp(text: string | null): string | null {
  const [, date = '', time = 'T00:00', seconds = ':00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(
      text?.trim() ?? '',
    ) ?? [];
  const day = new Date(`${date}T00:00Z`);
  const moment = new Date(`${date}${time}${seconds}${zone}`);
  // JavaScript parses a day that the month does not have as a different date.
  const isValid = !Number.isNaN(moment.getTime()) && day.toISOString().startsWith(date);
  return isValid && day.getUTCFullYear() >= 1800 ? moment.toISOString() : null;
}
