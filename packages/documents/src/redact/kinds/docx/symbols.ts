import { walk, type XmlElement } from '../../../files/xml.ts';

/** Fonts whose symbols are not letters. */
const pictorialFont = /^(?:wingdings|webdings|zapf ?dingbats|marlett|mt extra)/i;
/** A font in which only digits and signs look like the characters with the same codes. */
const symbolFont = /^symbol$/i;

/**
 * Converts symbols (`w:sym`) that show letters to text, so that a value written with them is read
 * and removed like any other text.
 */
export function spellSymbols(root: XmlElement): void {
  walk(root, (element) => {
    if (element.local !== 'sym') return;
    const letter = letterOf(element);
    if (letter === null) return;
    element.name = element.name.replace(/sym$/, 't');
    element.local = 't';
    element.attributes = [];
    element.children = [{ text: letter }];
  });
}

function letterOf({ attributes }: XmlElement): string | null {
  const read = (name: string): string =>
    attributes.find(({ local }) => local === name)?.value ?? '';
  const font = read('font');
  const hex = read('char');
  if (pictorialFont.test(font) || !/^[0-9a-f]{1,4}$/i.test(hex)) return null;
  const point = Number.parseInt(hex, 16);
  // Fonts with a custom encoding have their codes in the private use area.
  const code = point >= 0xf000 && point <= 0xf0ff ? point - 0xf000 : point;
  if (symbolFont.test(font) && (code < 0x20 || code > 0x40)) return null;
  const isLetter = code > 0x20 && code !== 0x7f && !(code >= 0xd800 && code <= 0xf8ff);
  return isLetter ? String.fromCharCode(code) : null;
}
