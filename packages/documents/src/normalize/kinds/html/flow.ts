import { safeHref } from '../../../files/links.ts';
import type { DocBlock, Mark, Span } from '../../document.ts';
import {
  addSpan,
  type createBudget,
  origin,
  plainSpan,
  toTextFields,
  withoutEmphasis,
} from '../build-blocks.ts';
import { toRoman } from '../roman.ts';
import { drawingOf } from './drawing.ts';
import {
  attributeOf,
  blocks as blockElements,
  type Element,
  isElement,
  isHidden,
  isHiddenByStyle,
  isText,
  markByTag,
  type Node,
  type Parent,
  textIn,
} from './elements.ts';
import { officeItem } from './office-lists.ts';
import { readTable } from './tables.ts';

/** A list item that is being read. The first text in it becomes the item. */
type Item = {
  level: number;
  marker: string;
  ordered: boolean;
  checked: boolean | null;
  isUsed: boolean;
};

/** The elements around some text, as far as they affect how it is read. */
export type TextContext = {
  marks: readonly Mark[];
  href: string | null;
  role: 'paragraph' | 'quote' | 'caption' | 'heading';
  headingLevel: number;
  item: Item | null;
  /** The number of enclosing lists. */
  depth: number;
  /** Whether the text is in the footer of the page, not the footer of a section. */
  inFooter: boolean;
  /** Whether the text is in a menu or page header, which are repeated on every page of a site. */
  inFurniture: boolean;
};

export type Flow = {
  out: DocBlock[];
  /** The text of the current block. */
  spans: Span[];
  /** The state of a checkbox before the current text; null without one. */
  checked: boolean | null;
  budget: ReturnType<typeof createBudget>;
  depth: number;
  /** The pictures in the current line. */
  pendingPictures: DocBlock[];
  /** Whether the first heading has not been read yet. */
  beforeHeadings: boolean;
  /** Whether the source is an e-mail. E-mails use tables for layout. */
  isMail: boolean;
};

/** The maximum number of letters of an item to which further paragraphs are added. */
const maxItemLength = 20_000;
/** The maximum nesting. Deeper content is read as plain text. */
const maxDepth = 300;

export const rootContext: TextContext = {
  marks: [],
  href: null,
  role: 'paragraph',
  headingLevel: 1,
  item: null,
  depth: 0,
  inFooter: false,
  inFurniture: false,
};

/** Ends the current block. */
export function flush(flow: Flow, context: TextContext): void {
  flushText(flow, context);
  for (const picture of flow.pendingPictures) flow.out.push(picture);
  if (flow.pendingPictures.length > 0) flow.pendingPictures = [];
}

function flushText(flow: Flow, context: TextContext): void {
  const text = toTextFields(collapseSpaces(flow.spans));
  const { checked } = flow;
  flow.spans = [];
  flow.checked = null;
  if (text.text === '') return;
  flow.budget.countBlock();
  if (context.role === 'heading') {
    flow.beforeHeadings = false;
    const spans = withoutEmphasis(text.spans);
    flow.out.push({ role: 'heading', level: context.headingLevel, ...text, spans });
  } else if (context.inFooter) flow.out.push({ role: 'page_footer', ...text });
  else if (isMenu(context, flow, text.spans)) flow.out.push({ role: 'page_header', ...text });
  else if (context.item) addToItem(flow, context.item, text, checked);
  else if (checked !== null) {
    flow.out.push({ role: 'list_item', level: 0, marker: '-', ordered: false, checked, ...text });
  } else flow.out.push({ role: context.role, ...text });
}

/**
 * Whether text is a menu: before the first heading, and either in a page's header or navigation, or
 * consisting of links only.
 */
const isMenu = (context: TextContext, flow: Flow, spans: readonly Span[]): boolean =>
  flow.beforeHeadings &&
  (context.inFurniture || spans.every(({ text, href }) => href !== null || text.trim() === ''));

/**
 * Adds text to a list item. The first text becomes the item, and further paragraphs become lines of
 * it.
 */
