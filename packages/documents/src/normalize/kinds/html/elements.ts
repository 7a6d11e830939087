import type { DefaultTreeAdapterTypes } from 'parse5';
import type { Mark } from '../../document.ts';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
export type Parent = DefaultTreeAdapterTypes.ParentNode;

const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Invisible elements, code, and other documents. They are left out with their descendants. */
const invisibleElements =
  wordSet(`script style link meta head title template noscript iframe frame frameset
  noframes object embed applet noembed audio video canvas svg map datalist base param dialog-polyfill
  rp rt rtc`);

/** Elements that begin and end a block. */
export const blocks =
  wordSet(`html body address article aside blockquote center dd details dialog dir div
  dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main
  menu nav ol optgroup option p plaintext pre search section select summary table tbody td tfoot th thead
  tr ul xmp caption textarea button`);

export const markByTag: ReadonlyMap<string, Mark> = new Map([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['cite', 'italic'],
  ['dfn', 'italic'],
  ['var', 'italic'],
  ['s', 'strike'],
  ['strike', 'strike'],
  ['del', 'strike'],
  ['code', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
  ['sup', 'superscript'],
  ['sub', 'subscript'],
]);

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value;

export const isElement = (node: Node): node is Element => 'tagName' in node;
export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode =>
  node.nodeName === '#text';

/** Whether an element is hidden, as far as is known without applying style sheets. */
export const isHidden = (element: Element): boolean =>
  invisibleElements.has(element.tagName) || isHiddenByStyle(element);

/** Whether the attributes of an element hide it. */
export function isHiddenByStyle(element: Element): boolean {
  if (attributeOf(element, 'hidden') !== undefined) return true;
  const style = attributeOf(element, 'style') ?? '';
  if (/(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)) return true;
  // Hides the previews of e-mails, and the list markers that Word writes in addition to the style.
  return (
    /(?:^|;)\s*(?:mso-hide\s*:\s*all|mso-list\s*:\s*ignore|font-size\s*:\s*0(?:px|pt)?\s*(?:;|!|$))/i.test(
      style,
    ) ||
    (/(?:^|;)\s*(?:max-)?height\s*:\s*0(?:px)?\s*(?:;|!|$)/i.test(style) &&
      /overflow\s*:\s*hidden/i.test(style))
  );
}

/** Returns the text of an element and its visible descendants, with white space unchanged. */
export function textIn(element: Parent): string {
  const out: string[] = [];
  const stack: Node[] = [...element.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isText(node)) out.push(node.value);
    else if (isElement(node) && !isHidden(node)) {
      if (node.tagName === 'br') out.push('\n');
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(node.childNodes[at]!);
    }
  }
  return out.join('');
}
