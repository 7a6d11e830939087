import type { View } from './view.ts';

/** What a recogniser of characters takes digits for. */
export const digitFor: Readonly<Record<string, string>> = {
  ...{ O: '0', o: '0', Q: '0', D: '0', l: '1', I: '1', i: '1', '|': '1', '!': '1' },
  ...{ Z: '2', z: '2', S: '5', s: '5', G: '6', b: '6', B: '8', g: '9', q: '9' },
};

/** What it takes letters for; the likeliest first. */
export const lettersFor: Readonly<Record<string, string>> = {
  ...{ '0': 'ODQ', '1': 'IL', '2': 'Z', '5': 'S', '6': 'G', '8': 'B', '|': 'IL', '!': 'I' },
  ...{ l: 'LI', O: 'OQ', Q: 'QO' },
};

export const looksLikeDigit = `0-9${Object.keys(digitFor).join('')}`;

/** The digits of a text, where at least half of them are digits as they stand; null else. */
export function asDigits(text: string): string | null {
  const real = text.replace(/\D/g, '').length;
  const digits = Array.from(text, (sign) => digitFor[sign] ?? sign).join('');
  return real * 2 >= text.length && /^\d+$/.test(digits) ? digits : null;
}

const token = new RegExp(`(?<![\\p{L}\\p{N}])[${looksLikeDigit}]{2,}(?![\\p{L}\\p{N}])`, 'gu');
const corrected = new WeakMap<View, string>();

/** The text with the digits of its numbers put right, character by character, where it was read. */
export function numbersOf(view: View): string {
  if (!view.recognised) return view.text;
  let text = corrected.get(view);
  if (text === undefined) {
    text = view.text.replace(token, (found) => asDigits(found) ?? found);
    corrected.set(view, text);
  }
  return text;
}
