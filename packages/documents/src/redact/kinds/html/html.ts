import { EngineError } from '@scriptorium/sandbox/errors';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse, serialize } from 'parse5';
import { decodeHtml } from '../../../files/html.ts';
import { isActiveLink } from '../../../files/links.ts';
import { type EmbeddedFiles, noEmbeddedFiles } from '../embedded/files.ts';
import { readableTarget, redactedTarget } from '../plain/links.ts';
import {
  cellEnd,
  type FileReading,
  lineEnd,
  newStream,
  type Piece,
  piece,
  type Stream,
} from '../stream.ts';
import { attributeUse, knownElements, removedElements } from './attributes.ts';
import { contextOf } from './context.ts';

import { mirror } from './mirror.ts';
import { type BookTargets, isWritten, writtenTarget } from './picture-targets.ts';
import { isReversing, isShown, keptStyle } from './styles.ts';

type Document = DefaultTreeAdapterTypes.Document;
type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

const maxBytes = 32 * 2 ** 20;
const maxDepth = 400;

/** Inline elements. A name may span several of them. */
const inlineElements = new Set(
  `a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s
   samp small span strike strong sub sup time tt u var wbr output`.split(/\s+/),
);

/** Obsolete elements whose content is not parsed, and would be serialised without escapes. */
const unparsedElements = new Set(['xmp', 'listing', 'plaintext']);

/** The streams into which a tree is read. */
export interface HtmlStreams {
  body: Stream;
  hidden: Stream;
  names: Stream;
}

interface WalkState extends HtmlStreams {
  book: BookTargets | null;
  embedded: EmbeddedFiles;
  /** The new targets of pictures that are not links; null if a picture is left out. */
  targets: Map<Element, string | null>;
  pictures: number;
  /** Changes to the tree, to be made after all pieces are redacted. */
  edits: (() => void)[];
}

/**
 * Reads HTML: text in document order, attributes and link targets. Comments, scripts, styles,
 * frames, objects, event handlers and embedded data are always dropped, except for pictures whose
 * redactions were proved. The output is in UTF-8.
 * @throws EngineError `too_large` if the file is too large or too deeply nested
 */
export function readHtmlStreams(
  bytes: Uint8Array,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): FileReading {
  if (bytes.length > maxBytes) {
    throw new EngineError('too_large', 'HTML files larger than 32 MiB cannot be redacted.');
  }
  const streams = newHtmlStreams();
  const { document, pictures, update } = readHtmlTree(decodeHtml(bytes), streams, embedded);
  return {
    pages: 1,
    streams: [streams.body, streams.hidden, streams.names],
    pictures,
    write: () => {
      update();
      return Buffer.from(`${serialize(document)}\n`, 'utf8');
    },
  };
}

export const newHtmlStreams = (): HtmlStreams => ({
  body: newStream(1, { collapse: true }),
  hidden: newStream(null, { collapse: true }),
  names: newStream(null, { detect: false }),
});

/**
 * Reads the text of a page, or of a chapter of a book, into streams.
 * @returns the tree, the number of pictures that were dropped or replaced, and a function that
 * writes the current content of the pieces into the tree, to be called once
 * @throws EngineError `too_large` if the text is too deeply nested
 */
export function readHtmlTree(
  text: string,
  streams: HtmlStreams,
  embedded: EmbeddedFiles,
  book: BookTargets | null = null,
): { document: Document; pictures: number; update(): void } {
  const document = parse(text, { scriptingEnabled: false });
  const walk: WalkState = {
    ...streams,
    book,
    embedded,
    targets: new Map(),
    pictures: 0,
    edits: [],
  };
  walkTree(document, walk);
  declareUtf8(document);
  return {
    document,
    pictures: walk.pictures,
    update: () => {
      for (const edit of walk.edits) edit();
    },
  };
}

/**
 * Visits all nodes. Uses an explicit stack, because hostile files can be nested deeper than the
 * call stack allows.
 */
