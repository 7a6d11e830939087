import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { decode } from '../../../files/encoding/index.ts';
import { noneProven, type RedactableKind, type Texts, textSeparator } from '../kind.ts';
import { readableTarget } from '../plain/links.ts';
import { isKeyword } from './attributes.ts';
import { isProvenDataUrl, withoutDataUrls } from './data-url.ts';
import { readHtmlStreams } from './html.ts';

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction drops, so that a mistake in one of them is detected.
 */
const disallowedElements =
  /^(script|style|link|iframe|frame|frameset|object|embed|applet|base|noembed|noframes|foreignobject)$/i;

function walkTree(bytes: Uint8Array, visit: (node: DefaultTreeAdapterTypes.Node) => void): void {
  const stack: DefaultTreeAdapterTypes.Node[] = [
    parse(decode(bytes).text, { scriptingEnabled: false }),
  ];
  for (let node = stack.pop(); node; node = stack.pop()) {
    visit(node);
    if ('content' in node) stack.push((node as DefaultTreeAdapterTypes.Template).content);
    // Children are pushed one by one, because an element may have more children than a call can
    // have arguments.
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) stack.push(child);
  }
}

function disallowedIn(bytes: Uint8Array, isProven = noneProven): string[] {
  const disallowed = new Set<string>();
  walkTree(bytes, (node) => {
    if (defaultTreeAdapter.isCommentNode(node)) disallowed.add('a comment');
    if (!defaultTreeAdapter.isElementNode(node)) return;
    if (disallowedElements.test(node.tagName)) disallowed.add(`the element ${node.tagName}`);
    for (const { name, value } of node.attrs) {
      if (/^on/i.test(name)) disallowed.add('an event handler');
      if (!/^\s*(javascript|vbscript|data):/i.test(value)) continue;
      const isPicture = /^(?:img|image)$/i.test(node.tagName) && /^(?:src|href)$/.test(name);
      if (!isPicture || !isProvenDataUrl(value, isProven)) disallowed.add('embedded data or code');
    }
  });
  return [...disallowed];
}

/** Returns the source without pictures, its text without tags, and the names and values of all attributes. */
function textsOf(bytes: Uint8Array): Texts {
  const { text } = decode(bytes);
  const pieces: string[] = [];
  const attributes: string[] = [];
  walkTree(bytes, (node) => {
    if (defaultTreeAdapter.isTextNode(node)) pieces.push(node.value);
    if (!defaultTreeAdapter.isElementNode(node)) return;
    for (const { name, value } of node.attrs) {
      attributes.push(name);
      // Targets that contain other files than proven pictures are not allowed.
      if (isKeyword(name, value) || /^data:image\//.test(value)) continue;
      attributes.push(value, readableTarget(value));
    }
  });
  return {
    shown: [withoutDataUrls(text), pieces.join('')],
    hidden: [attributes.join(textSeparator)],
  };
}

export const htmlKind: RedactableKind = {
  read: readHtmlStreams,
  textsOf,
  disallowedIn,
};
