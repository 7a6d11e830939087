import { objectFolder } from '../../../files/odf.ts';
import { deepNestingKind } from '../../../files/unread/index.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  walk,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import type { DocBlock } from '../../document.ts';
import { flatten, origin, plainSpan, toTextFields, withoutEmphasis } from '../build-blocks.ts';
import { toRoman } from '../roman.ts';
import type { OdfContext } from './context.ts';
import { readInline } from './inline.ts';
import { readTable } from './tables.ts';

const maxDepth = 40;

/** Drawing elements that may contain text (ODF 1.3 part 3, 10.3), or links around them. */
const shapeElements: ReadonlySet<string> = new Set(
  `a frame g text-box custom-shape rect ellipse circle line polyline polygon regular-polygon path connector
   caption measure`.split(/\s+/),
);

type ListPosition = { list: string | undefined; level: number; marker: string | null };
const outsideLists: ListPosition = { list: undefined, level: -1, marker: null };

/** Reads the blocks of a body, a section, a cell, a text box or a note (ODF 1.3 part 3, 5). */
export function readBlocks(container: XmlElement, context: OdfContext, depth = 0): DocBlock[] {
  const out: DocBlock[] = [];
  if (depth > maxDepth) {
    context.unread.add(deepNestingKind);
    return out;
  }
  for (const child of elementsOf(container)) out.push(...readBlock(child, context, depth));
  return out;
}

function readBlock(element: XmlElement, context: OdfContext, depth: number): DocBlock[] {
  switch (element.local) {
    case 'p':
    case 'h':
      return readParagraph(element, outsideLists, context, depth);
    case 'list':
      return readList(element, outsideLists, context, depth);
    case 'table':
      return tableOf(element, context, depth);
    case 'control':
      context.unread.add('form controls');
      return [];
    case 'section':
    case 'index-body':
    case 'index-title':
    case 'table-of-content':
    case 'numbered-paragraph':
    case 'page-sequence':
      return readBlocks(element, context, depth + 1);
    default:
      if (shapeElements.has(element.local)) return readFrame(element, context, depth);
      // Indexes other than a table of contents.
      return /-index$|^bibliography$/.test(element.local)
        ? readBlocks(element, context, depth + 1)
        : [];
  }
}

/**
 * Returns the level of a paragraph style `Heading 1` to `Heading 10`, whose name is English in
 * every program; 0 for other styles.
 */
const headingLevelOf = (names: readonly string[]): number =>
  Number(names.flatMap((name) => /^heading (\d{1,2})$/.exec(name)?.[1] ?? [])[0] ?? 0);

function readParagraph(
  element: XmlElement,
  { level, marker }: ListPosition,
  context: OdfContext,
  depth: number,
): DocBlock[] {
  context.budget.countBlock();
  const name = attributeValue(element, 'style-name');
  if (context.styles.isHidden(name)) {
    if (xmlText(element).trim() !== '') context.unread.add('hidden text');
    return [];
  }
  const { spans, frames } = readInline(element, context);
  const insets = frames.flatMap((frame) => readBlock(frame, context, depth + 1));
  const text = toTextFields(spans, context.page);
  if (text.text === '') return insets;
  const names = context.styles.namesOf(name);
  const outline =
    element.local === 'h'
      ? Number(attributeValue(element, 'outline-level') ?? '1')
      : headingLevelOf(names);
  const paragraphBlock = ((): DocBlock => {
    if (marker !== null) {
      const ordered = marker !== '-';
      return { role: 'list_item', level, marker, ordered, checked: null, ...text };
    }
    if (outline > 0 || names.includes('title')) {
      const plain = withoutEmphasis(text.spans);
      const heading = outline > 0 ? Math.min(6, outline + 1) : 1;
      return { role: 'heading', level: heading, ...toTextFields(plain, context.page) };
    }
    if (names.some((one) => /^(preformatted text|source code|code)/.test(one))) {
      return { role: 'code', language: null, ...text };
    }
    if (names.some((one) => /^quot/.test(one))) return { role: 'quote', ...text };
    if (names.some((one) => /^(caption|illustration|figure|drawing)$/.test(one)))
      return { role: 'caption', ...text };
    return { role: 'paragraph', ...text };
  })();
  return [paragraphBlock, ...insets];
}

/**
 * Reads a list. The first paragraph of an item is its text, and further paragraphs are lines below
 * it.
 */
