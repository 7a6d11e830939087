import {
  attribute,
  attributeValue,
  childOf,
  elementsOf,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import { addText, type HiddenStreams } from '../package/clean.ts';
import { literalsOf } from '../spreadsheet/formulas.ts';
import type { Piece } from '../stream.ts';

/** A defined name, with the pieces of its name and its formula. */
export interface DefinedName {
  name: string;
  pieces: Piece[];
  element: XmlElement;
}

/**
 * Reads the defined names of a workbook. Removing text from a name or its formula removes the whole
 * name.
 */
export function readDefinedNames(
  workbook: XmlElement,
  { hidden, names }: HiddenStreams,
): DefinedName[] {
  const list = childOf(workbook, 'definedNames');
  if (!list) return [];
  return elementsOf(list).map((element) => {
    const name = attributeValue(element, 'name') ?? '';
    const text = xmlText(element);
    const searchableName = name.startsWith('_xlnm.') ? '' : name.replace(/[_.\\]/g, ' ');
    const pieces = [addText(hidden, searchableName, ''), addText(names, `${name}\n${text}`, '')];
    const literals = literalsOf(text);
    if (literals !== '') pieces.push(addText(hidden, literals, ''));
    const nameAttribute = attribute(element, 'name');
    if (nameAttribute) nameAttribute.piece = addText(names, name);
    for (const child of element.children)
      if ('text' in child) child.piece = addText(names, child.text);
    return { name, pieces, element };
  });
}

/** Reads the formulas of conditional formats and validations, and quoted text in number formats. */
export function readValidationRules(root: XmlElement, { hidden, names }: HiddenStreams): void {
  const visit = (element: XmlElement): void => {
    const { local } = element;
    const whole = /^formula[12]$/.test(local) ? '""' : local === 'formula' ? 'FALSE' : null;
    if (whole !== null) {
      for (const child of element.children) {
        if (!('text' in child)) continue;
        const literals = literalsOf(child.text);
        child.piece =
          literals === '' ? addText(names, child.text, whole) : addText(hidden, child.text, whole);
      }
    }
    const code = local === 'numFmt' ? attribute(element, 'formatCode') : undefined;
    if (code) {
      const hasWords = /"[^"]*\p{L}{3}[^"]*"/u.test(code.value);
      code.piece = addText(hasWords ? hidden : names, code.value, 'General');
    }
    for (const child of elementsOf(element)) visit(child);
  };
  visit(root);
}

/**
 * Reads the headers and footers of printed pages, without their codes (`&L`, `&12`,
 * `&"Arial,Bold"`).
 */
export function readHeadersAndFooters(root: XmlElement, { hidden, names }: HiddenStreams): void {
  const list = childOf(root, 'headerFooter');
  if (!list) return;
  for (const element of elementsOf(list)) {
    const parts = xmlText(element).split(
      /(&(?:"[^"]*"|\d{1,3}|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|[A-Za-z&]))/,
    );
    element.children = parts
      .filter((part) => part !== '')
      .map((text) => ({
        text,
        piece: addText(text.startsWith('&') && text.length < 5 ? names : hidden, text),
      }));
  }
}
