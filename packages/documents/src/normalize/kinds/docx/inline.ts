import { safeHref } from '../../../files/links.ts';
import type { Relationship } from '../../../files/opc.ts';
import type { UnreadKinds } from '../../../files/unread/index.ts';
import {
  attributeValue,
  childOf,
  choiceOf,
  elementsOf,
  walk,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import type { Mark, Span } from '../../document.ts';
import { addSpan } from '../build-blocks.ts';
import { latexOf } from './math.ts';
import { isOn, marksOf, type Styles, valOf } from './styles.ts';
import { symbolOf } from './symbols.ts';

/** Content of a paragraph other than text. */
type Inset =
  | { kind: 'picture'; alt: string | null }
  | { kind: 'chart' | 'diagram'; alt: string | null; reference: XmlElement }
  | { kind: 'box'; content: XmlElement };

/** The kinds of notes that text refers to. */
export type NoteKind = 'footnote' | 'endnote' | 'comment';

export type InlineContent = {
  spans: Span[];
  /** In order. `afterText` is whether text precedes the inset. */
  insets: { inset: Inset; afterText: boolean }[];
  /** The state of the checkbox at the start; null without a checkbox. */
  checked: boolean | null;
  /** Whether the paragraph consists of a formula only. */
  isFormula: boolean;
};

export type InlineContext = {
  styles: Styles;
  links: ReadonlyMap<string, Relationship>;
  /** Returns the label of a note by its id; null if it has no label. */
  labelOf(kind: NoteKind, id: string): string | null;
  unread: UnreadKinds;
};

/**
 * An open field. Open fields are in order from the outermost. A field's result is text, and its
 * code is not.
 */
export type Field = { code: string; inResult: boolean; href: string | null };

type InlineState = InlineContent & {
  context: InlineContext;
  fields: Field[];
  hrefs: (string | null)[];
  hasText: boolean;
  formulas: number;
};

/**
 * Elements that are left out with their descendants: deleted or moved text, and records of changes.
 */
const skippedElements = new Set(
  `del moveFrom delText delInstrText pPr rPr sdtPr commentRangeStart commentRangeEnd
   annotationRef proofErr bookmarkStart bookmarkEnd rt rubyPr instrText
   footnoteRef endnoteRef separator continuationSeparator lastRenderedPageBreak`.split(/\s+/),
);

/** Reads the content of a paragraph (ECMA-376 part 1, 17.3). */
export function readInline(
  paragraph: XmlElement,
  context: InlineContext,
  fields: Field[],
): InlineContent {
  const state: InlineState = {
    spans: [],
    insets: [],
    checked: null,
    isFormula: false,
    context,
    fields,
    hrefs: [],
    hasText: false,
    formulas: 0,
  };
  for (const child of elementsOf(paragraph)) readChild(child, [], state);
  const { spans, insets, checked, formulas } = state;
  const hasOtherText = spans.some(
    ({ text, marks }) => !marks.includes('formula') && text.trim() !== '',
  );
  return { spans, insets, checked, isFormula: formulas > 0 && !hasOtherText };
}

const isShown = ({ fields }: InlineState): boolean => fields.every(({ inResult }) => inResult);

function addText(state: InlineState, text: string, marks: readonly Mark[]): void {
  if (text === '' || !isShown(state)) return;
  const fieldHref = state.fields.findLast(({ href }) => href !== null)?.href ?? null;
  addSpan(state.spans, text, marks, state.hrefs.at(-1) ?? fieldHref);
  if (text.trim() !== '') state.hasText = true;
}

function readChild(element: XmlElement, marks: readonly Mark[], state: InlineState): void {
  const { local } = element;
  if (skippedElements.has(local)) {
    if (local === 'instrText') addCode(element, state);
    return;
  }
  switch (local) {
    case 'r':
      readRun(element, marks, state);
      return;
    case 'hyperlink':
      readLink(element, marks, state);
      return;
    case 'fldSimple': {
      state.hrefs.push(
        hrefOfCode(attributeValue(element, 'instr') ?? '') ?? state.hrefs.at(-1) ?? null,
      );
      for (const child of elementsOf(element)) readChild(child, marks, state);
      state.hrefs.pop();
      return;
    }
    case 'sdt':
      readControl(element, marks, state);
      return;
    case 'oMath':
      state.formulas += 1;
      addText(state, latexOf(element), ['formula']);
      return;
    case 'AlternateContent':
      for (const child of choiceOf(element)) readChild(child, marks, state);
      return;
    default:
      for (const child of elementsOf(element)) readChild(child, marks, state);
  }
}

function readLink(element: XmlElement, marks: readonly Mark[], state: InlineState): void {
  const id = attributeValue(element, 'id');
  const relation = id === undefined ? undefined : state.context.links.get(id);
  const anchor = attributeValue(element, 'anchor');
  const target = (relation?.external ? relation.target : '') + (anchor ? `#${anchor}` : '');
  state.hrefs.push(safeHref(target));
  for (const child of elementsOf(element)) readChild(child, marks, state);
  state.hrefs.pop();
}

/** Returns the target of a link field: `HYPERLINK "address" \l "place"`. */
function hrefOfCode(code: string): string | null {
  const [, linkArguments] = /^\s*HYPERLINK\s+([\s\S]*)$/i.exec(code) ?? [];
  if (linkArguments === undefined) return null;
  const [, address] = /^"([^"]*)"/.exec(linkArguments) ?? [];
  const [, bookmark] = /\\l\s+"([^"]*)"/.exec(linkArguments) ?? [];
  return safeHref((address ?? '') + (bookmark ? `#${bookmark}` : ''));
}

