import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html } from 'parse5';
import { newElement, type XmlElement, type XmlNode } from '../../../files/xml.ts';

type Parent = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Characters that XML 1.0 does not allow (2.2). */
const forbiddenCharacter =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const allowed = (text: string): string => text.replace(forbiddenCharacter, '\ufffd');

/**
 * Converts the tree of an HTML document to XML. Elements in another namespace than their parent
 * declare it.
 */
export function toXhtml(document: Parent): XmlElement {
  const root = document.childNodes.find(
    (node): node is Element => defaultTreeAdapter.isElementNode(node) && node.tagName === 'html',
  );
  return root ? elementOf(root, '') : newElement('html', { xmlns: html.NS.HTML });
}

function elementOf(element: Element, parentNamespace: string): XmlElement {
  const { tagName, namespaceURI, attrs } = element;
  const attributes: Record<string, string> = {};
  if (namespaceURI !== parentNamespace) attributes.xmlns = namespaceURI;
  for (const { name, prefix, value } of attrs) {
    const fullName = prefix ? `${prefix}:${name}` : name;
    if (!/^(?:xml:lang|xlink:href|[a-z_][\w.-]*)$/i.test(fullName) || /^xmlns/i.test(fullName)) {
      continue;
    }
    if (fullName.startsWith('xlink:')) {
      if (prefix !== 'xlink') continue;
      attributes['xmlns:xlink'] = html.NS.XLINK;
    }
    attributes[fullName] = allowed(value);
  }
  const parent: Parent =
    'content' in element ? (element as DefaultTreeAdapterTypes.Template).content : element;
  const children = parent.childNodes.flatMap((node): XmlNode[] => {
    if (defaultTreeAdapter.isElementNode(node)) return [elementOf(node, namespaceURI)];
    return defaultTreeAdapter.isTextNode(node) ? [{ text: allowed(node.value) }] : [];
  });
  return newElement(tagName, attributes, children);
}
