import { EngineError } from '@scriptorium/sandbox/errors';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { Piece } from './piece.ts';

/** An XML element, with its names as written and the namespaces that they refer to. */
export interface XmlElement {
  name: string;
  local: string;
  uri: string;
  attributes: Attribute[];
  children: XmlNode[];
}

export interface Attribute {
  name: string;
  local: string;
  uri: string;
  value: string;
  /** Set when the value is read as text. */
  piece?: Piece;
  /** Whether the value is generated or has only a few forms, and therefore is not read as text. */
  machine?: boolean;
}

export interface Text {
  text: string;
  piece?: Piece;
}

export type XmlNode = XmlElement | Text;

export const isXmlElement = (node: XmlNode): node is XmlElement => 'children' in node;

export const xmlnsUri = 'http://www.w3.org/2000/xmlns/';
const maxPartBytes = 128 * 2 ** 20;
const maxNodes = 4e6;
const maxDepth = 256;

const damagedError = (): EngineError =>
  new EngineError('damaged', 'The file is damaged: a part of it is not well-formed XML.');

/** Receives the content of a part as it is read. */
export interface XmlEvents {
  open(tag: SaxesTagNS): void;
  close(tag: SaxesTagNS): void;
  text(data: string): void;
}

/**
 * Reads a part and reports elements and text in order, without comments and processing
 * instructions. Rejects document types that define anything and ignores others, so the only
 * entities are the five that XML predefines. Limits size, depth and number of nodes. Throws EngineError.
 */
export function streamXml(bytes: Uint8Array, events: XmlEvents, limit = maxNodes): void {
  if (bytes.length > maxPartBytes) {
    throw new EngineError('too_large', 'A part of the file is larger than 128 MiB.');
  }
  const parser = new SaxesParser({ xmlns: true, position: false });
  let nodes = 0;
  let depth = 0;
  const count = (): void => {
    nodes += 1;
    if (nodes > limit) {
      throw new EngineError('too_large', 'A part of the file has too many elements.');
    }
  };
  parser.on('error', () => {
    throw damagedError();
  });
  parser.on('doctype', (doctype) => {
    // Only the internal subset is in the file. An external subset is never loaded.
    if (!doctype.replace(/"[^"]*"|'[^']*'/g, '').includes('[')) return;
    throw new EngineError('unsupported', 'Document type definitions are not supported.');
  });
  parser.on('opentag', (tag) => {
    count();
    if (depth >= maxDepth) {
      throw new EngineError('too_large', `A part is nested deeper than ${maxDepth} elements.`);
    }
    depth += 1;
    events.open(tag);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    events.close(tag);
  });
  const addText = (data: string): void => {
    count();
    events.text(data);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(textOf(bytes)).close();
}

/** Reads a part as a tree: elements, attributes and text, as `streamXml` reports them. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const openElements: XmlElement[] = [];
  let root: XmlElement | undefined;
  streamXml(bytes, {
    open(tag) {
      const element: XmlElement = {
        name: tag.name,
        local: tag.local,
        uri: tag.uri,
        attributes: Object.values(tag.attributes).map(({ name, local, uri, value }) => {
          return { name, local, uri, value };
        }),
        children: [],
      };
      if (openElements.length > 0) openElements.at(-1)?.children.push(element);
      else root = element;
      openElements.push(element);
    },
    close() {
      openElements.pop();
    },
    text(data) {
      const siblings = openElements.at(-1)?.children;
      const last = siblings?.at(-1);
      if (last && !isXmlElement(last)) last.text += data;
      else siblings?.push({ text: data });
    },
  });
  if (!root) throw damagedError();
  return root;
}

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const name =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    throw damagedError();
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for the content of an element. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>\r]/g, (character) => escapes[character] ?? '');
const escapeValue = (text: string): string =>
  text.replace(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? '');

/** Writes a part. Redacted pieces replace the text that was read. */
export function writeXml(root: XmlElement): Uint8Array {
  const out: string[] = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'];
  const write = (element: XmlElement): void => {
    out.push('<', element.name);
    for (const { name, value, piece } of element.attributes) {
      out.push(' ', name, '="', escapeValue(piece?.redacted ?? value), '"');
    }
    if (element.children.length === 0) {
      out.push('/>');
      return;
    }
    out.push('>');
    for (const child of element.children) {
      if (isXmlElement(child)) write(child);
      else out.push(escapeText(child.piece?.redacted ?? child.text));
    }
    out.push('</', element.name, '>');
  };
  write(root);
  return Buffer.from(out.join(''), 'utf8');
}

export const attribute = (
  element: XmlElement,
  local: string,
  uri?: string,
): Attribute | undefined =>
  element.attributes.find((one) => one.local === local && (uri === undefined || one.uri === uri));

/** Creates an element. Namespaces are declared by its attributes. */
export function newElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: XmlNode[] = [],
): XmlElement {
  const localOf = (qualified: string): string => qualified.slice(qualified.indexOf(':') + 1);
  return {
    name,
    local: localOf(name),
    uri: '',
    attributes: Object.entries(attributes).map(([key, value]) => {
      return { name: key, local: localOf(key), uri: '', value };
    }),
    children,
  };
}

/* A missing element has no attributes and no child elements. */

export const attributeValue = (
  element: XmlElement | undefined,
  local: string,
): string | undefined => element && attribute(element, local)?.value;

export const elementsOf = (element: XmlElement | undefined): XmlElement[] =>
  element?.children.filter(isXmlElement) ?? [];

export const childOf = (element: XmlElement | undefined, local: string): XmlElement | undefined =>
  element?.children.find(
    (child): child is XmlElement => isXmlElement(child) && child.local === local,
  );

/** Returns the first supported choice of alternative content, or else the fallback. */
export const choiceOf = (alternatives: XmlElement): XmlElement[] =>
  elementsOf(childOf(alternatives, 'Choice') ?? childOf(alternatives, 'Fallback'));

/** Returns the text of an element and its descendants. */
export const xmlText = (element: XmlElement): string =>
  element.children.map((child) => (isXmlElement(child) ? xmlText(child) : child.text)).join('');

/** Visits an element and its descendants, in document order. */
export function walk(element: XmlElement, visit: (element: XmlElement) => void): void {
  visit(element);
  for (const child of element.children) if (isXmlElement(child)) walk(child, visit);
}

/**
 * Visits all elements and replaces each child with the result of `replace`: the child itself,
 * nothing, or the children of an unwrapped element, which are visited next.
 */
export function transform(element: XmlElement, replace: (child: XmlElement) => XmlNode[]): void {
  const result: XmlNode[] = [];
  const addNodes = (nodes: readonly XmlNode[]): void => {
    for (const node of nodes) {
      if (!isXmlElement(node)) {
        result.push(node);
        continue;
      }
      const replacement = replace(node);
      if (replacement.length === 1 && replacement[0] === node) {
        transform(node, replace);
        result.push(node);
      } else addNodes(replacement);
    }
  };
  addNodes(element.children);
  element.children = result;
}
