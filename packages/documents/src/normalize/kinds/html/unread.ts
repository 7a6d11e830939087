import { attributeOf, type Element, isElement, type Node, type Parent } from './elements.ts';

/**
 * Elements that embed another document or media. They are reported if the page contains the
 * content.
 */
const embedding = new Set(['iframe', 'object', 'embed', 'audio', 'video', 'applet']);

/**
 * Returns the kinds of elements with content that is not read, such as embedded documents and
 * frames. Content at another address is not part of the page, unless the page consists only of
 * frames.
 */
export function unreadElements(root: Parent): string[] {
  const found = new Set<string>();
  const open: Node[] = [...root.childNodes];
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isElement(node)) continue;
    const { tagName } = node;
    if (tagName === 'frame') found.add('frame');
    else if (embedding.has(tagName) && embeds(node)) found.add(tagName);
    else for (const child of node.childNodes) open.push(child);
  }
  return [...found];
}

const embeds = (element: Element): boolean =>
  attributeOf(element, 'srcdoc') !== undefined ||
  ['src', 'data'].some((name) => /^\s*data:/i.test(attributeOf(element, name) ?? ''));
