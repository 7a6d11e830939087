import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { decode } from '../../../files/encoding/index.ts';
import { barrier, type RedactableKind, type Texts } from '../kind.ts';
import { readableTarget } from '../plain/links.ts';
import { isChosen } from './attributes.ts';
import { readHtmlStreams } from './html.ts';

/**
 * Elements that an output must not contain. This list is separate from the elements that the
 * remover drops, so that a mistake there is detected here.
 */
const unwanted =
  /^(script|style|link|iframe|frame|frameset|object|embed|applet|base|noembed|noframes|foreignobject)$/i;

function walk(bytes: Uint8Array, visit: (node: DefaultTreeAdapterTypes.Node) => void): void {
  const open: DefaultTreeAdapterTypes.Node[] = [
    parse(decode(bytes).text, { scriptingEnabled: false }),
  ];
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node);
    if ('content' in node) open.push((node as DefaultTreeAdapterTypes.Template).content);
    // Children are pushed one by one, because an element may have more children than a call can
    // have arguments.
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
}

function strangersIn(bytes: Uint8Array): string[] {
  const found = new Set<string>();
  walk(bytes, (node) => {
    if (defaultTreeAdapter.isCommentNode(node)) found.add('a comment');
    if (!defaultTreeAdapter.isElementNode(node)) return;
    if (unwanted.test(node.tagName)) found.add(`the element ${node.tagName}`);
    for (const { name, value } of node.attrs) {
      if (/^on/i.test(name)) found.add('an event handler');
      if (/^\s*(javascript|vbscript|data):/i.test(value)) found.add('embedded data or code');
    }
  });
  return [...found];
}

/** Returns the source, its text without tags, and the names and values of all attributes. */
function textsOf(bytes: Uint8Array): Texts {
  const { text } = decode(bytes);
  const pieces: string[] = [];
  const attributes: string[] = [];
  walk(bytes, (node) => {
    if (defaultTreeAdapter.isTextNode(node)) pieces.push(node.value);
    if (!defaultTreeAdapter.isElementNode(node)) return;
    for (const { name, value } of node.attrs) {
      attributes.push(name);
      if (!isChosen(name, value)) attributes.push(value, readableTarget(value));
    }
  });
  return { shown: [text, pieces.join('')], hidden: [attributes.join(barrier)] };
}

export const htmlKind: RedactableKind = { read: readHtmlStreams, textsOf, strangersIn };
