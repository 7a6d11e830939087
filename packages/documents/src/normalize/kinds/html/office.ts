import { attributeOf, type Element, isElement, type Parent, textIn } from './elements.ts';

const maxSearched = 200;

/**
 * Returns a paragraph that Word and Outlook save as an item of a list: its style names list and
 * level.
 */
export function officeItem(
  element: Element,
): { level: number; marker: string; ordered: boolean } | null {
  if (element.tagName !== 'p' && element.tagName !== 'div') return null;
  const style = attributeOf(element, 'style') ?? '';
  const [, depth] = /mso-list\s*:\s*[\w-]+\s+level(\d)/i.exec(style) ?? [];
  if (depth === undefined) return null;
  const shown = markerIn(element);
  const ordered = /[\p{L}\d]/u.test(shown) && !/^[o§]$/.test(shown);
  return { level: Math.max(0, Number(depth) - 1), marker: ordered ? shown : '-', ordered };
}

/** The marker is in the text for programs that do not know the style. */
function markerIn(element: Element): string {
  const open: Parent[] = [element];
  for (let parent = open.pop(), count = 0; parent && count < maxSearched; parent = open.pop()) {
    count += 1;
    for (const node of parent.childNodes) {
      if (!isElement(node)) continue;
      if (isMarker(node)) return textIn(node).replace(/\s+/g, '');
      open.push(node);
    }
  }
  return '';
}

const isMarker = (element: Element): boolean =>
  /mso-list\s*:\s*ignore/i.test(attributeOf(element, 'style') ?? '');
