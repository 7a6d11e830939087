import { passesIcao } from '../../checksums.ts';
import { digitFor } from '../../confusions.ts';
import type { PiiRecogniser } from '../../recogniser.ts';

/** Lengths of the lines of a zone (ICAO Doc 9303, parts 4 to 7), and how far misread ones differ. */
const lineLengths = [44, 36, 30] as const;
const maxDifference = 5;
const maxLineLength = 60;
/** Zones with lines of this length have three of them, the name in the last. */
const lengthOfThree = 30;

/** A line of a text without its white space, and with a filler for each character that no zone has. */
interface ZoneLine {
  start: number;
  end: number;
  text: string;
}

/**
 * The machine-readable zone as recognisers misread it: fillers as other characters, a few characters
 * too many or too few, and spaces. The form of its first line and one date with a check digit decide.
 */
export const misreadZone: PiiRecogniser = {
  context: null,
  against: null,
  *candidates({ text }) {
    const lines = linesOf(text);
    for (const [at, first] of lines.entries()) {
      const second = lines[at + 1];
      if (!second || !/^[ACIPV][A-Z<]/.test(first.text) || !first.text.includes('<')) continue;
      const isZone = lineLengths.some((one) => hasLength(first, one) && hasLength(second, one));
      if (!isZone || !hasCheckedDate(second.text)) continue;
      const third = lines[at + 2];
      const hasThird = third?.text.includes('<<') && hasLength(third, lengthOfThree);
      if (!hasThird && !first.text.includes('<<')) continue;
      const { end } = third && hasThird ? third : second;
      yield { start: first.start, end, alone: 0.9, inContext: 0.9 };
    }
  },
};

const hasLength = ({ text }: ZoneLine, length: number): boolean =>
  Math.abs(text.length - length) <= maxDifference;

/** Returns the lines of a text that have any characters. */
function linesOf(text: string): ZoneLine[] {
  return [...text.matchAll(/[^\n]+/g)].flatMap(({ index, 0: line }) => {
    const trimmed = line.trim();
    if (trimmed === '') return [];
    const start = index + line.indexOf(trimmed);
    const isLong = trimmed.length > maxLineLength;
    const zoneText = isLong ? '' : trimmed.replace(/\s/g, '').replace(/[^A-Z0-9<]/g, '<');
    return [{ start, end: start + trimmed.length, text: zoneText }];
  });
}

/** A date of birth with its check digit and the date of expiry, and the reverse. */
const checkedDates = [/(?=(\d{7})[A-Z0-9<]\d{6})/g, /(?<=\d{6}[A-Z0-9<]{2})(?=(\d{7}))/g];

/** Whether a line contains both dates, one of them with its check digit. */
function hasCheckedDate(line: string): boolean {
  const digits = Array.from(line, (one) => digitFor[one] ?? one).join('');
  return checkedDates.some((pattern) =>
    [...digits.matchAll(pattern)].some(({ 1: date = '' }) => isDate(date) && passesIcao(date)),
  );
}

const isDate = (field: string): boolean =>
  Number(field.slice(2, 4)) >= 1 &&
  Number(field.slice(2, 4)) <= 12 &&
  Number(field.slice(4, 6)) >= 1 &&
  Number(field.slice(4, 6)) <= 31;
