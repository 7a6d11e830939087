import { childOf, walk, type XmlElement } from '../../../files/xml.ts';
import { type CleanRule, refersToKept } from '../package/clean.ts';

/**
 * Elements that are dropped with their content: deleted and moved text, change records, comments,
 * objects, controls and code, data bindings, permissions, embedded fonts.
 */
const droppedElements = new Set(
  `del moveFrom moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd delText
   delInstrText cellIns cellDel cellMerge numberingChange commentRangeStart commentRangeEnd
   commentReference annotationRef proofErr permStart permEnd object control OLEObject altChunk subDoc
   contentPart dataBinding placeholder smartTagPr customXmlPr binData movie entryMacro exitMacro
   embedRegular embedBold embedItalic embedBoldItalic rsids rsid ink recipientData externalData
   userShapes printSettings pivotSource attachedTemplate docVars mailMerge ole
   hlinkMouseOver snd audioFile videoFile quickTimeFile wavAudioFile`.split(/\s+/),
);

/** Elements that only annotate their content. Their content is kept. */
const unwrappedElements = new Set(['ins', 'moveTo', 'smartTag', 'customXml', 'dir', 'bdo']);

/** References without which an element shows nothing. */
const requiredReferences: Readonly<Record<string, string>> = {
  headerReference: 'id',
  footerReference: 'id',
  hlinkClick: 'id',
};

/**
 * The only drawings that are read. Diagrams, ink, newer charts and locked canvases are not read.
 */
const readableDrawing =
  /\/(picture|chart|wordprocessingShape|wordprocessingGroup|wordprocessingCanvas)$/;

/** Returns the rule for the elements of a document part. */
export function docxRule(references: ReadonlyMap<string, string>): CleanRule {
  const isKept = (element: XmlElement, name: string): boolean =>
    refersToKept(element, name, references);
  return (element) => {
    const { local } = element;
    if (
      droppedElements.has(local) ||
      /^customXml(Ins|Del|Move)|PrChange$|GridChange$|PrExChange$/.test(local)
    ) {
      return 'drop';
    }
    if (local === 'tr' && isMarked(element, 'trPr', 'del')) return 'drop';
    if (local === 'tc' && isMarked(element, 'tcPr', 'cellDel')) return 'drop';
    const reference = requiredReferences[local];
    if (reference !== undefined && !isKept(element, reference)) return 'drop';
    if (local === 'drawing' && !isReadable(element, isKept)) return 'drop';
    return unwrappedElements.has(local) ? 'unwrap' : 'keep';
  };
}

const isMarked = (element: XmlElement, properties: string, mark: string): boolean => {
  const found = childOf(element, properties);
  return found !== undefined && childOf(found, mark) !== undefined;
};

function isReadable(
  drawing: XmlElement,
  isKept: (element: XmlElement, name: string) => boolean,
): boolean {
  let readable = true;
  walk(drawing, (element) => {
    if (element.local === 'graphicData') {
      const uri = element.attributes.find(({ local }) => local === 'uri')?.value ?? '';
      if (!readableDrawing.test(uri)) readable = false;
    }
    if (element.local === 'chart' && !isKept(element, 'id')) readable = false;
  });
  return readable;
}
