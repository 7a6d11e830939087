import type { Package, Relationship } from '../../../files/opc.ts';
import { deepNestingKind, type UnreadKinds } from '../../../files/unread/index.ts';
import {
  attributeValue,
  childOf,
  choiceOf,
  elementsOf,
  parseXml,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import type { DocBlock } from '../../document.ts';
import { type createBudget, flatten, origin, toTextFields } from '../build-blocks.ts';
import { chartOf } from '../chart.ts';
import { diagramOf } from './diagram.ts';
import { type Frame, type PositionedItem, sortInReadingOrder } from './reading-order.ts';
import { readTable } from './tables.ts';
import { readText, type TextContext } from './text.ts';

const maxDepth = 20;

/** A part of a presentation: a slide, its layout, its master, its notes. */
export type Part = { name: string; root: XmlElement; relations: readonly Relationship[] };

/** Opens the related part of a kind; null without one. */
export function partOf(source: Package, from: Part | null, kind: string): Part | null {
  const relation = from?.relations.find((one) => one.kind === kind && !one.external);
  const bytes = relation && source.parts.get(relation.target);
  if (!relation || !bytes) return null;
  const { target } = relation;
  return { name: target, root: parseXml(bytes), relations: source.relationshipsOf(target) };
}

/** The type and the index of a placeholder, which a layout defines. */
type Placeholder = { type: string; index: string };

type SlideContext = TextContext & {
  source: Package;
  slide: Part;
  /** The layout and the master of the slide, in this order. */
  bases: readonly Part[];
  unread: UnreadKinds;
};

/** Reads the content of a slide: its title, then its other shapes in reading order. */
export function readSlide(
  source: Package,
  slide: Part,
  page: number,
  budget: ReturnType<typeof createBudget>,
  unread: UnreadKinds,
): DocBlock[] {
  const layout = partOf(source, slide, 'slideLayout');
  const master = partOf(source, layout, 'slideMaster');
  const context: SlideContext = {
    source,
    slide,
    bases: [layout, master].filter((part): part is Part => part !== null),
    page,
    budget,
    unread,
    links: new Map(slide.relations.map((relation) => [relation.id, relation])),
  };
  const tree = treeOf(slide.root);
  const shapes = tree ? shapesIn(tree, context, 0) : [];
  const isTitle = (blocks: readonly DocBlock[]): boolean => blocks[0]?.role === 'heading';
  const titles = shapes.filter(({ item }) => isTitle(item));
  const otherShapes = shapes.filter(({ item }) => !isTitle(item));
  return [
    ...titles.flatMap(({ item }) => item),
    ...sortInReadingOrder(otherShapes).flat(),
    ...furnitureOf(context),
  ];
}

/** Returns the text that the layout and the master show on every slide, such as a company name. */
function furnitureOf(context: SlideContext): DocBlock[] {
  const { slide, bases, page } = context;
  const blocks: DocBlock[] = [];
  let previous = slide;
  for (const base of bases) {
    if (/^(0|false)$/.test(attributeValue(previous.root, 'showMasterSp') ?? '')) break;
    previous = base;
    const tree = treeOf(base.root);
    for (const shape of elementsOf(tree)) {
      const body = childOf(shape, 'txBody');
      if (!body || placeholderOf(shape) || isHidden(shape)) continue;
      const text = toTextFields(
        flatten(readText(body, { heading: null, styles: [] }, context)),
        page,
      );
      if (text.text !== '') blocks.push({ role: 'page_footer', ...text });
    }
  }
  return blocks;
}

const treeOf = (root: XmlElement): XmlElement | undefined => {
  const content = childOf(root, 'cSld');
  return childOf(content, 'spTree');
};

/** Reads the notes of a slide, without the slide image and the slide number. */
export function readNotes(
  notes: Part,
  page: number,
  budget: ReturnType<typeof createBudget>,
): DocBlock[] {
  const tree = treeOf(notes.root);
  const links = new Map(notes.relations.map((relation) => [relation.id, relation]));
  const blocks: DocBlock[] = [];
  for (const shape of elementsOf(tree)) {
    const body = childOf(shape, 'txBody');
    if (!body || /^(sldImg|hdr|ftr|dt|sldNum)$/.test(placeholderOf(shape)?.type ?? '')) continue;
    blocks.push(...readText(body, { heading: null, styles: [] }, { page, links, budget }));
  }
  return blocks;
}

function shapesIn(
  tree: XmlElement,
  context: SlideContext,
  depth: number,
): PositionedItem<DocBlock[]>[] {
  if (depth > maxDepth) {
    context.unread.add(deepNestingKind);
    return [];
  }
  const shapes: PositionedItem<DocBlock[]>[] = [];
  const add = (shape: XmlElement): void => {
    if (shape.local === 'AlternateContent') {
      for (const child of choiceOf(shape)) add(child);
      return;
    }
    if (isHidden(shape)) {
      const body = childOf(shape, 'txBody');
      if (body && xmlText(body).trim() !== '') context.unread.add('hidden shapes');
      return;
    }
    const item =
      shape.local === 'grpSp'
        ? sortInReadingOrder(shapesIn(shape, context, depth + 1)).flat()
        : readShape(shape, context);
    if (item.length > 0) shapes.push({ frame: frameOf(shape, context), item });
  };
  for (const child of elementsOf(tree)) add(child);
  return shapes;
}

/** Returns the element with the name, description and purpose of a shape. */
function nonVisualPropertiesOf(shape: XmlElement): XmlElement | undefined {
  return elementsOf(shape).find(({ local }) => /^nv\w*Pr$/.test(local));
}

function isHidden(shape: XmlElement): boolean {
  const properties = nonVisualPropertiesOf(shape);
  const drawingProperties = childOf(properties, 'cNvPr');
  return /^(1|true)$/.test(attributeValue(drawingProperties, 'hidden') ?? '');
}

function placeholderOf(shape: XmlElement): Placeholder | null {
  const nonVisual = nonVisualPropertiesOf(shape);
  const properties = childOf(nonVisual, 'nvPr');
  const found = childOf(properties, 'ph');
  if (!found) return null;
  const index = attributeValue(found, 'idx') ?? '';
  return { type: attributeValue(found, 'type') ?? (index === '' ? 'body' : 'obj'), index };
}

/**
 * Returns the shapes of the layout and the master from which a shape of a slide inherits position
 * and styles.
 */
function inheritedShapes(shape: XmlElement, { bases }: SlideContext): XmlElement[] {
  const placeholder = placeholderOf(shape);
  if (!placeholder) return [];
  return bases.flatMap(({ root }) => {
    const tree = treeOf(root);
    const shapes = elementsOf(tree).filter((one) => placeholderOf(one) !== null);
    const byIndex = shapes.find(
      (one) => placeholder.index !== '' && placeholderOf(one)?.index === placeholder.index,
    );
    const found =
      byIndex ?? shapes.find((one) => matchesType(placeholderOf(one)?.type, placeholder.type));
    return found ? [found] : [];
  });
}

const matchesType = (type: string | undefined, slideType: string): boolean =>
  type === slideType ||
  (type === 'title' && slideType === 'ctrTitle') ||
  (type === 'body' && /^(obj|subTitle)$/.test(slideType));

function frameOf(shape: XmlElement, context: SlideContext): Frame | null {
  for (const candidate of [shape, ...inheritedShapes(shape, context)]) {
    const properties =
      childOf(candidate, candidate.local === 'grpSp' ? 'grpSpPr' : 'spPr') ?? candidate;
    const transform = childOf(properties, 'xfrm');
    const start = childOf(transform, 'off');
    const size = childOf(transform, 'ext');
    if (!start || !size) continue;
    const x = Number(attributeValue(start, 'x'));
    const y = Number(attributeValue(start, 'y'));
    const frame: Frame = [
      x,
      y,
      x + Number(attributeValue(size, 'cx')),
      y + Number(attributeValue(size, 'cy')),
    ];
    if (frame.every(Number.isFinite)) return frame;
  }
  return null;
}

function readShape(shape: XmlElement, context: SlideContext): DocBlock[] {
  switch (shape.local) {
    case 'sp':
    case 'cxnSp':
      return readTextShape(shape, context);
    case 'pic':
      return [pictureOf(shape, context)];
    case 'graphicFrame':
      return readGraphic(shape, context);
    default:
      return [];
  }
}

function pictureOf(shape: XmlElement, { page, budget }: SlideContext): DocBlock {
  budget.countBlock();
  const properties = nonVisualPropertiesOf(shape);
  const drawingProperties = childOf(properties, 'cNvPr');
  const alt = (attributeValue(drawingProperties, 'descr') ?? '').replace(/\s+/g, ' ').trim();
  return { role: 'picture', alt: alt === '' ? null : alt, ...origin(page) };
}

function readTextShape(shape: XmlElement, context: SlideContext): DocBlock[] {
  const body = childOf(shape, 'txBody');
  if (!body) return [];
  const placeholder = placeholderOf(shape);
  const type = placeholder?.type ?? '';
  const styles = inheritedShapes(shape, context).flatMap((one) => {
    const text = childOf(one, 'txBody');
    return text ? [childOf(text, 'lstStyle')] : [];
  });
  const master = context.bases.at(-1)?.root;
  const textStyles = childOf(master, 'txStyles');
  if (textStyles) styles.push(childOf(textStyles, placeholder ? styleNameOf(type) : 'otherStyle'));
  const heading = type === 'ctrTitle' ? 1 : type === 'title' ? 2 : null;
  const blocks = readText(body, { heading, styles }, context);
  // The placeholders for date, slide number, header and footer.
  if (!/^(dt|ftr|sldNum|hdr)$/.test(type)) return blocks;
  return blocks.length === 0
    ? []
    : [{ role: 'page_footer', ...toTextFields(flatten(blocks), context.page) }];
}

const styleNameOf = (type: string): string =>
  /^(ctrTitle|title)$/.test(type)
    ? 'titleStyle'
    : /^(dt|ftr|sldNum|hdr)$/.test(type)
      ? 'otherStyle'
      : 'bodyStyle';

/** Reads a table, chart or diagram, or an embedded file that is shown as a picture. */
function readGraphic(shape: XmlElement, context: SlideContext): DocBlock[] {
  const graphic = childOf(shape, 'graphic');
  const content = elementsOf(childOf(graphic, 'graphicData'))[0];
  if (!content) return [];
  const { source, slide, budget, page } = context;
  if (content.local === 'tbl') return readTable(content, context);
  const found =
    content.local === 'chart'
      ? [chartOf(source, slide.name, content, budget, page)]
      : content.local === 'relIds'
        ? diagramOf(source, slide.relations, content, context)
        : [];
  const blocks = found.filter((block): block is DocBlock => block !== null);
  return blocks.length > 0 ? blocks : [pictureOf(shape, context)];
}
