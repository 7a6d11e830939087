import { type OdfKind, odfKinds } from '../../../files/odf.ts';
import { parseXml, walk, type XmlElement, xmlnsUri } from '../../../files/xml.ts';
import { readZip, writeZip } from '../../../files/zip.ts';
import type { RedactableKind } from '../kind.ts';
import { textsOfPackage } from '../package/check.ts';
import { isPlaceholder } from '../package/grey-pixel.ts';
import { readOdfStreams } from './odf.ts';

/** The parts that an output may contain, by name, with their root elements. */
const allowedParts: readonly [name: RegExp, root: string][] = [
  [/^content\.xml$/, 'document-content'],
  [/^styles\.xml$/, 'document-styles'],
  [/^Object \d+\/content\.xml$/, 'document-content'],
  [/^META-INF\/manifest\.xml$/, 'manifest'],
];

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction keeps, so that a mistake in one of them is detected.
 */
const disallowedElements = new Set(
  `annotation annotation-end tracked-changes change change-start change-end change-info insertion
   deletion forms form control scripts script event-listeners binary-data meta settings object-ole
   plugin applet floating-frame named-expressions database-ranges data-pilot-tables
   content-validations dde-links dde-source tracked-table-changes variable-decls user-field-decls
   sequence-decls animations show reference-mark math document image-map contour-polygon
   signature encryption-data creator date`.split(/\s+/),
);
const allowedNamespace =
  /^urn:oasis:names:tc:opendocument:xmlns:(?!meta|form|script|animation|smil|config)[\w-]+:1\.\d$|^http:\/\/www\.w3\.org\/(?:1999\/xlink|2000\/xmlns\/)$|^$/;

/**
 * Returns descriptions of the disallowed content of a file: parts, elements, namespaces, targets, and
 * bytes outside all parts.
 */
function disallowedInOdf(bytes: Uint8Array, kind: OdfKind): string[] {
  const disallowed = new Set<string>();
  const parts = readZip(bytes);
  if (!Buffer.from(writeZip(parts)).equals(bytes)) disallowed.add('bytes outside all parts');
  if ([...parts.keys()][0] !== 'mimetype') disallowed.add('a part before the media type');
  for (const [name, part] of parts) {
    if (name === 'mimetype') {
      if (Buffer.from(part).toString() !== odfKinds[kind].mime) disallowed.add('a media type');
      continue;
    }
    if (name === 'Pictures/image1.png') {
      if (!isPlaceholder(part)) disallowed.add('a picture');
      continue;
    }
    const rule = allowedParts.find(([pattern]) => pattern.test(name));
    const root = rule && parseXml(part);
    if (root?.local !== rule?.[1] || !root) {
      disallowed.add('a part of an unexpected type');
      continue;
    }
    walk(root, (element) => addDisallowed(element, disallowed));
  }
  return [...disallowed];
}

function addDisallowed(element: XmlElement, disallowed: Set<string>): void {
  const { uri, local, attributes } = element;
  if (!allowedNamespace.test(uri)) disallowed.add('an element of another namespace');
  if (disallowedElements.has(local)) disallowed.add(`the element ${local}`);
  for (const { local: name, uri: ofName, value } of attributes) {
    const namespace = ofName === xmlnsUri ? value : ofName;
    if (!allowedNamespace.test(namespace)) disallowed.add('an attribute of another namespace');
    if (name === 'protection-key' || name === 'change-id') disallowed.add(`the attribute ${name}`);
    if (name !== 'href') continue;
    if (/^(?:image|fill-image|background-image)$/.test(local) && value !== 'Pictures/image1.png') {
      disallowed.add('a picture');
    }
    if (local === 'object' && !/^\.\/Object \d+$/.test(value)) disallowed.add('an object');
    if (/^\s*(?:javascript|vbscript|data|file):/i.test(value)) disallowed.add('code or a file');
  }
}

/** Names of styles contain the codes of their spaces and signs, such as `_20_`. */
const withoutEscapes = (value: string): string =>
  value.replace(/_(?:[2-7][0-9a-f])_/g, (code) =>
    Buffer.from(code.slice(1, 3), 'hex').toString('latin1'),
  );

function createKind(kind: OdfKind): RedactableKind {
  return {
    read: (bytes) => readOdfStreams(bytes, kind),
    textsOf: (bytes) => textsOfPackage(bytes, (value) => [value, withoutEscapes(value)]),
    disallowedIn: (bytes) => disallowedInOdf(bytes, kind),
  };
}

export const odtKind = createKind('odt');
export const odsKind = createKind('ods');
export const odpKind = createKind('odp');