function walkTree(document: Document, walk: WalkState): void {
  const openNodes: { children: Node[]; at: number; element: Element | null; to: Stream }[] = [];
  const enter = (parent: Parent, element: Element | null): void => {
    if (openNodes.length >= maxDepth) {
      throw new EngineError(
        'too_large',
        `HTML nested deeper than ${maxDepth} levels cannot be redacted.`,
      );
    }
    parent.childNodes = parent.childNodes.filter((node) => isKept(node, walk));
    // Hidden content may be between visible letters.
    const isHidden = element !== null && !isVisible(element);
    const to = isHidden ? walk.hidden : (openNodes.at(-1)?.to ?? walk.body);
    openNodes.push({ children: parent.childNodes, at: 0, element, to });
  };
  enter(document, null);
  while (openNodes.length > 0) {
    const top = openNodes.at(-1)!;
    const node = top.children[top.at];
    if (!node) {
      openNodes.pop();
      const { element, to } = top;
      if (element && isCell(element.tagName)) to.parts.push(cellEnd);
      else if (element && (!inlineElements.has(element.tagName) || !isVisible(element))) {
        to.parts.push(lineEnd);
      }
      continue;
    }
    top.at += 1;
    if (defaultTreeAdapter.isTextNode(node)) addText(node, top.to, walk);
    else if (defaultTreeAdapter.isElementNode(node)) {
      if (isMirrored(node)) mirror(node);
      addElement(node, top.to, walk);
      enter('content' in node ? (node as DefaultTreeAdapterTypes.Template).content : node, node);
    }
  }
}

function isKept(node: Node, walk: WalkState): boolean {
  if (defaultTreeAdapter.isDocumentTypeNode(node)) return node.name.toLowerCase() === 'html';
  if (defaultTreeAdapter.isTextNode(node)) return true;
  if (!defaultTreeAdapter.isElementNode(node)) return false;
  if (removedElements.has(node.tagName.toLowerCase())) return false;
  const value = (name: string): string =>
    node.attrs.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? '';
  if (/^(img|image|source|audio|video|track)$/i.test(node.tagName)) {
    const target = value('src') || value('href');
    const isPicture = /^(img|image)$/i.test(node.tagName);
    const written = isPicture ? writtenTarget(target, walk) : null;
    if (written !== null || (isPicture && isWritten(target))) {
      // Its other attributes are read in any case, because reviewers see the same text.
      const placeholder = walk.book?.placeholder ?? null;
      walk.targets.set(node, written ?? placeholder);
      if (written === null) walk.pictures += 1;
      return true;
    }
    // A book keeps an empty picture in place of each picture, and neither sound nor films.
    const isDropped = walk.book && !isPicture;
    if (isActiveLink(target) || isPartOfMessage(target) || isDropped) {
      walk.pictures += 1;
      return false;
    }
    if (walk.book) {
      walk.targets.set(node, walk.book.placeholder);
      walk.pictures += 1;
    }
  }
  return !(node.tagName === 'meta' && value('http-equiv').toLowerCase() === 'refresh');
}

/** Whether a target is a part of the same message (RFC 2392), which the output does not contain. */
const isPartOfMessage = (target: string): boolean => /^\s*(?:cid|mid):/i.test(target);

function addText(node: DefaultTreeAdapterTypes.TextNode, to: Stream, walk: WalkState): void {
  if (node.value === '') return;
  const text = piece(node.value);
  to.parts.push(text);
  walk.edits.push(() => {
    node.value = text.redacted ?? node.value;
  });
}

const isCell = (tagName: string): boolean => tagName === 'td' || tagName === 'th';

const attributeOf = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name.toLowerCase() === name)?.value;

const isVisible = (element: Element): boolean =>
  attributeOf(element, 'hidden') === undefined &&
  isShown(keptStyle(attributeOf(element, 'style') ?? ''));

