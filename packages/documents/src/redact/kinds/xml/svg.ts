import { EngineError } from '@scriptorium/sandbox/errors';
import { isActiveLink } from '../../../files/links.ts';
import { readXmlFile } from '../../../files/read-xml-file.ts';
import {
  attributeValue,
  isXmlElement,
  newElement,
  transform,
  walk,
  type XmlElement,
  xmlnsUri,
} from '../../../files/xml.ts';
import type { RedactableKind } from '../kind.ts';
import { isLayout } from '../package/clean.ts';
import { redactedTarget } from '../plain/links.ts';
import type { FileReading } from '../stream.ts';
import { type MarkupRules, readMarkup } from './markup.ts';
import { disallowedMarkupIn, textsOfXml } from './read.ts';

const svgUri = 'http://www.w3.org/2000/svg';
const nameSet = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** The elements that are kept. Code, styles, animations, metadata and foreign content are dropped. */
const keptElements =
  nameSet(`svg g defs symbol use switch a text tspan textPath title desc path rect
  circle ellipse line polyline polygon marker clipPath linearGradient radialGradient stop`);

/** Elements that are reported if they are dropped, because they show content. */
const reportedElements = nameSet(
  'foreignObject pattern mask feImage tref altGlyph glyph video iframe',
);

/** Shapes without a limit on their form, which may draw letters or bars. */
const freeShapes = nameSet('path polyline polygon');
/** Maximum number of coordinates of such a shape: an arrow or a frame, but hardly a letter. */
const maxCoordinates = 16;
/** Maximum number of shapes. More of them may draw letters or a barcode together. */
const maxShapes = 400;
const shapes = nameSet('path rect circle ellipse line polyline polygon use');

const keptAttributes =
  nameSet(`id class x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points transform
  width height viewBox preserveAspectRatio version fill fill-opacity fill-rule stroke stroke-width
  stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin stroke-miterlimit opacity color
  font-family font-size font-style font-weight text-anchor dominant-baseline alignment-baseline
  letter-spacing word-spacing text-decoration rotate textLength lengthAdjust startOffset method
  gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity clip-path clip-rule
  clipPathUnits marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY
  orient role aria-label aria-roledescription title lang display visibility direction`);

/** Attributes with numbers and commands only. */
const geometry = /^[\s\d.,eE+()%-]*$|^(?:[a-zA-Z]{1,12}\s*\(?[\s\d.,eE+%-]*\)?\s*)+$/;
const geometricAttributes =
  nameSet(`d points transform gradientTransform viewBox x y x1 y1 x2 y2 cx cy
  r rx ry fx fy dx dy width height stroke-dasharray rotate refX refY`);

/** The kinds of content that was removed unread. */
interface Dropped {
  kinds: Set<string>;
  pictures: number;
}

/** Removes content that is never kept. A picture becomes a grey rectangle. */
function cleanSvg(root: XmlElement): Dropped {
  const dropped: Dropped = { kinds: new Set(), pictures: 0 };
  let shapeCount = 0;
  walk(root, ({ local }) => {
    if (shapes.has(local)) shapeCount += 1;
  });
  const hasTooManyShapes = shapeCount > maxShapes;
  transform(root, (element) => {
    const { local, uri } = element;
    if (uri !== svgUri) return [];
    if (local === 'image') {
      dropped.pictures += 1;
      return [placeholderOf(element)];
    }
    if (!keptElements.has(local)) {
      if (reportedElements.has(local)) dropped.kinds.add(local);
      return [];
    }
    if (!isPlainShape(element) || (hasTooManyShapes && shapes.has(local))) {
      dropped.kinds.add(local);
      return [];
    }
    return [element];
  });
  walk(root, cleanAttributes);
  return dropped;
}

function isPlainShape(element: XmlElement): boolean {
  if (!freeShapes.has(element.local)) return true;
  const form = attributeValue(element, 'd') ?? attributeValue(element, 'points') ?? '';
  const moves = form.match(/[Mm]/g)?.length ?? 0;
  return (form.match(/-?\d*\.?\d+(?:e[+-]?\d+)?/gi)?.length ?? 0) <= maxCoordinates && moves <= 1;
}

function placeholderOf(element: XmlElement): XmlElement {
  const names = ['x', 'y', 'width', 'height', 'transform'];
  const kept = names.flatMap((name) => {
    const value = attributeValue(element, name);
    return value !== undefined && geometry.test(value) ? [[name, value]] : [];
  });
  const prefix = element.name.slice(0, element.name.length - element.local.length);
  const placeholder = newElement(`${prefix}rect`, { ...Object.fromEntries(kept), fill: '#808080' });
  return { ...placeholder, uri: svgUri };
}