function readList(
  list: XmlElement,
  parent: ListPosition,
  context: OdfContext,
  depth: number,
): DocBlock[] {
  if (depth > maxDepth) {
    context.unread.add(deepNestingKind);
    return [];
  }
  const level = parent.level + 1;
  const style = attributeValue(list, 'style-name') ?? parent.list;
  const counter = context.styles.counterOf(style, level + 1);
  const out: DocBlock[] = [];
  let number = 0;
  for (const item of elementsOf(list)) {
    if (item.local !== 'list-item' && item.local !== 'list-header') continue;
    number = Number(attributeValue(item, 'start-value')) || number + 1;
    const marker = counter ? counterText(counter.format, number) + counter.suffix : '-';
    let isFirst = item.local === 'list-item';
    for (const child of elementsOf(item)) {
      if (child.local === 'list')
        out.push(...readList(child, { list: style, level, marker: null }, context, depth + 1));
      else if (child.local === 'p' || child.local === 'h') {
        const isHeading = child.local === 'h';
        const position = isHeading
          ? outsideLists
          : { list: style, level, marker: isFirst ? marker : '-' };
        out.push(...readParagraph(child, position, context, depth + 1));
        isFirst = false;
      } else out.push(...readBlock(child, context, depth + 1));
    }
  }
  return out;
}

function counterText(format: string, number: number): string {
  const letter = String.fromCharCode(97 + ((number - 1) % 26));
  if (format === 'a') return letter;
  if (format === 'A') return letter.toUpperCase();
  if (/^i$/i.test(format) && number < 4000)
    return format === 'i' ? toRoman(number) : toRoman(number).toUpperCase();
  return String(number);
}

/**
 * Reads a frame, which contains alternatives: the first of text, table, chart or picture that can
 * be read is used. A group contains several frames.
 */
export function readFrame(frame: XmlElement, context: OdfContext, depth: number): DocBlock[] {
  if (depth > maxDepth) {
    context.unread.add(deepNestingKind);
    return [];
  }
  if (frame.local === 'g' || frame.local === 'a')
    return elementsOf(frame).flatMap((one) => readBlock(one, context, depth + 1));
  if (frame.local !== 'frame') return readBlocks(frame, context, depth + 1);
  const box = childOf(frame, 'text-box');
  if (box) return readBlocks(box, context, depth + 1);
  const table = childOf(frame, 'table');
  if (table) return tableOf(table, context, depth + 1);
  const object = childOf(frame, 'object');
  const chart = object && chartOf(object, context, depth);
  if (chart && chart.length > 0) return chart;
  if (!object && !childOf(frame, 'image')) return [];
  const description = childOf(frame, 'desc') ?? childOf(frame, 'title');
  const alt = description ? xmlText(description).replace(/\s+/g, ' ').trim() : '';
  return [{ role: 'picture', alt: alt === '' ? null : alt, ...origin(context.page) }];
}

/** Reads an embedded chart from its table of values (ODF 1.3 part 3, 11). */
function chartOf(object: XmlElement, context: OdfContext, depth: number): DocBlock[] {
  const folder = objectFolder(attributeValue(object, 'href') ?? '');
  const bytes = folder === null ? undefined : context.parts.get(`${folder}/content.xml`);
  if (!bytes) return [];
  let chart: XmlElement | undefined;
  walk(parseXml(bytes), (element) => {
    if (element.local === 'chart' && childOf(element, 'plot-area')) chart ??= element;
  });
  const table = childOf(chart, 'table');
  if (!chart || !table) return [];
  const title = childOf(chart, 'title');
  const caption = title
    ? toTextFields(flatten(readBlocks(title, context, depth + 1))).text || null
    : null;
  return tableOf(table, context, depth + 1).map((block) =>
    block.role === 'table' ? { ...block, caption } : block,
  );
}

const tableOf = (table: XmlElement, context: OdfContext, depth: number): DocBlock[] =>
  readTable(table, context, (cell) => readBlocks(cell, context, depth + 1));

/** Returns notes and comments as blocks. Nested notes come last. */
export function readNotes(context: OdfContext): DocBlock[] {
  const out: DocBlock[] = [];
  for (let at = 0; at < context.notes.length; at += 1) {
    const { label, author, body } = context.notes[at]!;
    const noteSpans = flatten(readBlocks(body, context, maxDepth - 10));
    const prefix = author === null ? [] : [plainSpan(`${author}: `)];
    const text = toTextFields(noteSpans.length > 0 ? [...prefix, ...noteSpans] : [], context.page);
    if (text.text !== '') out.push({ role: 'footnote', label, ...text });
  }
  context.notes.length = 0;
  return out;
}
