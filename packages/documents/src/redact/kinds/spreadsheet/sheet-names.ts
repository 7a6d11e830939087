import { attribute, attributeValue, type XmlElement } from '../../../files/xml.ts';
import { addText, type HiddenStreams } from '../package/clean.ts';

/**
 * Reads the names of sheets, and returns the names in the source. A removed name becomes `Redacted
 * 3`, because sheet names must not contain brackets.
 */
export function readSheetNames(sheets: readonly XmlElement[], { hidden }: HiddenStreams): string[] {
  const usedNames = new Set(
    sheets.map((sheet) => (attributeValue(sheet, 'name') ?? '').toLowerCase()),
  );
  return sheets.map((sheet, index) => {
    const name = attribute(sheet, 'name');
    let whole = `Redacted ${index + 1}`;
    while (usedNames.has(whole.toLowerCase())) whole += ' ';
    if (name)
      name.piece = addText(
        hidden,
        name.value,
        whole.replace(/ +$/, (blanks) => '+'.repeat(blanks.length)),
      );
    return name?.value ?? '';
  });
}