function cleanAttributes(element: XmlElement): void {
  element.attributes = element.attributes.filter((attribute) => {
    const { name, local, uri, value } = attribute;
    if (uri === xmlnsUri || name === 'xmlns') {
      return value === svgUri || value === 'http://www.w3.org/1999/xlink';
    }
    if (local === 'href') {
      if (value.startsWith('#')) return true;
      if (element.local !== 'a') return false;
      if (isActiveLink(value)) attribute.value = redactedTarget;
      return true;
    }
    if (uri === 'http://www.w3.org/XML/1998/namespace') return local !== 'base';
    if (uri !== '' || !keptAttributes.has(local)) return false;
    return !/url\((?!\s*['"]?#)/i.test(value) && !/^\s*(?:data|javascript):/i.test(value);
  });
}

const rules: MarkupRules = {
  hasMeaningfulNames: false,
  isInline: ({ local, attributes }) =>
    local === 'a' ||
    local === 'textPath' ||
    // A part of a line that begins at a new position is a new line.
    (local === 'tspan' &&
      !attributes.some(
        ({ local: name, value }) => /^(?:y|dy)$/.test(name) && !/^-?0\w*$/.test(value),
      )),
  isMachine: (_element, name, value) =>
    isLayout(value) || (geometricAttributes.has(name) && geometry.test(value)),
};

/**
 * Reads an SVG drawing: its texts, titles, descriptions and labels. Scripts, styles, animations,
 * filters, metadata and content of other kinds are dropped, and so are shapes that may draw letters,
 * because they are not recognised here.
 * @throws EngineError if the file is damaged or has a document type definition
 */
function readSvgStreams(bytes: Uint8Array): FileReading {
  const root = readXmlFile(bytes);
  if (root.local !== 'svg' || root.uri !== svgUri) {
    throw new EngineError('unsupported', 'The file is not an SVG drawing.');
  }
  const { kinds, pictures } = cleanSvg(root);
  const { streams, write } = readMarkup(root, rules);
  return {
    pages: 1,
    pictures,
    dropped: [...kinds].sort(),
    streams,
    write() {
      hideLengths(root);
      return write();
    },
  };
}

/** Removes what reveals the length of removed text: positions of single letters, and empty parts. */
function hideLengths(root: XmlElement): void {
  const isRemoved = (node: XmlElement['children'][number]): boolean =>
    !isXmlElement(node) && node.piece?.redacted === '';
  transform(root, (element) => {
    const isEmptied = element.children.length > 0 && element.children.every(isRemoved);
    return element.local === 'tspan' && isEmptied ? [] : [element];
  });
  walk(root, (element) => {
    if (!element.children.some((node) => !isXmlElement(node) && node.piece?.redacted)) return;
    element.attributes = element.attributes.filter(({ local }) => local !== 'textLength');
    for (const attribute of element.attributes) {
      if (!/^(?:x|y|dx|dy|rotate)$/.test(attribute.name)) continue;
      attribute.value = attribute.value.trim().split(/[\s,]+/, 1)[0] ?? '';
    }
  });
}

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction keeps, so that a mistake in one of them is detected.
 */
const disallowedElements =
  /^(?:script|style|image|feImage|foreignObject|iframe|metadata|animate\w*|set|audio|video|handler|listener|font|glyph|filter|mask|pattern)$/i;

function disallowedInSvg(bytes: Uint8Array): string[] {
  const found = new Set(disallowedMarkupIn(bytes));
  walk(readXmlFile(bytes), ({ local, attributes, children }) => {
    if (disallowedElements.test(local)) found.add(`the element ${local}`);
    if (/^(?:path|polygon|polyline)$/.test(local) && children.some(isXmlElement)) {
      found.add('a shape with content');
    }
    for (const { name, value } of attributes) {
      if (/^on|^style$/i.test(name)) found.add('code or styles in an attribute');
      if (/^\s*(?:javascript|vbscript|data|file):|url\(\s*['"]?(?!#)/i.test(value)) {
        found.add('embedded data or code');
      }
    }
  });
  return [...found];
}

export const svgKind: RedactableKind = {
  read: readSvgStreams,
  textsOf: textsOfXml,
  disallowedIn: disallowedInSvg,
};