const isMirrored = (element: Element): boolean =>
  (element.tagName === 'bdo' && attributeOf(element, 'dir')?.toLowerCase() === 'rtl') ||
  isReversing(attributeOf(element, 'style') ?? '');

function addElement(element: Element, to: Stream, walk: WalkState): void {
  const { tagName } = element;
  if (tagName === 'br' || tagName === 'hr' || !inlineElements.has(tagName)) {
    // The cells of a row form one line, so that a label and its value are adjacent.
    if (!isCell(tagName)) to.parts.push(lineEnd);
  }
  if (unparsedElements.has(tagName)) {
    element.tagName = 'pre';
    element.nodeName = 'pre';
  }
  // The name of a custom element is free text.
  if (!knownElements.has(tagName.toLowerCase())) element.tagName = element.nodeName = 'span';
  const keptAttributes: {
    attribute: Element['attrs'][number];
    value: Piece | null;
    name: Piece | null;
  }[] = [];
  for (const attribute of element.attrs) {
    const fullName =
      (attribute.prefix ? `${attribute.prefix}:` : '') + attribute.name.toLowerCase();
    const use = attributeUse(tagName, fullName, attribute.value);
    const target = walk.targets.get(element);
    if (target !== undefined && /^(?:src|href|xlink:href)$/.test(fullName)) {
      if (target === null) continue;
      attribute.value = target;
      keptAttributes.push({ attribute, value: null, name: null });
      continue;
    }
    if (use === 'drop' || isActiveLink(attribute.value)) continue;
    if (fullName === 'style') attribute.value = keptStyle(attribute.value);
    if (fullName === 'style' && attribute.value === '') continue;
    const name = fullName.includes('-') ? addPiece(walk.names, fullName, null) : null;
    if (use === 'keep') keptAttributes.push({ attribute, value: null, name });
    else if (use === 'target') {
      if (walk.book) attribute.value = walk.book.rename(attribute.value);
      const value = addPiece(walk.hidden, readableTarget(attribute.value), redactedTarget);
      keptAttributes.push({ attribute, value, name });
    } else {
      // The name of a data attribute (`data-user`) indicates its content.
      const context = use === 'text' ? contextOf(element, fullName, to) : '';
      if (context !== '') walk.hidden.parts.push({ context: `${context}: ` });
      const value = addPiece(use === 'text' ? walk.hidden : walk.names, attribute.value, null);
      keptAttributes.push({ attribute, value, name });
    }
  }
  walk.edits.push(() => {
    element.attrs = keptAttributes
      .filter(({ name }) => name?.redacted == null)
      .map(({ attribute, value }) => ({
        ...attribute,
        value: value?.redacted ?? attribute.value,
      }));
  });
}

function addPiece(to: Stream, text: string, whole: string | null): Piece {
  const added = piece(text, whole);
  to.parts.push(added, lineEnd);
  return added;
}

/** Declares UTF-8 in the head. Replaces any other declaration of an encoding. */
function declareUtf8(document: Document): void {
  const root = document.childNodes.find(
    (node): node is Element => defaultTreeAdapter.isElementNode(node) && node.tagName === 'html',
  );
  const head = root?.childNodes.find(
    (node): node is Element => defaultTreeAdapter.isElementNode(node) && node.tagName === 'head',
  );
  if (!head) return;
  head.childNodes = head.childNodes.filter(
    (node) =>
      !(
        defaultTreeAdapter.isElementNode(node) &&
        node.tagName === 'meta' &&
        node.attrs.some(
          ({ name, value }) =>
            name === 'charset' || (name === 'http-equiv' && /content-type/i.test(value)),
        )
      ),
  );
  const meta = defaultTreeAdapter.createElement('meta', html.NS.HTML, [
    { name: 'charset', value: 'utf-8' },
  ]);
  meta.parentNode = head;
  head.childNodes.unshift(meta);
}
