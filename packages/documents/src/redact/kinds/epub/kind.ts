import { parseXml, walk, type XmlElement, xmlnsUri } from '../../../files/xml.ts';
import { readZip, writeZip } from '../../../files/zip.ts';
import type { RedactableKind } from '../kind.ts';
import { textsOfPackage } from '../package/check.ts';
import { isPlaceholder } from '../package/grey-pixel.ts';
import { readEpubStreams } from './epub.ts';

/** The parts that an output may contain besides its picture, with their root elements. */
const allowedParts: readonly [name: RegExp, root: string][] = [
  [/^META-INF\/container\.xml$/, 'container'],
  [/^book\.opf$/, 'package'],
  [/^(?:nav|chapter\d+)\.xhtml$/, 'html'],
];

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction drops, so that a mistake in one of them is detected.
 */
const disallowedElements =
  /^(?:script|style|link|iframe|frame|frameset|object|embed|applet|base|audio|video|source|track|foreignobject|creator|contributor|publisher|rights|source|subject|description|date|coverage|relation|collection|guide)$/i;
const allowedNamespace =
  /^(?:http:\/\/www\.w3\.org\/(?:1999\/(?:xhtml|xlink)|2000\/svg|2000\/xmlns\/|1998\/Math\/MathML|XML\/1998\/namespace)|http:\/\/www\.idpf\.org\/2007\/op[fs]|http:\/\/purl\.org\/dc\/elements\/1\.1\/|urn:oasis:names:tc:opendocument:xmlns:container|)$/;

/**
 * Returns descriptions of the disallowed content of a book: parts, elements, namespaces, targets,
 * metadata, and bytes outside all parts.
 */
function disallowedInEpub(bytes: Uint8Array): string[] {
  const disallowed = new Set<string>();
  const parts = readZip(bytes);
  if (!Buffer.from(writeZip(parts)).equals(bytes)) disallowed.add('bytes outside all parts');
  if ([...parts.keys()][0] !== 'mimetype') disallowed.add('a part before the media type');
  for (const [name, part] of parts) {
    if (name === 'mimetype') {
      if (Buffer.from(part).toString() !== 'application/epub+zip') disallowed.add('a media type');
      continue;
    }
    if (name === 'image1.png') {
      if (!isPlaceholder(part)) disallowed.add('a picture');
      continue;
    }
    const rule = allowedParts.find(([pattern]) => pattern.test(name));
    const root = rule && parseXml(part);
    if (!root || root.local !== rule[1]) {
      disallowed.add('a part of an unexpected type');
      continue;
    }
    walk(root, (element) => addDisallowed(element, disallowed));
  }
  return [...disallowed];
}

function addDisallowed({ local, uri, attributes }: XmlElement, disallowed: Set<string>): void {
  if (!allowedNamespace.test(uri)) disallowed.add('an element of another namespace');
  if (disallowedElements.test(local)) disallowed.add(`the element ${local}`);
  for (const { name, local: attributeName, uri: ofName, value } of attributes) {
    if (!allowedNamespace.test(ofName === xmlnsUri ? value : ofName)) {
      disallowed.add('an attribute of another namespace');
    }
    if (/^on/i.test(name)) disallowed.add('an event handler');
    if (/^\s*(?:javascript|vbscript|data|file):/i.test(value)) {
      disallowed.add('embedded data or code');
    }
    const isPicture = /^(?:img|image)$/i.test(local) && /^(?:src|href)$/.test(attributeName);
    if (isPicture && value !== 'image1.png') disallowed.add('a picture');
  }
}

export const epubKind: RedactableKind = {
  read: readEpubStreams,
  textsOf: textsOfPackage,
  disallowedIn: disallowedInEpub,
};
