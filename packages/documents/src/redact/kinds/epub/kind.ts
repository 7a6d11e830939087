import { type XmlElement, xmlnsUri } from '../../../files/xml.ts';
import type { RedactableKind } from '../kind.ts';
import { disallowedInNamedParts, type NamedParts, textsOfPackage } from '../package/check.ts';
import { readEpubStreams } from './epub.ts';

const picture = 'image1.png';
const pictureTarget = /^picture\d+\.(?:png|jpg|webp)$/;
const allowedParts: NamedParts = {
  mime: 'application/epub+zip',
  picture,
  roots: [
    [/^META-INF\/container\.xml$/, 'container'],
    [/^book\.opf$/, 'package'],
    [/^(?:nav|chapter\d+)\.xhtml$/, 'html'],
  ],
};

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction drops, so that a mistake in one of them is detected.
 */
const disallowedElements =
  /^(?:script|style|link|iframe|frame|frameset|object|embed|applet|base|audio|video|source|track|foreignobject|creator|contributor|publisher|rights|source|subject|description|date|coverage|relation|collection|guide)$/i;
const allowedNamespace =
  /^(?:http:\/\/www\.w3\.org\/(?:1999\/(?:xhtml|xlink)|2000\/svg|2000\/xmlns\/|1998\/Math\/MathML|XML\/1998\/namespace)|http:\/\/www\.idpf\.org\/2007\/op[fs]|http:\/\/purl\.org\/dc\/elements\/1\.1\/|urn:oasis:names:tc:opendocument:xmlns:container|)$/;

/** Adds descriptions of disallowed elements, namespaces, targets and metadata. */
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
    if (isPicture && value !== picture && !pictureTarget.test(value)) disallowed.add('a picture');
  }
}

export const epubKind: RedactableKind = {
  read: readEpubStreams,
  textsOf: textsOfPackage,
  disallowedIn: (bytes, isProven) =>
    disallowedInNamedParts(bytes, allowedParts, addDisallowed, isProven),
};
