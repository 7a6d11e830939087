import { contentOperations } from '../content.ts';
import type { ParsedFile } from '../parse.ts';
import { type Dictionary, isDictionary, PdfName, PdfText, type PdfValue } from '../syntax.ts';
import { type FontReading, readingsOf } from './fonts.ts';

/** The text of a content stream. */
interface ShownText {
  /** The shown text, once for each reading of its fonts and once byte for byte. */
  readings: string[];
  /** Strings, names and comments that no operator shows. */
  hidden: string[];
  /** Whether marked content specifies its text (ActualText, Alt, E) or language. */
  speaks: boolean;
  pictures: { dictionary: Dictionary; bytes: Uint8Array }[];
}

const showing = new Set(['Tj', 'TJ', "'", '"']);
const moving = new Set(['Td', 'TD', 'Tm', 'T*', "'", '"', 'BT']);
/**
 * Threshold for adjustments within a string, in thousandths of the font size. An adjustment at or
 * below it reads as a space.
 */
const spaceGap = -120;
const maxWays = 3;

/**
 * Reads the text of a content stream whose fonts are in `resources`.
 * @throws ParseFault if the stream or a font is malformed
 */
export function readShownText(
  file: ParsedFile,
  bytes: Uint8Array,
  resources: Dictionary | undefined,
): ShownText {
  const ways: string[][] = [[], ...Array.from({ length: maxWays }, (): string[] => [])];
  const found: ShownText = { readings: [], hidden: [], speaks: false, pictures: [] };
  const fonts = new Map<string, FontReading[]>();
  const saved: FontReading[][] = [];
  let font: FontReading[] = [];

  const fontNamed = (name: string): FontReading[] => {
    let readings = fonts.get(name);
    if (!readings) {
      const all = file.resolve(resources?.get('Font'));
      const dictionary = isDictionary(all) ? file.resolve(all.get(name)) : null;
      readings = isDictionary(dictionary) ? readingsOf(file, dictionary) : [];
      fonts.set(name, readings);
    }
    return readings;
  };
  const put = (text: string): void => {
    for (const way of ways) way.push(text);
  };
  const show = (string: Uint8Array): void => {
    const plain = Buffer.from(string).toString('latin1');
    ways[0]?.push(plain.replaceAll('\0', ''));
    for (let way = 0; way < maxWays; way += 1) {
      const reading = font[way] ?? font.at(-1);
      ways[way + 1]?.push(reading ? reading(string) : plain);
    }
  };
  const hide = (value: PdfValue): void => {
    if (value instanceof PdfText) found.hidden.push(Buffer.from(value.bytes).toString('latin1'));
    else if (value instanceof PdfName) found.hidden.push(value.text);
    else if (Array.isArray(value)) value.forEach(hide);
    else if (isDictionary(value)) {
      for (const [key, entry] of value) {
        found.hidden.push(key);
        hide(entry);
        if (['ActualText', 'Alt', 'E', 'Lang'].includes(key)) found.speaks = true;
      }
    }
  };

  for (const { operator, operands, picture } of contentOperations(bytes, (comment) =>
    found.hidden.push(Buffer.from(comment).toString('latin1')),
  )) {
    if (picture) {
      found.pictures.push(picture);
      hide(picture.dictionary);
    }
    if (operator === 'q') saved.push(font);
    else if (operator === 'Q') font = saved.pop() ?? font;
    else if (operator === 'Tf' && operands[0] instanceof PdfName)
      font = fontNamed(operands[0].text);
    if (moving.has(operator)) {
      const down = operator === 'Td' || operator === 'TD' ? operands[1] : 1;
      put(down === 0 ? ' ' : '\n');
    }
    if (!showing.has(operator)) {
      operands.forEach(hide);
      continue;
    }
    for (const operand of operands.flat()) {
      if (operand instanceof PdfText) show(operand.bytes);
      else if (operator === 'TJ' && typeof operand === 'number' && operand <= spaceGap) put(' ');
    }
  }
  found.readings = [...new Set(ways.map((way) => way.join('')))];
  return found;
}
