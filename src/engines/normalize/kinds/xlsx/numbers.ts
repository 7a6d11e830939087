import { attributeValue, childOf, type Element, elementsOf } from '../../../files/xml.ts';

/** Formats that have only a number (ECMA-376 part 1, 18.8.30). Dates are told as ISO 8601 has them. */
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

/** How the numbers of each style of cell are shown: codes of formats by the index of the style. */
export function formatsOf(styles: Element | undefined): string[] {
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

/** In full, with at most the digits that are sure: 0.1 + 0.2 shows as 0.3. */
function general(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(15)));
}

type Part = { literal: string } | { digits: string };

/** A section of a format's code as literals and one place for the number. */
function partsOf(code: string): Part[] {
  const parts: Part[] = [];
  let hasDigits = false;
  const token =
    /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]|([#0?](?:[#0?,./ ]*[#0?])?(?:[eE][+-]0+)?,*)|General|([\s\S])/giy;
  for (let match = token.exec(code); match; match = token.exec(code)) {
    const [all, quoted, escaped, currency, digits, other] = match;
    if (digits !== undefined || /^general$/i.test(all)) {
      if (!hasDigits) parts.push({ digits: digits ?? 'General' });
      hasDigits = true;
    } else {
      const literal = quoted ?? escaped ?? currency ?? other ?? (all.startsWith('_') ? ' ' : '');
      parts.push({ literal });
    }
  }
  return parts;
}

function digitsOf(value: number, pattern: string): string {
  if (/^general$/i.test(pattern)) return general(value);
  const scaled = value / 1000 ** (/,*$/.exec(pattern)?.[0].length ?? 0);
  const bare = pattern.replace(/,+$/, '');
  if (/[eE]/.test(bare)) {
    const places = /\.([0#?]*)/.exec(bare)?.[1]?.length ?? 0;
    return scaled
      .toExponential(places)
      .toUpperCase()
      .replace(/E([+-])(\d)$/, 'E$10$2');
  }
  // Fractions and patterns such as 000-00: near enough in full.
  if (/[/ ]/.test(bare)) return general(scaled);
  const [whole = '', decimals = ''] = bare.split('.');
  const least = (decimals.match(/0/g) ?? []).length;
  return formatOf({
    useGrouping: whole.includes(','),
    minimumIntegerDigits: Math.min(20, Math.max(1, (whole.match(/0/g) ?? []).length)),
    minimumFractionDigits: Math.min(15, least),
    maximumFractionDigits: Math.min(15, decimals.length),
  }).format(scaled);
}

/** To make one takes a thousand times as long as to use it. */
const known = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = known.get(key) ?? new Intl.NumberFormat('en', options);
  if (known.size < 500) known.set(key, format);
  return format;
}

const isDate = (code: string): boolean =>
  /[ydhs]|m{1,5}/i.test(
    code.replace(/"[^"]*"|\\.|\[\$[^\]]*\]|\[(?!h|m|s)[^\]]*\]|general|_.|\*./gi, ''),
  ) && !/[#0?]/.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|\.0+/g, ''));

/** Day 60 of the system of 1900 is a 29 February that never was. */
function dateOf(value: number, code: string, from1904: boolean): string {
  const bare = code.replace(/"[^"]*"|\\.|\[\$[^\]]*\]/g, '');
  const hasTime = /[hs]/i.test(bare);
  const hasDay = /[yd]/i.test(bare) || (/m/i.test(bare) && !hasTime);
  const withSeconds = /s/i.test(bare);
  if (/\[[hms]+\]/i.test(bare) || !hasDay) {
    const total = Math.round(value * 86_400);
    const hours = /\[h/i.test(bare) ? Math.floor(total / 3600) : Math.floor(total / 3600) % 24;
    const pad = (part: number): string => String(part).padStart(2, '0');
    const clock = `${pad(hours)}:${pad(Math.floor(total / 60) % 60)}`;
    return withSeconds ? `${clock}:${pad(total % 60)}` : clock;
  }
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value;
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * 1000).toISOString();
  const day = iso.slice(0, /d/i.test(bare) ? 10 : 7);
  return hasTime ? `${day} ${iso.slice(11, withSeconds ? 19 : 16)}` : day;
}

/**
 * A number as its cell shows it (18.8.31): sign, currency, percent, groups and places; dates and times
 * as ISO 8601 has them, whatever the order in the cell, so that they can be read one way only.
 */
export function shown(raw: string, code: string, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (code === 'General' || code === '@' || code === '' || code.length > 255) return general(value);
  if (isDate(code)) {
    const isPossible = value >= 0 && value < 2_958_466;
    return isPossible ? dateOf(value, code, from1904) : general(value);
  }
  const sections = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const negative = value < 0;
  const section =
    (negative && sections[1]) || (value === 0 && sections[2]) || sections[0] || 'General';
  const parts = partsOf(section);
  if (!parts.some((part) => 'digits' in part)) {
    const says = parts
      .map((part) => ('literal' in part ? part.literal : ''))
      .join('')
      .trim();
    return says === '' ? general(value) : says;
  }
  const percents = parts.filter((part) => 'literal' in part && part.literal === '%').length;
  const magnitude = Math.abs(value) * 100 ** percents;
  const out = parts
    .map((part) => ('literal' in part ? part.literal : digitsOf(magnitude, part.digits)))
    .join('')
    .trim()
    .replace(/\s+/g, ' ');
  // Only a section of its own says how negative numbers show.
  return negative && !sections[1] ? `-${out}` : out;
}
