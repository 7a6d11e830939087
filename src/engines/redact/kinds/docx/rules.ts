import { childOf, type Element, walk } from '../../../files/xml.ts';
import type { Rule } from '../package/clean.ts';

/**
 * Elements that go with what is in them: deleted and moved text, records of changes, comments, objects,
 * controls and code, bindings to data, permissions, embedded fonts.
 */
const dropped = new Set(
  `del moveFrom moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd delText
   delInstrText cellIns cellDel cellMerge numberingChange commentRangeStart commentRangeEnd
   commentReference annotationRef proofErr permStart permEnd object control OLEObject altChunk subDoc
   contentPart dataBinding placeholder smartTagPr customXmlPr binData movie entryMacro exitMacro
   embedRegular embedBold embedItalic embedBoldItalic rsids rsid ink recipientData externalData
   userShapes printSettings pivotSource attachedTemplate docVars mailMerge ole
   hlinkMouseOver snd audioFile videoFile quickTimeFile wavAudioFile`.split(/\s+/),
);

/** Elements that only say something about what is in them. */
const unwrapped = new Set(['ins', 'moveTo', 'smartTag', 'customXml', 'dir', 'bdo']);

/** References without which an element shows nothing. */
const needed: Readonly<Record<string, string>> = {
  headerReference: 'id',
  footerReference: 'id',
  hlinkClick: 'id',
};

/** Drawings of kinds that are not read: diagrams, ink, charts of newer kinds, locked canvases. */
const drawn = /\/(picture|chart|wordprocessingShape|wordprocessingGroup|wordprocessingCanvas)$/;

/** What becomes of the elements of a document's part. */
export function docxRule(references: ReadonlyMap<string, string>): Rule {
  const isKept = (element: Element, name: string): boolean =>
    element.attributes.some(({ local, value }) => local === name && references.has(value));
  return (element) => {
    const { local } = element;
    if (
      dropped.has(local) ||
      /^customXml(Ins|Del|Move)|PrChange$|GridChange$|PrExChange$/.test(local)
    ) {
      return 'drop';
    }
    if (local === 'tr' && marked(element, 'trPr', 'del')) return 'drop';
    if (local === 'tc' && marked(element, 'tcPr', 'cellDel')) return 'drop';
    const reference = needed[local];
    if (reference !== undefined && !isKept(element, reference)) return 'drop';
    if (local === 'drawing' && !isReadable(element, isKept)) return 'drop';
    return unwrapped.has(local) ? 'unwrap' : 'keep';
  };
}

const marked = (element: Element, properties: string, mark: string): boolean => {
  const found = childOf(element, properties);
  return found !== undefined && childOf(found, mark) !== undefined;
};

function isReadable(
  drawing: Element,
  isKept: (element: Element, name: string) => boolean,
): boolean {
  let readable = true;
  walk(drawing, (element) => {
    if (element.local === 'graphicData') {
      const uri = element.attributes.find(({ local }) => local === 'uri')?.value ?? '';
      if (!drawn.test(uri)) readable = false;
    }
    if (element.local === 'chart' && !isKept(element, 'id')) readable = false;
  });
  return readable;
}
