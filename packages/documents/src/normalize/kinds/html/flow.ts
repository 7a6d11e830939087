import { safeHref } from '../../../files/links.ts';
import type { DocBlock, Mark, Span } from '../../document.ts';
import {
  addSpan,
  type createBudget,
  origin,
  plainSpan,
  textOf,
  withoutEmphasis,
} from '../build.ts';
import { roman } from '../roman.ts';
import { drawingOf } from './drawing.ts';
import {
  attributeOf,
  blocks as blockElements,
  type Element,
  isElement,
  isHidden,
  isHiddenByStyle,
  isText,
  markOf,
  type Node,
  type Parent,
  textIn,
} from './elements.ts';
import { officeItem } from './office.ts';
import { readTable } from './tables.ts';

/** A list item that is being read. The first text in it becomes the item. */
type Item = {
  level: number;
  marker: string;
  ordered: boolean;
  checked: boolean | null;
  used: boolean;
};

/** The context of a stretch of text. */
export type Surroundings = {
  marks: readonly Mark[];
  href: string | null;
  role: 'paragraph' | 'quote' | 'caption' | 'heading';
  headingLevel: number;
  item: Item | null;
  /** The number of enclosing lists. */
  depth: number;
  /** Whether the text is in the footer of the page, not the footer of a section. */
  footer: boolean;
  /** Whether the text is in a menu or page header, which are repeated on every page of a site. */
  furniture: boolean;
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
  waiting: DocBlock[];
  /** Whether the first heading has not been read yet. */
  beforeHeadings: boolean;
  /** Whether the source is an e-mail. E-mails use tables for layout. */
  isMail: boolean;
};

/** The maximum number of letters of an item to which further paragraphs are added. */
const maxItem = 20_000;
/** The maximum nesting. Deeper content is read as plain text. */
const maxDepth = 300;

export const outside: Surroundings = {
  marks: [],
  href: null,
  role: 'paragraph',
  headingLevel: 1,
  item: null,
  depth: 0,
  footer: false,
  furniture: false,
};

/** Ends the current block. */
export function flush(flow: Flow, around: Surroundings): void {
  flushText(flow, around);
  for (const picture of flow.waiting) flow.out.push(picture);
  if (flow.waiting.length > 0) flow.waiting = [];
}

function flushText(flow: Flow, around: Surroundings): void {
  const text = textOf(collapsed(flow.spans));
  const { checked } = flow;
  flow.spans = [];
  flow.checked = null;
  if (text.text === '') return;
  flow.budget.block();
  if (around.role === 'heading') {
    flow.beforeHeadings = false;
    const spans = withoutEmphasis(text.spans);
    flow.out.push({ role: 'heading', level: around.headingLevel, ...text, spans });
  } else if (around.footer) flow.out.push({ role: 'page_footer', ...text });
  else if (isMenu(around, flow, text.spans)) flow.out.push({ role: 'page_header', ...text });
  else if (around.item) addToItem(flow, around.item, text, checked);
  else if (checked !== null) {
    flow.out.push({ role: 'list_item', level: 0, marker: '-', ordered: false, checked, ...text });
  } else flow.out.push({ role: around.role, ...text });
}

/**
 * Whether text is a menu: before the first heading, and either in a page's header or navigation, or
 * consisting of links only.
 */
const isMenu = (around: Surroundings, flow: Flow, spans: readonly Span[]): boolean =>
  flow.beforeHeadings &&
  (around.furniture || spans.every(({ text, href }) => href !== null || text.trim() === ''));

/**
 * Adds text to a list item. The first text becomes the item, and further paragraphs become lines of
 * it.
 */
function addToItem(
  flow: Flow,
  item: Item,
  text: ReturnType<typeof textOf>,
  checked: boolean | null,
) {
  const last = flow.out.at(-1);
  const goesOn = item.used && last?.role === 'list_item' && last.level === item.level;
  if (goesOn && last.text.length < maxItem) {
    const spans = [...last.spans];
    addSpan(spans, '\n', [], null);
    for (const span of text.spans) addSpan(spans, span.text, span.marks, span.href);
    flow.out[flow.out.length - 1] = { ...last, ...textOf(spans) };
    return;
  }
  const { level, ordered } = item;
  const marker = item.used ? '-' : item.marker;
  flow.out.push({
    role: 'list_item',
    level: item.used ? level + 1 : level,
    marker,
    ordered: ordered && !item.used,
    checked: checked ?? item.checked,
    ...text,
  });
  item.used = true;
}

/**
 * Collapses white space as browsers display it: single spaces, and no spaces beside a line break.
 */
