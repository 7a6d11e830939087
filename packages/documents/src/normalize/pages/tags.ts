import type { TextLine } from '../../model/words/lines.ts';
import { blockElement, type PageElement, type PageStructure } from '../../pdf/page-structure.ts';

/** The minimum share of a line's letters that are in one element. */
const minShare = 0.7;

/** Whether a tag is that of a heading: `H1` to `H6`, `H` without a level, or `Title`. */
export const isHeadingTag = (tag: string | null | undefined): boolean =>
  /^(?:H[1-6]?|Title)$/.test(tag ?? '');

/**
 * Returns the element that an element belongs to as a whole: a list item with its label and body,
 * or a cell with its paragraphs.
 */
function enclosingItemOf(element: PageElement | null): PageElement | null {
  for (let at = element; at; at = at.parent) if (/^(?:LI|TD|TH)$/.test(at.type)) return at;
  return element;
}

/**
 * Returns a function that finds the element that contains most letters of a line; null without such
 * an element.
 */
export function elementReader(structure: PageStructure): (line: TextLine) => PageElement | null {
  if (structure.size === 0) return () => null;
  const elementsByMark = new Map<number, PageElement | null>();
  const elementOf = (mark: number): PageElement | null => {
    const cached = elementsByMark.get(mark);
    if (cached !== undefined) return cached;
    const inner = blockElement(structure.get(mark));
    const element = isHeadingTag(inner?.type) ? inner : enclosingItemOf(inner);
    elementsByMark.set(mark, element);
    return element;
  };
  return ({ words }) => {
    const letters = new Map<PageElement | null, number>();
    let total = 0;
    for (const { mark, text } of words) {
      const element = elementOf(mark);
      letters.set(element, (letters.get(element) ?? 0) + text.length);
      total += text.length;
    }
    for (const [element, count] of letters) if (count >= minShare * total) return element;
    return null;
  };
}