function addToItem(
  flow: Flow,
  item: Item,
  text: ReturnType<typeof toTextFields>,
  checked: boolean | null,
) {
  const last = flow.out.at(-1);
  const continuesItem = item.isUsed && last?.role === 'list_item' && last.level === item.level;
  if (continuesItem && last.text.length < maxItemLength) {
    const spans = [...last.spans];
    addSpan(spans, '\n', [], null);
    for (const span of text.spans) addSpan(spans, span.text, span.marks, span.href);
    flow.out[flow.out.length - 1] = { ...last, ...toTextFields(spans) };
    return;
  }
  const { level, ordered } = item;
  const marker = item.isUsed ? '-' : item.marker;
  flow.out.push({
    role: 'list_item',
    level: item.isUsed ? level + 1 : level,
    marker,
    ordered: ordered && !item.isUsed,
    checked: checked ?? item.checked,
    ...text,
  });
  item.isUsed = true;
}

/**
 * Collapses white space as browsers display it: single spaces, and no spaces beside a line break.
 */
function collapseSpaces(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  let endsWithBlank = true;
  for (const { text, marks, href } of spans) {
    let collapsedText = '';
    for (const part of text.split(/([ \t\r\f\v]+|\n)/)) {
      if (part === '') continue;
      const isBlank = part !== '\n' && /^[ \t\r\f\v]/.test(part);
      if (isBlank) {
        if (!endsWithBlank) collapsedText += ' ';
        endsWithBlank = true;
      } else {
        if (part === '\n') collapsedText = collapsedText.replace(/ $/, '');
        collapsedText += part;
        endsWithBlank = part === '\n';
      }
    }
    addSpan(out, collapsedText, marks, href);
  }
  return out;
}

/** Reads the content of an element, block by block. */
export function readChildren(parent: Parent, context: TextContext, flow: Flow): void {
  if (flow.depth > maxDepth) {
    addSpan(flow.spans, textIn(parent).replaceAll('\n', ' '), context.marks, context.href);
    return;
  }
  flow.depth += 1;
  for (const node of parent.childNodes) readNode(node, context, flow);
  flow.depth -= 1;
}

function readNode(node: Node, context: TextContext, flow: Flow): void {
  if (isText(node)) {
    addSpan(flow.spans, node.value.replaceAll('\n', ' '), context.marks, context.href);
    return;
  }
  if (isElement(node) && node.tagName === 'svg' && !isHiddenByStyle(node)) {
    const drawing = drawingOf(node);
    if (drawing) addPicture(drawing, flow);
    return;
  }
  if (!isElement(node) || isHidden(node)) return;
  if (blockElements.has(node.tagName)) {
    // Text before a nested block is a separate block.
    flush(flow, context);
    readBlock(node, context, flow);
    return;
  }
  readInline(node, context, flow);
}

function readInline(element: Element, context: TextContext, flow: Flow): void {
  const { tagName } = element;
  if (tagName === 'br') addSpan(flow.spans, '\n', [], null);
  else if (tagName === 'wbr') return;
  else if (tagName === 'img' || tagName === 'image') readPicture(element, context, flow);
  else if (tagName === 'input') readInput(element, context, flow);
  else if (tagName === 'math') {
    addSpan(flow.spans, mathOf(element), [], context.href);
  } else {
    const mark = markByTag.get(tagName);
    const marks = mark && !context.marks.includes(mark) ? [...context.marks, mark] : context.marks;
    const href =
      tagName === 'a' ? safeHref((attributeOf(element, 'href') ?? '').trim()) : context.href;
    const q = tagName === 'q' ? '"' : '';
    addSpan(flow.spans, q, marks, href);
    readChildren(element, { ...context, marks, href }, flow);
    addSpan(flow.spans, q, marks, href);
  }
}

/** Returns the LaTeX that formulas of web pages often contain, or else their visible text. */
function mathOf(element: Element): string {
  const tex = attributeOf(element, 'alttext');
  return tex === undefined ? textIn(element).replace(/\s+/g, ' ') : tex;
}

