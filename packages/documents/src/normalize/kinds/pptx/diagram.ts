import type { Package, Relationship } from '../../../files/opc.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../../../files/xml.ts';
import type { DocBlock } from '../../document.ts';
import { flatten, toTextFields } from '../build-blocks.ts';
import { readText, type TextContext } from './text.ts';

const maxDepth = 8;

/**
 * Returns the texts of a diagram (SmartArt, ECMA-376 part 1, 21.4) as a list. The children of a
 * point are one level below it.
 */
export function diagramOf(
  source: Package,
  relations: readonly Relationship[],
  references: XmlElement,
  textContext: Omit<TextContext, 'links'>,
): DocBlock[] {
  const context: TextContext = { ...textContext, links: new Map() };
  const id = attributeValue(references, 'dm');
  const relation = relations.find((one) => one.id === id && !one.external);
  const bytes = relation && source.parts.get(relation.target);
  if (!bytes) return [];
  const model = parseXml(bytes);
  const points = new Map(
    listOf(model, 'ptLst').map((point) => [attributeValue(point, 'modelId') ?? '', point]),
  );
  const children = new Map<string, { id: string; order: number }[]>();
  const hasParent = new Set<string>();
  for (const link of listOf(model, 'cxnLst')) {
    if ((attributeValue(link, 'type') ?? 'parOf') !== 'parOf') continue;
    const from = attributeValue(link, 'srcId') ?? '';
    const to = attributeValue(link, 'destId') ?? '';
    const order = Number(attributeValue(link, 'srcOrd') ?? '0');
    children.set(from, [...(children.get(from) ?? []), { id: to, order }]);
    hasParent.add(to);
  }
  const blocks: DocBlock[] = [];
  const visited = new Set<string>();
  const visit = (at: string, level: number): void => {
    const point = points.get(at);
    if (!point || visited.has(at) || level > maxDepth) return;
    visited.add(at);
    const body = childOf(point, 't');
    const isNode = (attributeValue(point, 'type') ?? 'node') === 'node';
    const texts = body && isNode ? readText(body, { heading: null, styles: [] }, context) : [];
    const text = toTextFields(flatten(texts), context.page);
    const item = { role: 'list_item', marker: '-', ordered: false, checked: null } as const;
    if (text.text !== '') blocks.push({ ...item, level, ...text });
    const childPoints = (children.get(at) ?? []).sort((a, b) => a.order - b.order);
    for (const child of childPoints) visit(child.id, text.text === '' ? level : level + 1);
  };
  for (const at of points.keys()) if (!hasParent.has(at)) visit(at, 0);
  return blocks;
}

function listOf(model: XmlElement, name: string): XmlElement[] {
  return elementsOf(childOf(model, name));
}
