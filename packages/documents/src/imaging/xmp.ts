/** Reads the XMP fields of a picture (ISO 16684-1) that the library displays. */
import { EngineError } from '@scriptorium/sandbox/errors';
import { elementsOf, parseXml, type XmlElement, xmlText } from '../files/xml.ts';

const namespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
} as const;
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** Maximum size of XMP, in bytes. Real XMP is smaller. */
const maxBytes = 2 ** 20;

/**
 * Returns the value of a property: the items of a list, separated by semicolons, or the default
 * language of alternatives.
 */
export type Xmp = (prefix: keyof typeof namespaces, name: string) => string | null;

/** Opens XMP; null if it is not well-formed, as some programs write it. */
export function openXmp(bytes: Buffer): Xmp | null {
  const descriptions = bytes.length > maxBytes ? [] : descriptionsIn(bytes);
  if (descriptions.length === 0) return null;
  return (prefix, name) => {
    const uri = namespaces[prefix];
    for (const description of descriptions) {
      const attribute = description.attributes.find((one) => one.uri === uri && one.local === name);
      const element = elementsOf(description).find((one) => one.uri === uri && one.local === name);
      const value = (element ? textOf(element) : (attribute?.value ?? '')).trim();
      if (value !== '') return value;
    }
    return null;
  };
}

function descriptionsIn(bytes: Buffer): XmlElement[] {
  try {
    // Writers leave padding after the packet, and some end it with zeros.
    const end = bytes.indexOf(0, 4);
    const isUtf16 = bytes[0] === 0xfe || bytes[0] === 0xff || bytes[1] === 0;
    const root = parseXml(isUtf16 || end < 0 ? bytes : bytes.subarray(0, end));
    const descriptions: XmlElement[] = [];
    const visit = (element: XmlElement, depth: number): void => {
      if (element.uri === rdf && element.local === 'Description') descriptions.push(element);
      else if (depth < 3) for (const child of elementsOf(element)) visit(child, depth + 1);
    };
    visit(root, 0);
    return descriptions;
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}

function textOf(property: XmlElement): string {
  const list = elementsOf(property).find(({ uri }) => uri === rdf);
  if (!list) return xmlText(property);
  const items = elementsOf(list);
  if (list.local !== 'Alt') return items.map(xmlText).join('; ');
  const item =
    items.find(({ attributes }) =>
      attributes.some(({ name, value }) => name === 'xml:lang' && value === 'x-default'),
    ) ?? items[0];
  return item ? xmlText(item) : '';
}
