import { attributeValue, childOf, elementsOf, type XmlElement } from '../../../files/xml.ts';

/** The number format codes by index of cell style. */
export function formatCodesOf(styles: XmlElement | undefined): string[] {
  if (!styles) return [];
  const codes = new Map<string, string>();
  for (const format of elementsOf(childOf(styles, 'numFmts') ?? styles)) {
    const id = attributeValue(format, 'numFmtId');
    const code = attributeValue(format, 'formatCode');
    if (id !== undefined && code !== undefined) codes.set(id, code);
  }
  return elementsOf(childOf(styles, 'cellXfs') ?? { ...styles, children: [] }).map((style) => {
    const id = attributeValue(style, 'numFmtId') ?? '0';
    return codes.get(id) ?? builtIn(Number(id));
  });
}

/** Built-in formats have only a number (ECMA-376 part 1, 18.8.30); these are dates. */
function builtIn(id: number): string {
  if (id === 22) return 'yyyy-mm-dd hh:mm';
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) {
    return 'yyyy-mm-dd';
  }
  return 'General';
}

const dayMs = 86_400_000;

/**
 * A number roughly as readers see it, so that it can be recognised: dates as `1980-05-12`, digits
 * placed in a pattern such as `000-00-0000`, anything else in full, never as 4.1E+15.
 */
export function shownNumber(raw: string, code: string, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const bare = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '');
  if (/[yd]/i.test(bare) && value > 0 && value < 2_958_466) return dateOf(value, from1904);
  const places = code.split(';')[0]!.replace(/[\\"]/g, '');
  if (/^[0#\-() .+/]+$/.test(places) && /[-() /]/.test(places) && Number.isInteger(value)) {
    return patterned(Math.abs(value), places);
  }
  const short = String(value);
  if (!short.includes('e')) return short;
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 12 });
}

/** Day 60 of the 1900 system is a 29 February that did not exist. */
function dateOf(value: number, from1904: boolean): string {
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value;
  const time = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * (dayMs / 86_400));
  return time
    .toISOString()
    .slice(0, value % 1 === 0 ? 10 : 16)
    .replace('T', ' ');
}

function patterned(value: number, places: string): string {
  const digits = value.toLocaleString('en', { useGrouping: false }).split('');
  let out = '';
  for (const place of [...places].reverse()) {
    if (place === '0') out = (digits.pop() ?? '0') + out;
    else if (place === '#') out = (digits.pop() ?? '') + out;
    else out = place + out;
  }
  return digits.join('') + out;
}