/** Reads a picture. A picture within a line of text follows the line. */
function readPicture(element: Element, context: TextContext, flow: Flow): void {
  const alt = (attributeOf(element, 'alt') ?? '').replace(/\s+/g, ' ').trim();
  const isPixel =
    Number.parseInt(attributeOf(element, 'width') ?? '', 10) <= 1 ||
    /(?:^|;)\s*(?:width|height)\s*:\s*[01]px/i.test(attributeOf(element, 'style') ?? '');
  if ((isPixel && alt === '') || (context.inFurniture && flow.beforeHeadings)) return;
  addPicture({ role: 'picture', alt: alt === '' ? null : alt, ...origin() }, flow);
}

function addPicture(picture: DocBlock, flow: Flow): void {
  flow.budget.countBlock();
  if (flow.spans.some(({ text }) => text.trim() !== '')) flow.pendingPictures.push(picture);
  else flow.out.push(picture);
}

/**
 * Reads the visible content of a form field: its checked state, its value, or the label of a
 * button.
 */
function readInput(element: Element, context: TextContext, flow: Flow): void {
  const type = (attributeOf(element, 'type') ?? 'text').toLowerCase();
  if (type === 'checkbox' || type === 'radio') {
    const isEmpty = flow.spans.every(({ text }) => text.trim() === '');
    const checked = attributeOf(element, 'checked') !== undefined;
    if (isEmpty && flow.checked === null) flow.checked = checked;
    else addSpan(flow.spans, checked ? '☒ ' : '☐ ', [], null);
  } else if (!/^(hidden|password|file|image|color|range)$/.test(type)) {
    const value = attributeOf(element, 'value') ?? '';
    addSpan(flow.spans, value === '' ? '' : ` ${value.replaceAll('\n', ' ')} `, [], context.href);
  }
}

function readBlock(element: Element, context: TextContext, flow: Flow): void {
  const { tagName } = element;
  const innerContext: TextContext = {
    ...context,
    inFurniture: context.inFurniture || isFurniture(element),
    inFooter: context.inFooter || isFooter(element),
  };
  const readContent = (overrides: Partial<TextContext> = {}): void => {
    readChildren(element, { ...innerContext, ...overrides }, flow);
    flush(flow, { ...innerContext, ...overrides });
  };
  const item = officeItem(element);
  if (/^h[1-6]$/.test(tagName))
    readContent({ role: 'heading', headingLevel: Number(tagName[1]), item: null });
  else if (/^(ul|ol|menu|dir)$/.test(tagName)) readList(element, innerContext, flow);
  else if (tagName === 'li')
    readItem(element, itemOf(innerContext, '-', false), innerContext, flow);
  else if (tagName === 'dl') readDefinitions(element, innerContext, flow);
  else if (/^(pre|listing|xmp|plaintext)$/.test(tagName)) readCode(element, flow);
  else if (tagName === 'blockquote') readContent({ role: 'quote' });
  else if (tagName === 'figcaption') readContent({ role: 'caption', item: null });
  else if (tagName === 'table') readTable(element, innerContext, flow);
  else if (item) readItem(element, { ...item, checked: null, isUsed: false }, innerContext, flow);
  else if (tagName === 'select') readChoice(element, innerContext, flow);
  else readContent();
}

/**
 * Whether an element is a menu or header before the main content, which is repeated on all pages of
 * a site.
 */
const isFurniture = (element: Element): boolean =>
  /^(nav|header|menu)$/.test(element.tagName) ||
  /^(navigation|banner|search|menu|menubar)$/i.test(attributeOf(element, 'role') ?? '');

/** Whether an element is the footer of the page and not of a section such as an article. */
function isFooter(element: Element): boolean {
  if (element.tagName !== 'footer' && attributeOf(element, 'role') !== 'contentinfo') return false;
  for (let parent = element.parentNode; parent; ) {
    if (!('tagName' in parent)) return true;
    if (/^(article|section|main|aside|nav|blockquote|details|td|li)$/.test(parent.tagName))
      return false;
    parent = parent.parentNode;
  }
  return true;
}

const itemOf = ({ depth }: TextContext, marker: string, ordered: boolean): Item => ({
  level: Math.max(0, depth - 1),
  marker,
  ordered,
  checked: null,
  isUsed: false,
});

function readItem(element: Element, item: Item, context: TextContext, flow: Flow): void {
  const itemContext: TextContext = { ...context, item, role: 'paragraph' };
  readChildren(element, itemContext, flow);
  flush(flow, itemContext);
}

