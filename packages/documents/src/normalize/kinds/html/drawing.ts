import type { DocBlock } from '../../document.ts';
import { origin } from '../build-blocks.ts';
import { type Element, isElement, isText, type Node, textIn } from './elements.ts';

const textElement = /^(?:text|foreignobject)$/i;
const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Returns an SVG drawing that shows text as a picture with its title and text; null for other
 * drawings.
 */
export function drawingOf(drawing: Element): DocBlock | null {
  const texts: string[] = [];
  let title = '';
  const stack: Node[] = [drawing];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    if (textElement.test(node.tagName)) texts.push(collapseSpaces(textIn(node)));
    else {
      if (node.tagName === 'title' && title === '') title = collapseSpaces(titleIn(node));
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(node.childNodes[at]!);
    }
  }
  const written = texts.filter((text) => text !== '').join('\n');
  if (written === '') return null;
  return { role: 'picture', alt: title === '' ? null : title, written, ...origin() };
}

const titleIn = (title: Element): string =>
  title.childNodes.map((node) => (isText(node) ? node.value : '')).join('');
