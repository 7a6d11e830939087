import { readPackage } from '../../../files/opc.ts';
import { isXmlElement, parseXml, walk, type XmlElement, xmlnsUri } from '../../../files/xml.ts';
import { readZip, writeZip } from '../../../files/zip.ts';
import { embeddedExtensions, embeddedTypeOf, pictureName } from '../embedded/files.ts';
import { type IsProven, noneProven, type Texts, textSeparator } from '../kind.ts';
import { isLayout } from './clean.ts';
import type { PartRule } from './copy-parts.ts';
import { isPlaceholder } from './grey-pixel.ts';
import { isKnownNamespace } from './namespaces.ts';

/**
 * Returns all text of a package in decoded form. For each part, this is its text with and without
 * separators between elements, and its attributes except for numbers and layout keywords.
 * @param readingsOf the texts for which the value of an attribute may stand
 */
export function textsOfPackage(
  bytes: Uint8Array,
  readingsOf: (value: string) => string[] = (value) => [value],
): Texts {
  const texts: Texts = { shown: [], hidden: [] };
  for (const [name, part] of readZip(bytes)) {
    texts.hidden.push(name);
    // Other pictures than those that were proved are not allowed.
    if (isPlaceholder(part) || pictureName.test(name)) continue;
    if (name === 'mimetype') {
      texts.hidden.push(Buffer.from(part).toString('latin1'));
      continue;
    }
    const text: string[] = [];
    const attributes: string[] = [];
    walk(parseXml(part), (element) => {
      for (const { value, name: attributeName, uri } of element.attributes) {
        if (uri === xmlnsUri) attributes.push(attributeName);
        else if (!isLayout(value)) attributes.push(...readingsOf(value));
      }
      for (const child of element.children) if (!isXmlElement(child)) text.push(child.text);
    });
    texts.shown.push(text.join(''), text.join('\n'));
    texts.hidden.push(attributes.join(textSeparator));
  }
  return texts;
}

/** Returns a pattern for the possible names of a part. `#` in a rule matches a number. */
const patternOf = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll('.', '\\.').replace('#', '\\d+')}$`);

/**
 * Returns descriptions of the disallowed content of a package: parts, content types, elements and
 * attributes of unknown namespaces, and bytes outside all parts.
 */
export function disallowedInPackage(
  bytes: Uint8Array,
  rules: Readonly<Record<string, PartRule>>,
  disallowedElements: ReadonlySet<string>,
  isProven: IsProven = noneProven,
): string[] {
  const disallowed = new Set<string>();
  const { parts, contentTypeOf } = readPackage(bytes);
  if (!Buffer.from(writeZip(parts)).equals(bytes)) disallowed.add('bytes outside all parts');
  const allowed = Object.values(rules).map((rule) => ({ ...rule, pattern: patternOf(rule.name) }));
  for (const [name, part] of parts) {
    if (name === '[Content_Types].xml' || /(^|\/)_rels\/[\w.]*\.rels$/.test(name)) continue;
    if (/^(word|xl|ppt)\/media\/(image1\.png|picture\d+\.\w+)$/.test(name)) {
      if (!isAllowedPicture(name, part, isProven)) disallowed.add('a picture');
      continue;
    }
    const rule = allowed.find(({ pattern }) => pattern.test(name));
    if (!rule || rule.contentType.toLowerCase() !== contentTypeOf(name)) {
      disallowed.add('a part of an unexpected type');
      continue;
    }
    walk(parseXml(part), ({ uri, local, attributes }) => {
      if (!isKnownNamespace(uri)) disallowed.add('an element of another namespace');
      if (disallowedElements.has(local)) disallowed.add(`the element ${local}`);
      for (const attribute of attributes) {
        const namespace = attribute.uri === xmlnsUri ? attribute.value : attribute.uri;
        if (namespace !== '' && !isKnownNamespace(namespace)) {
          disallowed.add('an attribute of another namespace');
        }
        if (/^rsid/.test(attribute.local) || attribute.local === 'author') {
          disallowed.add('an authorship record');
        }
      }
    });
  }
  return [...disallowed];
}

/** Whether a picture of an output is the placeholder, or was proved under the name of its type. */
function isAllowedPicture(name: string, part: Uint8Array, isProven: IsProven): boolean {
  if (!pictureName.test(name)) return isPlaceholder(part);
  const type = embeddedTypeOf(part);
  const isNamedByType =
    type !== null && type !== 'image/tiff' && name.endsWith(`.${embeddedExtensions[type]}`);
  return isNamedByType && isProven(part);
}

/** A package whose parts have fixed names: EPUB and OpenDocument, but not Office Open XML. */
export interface NamedParts {
  /** The content of its first part, `mimetype`. */
  mime: string;
  /** The name of the placeholder of pictures. */
  picture: string;
  /** The other parts that an output may contain, by name, with their root elements. */
  roots: readonly (readonly [name: RegExp, root: string])[];
}

/**
 * Returns descriptions of the disallowed content of a package with named parts: parts, bytes outside
 * all parts, and what `addDisallowed` finds in an element.
 */
export function disallowedInNamedParts(
  bytes: Uint8Array,
  { mime, picture, roots }: NamedParts,
  addDisallowed: (element: XmlElement, disallowed: Set<string>) => void,
  isProven: IsProven = noneProven,
): string[] {
  const disallowed = new Set<string>();
  const parts = readZip(bytes);
  if (!Buffer.from(writeZip(parts)).equals(bytes)) disallowed.add('bytes outside all parts');
  if ([...parts.keys()][0] !== 'mimetype') disallowed.add('a part before the media type');
  for (const [name, part] of parts) {
    if (name === 'mimetype') {
      if (Buffer.from(part).toString() !== mime) disallowed.add('a media type');
      continue;
    }
    if (name === picture || pictureName.test(name)) {
      if (!isAllowedPicture(name, part, isProven)) disallowed.add('a picture');
      continue;
    }
    const rule = roots.find(([pattern]) => pattern.test(name));
    const root = rule && parseXml(part);
    if (!root || root.local !== rule[1]) {
      disallowed.add('a part of an unexpected type');
      continue;
    }
    walk(root, (element) => addDisallowed(element, disallowed));
  }
  return [...disallowed];
}