function addCode(element: XmlElement, { fields }: InlineState): void {
  const field = fields.at(-1);
  if (field && !field.inResult && field.code.length < 8192) field.code += xmlText(element);
}

/** Reads a content control: a checkbox, or other content. */
function readControl(element: XmlElement, marks: readonly Mark[], state: InlineState): void {
  const properties = childOf(element, 'sdtPr');
  const box = childOf(properties, 'checkbox');
  if (box) {
    addCheckbox(isOn(box, 'checked') === true, state);
    return;
  }
  for (const child of elementsOf(childOf(element, 'sdtContent'))) readChild(child, marks, state);
}

/**
 * Adds a checkbox. At the start of a paragraph, it makes the paragraph a list item; elsewhere it is
 * a symbol.
 */
function addCheckbox(checked: boolean, state: InlineState): void {
  if (!state.hasText && state.checked === null && isShown(state)) state.checked = checked;
  else addText(state, checked ? '☒' : '☐', []);
}

function readRun(run: XmlElement, inherited: readonly Mark[], state: InlineState): void {
  const properties = childOf(run, 'rPr');
  const style = state.context.styles.character(valOf(properties, 'rStyle'));
  if ((isOn(properties, 'vanish') ?? style.hidden) === true) {
    for (const child of elementsOf(run)) {
      if (child.local === 'fldChar') readField(child, state);
      if (child.local === 't' && isShown(state) && xmlText(child).trim()) {
        state.context.unread.add('hidden text');
      }
    }
    return;
  }
  const marks = marksOf(properties, [...new Set([...inherited, ...style.marks])]);
  for (const child of elementsOf(run)) readPart(child, marks, state);
}

function readPart(element: XmlElement, marks: readonly Mark[], state: InlineState): void {
  switch (element.local) {
    case 't':
      addText(state, xmlText(element).replace(/[\t\r\n]/g, ' '), marks);
      return;
    case 'tab':
    case 'ptab':
      addText(state, '\t', marks);
      return;
    case 'br':
    case 'cr':
      addText(state, '\n', marks);
      return;
    case 'noBreakHyphen':
      addText(state, '-', marks);
      return;
    case 'sym': {
      const sign = symbolOf(
        attributeValue(element, 'font') ?? '',
        attributeValue(element, 'char') ?? '',
      );
      if (/^[☐☑☒]$/.test(sign) && !state.hasText && state.checked === null) {
        addCheckbox(sign !== '☐', state);
        return;
      }
      addText(state, sign, marks);
      return;
    }
    case 'footnoteReference':
    case 'endnoteReference':
    case 'commentReference': {
      const kind = noteKindOf(element) ?? 'footnote';
      const label = state.context.labelOf(kind, attributeValue(element, 'id') ?? '');
      if (label !== null) addText(state, label, ['footnote']);
      return;
    }
    case 'fldChar':
      readField(element, state);
      return;
    case 'instrText':
      addCode(element, state);
      return;
    case 'drawing':
    case 'pict':
    case 'object':
      readDrawing(element, state);
      return;
    case 'AlternateContent':
      for (const child of choiceOf(element)) readPart(child, marks, state);
      return;
    case 'ruby': {
      for (const child of elementsOf(childOf(element, 'rubyBase'))) readChild(child, marks, state);
      return;
    }
    default:
  }
}

