import { contentOperations } from '../content.ts';
import type { ParsedFile } from '../parse.ts';
import { type Dictionary, isDictionary, PdfName, PdfText, type PdfValue } from '../syntax.ts';
import { type FontReading, readingsOf } from './font-readings.ts';

/** The text of a content stream. */
interface ShownText {
  /** The shown text, once for each reading of its fonts and once byte for byte. */
  readings: string[];
  /** Strings, names and comments that no operator shows. */
  hidden: string[];
  /** Whether marked content specifies its text (ActualText, Alt, E) or language. */
  hasReplacementText: boolean;
  pictures: { dictionary: Dictionary; bytes: Uint8Array }[];
}

const showOperators = new Set(['Tj', 'TJ', "'", '"']);
const moveOperators = new Set(['Td', 'TD', 'Tm', 'T*', "'", '"', 'BT']);
/**
 * Threshold for adjustments within a string, in thousandths of the font size. An adjustment at or
 * below it reads as a space.
 */
const spaceGap = -120;
const maxReadings = 3;

/**
 * Reads the text of a content stream whose fonts are in `resources`.
 * @throws ParseFault if the stream or a font is malformed
 */
export function readShownText(
  file: ParsedFile,
  bytes: Uint8Array,
  resources: Dictionary | undefined,
): ShownText {
  const readingParts: string[][] = [[], ...Array.from({ length: maxReadings }, (): string[] => [])];
  const result: ShownText = { readings: [], hidden: [], hasReplacementText: false, pictures: [] };
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
  const append = (text: string): void => {
    for (const way of readingParts) way.push(text);
  };
  const appendShown = (string: Uint8Array): void => {
    const latin1 = Buffer.from(string).toString('latin1');
    readingParts[0]?.push(latin1.replaceAll('\0', ''));
    for (let index = 0; index < maxReadings; index += 1) {
      const reading = font[index] ?? font.at(-1);
      readingParts[index + 1]?.push(reading ? reading(string) : latin1);
    }
  };
  const addHidden = (value: PdfValue): void => {
    if (value instanceof PdfText) result.hidden.push(Buffer.from(value.bytes).toString('latin1'));
    else if (value instanceof PdfName) result.hidden.push(value.text);
    else if (Array.isArray(value)) value.forEach(addHidden);
    else if (isDictionary(value)) {
      for (const [key, entry] of value) {
        result.hidden.push(key);
        addHidden(entry);
        if (['ActualText', 'Alt', 'E', 'Lang'].includes(key)) result.hasReplacementText = true;
      }
    }
  };

  for (const { operator, operands, picture } of contentOperations(bytes, (comment) =>
    result.hidden.push(Buffer.from(comment).toString('latin1')),
  )) {
    if (picture) {
      result.pictures.push(picture);
      addHidden(picture.dictionary);
    }
    if (operator === 'q') saved.push(font);
    else if (operator === 'Q') font = saved.pop() ?? font;
    else if (operator === 'Tf' && operands[0] instanceof PdfName)
      font = fontNamed(operands[0].text);
    if (moveOperators.has(operator)) {
      const offset = operator === 'Td' || operator === 'TD' ? operands[1] : 1;
      append(offset === 0 ? ' ' : '\n');
    }
    if (!showOperators.has(operator)) {
      operands.forEach(addHidden);
      continue;
    }
    for (const operand of operands.flat()) {
      if (operand instanceof PdfText) appendShown(operand.bytes);
      else if (operator === 'TJ' && typeof operand === 'number' && operand <= spaceGap) append(' ');
    }
  }
  result.readings = [...new Set(readingParts.map((way) => way.join('')))];
  return result;
}
