import { isXmlElement, walk, writeXml, type XmlElement, xmlnsUri } from '../../../files/xml.ts';
import { readableTarget, redactedTarget } from '../plain/links.ts';
import { newStream, type Piece, piece, type Stream } from '../stream.ts';

/** How the elements of a kind of XML are read. */
export interface MarkupRules {
  /** Whether the content of an element continues the text around it. */
  isInline(element: XmlElement, parent: XmlElement): boolean;
  /** Whether names of elements and attributes describe their content, as `phone` does. */
  hasMeaningfulNames: boolean;
  /** Whether the value of an attribute is generated, and is therefore not text. */
  isMachine(element: XmlElement, name: string, value: string): boolean;
}

/** The pieces of an XML file, and its writer. */
export interface MarkupReading {
  streams: Stream[];
  write(): Uint8Array;
}

/**
 * Reads each text and attribute as a piece. Names of elements and attributes are searched only for
 * values that were found elsewhere. The structure stays.
 */
export function readMarkup(root: XmlElement, rules: MarkupRules): MarkupReading {
  const body = newStream(1);
  const hidden = newStream(null);
  const names = newStream(null, { detect: false });
  const renamed = new Map<string, Piece>();

  function addName(name: string): void {
    if (renamed.has(name) || /^xml(?:ns)?(?::|$)/.test(name)) return;
    const added = piece(name, `redacted${renamed.size + 1}`);
    renamed.set(name, added);
    names.parts.push(added, '\n');
  }

  function addContext(to: Stream, local: string): void {
    if (rules.hasMeaningfulNames) to.parts.push({ context: `${wordsOf(local)}: ` });
  }

  function readAttributes(element: XmlElement): void {
    for (const attribute of element.attributes) {
      const { name, local, uri, value } = attribute;
      addName(name);
      if (value === '' || rules.isMachine(element, name, value)) continue;
      const isNamespace = uri === xmlnsUri || name === 'xmlns';
      const replacement = local === 'href' ? redactedTarget : null;
      const added = piece(readableTarget(value), isNamespace ? 'urn:redacted' : replacement);
      attribute.piece = added;
      if (!isNamespace) addContext(hidden, local);
      (isNamespace ? names : hidden).parts.push(added, '\n');
    }
  }

  function read(element: XmlElement, isContinued = false): void {
    addName(element.name);
    readAttributes(element);
    const isLeaf = !element.children.some(isXmlElement);
    for (const child of element.children) {
      if (isXmlElement(child)) {
        const isInline = rules.isInline(child, element);
        if (!isInline) endLine(body);
        read(child, isInline);
        if (!isInline) endLine(body);
      } else if (child.text.trim() !== '' || isContinued || hasText(element)) {
        if (isLeaf) addContext(body, element.local);
        child.piece = piece(child.text);
        body.parts.push(child.piece);
      }
    }
  }

  read(root);
  return {
    streams: [body, hidden, names],
    write() {
      walk(root, (element) => {
        element.name = renamed.get(element.name)?.redacted ?? element.name;
        for (const attribute of element.attributes) {
          attribute.name = renamed.get(attribute.name)?.redacted ?? attribute.name;
        }
      });
      return writeXml(root);
    },
  };
}

/** Whether an element directly contains text other than white space. */
export const hasText = ({ children }: XmlElement): boolean =>
  children.some((child) => !isXmlElement(child) && child.text.trim() !== '');

function endLine({ parts }: Stream): void {
  if (parts.length > 0 && parts.at(-1) !== '\n') parts.push('\n');
}

/** Returns a name as words: `birthDate`, `birth_date` and `birth-date` are `birth date`. */
const wordsOf = (name: string): string =>
  name
    .replace(/(?<=\p{Ll})(?=\p{Lu})|[_.-]+/gu, ' ')
    .trim()
    .toLowerCase();
