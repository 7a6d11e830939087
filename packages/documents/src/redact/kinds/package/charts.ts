import { isXmlElement, transform, walk, type XmlElement } from '../../../files/xml.ts';
import { addText, type HiddenStreams } from './clean.ts';
import { decodeEscapes } from './escapes.ts';

/**
 * Reads the cached data of a chart: categories, values and their formulas. A removed number becomes
 * 0, and a removed formula becomes `#REF!`.
 */
export function readChart(root: XmlElement, { hidden }: HiddenStreams): void {
  transform(root, (element) =>
    ['externalData', 'userShapes', 'printSettings', 'pivotSource'].includes(element.local)
      ? []
      : [element],
  );
  const read = (element: XmlElement, whole: string | null): void => {
    for (const child of element.children) {
      if (!isXmlElement(child) && !child.piece)
        child.piece = addText(hidden, decodeEscapes(child.text), whole);
    }
  };
  walk(root, (element) => {
    if (element.local === 'f') read(element, '#REF!');
    if (element.local === 'numCache' || element.local === 'numLit') {
      walk(element, (inner) => {
        if (inner.local === 'v') read(inner, '0');
      });
    }
  });
}
