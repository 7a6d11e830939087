import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { keptStyle } from './styles.ts';

type Element = DefaultTreeAdapterTypes.Element;

/**
 * Writes an element whose letters are shown from the right (`bdo`, or a style) in the order in which they
 * are shown, so that they are read as people see them.
 */
export function mirror(root: Element): void {
  const open: Element[] = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    element.childNodes.reverse();
    if (element.tagName === 'bdo') element.tagName = element.nodeName = 'span';
    element.attrs = element.attrs.filter(({ name }) => name !== 'dir');
    // Without what reverses, so that it is not done twice.
    for (const one of element.attrs) if (one.name === 'style') one.value = keptStyle(one.value);
    for (const child of element.childNodes) {
      if (defaultTreeAdapter.isTextNode(child)) child.value = [...child.value].reverse().join('');
      else if (defaultTreeAdapter.isElementNode(child)) open.push(child);
    }
  }
}
