import type { PageWord } from './word.ts';

/** Accents that precede their letter, as seven-bit fonts write them, and their combining forms. */
const combiningAccents: Readonly<Record<string, string>> = {
  '´': '\u0301',
  '`': '\u0300',
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  '˚': '\u030a',
  ˇ: '\u030c',
  '˘': '\u0306',
  '¯': '\u0304',
  '˝': '\u030b',
  '˙': '\u0307',
};
const accentAndLetter = /[´¨ˆ˜˚ˇ˘¯˝˙]\p{L}|(?<=\p{L})`[aeiou]/gu;

function composeAccents(text: string): string {
  return text.replace(accentAndLetter, (found) => {
    const [accent = '', letter = ''] = found;
    const plain = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
    const accentedLetter = (plain + (combiningAccents[accent] ?? '')).normalize('NFC');
    return [...accentedLetter].length === 1 ? accentedLetter : found;
  });
}

/** Replaces separate accents and their letters with accented letters. */
export function withAccents(words: readonly PageWord[]): PageWord[] {
  return words.map((word) => {
    if (word.math || word.mono || word.source !== 'pdf') return word;
    const text = composeAccents(word.text);
    return text === word.text ? word : { ...word, text };
  });
}
