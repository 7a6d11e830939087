import type { Package, Relationship } from '../../../files/opc.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../../../files/xml.ts';
import type { DocBlock } from '../../document.ts';
import { flatten, textOf } from '../build.ts';
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
  around: Omit<TextContext, 'links'>,
): DocBlock[] {
  const context: TextContext = { ...around, links: new Map() };
  const id = attributeValue(references, 'dm');
  const relation = relations.find((one) => one.id === id && !one.external);
  const bytes = relation && source.parts.get(relation.target);
  if (!bytes) return [];
  const model = parseXml(bytes);
  const points = new Map(
    listOf(model, 'ptLst').map((point) => [attributeValue(point, 'modelId') ?? '', point]),
  );
  const children = new Map<string, { id: string; place: number }[]>();
  const hasParent = new Set<string>();
  for (const link of listOf(model, 'cxnLst')) {
    if ((attributeValue(link, 'type') ?? 'parOf') !== 'parOf') continue;
    const from = attributeValue(link, 'srcId') ?? '';
    const to = attributeValue(link, 'destId') ?? '';
    const place = Number(attributeValue(link, 'srcOrd') ?? '0');
    children.set(from, [...(children.get(from) ?? []), { id: to, place }]);
    hasParent.add(to);
  }
  const blocks: DocBlock[] = [];
  const seen = new Set<string>();
  const visit = (at: string, level: number): void => {
    const point = points.get(at);
    if (!point || seen.has(at) || level > maxDepth) return;
    seen.add(at);
    const body = childOf(point, 't');
    const isNode = (attributeValue(point, 'type') ?? 'node') === 'node';
    const texts = body && isNode ? readText(body, { heading: null, styles: [] }, context) : [];
    const text = textOf(flatten(texts), context.page);
    const item = { role: 'list_item', marker: '-', ordered: false, checked: null } as const;
    if (text.text !== '') blocks.push({ ...item, level, ...text });
    const below = (children.get(at) ?? []).sort((a, b) => a.place - b.place);
    for (const child of below) visit(child.id, text.text === '' ? level : level + 1);
  };
  for (const at of points.keys()) if (!hasParent.has(at)) visit(at, 0);
  return blocks;
}

function listOf(model: XmlElement, name: string): XmlElement[] {
  return elementsOf(childOf(model, name));
}
