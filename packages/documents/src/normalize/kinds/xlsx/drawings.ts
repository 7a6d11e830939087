import type { Package } from '../../../files/opc.ts';
import {
  attributeValue,
  childOf,
  choiceOf,
  elementsOf,
  parseXml,
  walk,
  type XmlElement,
} from '../../../files/xml.ts';
import type { DocBlock } from '../../document.ts';
import { type createBudget, origin } from '../build-blocks.ts';
import { chartOf } from '../chart.ts';
import { diagramOf } from '../pptx/diagram.ts';
import { readText } from '../pptx/text.ts';

/**
 * Reads the drawings of a sheet: pictures, text in shapes, charts as tables, and diagrams as lists.
 */
export function drawingsOf(
  source: Package,
  sheet: string,
  page: number,
  budget: ReturnType<typeof createBudget>,
): DocBlock[] {
  const relation = source.relationshipsOf(sheet).find((one) => one.kind === 'drawing');
  const part = relation && !relation.external ? source.parts.get(relation.target) : undefined;
  if (!relation || !part) return [];
  const { target } = relation;
  const context = { page, budget };
  const blocks: DocBlock[] = [];
  const visit = (element: XmlElement): void => {
    if (element.local === 'AlternateContent') {
      for (const child of choiceOf(element)) visit(child);
    } else if (element.local === 'sp' || element.local === 'cxnSp') {
      const body = childOf(element, 'txBody');
      const form = { heading: null, styles: [] };
      if (body) blocks.push(...readText(body, form, { ...context, links: new Map() }));
    } else if (element.local === 'pic') blocks.push(pictureOf(element, page));
    else if (element.local === 'graphicFrame') {
      const found: DocBlock[] = [];
      walk(element, (descendant) => {
        if (descendant.local === 'relIds') {
          found.push(...diagramOf(source, source.relationshipsOf(target), descendant, context));
        }
        const chart =
          descendant.local === 'chart' && chartOf(source, target, descendant, budget, page);
        if (chart) found.push(chart);
      });
      blocks.push(...(found.length > 0 ? found : [pictureOf(element, page)]));
    } else for (const child of elementsOf(element)) visit(child);
  };
  visit(parseXml(part));
  return blocks;
}

function pictureOf(element: XmlElement, page: number): DocBlock {
  let alt: string | null = null;
  walk(element, (descendant) => {
    if (descendant.local === 'cNvPr') alt ??= attributeValue(descendant, 'descr') || null;
  });
  return { role: 'picture', alt, ...origin(page) };
}