function readField(element: XmlElement, state: InlineState): void {
  const { fields } = state;
  const type = attributeValue(element, 'fldCharType');
  if (type === 'begin' && fields.length < 100) {
    const data = childOf(element, 'ffData');
    fields.push({ code: '', inResult: false, href: null });
    if (data) readFormField(data, state);
  } else if (type === 'separate') {
    const field = fields.at(-1);
    if (!field) return;
    field.inResult = true;
    field.href = hrefOfCode(field.code);
  } else if (type === 'end') fields.pop();
}

/** Reads the selected value of a legacy form field. */
function readFormField(data: XmlElement, state: InlineState): void {
  const field = state.fields.pop();
  const box = childOf(data, 'checkBox');
  if (box) addCheckbox((isOn(box, 'checked') ?? isOn(box, 'default')) === true, state);
  const list = childOf(data, 'ddList');
  if (list) {
    const entries = elementsOf(list).filter(({ local }) => local === 'listEntry');
    const chosen = entries[Number(valOf(list, 'result') ?? valOf(list, 'default') ?? '0')];
    addText(state, attributeValue(chosen, 'val') ?? '', []);
  }
  if (field) state.fields.push(field);
}

/** Reads pictures and text boxes in either drawing language. */
function readDrawing(drawing: XmlElement, state: InlineState): void {
  let alt: string | null = null;
  let boxes = 0;
  let pictures = 0;
  const add = (inset: Inset): void => {
    state.insets.push({ inset, afterText: state.hasText });
  };
  const visit = (element: XmlElement): void => {
    if (element.local === 'AlternateContent') {
      for (const child of choiceOf(element)) visit(child);
      return;
    }
    if (element.local === 'txbxContent') {
      boxes += 1;
      add({ kind: 'box', content: element });
      return;
    }
    if (/^(docPr|cNvPr|shape)$/.test(element.local)) {
      alt = attributeValue(element, 'descr') || attributeValue(element, 'alt') || alt;
    }
    if (element.local === 'textpath') {
      // Text along a path, such as a watermark.
      const words = attributeValue(element, 'string') ?? '';
      if (words.trim() !== '') boxes += 1;
      addText(state, words, []);
    }
    if (/^(pic|imagedata|chart|relIds)$/.test(element.local)) {
      pictures += 1;
      const description = cleanDescription(alt);
      if (element.local === 'chart') add({ kind: 'chart', alt: description, reference: element });
      else if (element.local === 'relIds')
        add({ kind: 'diagram', alt: description, reference: element });
      else add({ kind: 'picture', alt: description });
    }
    for (const child of elementsOf(element)) visit(child);
  };
  for (const child of elementsOf(drawing)) visit(child);
  // A shape with a description and without content is shown as a picture.
  if (boxes === 0 && pictures === 0 && cleanDescription(alt) !== null) {
    add({ kind: 'picture', alt: cleanDescription(alt) });
  }
}

/** Returns a description without the note that Word appends to generated descriptions. */
function cleanDescription(alt: string | null): string | null {
  const text = (alt ?? '')
    .replace(
      /\s*(description automatically generated|ai-generated content may be incorrect)[\s\S]*$/i,
      '',
    )
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? null : text;
}

/** Returns the checkbox symbol that a paragraph begins with; null without one. */
export function checkboxAtStart(
  spans: readonly Span[],
): { checked: boolean; length: number } | null {
  const found = /^\s*([☐☑☒])\s*(?=\S)/.exec(spans[0]?.text ?? '');
  return found ? { checked: found[1] !== '☐', length: found[0].length } : null;
}

function noteKindOf({ local }: XmlElement): NoteKind | null {
  const kind = /^(footnote|endnote|comment)Reference$/.exec(local)?.[1];
  return kind === 'footnote' || kind === 'endnote' || kind === 'comment' ? kind : null;
}

/** Returns all references to notes in a document, in order. */
export function referencesIn(root: XmlElement): { kind: NoteKind; id: string }[] {
  const out: { kind: NoteKind; id: string }[] = [];
  walk(root, (element) => {
    const kind = noteKindOf(element);
    const id = attributeValue(element, 'id');
    if (id !== undefined && kind !== null) out.push({ kind, id });
  });
  return out;
}
