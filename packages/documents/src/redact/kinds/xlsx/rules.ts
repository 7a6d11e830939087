import { elementsOf, walk, type XmlElement } from '../../../files/xml.ts';
import { type CleanRule, refersToKept } from '../package/clean.ts';

/** Elements that are dropped with their content, regardless of their position. */
const droppedElements = new Set(
  `rPh phoneticPr filterColumn sortState externalData userShapes printSettings pivotSource
   contentPart oleObj control legacyDrawing calculatedColumnFormula totalsRowFormula pivotSelection
   hlinkMouseOver snd xmlColumnPr customSheetViews oleSize textlink`.split(/\s+/),
);

const anchors = new Set(['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor']);
/** Elements that are meaningless without their reference. */
const referencingElements = new Set(['sheet', 'drawing', 'tablePart', 'hlinkClick']);

/** Returns the rule for the elements of a workbook part. */
export function xlsxRule(references: ReadonlyMap<string, string>): CleanRule {
  const isKept = (element: XmlElement): boolean => refersToKept(element, 'id', references);
  return (element) => {
    const { local } = element;
    if (droppedElements.has(local)) return 'drop';
    if (referencingElements.has(local) && !isKept(element)) return 'drop';
    if (anchors.has(local) && !isReadable(element, isKept)) return 'drop';
    return 'keep';
  };
}

/** Whether a drawing can be read: only pictures, shapes and charts can. */
function isReadable(anchor: XmlElement, isKept: (element: XmlElement) => boolean): boolean {
  let readable = elementsOf(anchor).length > 0;
  walk(anchor, (element) => {
    if (element.local === 'graphicData') {
      const uri = element.attributes.find(({ local }) => local === 'uri')?.value ?? '';
      if (!/\/chart$/.test(uri)) readable = false;
    }
    if (element.local === 'chart' && !isKept(element)) readable = false;
  });
  return readable;
}
