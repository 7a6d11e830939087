import { type OdfKind, odfKinds } from '../../../files/odf.ts';
import { type XmlElement, xmlnsUri } from '../../../files/xml.ts';
import type { RedactableKind } from '../kind.ts';
import { disallowedInNamedParts, type NamedParts, textsOfPackage } from '../package/check.ts';
import { readOdfStreams } from './odf.ts';

const picture = 'Pictures/image1.png';
const pictureTarget = /^Pictures\/picture\d+\.(?:png|jpg|webp)$/;
const roots: NamedParts['roots'] = [
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

/** Adds descriptions of disallowed elements, namespaces and targets. */
function addDisallowed(element: XmlElement, disallowed: Set<string>): void {
  const { uri, local, attributes } = element;
  if (!allowedNamespace.test(uri)) disallowed.add('an element of another namespace');
  if (disallowedElements.has(local)) disallowed.add(`the element ${local}`);
  for (const { local: name, uri: ofName, value } of attributes) {
    const namespace = ofName === xmlnsUri ? value : ofName;
    if (!allowedNamespace.test(namespace)) disallowed.add('an attribute of another namespace');
    if (name === 'protection-key' || name === 'change-id') disallowed.add(`the attribute ${name}`);
    if (name !== 'href') continue;
    const isPicture = /^(?:image|fill-image|background-image)$/.test(local);
    if (isPicture && value !== picture && !pictureTarget.test(value)) {
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
    read: (bytes, embedded) => readOdfStreams(bytes, kind, embedded),
    textsOf: (bytes) => textsOfPackage(bytes, (value) => [value, withoutEscapes(value)]),
    disallowedIn: (bytes, isProven) => {
      const allowedParts = { mime: odfKinds[kind].mime, picture, roots };
      return disallowedInNamedParts(bytes, allowedParts, addDisallowed, isProven);
    },
  };
}

export const odtKind = createKind('odt');
export const odsKind = createKind('ods');
export const odpKind = createKind('odp');