function readList(list: Element, context: TextContext, flow: Flow): void {
  const ordered = list.tagName === 'ol';
  const listContext: TextContext = { ...context, depth: context.depth + 1 };
  const type = attributeOf(list, 'type') ?? '1';
  const reversed = attributeOf(list, 'reversed') !== undefined;
  const items = list.childNodes.filter(
    (node): node is Element => isElement(node) && node.tagName === 'li',
  );
  let number = integer(attributeOf(list, 'start')) ?? (reversed ? items.length : 1);
  for (const node of list.childNodes) {
    if (!isElement(node) || node.tagName !== 'li') {
      // Nested lists and text outside an item belong to the previous item.
      readNode(node, listContext, flow);
      continue;
    }
    flush(flow, listContext);
    if (isHidden(node)) continue;
    number = integer(attributeOf(node, 'value')) ?? number;
    readItem(
      node,
      itemOf(listContext, ordered ? markerText(number, type) : '-', ordered),
      listContext,
      flow,
    );
    number += reversed ? -1 : 1;
  }
  flush(flow, listContext);
}

const integer = (text: string | undefined): number | null =>
  text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : null;

function markerText(number: number, type: string): string {
  if (/^[aA]$/.test(type) && number > 0 && number <= 26) {
    return `${String.fromCharCode((type === 'a' ? 96 : 64) + number)}.`;
  }
  if (/^[iI]$/.test(type) && number > 0 && number < 4000) {
    return `${type === 'i' ? toRoman(number) : toRoman(number).toUpperCase()}.`;
  }
  return `${number}.`;
}

/** Reads a definition list. Terms are items, and their definitions are items one level below. */
function readDefinitions(list: Element, context: TextContext, flow: Flow): void {
  const listContext: TextContext = { ...context, depth: context.depth + 1 };
  let terms = 0;
  const visit = (parent: Parent): void => {
    for (const node of parent.childNodes) {
      if (!isElement(node)) continue;
      if (isHidden(node)) continue;
      if (node.tagName === 'dt') {
        terms += 1;
        readItem(node, itemOf(listContext, '-', false), listContext, flow);
      } else if (node.tagName === 'dd') {
        const definitionContext: TextContext = {
          ...listContext,
          depth: listContext.depth + (terms > 0 ? 1 : 0),
        };
        readItem(node, itemOf(definitionContext, '-', false), definitionContext, flow);
      } else if (node.tagName === 'div') visit(node);
      else readNode(node, listContext, flow);
    }
  };
  visit(list);
  flush(flow, listContext);
}

/** Reads code, with white space unchanged. Web pages name its language in a class. */
function readCode(element: Element, flow: Flow): void {
  const code = element.childNodes.find(
    (node): node is Element => isElement(node) && node.tagName === 'code',
  );
  const classes = `${attributeOf(element, 'class') ?? ''} ${code ? (attributeOf(code, 'class') ?? '') : ''}`;
  const language = /(?:^|\s)(?:language|lang|highlight-source|brush:?)-?\s?([\w+#.-]{1,30})/.exec(
    classes,
  );
  const text = textIn(element).replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd();
  if (text.trim() === '') return;
  flow.budget.countBlock();
  flow.out.push({
    role: 'code',
    language: language?.[1] ?? null,
    ...origin(),
    text,
    spans: [plainSpan(text)],
  });
}

/** Reads the selected options of a select element. */
function readChoice(element: Element, context: TextContext, flow: Flow): void {
  const options: Element[] = [];
  for (const node of element.childNodes) {
    if (!isElement(node)) continue;
    if (node.tagName === 'option') options.push(node);
    else if (node.tagName === 'optgroup') options.push(...node.childNodes.filter(isElement));
  }
  const chosen = options.filter((option) => attributeOf(option, 'selected') !== undefined);
  const visibleOptions = chosen.length > 0 ? chosen : options.slice(0, 1);
  addSpan(
    flow.spans,
    visibleOptions.map(textIn).join(', ').replaceAll('\n', ' '),
    context.marks,
    context.href,
  );
  flush(flow, context);
}
