import { format, getFormatDateInfo, getFormatInfo, isValidFormat } from 'numfmt';
import { attributeValue, childOf, elementsOf, type XmlElement } from '../../../files/xml.ts';

/** Formats that have only a number (ECMA-376 part 1, 18.8.30). Dates are in ISO 8601. */
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

/** The number formats of cell styles: format codes by the index of the style. */
export function formatsOf(styles: XmlElement | undefined): string[] {
  const list = styles && childOf(styles, 'cellXfs');
  if (!styles || !list) return [];
  const codes = new Map<string, string>();
  const own = childOf(styles, 'numFmts');
  for (const format of own ? elementsOf(own) : []) {
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

/** In full, with at most the reliable digits: 0.1 + 0.2 shows as 0.3. */
function general(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(15)));
}

type Shape = 'full' | 'as written' | { date: string };

/** A workbook has few formats and many cells. */
const shapes = new Map<string, Shape>();

function shapeOf(code: string): Shape {
  const known = shapes.get(code) ?? findShape(code);
  if (shapes.size < 500) shapes.set(code, known);
  return known;
}

function findShape(code: string): Shape {
  if (/^(?:general|@)?$/i.test(code) || code.length > 255 || !isValidFormat(code)) return 'full';
  const { type } = getFormatInfo(code);
  if (type === 'date' || type === 'datetime' || type === 'time') return { date: isoFormat(code) };
  // A cell shows few digits of a fraction.
  return type === 'fraction' ? 'full' : 'as written';
}

/** A format that has the same parts of a date and a time in the order of ISO 8601. */
function isoFormat(code: string): string {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const hasTime = hours || minutes || seconds;
  const hasDate = year || day || (month && !hasTime);
  const elapsed = /\[[hms]+\]/i.test(code.replace(/"[^"]*"|\\./g, ''));
  const clock = `${elapsed ? '[hh]' : 'hh'}:mm${seconds ? ':ss' : ''}`;
  if (!hasDate || elapsed) return clock;
  const date = day || (month && !year) ? 'yyyy-mm-dd' : 'yyyy-mm';
  return hasTime ? `${date} ${clock}` : date;
}

/** Days between the beginnings of Excel's two calendars. */
const daysTo1904 = 1462;
/** The first day after the year 9999. */
const endOfDates = 2_958_466;

/**
 * A number as its cell shows it (18.8.31): sign, currency, percent, groups and places. Dates and times are
 * in the order of ISO 8601 and numbers have a decimal point, whatever the cell's language, so that they
 * are unambiguous; numbers without a format and fractions are in full.
 */
export function shown(raw: string, code: string, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const shape = shapeOf(code);
  if (shape === 'full') return general(value);
  if (shape !== 'as written') {
    const isPossible = value >= 0 && value < endOfDates;
    return isPossible ? format(shape.date, from1904 ? value + daysTo1904 : value) : general(value);
  }
  const anyLanguage = code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, '[$$$1]');
  const out = format(anyLanguage, value).trim().replace(/\s+/g, ' ');
  // A format that hides a number, which the file contains all the same.
  return out === '' ? general(value) : out;
}
