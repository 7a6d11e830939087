import { attributeOf, type Element, isElement, type Parent, textIn } from './elements.ts';

const maxSearchedElements = 200;

/**
 * Returns the list item for a paragraph that Word or Outlook saved as part of a list. Its style
 * contains the list and the level.
 */
export function officeItem(
  element: Element,
): { level: number; marker: string; ordered: boolean } | null {
  if (element.tagName !== 'p' && element.tagName !== 'div') return null;
  const style = attributeOf(element, 'style') ?? '';
  const [, depth] = /mso-list\s*:\s*[\w-]+\s+level(\d)/i.exec(style) ?? [];
  if (depth === undefined) return null;
  const marker = markerIn(element);
  const ordered = /[\p{L}\d]/u.test(marker) && !/^[o§]$/.test(marker);
  return { level: Math.max(0, Number(depth) - 1), marker: ordered ? marker : '-', ordered };
}

/** Returns the marker in the text, which is written for programs that do not support the style. */
function markerIn(element: Element): string {
  const stack: Parent[] = [element];
  for (
    let parent = stack.pop(), count = 0;
    parent && count < maxSearchedElements;
    parent = stack.pop()
  ) {
    count += 1;
    for (const node of parent.childNodes) {
      if (!isElement(node)) continue;
      if (isMarker(node)) return textIn(node).replace(/\s+/g, '');
      stack.push(node);
    }
  }
  return '';
}

const isMarker = (element: Element): boolean =>
  /mso-list\s*:\s*ignore/i.test(attributeOf(element, 'style') ?? '');