function collapsed(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  let blank = true;
  for (const { text, marks, href } of spans) {
    let own = '';
    for (const part of text.split(/([ \t\r\f\v]+|\n)/)) {
      if (part === '') continue;
      const isBlank = part !== '\n' && /^[ \t\r\f\v]/.test(part);
      if (isBlank) {
        if (!blank) own += ' ';
        blank = true;
      } else {
        if (part === '\n') own = own.replace(/ $/, '');
        own += part;
        blank = part === '\n';
      }
    }
    addSpan(out, own, marks, href);
  }
  return out;
}

/** Reads the content of an element, block by block. */
export function readChildren(parent: Parent, around: Surroundings, flow: Flow): void {
  if (flow.depth > maxDepth) {
    addSpan(flow.spans, textIn(parent).replaceAll('\n', ' '), around.marks, around.href);
    return;
  }
  flow.depth += 1;
  for (const node of parent.childNodes) readNode(node, around, flow);
  flow.depth -= 1;
}

function readNode(node: Node, around: Surroundings, flow: Flow): void {
  if (isText(node)) {
    addSpan(flow.spans, node.value.replaceAll('\n', ' '), around.marks, around.href);
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
    flush(flow, around);
    readBlock(node, around, flow);
    return;
  }
  readInline(node, around, flow);
}

function readInline(element: Element, around: Surroundings, flow: Flow): void {
  const { tagName } = element;
  if (tagName === 'br') addSpan(flow.spans, '\n', [], null);
  else if (tagName === 'wbr') return;
  else if (tagName === 'img' || tagName === 'image') readPicture(element, around, flow);
  else if (tagName === 'input') readInput(element, around, flow);
  else if (tagName === 'math') {
    addSpan(flow.spans, mathOf(element), [], around.href);
  } else {
    const mark = markOf.get(tagName);
    const marks = mark && !around.marks.includes(mark) ? [...around.marks, mark] : around.marks;
    const href =
      tagName === 'a' ? safeHref((attributeOf(element, 'href') ?? '').trim()) : around.href;
    const q = tagName === 'q' ? '"' : '';
    addSpan(flow.spans, q, marks, href);
    readChildren(element, { ...around, marks, href }, flow);
    addSpan(flow.spans, q, marks, href);
  }
}

/** Returns the LaTeX that formulas of web pages often contain, or else their visible text. */
function mathOf(element: Element): string {
  const tex = attributeOf(element, 'alttext');
  return tex === undefined ? textIn(element).replace(/\s+/g, ' ') : tex;
}

/** Reads a picture. A picture within a line of text follows the line. */
function readPicture(element: Element, around: Surroundings, flow: Flow): void {
  const alt = (attributeOf(element, 'alt') ?? '').replace(/\s+/g, ' ').trim();
  const isPixel =
    Number.parseInt(attributeOf(element, 'width') ?? '', 10) <= 1 ||
    /(?:^|;)\s*(?:width|height)\s*:\s*[01]px/i.test(attributeOf(element, 'style') ?? '');
  if ((isPixel && alt === '') || (around.furniture && flow.beforeHeadings)) return;
  addPicture({ role: 'picture', alt: alt === '' ? null : alt, ...origin() }, flow);
}

function addPicture(picture: DocBlock, flow: Flow): void {
  flow.budget.block();
  if (flow.spans.some(({ text }) => text.trim() !== '')) flow.waiting.push(picture);
  else flow.out.push(picture);
}

/**
 * Reads the visible content of a form field: its checked state, its value, or the label of a
 * button.
 */
function readInput(element: Element, around: Surroundings, flow: Flow): void {
  const type = (attributeOf(element, 'type') ?? 'text').toLowerCase();
  if (type === 'checkbox' || type === 'radio') {
    const isEmpty = flow.spans.every(({ text }) => text.trim() === '');
    const checked = attributeOf(element, 'checked') !== undefined;
    if (isEmpty && flow.checked === null) flow.checked = checked;
    else addSpan(flow.spans, checked ? '☒ ' : '☐ ', [], null);
  } else if (!/^(hidden|password|file|image|color|range)$/.test(type)) {
    const value = attributeOf(element, 'value') ?? '';
    addSpan(flow.spans, value === '' ? '' : ` ${value.replaceAll('\n', ' ')} `, [], around.href);
  }
}

