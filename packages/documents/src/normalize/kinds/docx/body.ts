import { deepNestingKind } from '../../../files/unread/index.ts';
import { childOf, choiceOf, elementsOf, type XmlElement } from '../../../files/xml.ts';
import type { DocBlock, Span } from '../../document.ts';
import { type createBudget, origin, toTextFields, withoutEmphasis } from '../build-blocks.ts';
import { checkboxAtStart, type Field, type InlineContext, readInline } from './inline.ts';
import type { Numbering } from './numbering.ts';
import { headingOfOutline, type Styles, valOf } from './styles.ts';
import { readTable } from './tables.ts';

export type BodyContext = InlineContext & {
  styles: Styles;
  numbering: Numbering;
  budget: ReturnType<typeof createBudget>;
  /** Return the blocks of a part in another format (`altChunk`) and of a diagram. */
  readChunk(reference: XmlElement): DocBlock[];
  readDiagram(reference: XmlElement): DocBlock[];
  /** Returns the values of a chart as a table; null if the file does not contain them. */
  readChart(reference: XmlElement): DocBlock | null;
  /** The open fields. A field may begin in one paragraph and end in another. */
  fields: Field[];
};

const maxDepth = 30;

/**
 * Reads the blocks of any container of paragraphs and tables: a body, a cell, a note or a text box.
 */
export function readBlocks(container: XmlElement, context: BodyContext, depth = 0): DocBlock[] {
  const out: DocBlock[] = [];
  if (depth > maxDepth) {
    context.unread.add(deepNestingKind);
    return out;
  }
  const visit = (element: XmlElement): void => {
    switch (element.local) {
      case 'p':
        for (const block of readParagraph(element, context, depth)) add(out, block);
        return;
      case 'tbl':
        for (const block of readTable(element, context, depth)) out.push(block);
        return;
      case 'sdt': {
        for (const child of elementsOf(childOf(element, 'sdtContent'))) visit(child);
        return;
      }
      case 'AlternateContent':
        for (const child of choiceOf(element)) visit(child);
        return;
      case 'altChunk':
        for (const block of context.readChunk(element)) {
          context.budget.countBlock();
          out.push(block);
        }
        return;
      case 'ins':
      case 'moveTo':
      case 'smartTag':
      case 'customXml':
        for (const child of elementsOf(element)) visit(child);
        return;
      case 'oMathPara':
      case 'oMath': {
        const paragraph = { ...element, local: 'p', children: [element] };
        for (const block of readParagraph(paragraph, context, depth)) add(out, block);
        return;
      }
      default:
    }
  };
  for (const child of elementsOf(container)) visit(child);
  return out;
}

/** Appends a block. Adjacent paragraphs of code are joined to one block. */
function add(out: DocBlock[], block: DocBlock): void {
  const last = out.at(-1);
  if (block.role === 'code' && last?.role === 'code') {
    const text = `${last.text}\n${block.text}`;
    out[out.length - 1] = { ...last, text, spans: [{ text, marks: [], href: null }] };
  } else out.push(block);
}

function readParagraph(paragraph: XmlElement, context: BodyContext, depth: number): DocBlock[] {
  context.budget.countBlock();
  const properties = childOf(paragraph, 'pPr');
  const style = context.styles.paragraph(valOf(properties, 'pStyle'));
  const { spans, insets, checked, isFormula } = readInline(paragraph, context, context.fields);
  const blocksOf = (afterText: boolean): DocBlock[] =>
    insets
      .filter((one) => one.afterText === afterText)
      .flatMap(({ inset }): DocBlock[] => {
        if (inset.kind === 'box') return readBlocks(inset.content, context, depth + 1);
        if (inset.kind === 'diagram') {
          const items = context.readDiagram(inset.reference);
          if (items.length > 0) return items;
        }
        const chart = inset.kind === 'chart' ? context.readChart(inset.reference) : null;
        return [chart ?? { role: 'picture', alt: inset.alt, ...origin() }];
      });
  if (style.hidden && spans.some(({ text }) => text.trim() !== '')) {
    context.unread.add('hidden text');
  }
  const paragraphBlock = style.hidden
    ? null
    : textBlock(spans, { properties, style, checked, isFormula }, context);
  return [...blocksOf(false), ...(paragraphBlock ? [paragraphBlock] : []), ...blocksOf(true)];
}

type ParagraphFacts = {
  properties: XmlElement | undefined;
  style: ReturnType<Styles['paragraph']>;
  checked: boolean | null;
  isFormula: boolean;
};

function textBlock(
  spans: Span[],
  { properties, style, checked, isFormula }: ParagraphFacts,
  context: BodyContext,
): DocBlock | null {
  const text = toTextFields(spans);
  if (text.text === '') return null;
  if (isFormula) {
    return { role: 'formula', ...text, spans: [{ text: text.text, marks: [], href: null }] };
  }
  const outline = valOf(properties, 'outlineLvl');
  const role = outline === undefined ? style.role : headingOfOutline(Number(outline));
  const marker = markerOf(properties, style, context.numbering);
  if (role.role === 'heading') {
    // The number of a heading becomes part of its text, without the final full stop.
    const number = marker?.ordered ? marker.text.replace(/\.$/, '') : '';
    const prefix: Span[] = number === '' ? [] : [{ text: `${number} `, marks: [], href: null }];
    const plain = withoutEmphasis(text.spans);
    return { role: 'heading', level: role.level, ...toTextFields([...prefix, ...plain]) };
  }
  if (role.role === 'code') {
    const code = spans.map((span) => span.text).join('');
    return {
      role: 'code',
      language: null,
      ...origin(),
      text: code,
      spans: [{ text: code, marks: [], href: null }],
    };
  }
  const box = checked === null ? checkboxAtStart(text.spans) : null;
  if (marker || checked !== null || box) {
    const [first, ...others] = text.spans;
    const itemSpans =
      box && first ? [{ ...first, text: first.text.slice(box.length) }, ...others] : spans;
    return {
      role: 'list_item',
      level: marker ? marker.level : 0,
      marker: marker?.text || '-',
      ordered: marker?.ordered ?? false,
      checked: checked ?? box?.checked ?? null,
      ...toTextFields(itemSpans),
    };
  }
  return { role: role.role, ...text };
}

/** Returns the list of a paragraph, from the paragraph or its style. The number 0 means no list. */
function markerOf(
  properties: XmlElement | undefined,
  style: ParagraphFacts['style'],
  numbering: Numbering,
): { text: string; ordered: boolean; level: number } | null {
  const numPr = childOf(properties, 'numPr');
  const numId = valOf(numPr, 'numId') ?? style.numbering?.numId;
  if (numId === undefined || numId === '0') return null;
  const ilvl = valOf(numPr, 'ilvl');
  const level =
    ilvl === undefined
      ? (style.numbering?.level ?? numbering.levelOf(numId, style.id))
      : Number(ilvl);
  if (!Number.isInteger(level) || level < 0 || level > 8) return null;
  const marker = numbering.next(numId, level);
  return marker && { ...marker, level };
}
