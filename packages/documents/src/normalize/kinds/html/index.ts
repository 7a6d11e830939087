import { EngineError } from '@scriptorium/sandbox/errors';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { decodeHtml } from '../../../files/html.ts';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { createBudget, firstHeading, onePage } from '../build-blocks.ts';
import { attributeOf, type Element, isElement, isHidden, type Parent } from './elements.ts';
import { type Flow, flush, readChildren, rootContext } from './flow.ts';
import { unreadElements } from './unread.ts';

/** The maximum number of nodes of a page. */
const maxNodes = 2e6;

const childNamed = (parent: Parent, name: string): Element | undefined =>
  parent.childNodes.find((node): node is Element => isElement(node) && node.tagName === name);

/** Whether a heading is visible. Also enforces the maximum number of nodes. */
function hasHeadings(root: Parent): boolean {
  let found = false;
  let nodes = 0;
  const stack: Parent[] = [root];
  for (let parent = stack.pop(); parent; parent = stack.pop()) {
    nodes += parent.childNodes.length;
    if (nodes > maxNodes) throw new EngineError('too_large', 'The page has too many elements.');
    for (const node of parent.childNodes) {
      if (!isElement(node) || isHidden(node)) continue;
      if (/^h[1-6]$/.test(node.tagName)) found = true;
      stack.push(node);
    }
  }
  return found;
}

/** The properties of a source of HTML. */
export type HtmlOptions = {
  /** Whether the source is an e-mail. E-mails use tables for layout. */
  isMail: boolean;
  /**
   * Whether the source is a chapter of a book. Text before its first heading then belongs to it.
   */
  isBook?: boolean;
  /** Receives the kinds of elements with content that is not read. */
  unread?: UnreadKinds;
};

/** Returns the blocks of an HTML tree, in document order. */
export function blocksOfTree(
  root: Parent,
  { isMail, isBook = false, unread }: HtmlOptions = { isMail: false },
): DocBlock[] {
  const flow: Flow = {
    out: [],
    spans: [],
    pendingPictures: [],
    checked: null,
    budget: createBudget(),
    depth: 0,
    beforeHeadings: hasHeadings(root) && !isMail && !isBook,
    isMail,
  };
  readChildren(root, rootContext, flow);
  flush(flow, rootContext);
  if (unread) for (const kind of unreadElements(root)) unread.add(kind);
  return flow.out;
}

/** Returns the blocks of the body of a page that is embedded in another document. */
export function blocksOfHtml(text: string, kind: HtmlOptions): DocBlock[] {
  const document = parse(text, { scriptingEnabled: false });
  const html = childNamed(document, 'html');
  return blocksOfTree((html && childNamed(html, 'body')) ?? document, kind);
}

/**
 * Reads HTML as blocks: its visible content, without scripts, styles and hidden elements. Menus and
 * page headers before the first heading are furniture. Throws EngineError.
 */
export function readHtml(bytes: Uint8Array): NormalDocument {
  const document: DefaultTreeAdapterTypes.Document = parse(decodeHtml(bytes), {
    scriptingEnabled: false,
  });
  const html = childNamed(document, 'html');
  const head = html && childNamed(html, 'head');
  const body = (html && childNamed(html, 'body')) ?? document;
  const title = head && childNamed(head, 'title')?.childNodes[0];
  const unread = createUnreadKinds();
  const blocks = blocksOfTree(body, { isMail: false, unread });
  const declaredTitle = title && 'value' in title ? title.value.replace(/\s+/g, ' ').trim() : '';
  return {
    title: declaredTitle || firstHeading(blocks, 1),
    language: (html && attributeOf(html, 'lang')) || null,
    pages: onePage,
    blocks,
    unread: unread.kinds(),
  };
}