function readBlock(element: Element, around: Surroundings, flow: Flow): void {
  const { tagName } = element;
  const inner: Surroundings = {
    ...around,
    furniture: around.furniture || isFurniture(element),
    footer: around.footer || isFooter(element),
  };
  const within = (changed: Partial<Surroundings> = {}): void => {
    readChildren(element, { ...inner, ...changed }, flow);
    flush(flow, { ...inner, ...changed });
  };
  const item = officeItem(element);
  if (/^h[1-6]$/.test(tagName))
    within({ role: 'heading', headingLevel: Number(tagName[1]), item: null });
  else if (/^(ul|ol|menu|dir)$/.test(tagName)) readList(element, inner, flow);
  else if (tagName === 'li') readItem(element, itemOf(inner, '-', false), inner, flow);
  else if (tagName === 'dl') readDefinitions(element, inner, flow);
  else if (/^(pre|listing|xmp|plaintext)$/.test(tagName)) readCode(element, flow);
  else if (tagName === 'blockquote') within({ role: 'quote' });
  else if (tagName === 'figcaption') within({ role: 'caption', item: null });
  else if (tagName === 'table') readTable(element, inner, flow);
  else if (item) readItem(element, { ...item, checked: null, used: false }, inner, flow);
  else if (tagName === 'select') readChoice(element, inner, flow);
  else within();
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

const itemOf = ({ depth }: Surroundings, marker: string, ordered: boolean): Item => ({
  level: Math.max(0, depth - 1),
  marker,
  ordered,
  checked: null,
  used: false,
});

function readItem(element: Element, item: Item, around: Surroundings, flow: Flow): void {
  const inside: Surroundings = { ...around, item, role: 'paragraph' };
  readChildren(element, inside, flow);
  flush(flow, inside);
}

function readList(list: Element, around: Surroundings, flow: Flow): void {
  const ordered = list.tagName === 'ol';
  const inside: Surroundings = { ...around, depth: around.depth + 1 };
  const type = attributeOf(list, 'type') ?? '1';
  const reversed = attributeOf(list, 'reversed') !== undefined;
  const items = list.childNodes.filter(
    (node): node is Element => isElement(node) && node.tagName === 'li',
  );
  let number = integer(attributeOf(list, 'start')) ?? (reversed ? items.length : 1);
  for (const node of list.childNodes) {
    if (!isElement(node) || node.tagName !== 'li') {
      // Nested lists and text outside an item belong to the previous item.
      readNode(node, inside, flow);
      continue;
    }
    flush(flow, inside);
    if (isHidden(node)) continue;
    number = integer(attributeOf(node, 'value')) ?? number;
    readItem(node, itemOf(inside, ordered ? counter(number, type) : '-', ordered), inside, flow);
    number += reversed ? -1 : 1;
  }
  flush(flow, inside);
}

const integer = (text: string | undefined): number | null =>
  text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : null;

function counter(number: number, type: string): string {
  if (/^[aA]$/.test(type) && number > 0 && number <= 26) {
    return `${String.fromCharCode((type === 'a' ? 96 : 64) + number)}.`;
  }
  if (/^[iI]$/.test(type) && number > 0 && number < 4000) {
    return `${type === 'i' ? roman(number) : roman(number).toUpperCase()}.`;
  }
  return `${number}.`;
}

/** Reads a definition list. Terms are items, and their definitions are items one level below. */
function readDefinitions(list: Element, around: Surroundings, flow: Flow): void {
  const inside: Surroundings = { ...around, depth: around.depth + 1 };
  let terms = 0;
  const visit = (parent: Parent): void => {
    for (const node of parent.childNodes) {
      if (!isElement(node)) continue;
      if (isHidden(node)) continue;
      if (node.tagName === 'dt') {
        terms += 1;
        readItem(node, itemOf(inside, '-', false), inside, flow);
      } else if (node.tagName === 'dd') {
        const below: Surroundings = { ...inside, depth: inside.depth + (terms > 0 ? 1 : 0) };
        readItem(node, itemOf(below, '-', false), below, flow);
      } else if (node.tagName === 'div') visit(node);
      else readNode(node, inside, flow);
    }
  };
  visit(list);
  flush(flow, inside);
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
  flow.budget.block();
  flow.out.push({
    role: 'code',
    language: language?.[1] ?? null,
    ...origin(),
    text,
    spans: [plainSpan(text)],
  });
}

/** Reads the selected options of a select element. */
function readChoice(element: Element, around: Surroundings, flow: Flow): void {
  const options: Element[] = [];
  for (const node of element.childNodes) {
    if (!isElement(node)) continue;
    if (node.tagName === 'option') options.push(node);
    else if (node.tagName === 'optgroup') options.push(...node.childNodes.filter(isElement));
  }
  const chosen = options.filter((option) => attributeOf(option, 'selected') !== undefined);
  const shown = chosen.length > 0 ? chosen : options.slice(0, 1);
  addSpan(
    flow.spans,
    shown.map(textIn).join(', ').replaceAll('\n', ' '),
    around.marks,
    around.href,
  );
  flush(flow, around);
}
