import { isXmlElement, walk, type XmlElement, type XmlNode } from '../../../files/xml.ts';

/**
 * Reorders text whose letters are displayed from right to left (`w:bdo`) to its display order, so
 * that it is read as people see it.
 */
export function mirrorOverrides(root: XmlElement): void {
  walk(root, (element) => {
    if (element.local !== 'bdo') return;
    const direction = element.attributes.find(({ local }) => local === 'val');
    if (direction?.value !== 'rtl') return;
    // Nested elements are also displayed from right to left, and must not be reversed twice.
    direction.value = 'ltr';
    mirror(element);
  });
}

function mirror(element: XmlElement): void {
  if (element.local === 'bdo') {
    for (const one of element.attributes) if (one.local === 'val') one.value = 'ltr';
  }
  const isProperty = (node: XmlNode): boolean => isXmlElement(node) && node.local === 'rPr';
  const shown = element.children.filter((node) => !isProperty(node)).reverse();
  element.children = [...element.children.filter(isProperty), ...shown];
  for (const node of shown) {
    if (isXmlElement(node)) mirror(node);
    else node.text = [...node.text].reverse().join('');
  }
}
