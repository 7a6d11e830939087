/// <reference path="./numfmt.d.ts" />
import { format, getFormatDateInfo, getFormatInfo, isValidFormat } from 'numfmt';
import { attributeValue, childOf, elementsOf, type XmlElement } from './xml.ts';

/** Built-in formats that consist of a number (ECMA-376 part 1, 18.8.30). Dates are in ISO 8601. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  14: 'yyyy-mm-dd',
  15: 'yyyy-mm-dd',
  16: 'yyyy-mm-dd',
  17: 'yyyy-mm',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
  48: '##0.0E+0',
};

/** Returns the number formats of cell styles, as format codes by style index. */
export function numberFormatsOf(styles: XmlElement | undefined): string[] {
  const list = childOf(styles, 'cellXfs');
  if (!styles || !list) return [];
  const codes = new Map<string, string>();
  for (const format of elementsOf(childOf(styles, 'numFmts'))) {
    const id = attributeValue(format, 'numFmtId');
    const code = attributeValue(format, 'formatCode');
    if (id !== undefined && code !== undefined) codes.set(id, code);
  }
  return elementsOf(list).map((style) => {
    const id = attributeValue(style, 'numFmtId') ?? '0';
    const number = Number(id);
    const isEastDate = (number >= 27 && number <= 36) || (number >= 50 && number <= 58);
    return codes.get(id) ?? builtIn[number] ?? (isEastDate ? 'yyyy-mm-dd' : 'General');
  });
}

/** Returns a number with at most the 15 digits that Excel shows: 0.1 + 0.2 is 0.3. */
function formatGeneral(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(15)));
}

type FormatKind = 'general' | 'as written' | { date: string };

/** Caches shapes by format, because a workbook has few formats and many cells. */
const formatKinds = new Map<string, FormatKind>();

function formatKindOf(code: string): FormatKind {
  const kind = formatKinds.get(code) ?? detectFormatKind(code);
  if (formatKinds.size < 500) formatKinds.set(code, kind);
  return kind;
}

const isGeneral = (code: string): boolean => /^(?:general|@)?$/i.test(code);

function detectFormatKind(code: string): FormatKind {
  if (isGeneral(code) || code.length > 255 || !isValidFormat(code)) return 'general';
  const { type } = getFormatInfo(code);
  if (type === 'date' || type === 'datetime' || type === 'time') return { date: isoFormat(code) };
  // A cell with a fraction format shows few of the digits.
  return type === 'fraction' ? 'general' : 'as written';
}

/** Returns a format with the same parts of a date and a time in the order of ISO 8601. */
function isoFormat(code: string): string {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const hasTime = hours || minutes || seconds;
  const hasDate = year || day || (month && !hasTime);
  const isElapsed = /\[[hms]+\]/i.test(code.replace(/"[^"]*"|\\./g, ''));
  const clock = `${isElapsed ? '[hh]' : 'hh'}:mm${seconds ? ':ss' : ''}`;
  if (!hasDate || isElapsed) return clock;
  const date = day || (month && !year) ? 'yyyy-mm-dd' : 'yyyy-mm';
  return hasTime ? `${date} ${clock}` : date;
}

/** The number of days between the start dates of Excel's two calendars. */
const daysTo1904 = 1462;
/** The day number of the first day after the year 9999. */
const endOfDates = 2_958_466;

const dayNumber = (value: number, from1904: boolean): number =>
  from1904 ? value + daysTo1904 : value;

/**
 * Returns a number as its cell shows it (18.8.31), with sign, currency, percent sign, digit groups
 * and decimal places. To be unambiguous in any language of the cell, dates and times are in the
 * order of ISO 8601 and numbers have a decimal point. Fractions and numbers without a format are
 * written in full.
 */
export function displayedNumber(raw: string, code: string, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const kind = formatKindOf(code);
  if (kind === 'general') return formatGeneral(value);
  if (kind !== 'as written') {
    const isPossible = value >= 0 && value < endOfDates;
    return isPossible ? format(kind.date, dayNumber(value, from1904)) : formatGeneral(value);
  }
  // The format hides the number, but the file still contains it.
  return formatInEnglish(code, value) || formatGeneral(value);
}

/** Returns the number as the cell shows it in English. */
function formatInEnglish(code: string, value: number): string {
  const anyLanguage = code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, '[$$$1]');
  return format(anyLanguage, value).trim().replace(/\s+/g, ' ');
}

/**
 * Returns a number as redaction searches it. The cell's format alone could show less than the file
 * contains: a birthday as `Monday` or `5/80`, a year of an era as `55`, a card number as `4.11E+15`
 * or without its sixteenth digit. Therefore:
 *
 * - An identifier is returned as its cell shows it, with separators, leading zeros and words
 *   (`SSN 078-05-1120`), if the cell shows all of its digits.
 * - A date is returned in full, such as `1980-05-12`, even if the cell shows only parts of it.
 * - Any other number is returned in full, without digit groups.
 */
export function searchableNumber(raw: string, code: string, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const date = value > 0 && value < endOfDates ? dateFormatOf(code, value) : null;
  if (date) return format(date, dayNumber(value, from1904));
  return identifierIn(code, value) ?? allDigits(value);
}

/** Returns all digits of a number, never in the form 4.1E+15. */
function allDigits(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 12 });
}

/** Returns the format of a complete date, or of a time of day or duration; null for numbers. */
function dateFormatOf(code: string, value: number): string | null {
  const kind = formatKindOf(code);
  if (kind === 'as written' || isGeneral(code)) return null;
  if (kind === 'general') {
    // The library rejects `[ENG]d-mmm-yy`.
    const withoutLiterals = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '');
    if (!/[yd]/i.test(withoutLiterals)) return null;
  } else if (kind.date.startsWith('[') || (value < 1 && kind.date.startsWith('hh'))) {
    return kind.date;
  }
  return Number.isInteger(value) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm';
}

/** Returns an integer as shown if only digits, separators and words are shown; else null. */
function identifierIn(code: string, value: number): string | null {
  const readCode = withSeparators(code);
  if (!Number.isInteger(value) || formatKindOf(readCode) !== 'as written') return null;
  const digits = allDigits(Math.abs(value));
  const out = formatInEnglish(readCode, Math.abs(value));
  const isPlain = out.split(/[\s:]+/).every((word) => /^(?:\D*|[\d\-().+/]+)$/.test(word));
  return isPlain && out !== digits && out.replace(/\D/g, '').endsWith(digits) ? out : null;
}

/**
 * Returns the format with the points of `000.000.000-00` and the slashes of `00/00/0000` as
 * separators. Otherwise they would be read as a decimal point or a fraction (`# 0/0`).
 */
function withSeparators(code: string): string {
  if (!/[0#]\.[0#]+\.[0#]|^\S*[0#]\/[0#]\S*$/.test(code)) return code;
  return code.replace(/"[^"]*"|\\.|[./]/g, (part) => (part.length > 1 ? part : `\\${part}`));
}
