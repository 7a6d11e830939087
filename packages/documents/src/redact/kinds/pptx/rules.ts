import { attributeValue, walk, type XmlElement } from '../../../files/xml.ts';
import { type CleanRule, refersToKept } from '../package/clean.ts';

/**
 * Elements that are dropped with their content: animations and transitions, sounds and films,
 * objects and controls, tags and other data of programs.
 */
const droppedElements = new Set(
  `timing transition custDataLst custData tags controls control oleObj contentPart wavAudioFile
   audioFile audioCd videoFile quickTimeFile snd sndAc hlinkHover hlinkMouseOver externalData
   userShapes printSettings pivotSource modifyVerifier embeddedFontLst hf bldLst sampData styleData
   clrData`.split(/\s+/),
);

/** Elements that are meaningless without their reference. */
const referencingElements = new Set(
  'sldMasterId sldLayoutId notesMasterId sldId hlinkClick'.split(' '),
);

/** The only graphics that are read. Objects, newer charts and media are not read. */
const readableGraphic = /\/(table|chart|diagram)$/;

/** The parts of a diagram, without which it cannot be drawn. */
const diagramReferences = ['dm', 'lo', 'qs', 'cs'];

/** Returns the rule for the elements of a presentation part. */
export function pptxRule(references: ReadonlyMap<string, string>): CleanRule {
  const isKept = (element: XmlElement, name = 'id'): boolean =>
    refersToKept(element, name, references);
  return (element) => {
    const { local } = element;
    if (droppedElements.has(local)) return 'drop';
    if (referencingElements.has(local) && !isKept(element)) return 'drop';
    if (local === 'hlinkClick' && !isPlainLink(element)) return 'drop';
    if (local === 'graphicFrame' && !isReadable(element, isKept)) return 'drop';
    return 'keep';
  };
}

/** Whether a link opens an address or a slide, and does not run a program, macro or object. */
const isPlainLink = (link: XmlElement): boolean =>
  /^(ppaction:\/\/hlinksldjump)?$/.test(attributeValue(link, 'action') ?? '');

function isReadable(
  frame: XmlElement,
  isKept: (element: XmlElement, name?: string) => boolean,
): boolean {
  let readable = true;
  walk(frame, (element) => {
    if (element.local === 'graphicData') {
      if (!readableGraphic.test(attributeValue(element, 'uri') ?? '')) readable = false;
    }
    if (element.local === 'chart' && !isKept(element)) readable = false;
    if (element.local === 'relIds') {
      if (!diagramReferences.every((name) => isKept(element, name))) readable = false;
    }
  });
  return readable;
}
