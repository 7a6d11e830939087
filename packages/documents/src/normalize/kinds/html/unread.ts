import { attributeOf, type Element, isElement, type Node, type Parent } from './elements.ts';

/**
 * Elements that embed another document or media. They are reported if the page contains the
 * content.
 */
const embeddingElements = new Set(['iframe', 'object', 'embed', 'audio', 'video', 'applet']);

/**
 * Returns the kinds of elements with content that is not read, such as embedded documents and
 * frames. Content at another address is not part of the page, unless the page consists only of
 * frames.
 */
export function unreadElements(root: Parent): string[] {
  const found = new Set<string>();
  const stack: Node[] = [...root.childNodes];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    const { tagName } = node;
    if (tagName === 'frame') found.add('frame');
    else if (embeddingElements.has(tagName) && hasEmbeddedContent(node)) found.add(tagName);
    else for (const child of node.childNodes) stack.push(child);
  }
  return [...found];
}

const hasEmbeddedContent = (element: Element): boolean =>
  attributeOf(element, 'srcdoc') !== undefined ||
  ['src', 'data'].some((name) => /^\s*data:/i.test(attributeOf(element, name) ?? ''));
