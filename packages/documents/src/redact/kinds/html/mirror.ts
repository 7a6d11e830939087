import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { keptStyle } from './styles.ts';

type Element = DefaultTreeAdapterTypes.Element;

/**
 * Reorders an element whose letters are displayed from right to left (`bdo`, or a style) to its
 * display order, so that it is read as people see it.
 */
export function mirror(root: Element): void {
  const stack: Element[] = [root];
  for (let element = stack.pop(); element; element = stack.pop()) {
    element.childNodes.reverse();
    if (element.tagName === 'bdo') element.tagName = element.nodeName = 'span';
    element.attrs = element.attrs.filter(({ name }) => name !== 'dir');
    // The attributes that reverse the text are removed, so that it is not reversed twice.
    for (const one of element.attrs) if (one.name === 'style') one.value = keptStyle(one.value);
    for (const child of element.childNodes) {
      if (defaultTreeAdapter.isTextNode(child)) child.value = [...child.value].reverse().join('');
      else if (defaultTreeAdapter.isElementNode(child)) stack.push(child);
    }
  }
}
