import { oncePerView, type TextView } from './view.ts';

/** Characters that a recogniser reads in place of digits. */
export const digitFor: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  l: '1',
  I: '1',
  i: '1',
  '|': '1',
  '!': '1',
  Z: '2',
  z: '2',
  S: '5',
  s: '5',
  G: '6',
  b: '6',
  B: '8',
  g: '9',
  q: '9',
};

/**
 * Characters that a recogniser reads in place of letters, and these letters, the most likely first.
 */
export const lettersFor: Readonly<Record<string, string>> = {
  '0': 'ODQ',
  '1': 'IL',
  '2': 'Z',
  '5': 'S',
  '6': 'G',
  '8': 'B',
  '|': 'IL',
  '!': 'I',
  l: 'LI',
  O: 'OQ',
  Q: 'QO',
};

export const looksLikeDigit = `0-9${Object.keys(digitFor).join('')}`;

/** Converts a text to digits; returns null if less than half of it consists of digits. */
export function asDigits(text: string): string | null {
  const real = text.replace(/\D/g, '').length;
  const digits = Array.from(text, (sign) => digitFor[sign] ?? sign).join('');
  return real * 2 >= text.length && /^\d+$/.test(digits) ? digits : null;
}

const token = new RegExp(`(?<![\\p{L}\\p{N}])[${looksLikeDigit}]{2,}(?![\\p{L}\\p{N}])`, 'gu');
/** Returns the text with the misread digits of its numbers corrected. Positions do not change. */
export const withCorrectedDigits: (view: TextView) => string = oncePerView(
  ({ text, recognised }) =>
    recognised ? text.replace(token, (found) => asDigits(found) ?? found) : text,
);
