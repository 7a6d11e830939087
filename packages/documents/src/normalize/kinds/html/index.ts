import { EngineError } from '@scriptorium/sandbox/errors';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { decodeHtml } from '../../../files/html.ts';
import { createUnread, type Unread } from '../../../files/unread/index.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { createBudget, firstHeading, onePage } from '../build.ts';
import { attributeOf, type Element, isElement, isHidden, type Parent } from './elements.ts';
import { type Flow, flush, outside, readChildren } from './flow.ts';
import { unreadElements } from './unread.ts';

/** The maximum number of elements of a page. */
const maxNodes = 2e6;

const childNamed = (parent: Parent, name: string): Element | undefined =>
  parent.childNodes.find((node): node is Element => isElement(node) && node.tagName === name);

/** Whether any heading is visible. Also counts the elements. */
function hasHeadings(root: Parent): boolean {
  let found = false;
  let nodes = 0;
  const open: Parent[] = [root];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    nodes += parent.childNodes.length;
    if (nodes > maxNodes) throw new EngineError('too_large', 'The page has too many elements.');
    for (const node of parent.childNodes) {
      if (!isElement(node) || isHidden(node)) continue;
      if (/^h[1-6]$/.test(node.tagName)) found = true;
      open.push(node);
    }
  }
  return found;
}

/** The properties of a source of HTML. */
export type HtmlKind = {
  /** An e-mail, which is laid out with tables. */
  isMail: boolean;
  /** A chapter of a book: text before its first heading belongs to it. */
  isBook?: boolean;
  /** Where to report elements with content that is not read. */
  unread?: Unread;
};

/** Blocks of a tree of HTML, in document order. */
export function blocksOfTree(
  root: Parent,
  { isMail, isBook = false, unread }: HtmlKind = { isMail: false },
): DocBlock[] {
  const flow: Flow = {
    out: [],
    spans: [],
    waiting: [],
    checked: null,
    budget: createBudget(),
    depth: 0,
    beforeHeadings: hasHeadings(root) && !isMail && !isBook,
    isMail,
  };
  readChildren(root, outside, flow);
  flush(flow, outside);
  if (unread) for (const kind of unreadElements(root)) unread.add(kind);
  return flow.out;
}

/** Blocks of the body of a page that is part of something else. */
export function blocksOfHtml(text: string, kind: HtmlKind): DocBlock[] {
  const document = parse(text, { scriptingEnabled: false });
  const html = childNamed(document, 'html');
  return blocksOfTree((html && childNamed(html, 'body')) ?? document, kind);
}

/**
 * HTML as blocks: its visible content, without scripts, styles and hidden elements. Menus and page heads
 * before the first heading are furniture. Throws EngineError.
 */
export function readHtml(bytes: Uint8Array): NormalDocument {
  const document: DefaultTreeAdapterTypes.Document = parse(decodeHtml(bytes), {
    scriptingEnabled: false,
  });
  const html = childNamed(document, 'html');
  const head = html && childNamed(html, 'head');
  const body = (html && childNamed(html, 'body')) ?? document;
  const title = head && childNamed(head, 'title')?.childNodes[0];
  const unread = createUnread();
  const blocks = blocksOfTree(body, { isMail: false, unread });
  const named = title && 'value' in title ? title.value.replace(/\s+/g, ' ').trim() : '';
  return {
    title: named || firstHeading(blocks, 1),
    language: (html && attributeOf(html, 'lang')) || null,
    pages: onePage,
    blocks,
    unread: unread.kinds(),
  };
}
