import { isActiveLink } from '../../../files/links.ts';
import type { Relationship } from '../../../files/opc.ts';
import {
  attributeValue,
  childOf,
  choiceOf,
  elementsOf,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import type { DocBlock, Mark, Span } from '../../document.ts';
import { addSpan, type createBudget, toTextFields, withoutEmphasis } from '../build-blocks.ts';
import { latexOf } from '../docx/math.ts';
import { bulletOf, counterText } from './bullets.ts';

export type TextContext = {
  page: number;
  links: ReadonlyMap<string, Relationship>;
  budget: ReturnType<typeof createBudget>;
};

/**
 * The properties of a body of text: its heading level, if any, and the list styles for its bullets.
 */
export type TextBodyStyle = {
  heading: number | null;
  styles: readonly (XmlElement | undefined)[];
};

/** Reads the paragraphs of a body of text (DrawingML, ECMA-376 part 1, 21.1.2). */
export function readText(
  body: XmlElement,
  bodyStyle: TextBodyStyle,
  context: TextContext,
): DocBlock[] {
  const styles = [childOf(body, 'lstStyle'), ...bodyStyle.styles];
  const counts: number[] = [];
  const blocks: DocBlock[] = [];
  for (const paragraph of elementsOf(body)) {
    if (paragraph.local !== 'p') continue;
    const text = toTextFields(spansOf(paragraph, context), context.page);
    if (text.text === '') continue;
    context.budget.countBlock();
    const properties = childOf(paragraph, 'pPr');
    const level = Math.min(8, Math.max(0, Number(attributeValue(properties, 'lvl')) || 0));
    const bullet = bodyStyle.heading === null ? bulletOf(properties, level, styles) : null;
    counts.length = Math.min(counts.length, level + 1);
    if (bullet?.kind === 'counter') {
      counts[level] = counts[level] === undefined ? bullet.start : counts[level] + 1;
    } else counts.length = Math.min(counts.length, level);
    if (bullet) {
      const ordered = bullet.kind === 'counter';
      const marker = ordered ? counterText(bullet.type, counts[level] ?? 1) : '-';
      blocks.push({ role: 'list_item', level, marker, ordered, checked: null, ...text });
    } else if (bodyStyle.heading === null) blocks.push({ role: 'paragraph', ...text });
    else addToHeading(blocks, bodyStyle.heading, text);
  }
  return blocks;
}

/** Adds a line to a heading, because a title of several lines is one heading. */
function addToHeading(
  blocks: DocBlock[],
  level: number,
  text: ReturnType<typeof toTextFields>,
): void {
  const spans = withoutEmphasis(text.spans).map((span) => ({
    ...span,
    text: span.text.replace(/\s*\n\s*/g, ' '),
  }));
  const last = blocks.at(-1);
  const headingSpans = last?.role === 'heading' ? [...last.spans] : [];
  if (headingSpans.length > 0) addSpan(headingSpans, ' ', [], null);
  for (const span of spans) addSpan(headingSpans, span.text, span.marks, span.href);
  const heading: DocBlock = { role: 'heading', level, ...toTextFields(headingSpans, text.page) };
  if (last?.role === 'heading') blocks[blocks.length - 1] = heading;
  else blocks.push(heading);
}

/** Returns the runs, fields, breaks and formulas of a paragraph. */
function spansOf(paragraph: XmlElement, context: TextContext): Span[] {
  const spans: Span[] = [];
  const readElement = (element: XmlElement): void => {
    switch (element.local) {
      case 'r':
      case 'fld': {
        const text = childOf(element, 't');
        const properties = childOf(element, 'rPr');
        const runText = text ? xmlText(text).replace(/[\r\n\v]/g, '\n') : '';
        addSpan(spans, runText, marksOf(properties), hrefOf(properties, context));
        return;
      }
      case 'br':
        addSpan(spans, '\n', [], null);
        return;
      case 'oMath':
        addSpan(spans, latexOf(element), ['formula'], null);
        return;
      case 'AlternateContent': {
        for (const child of choiceOf(element)) readElement(child);
        return;
      }
      case 'm':
      case 'oMathPara':
        for (const child of elementsOf(element)) readElement(child);
        return;
      default:
    }
  };
  for (const child of elementsOf(paragraph)) readElement(child);
  return spans;
}

function marksOf(properties: XmlElement | undefined): Mark[] {
  const isOn = (name: string): boolean => /^(1|true)$/.test(attributeValue(properties, name) ?? '');
  const strike = attributeValue(properties, 'strike') ?? 'noStrike';
  const baseline = Number.parseInt(attributeValue(properties, 'baseline') ?? '0', 10);
  return [
    ...(isOn('b') ? (['bold'] as const) : []),
    ...(isOn('i') ? (['italic'] as const) : []),
    ...(strike === 'noStrike' ? [] : (['strike'] as const)),
    ...(baseline > 0 ? (['superscript'] as const) : baseline < 0 ? (['subscript'] as const) : []),
  ];
}

function hrefOf(properties: XmlElement | undefined, { links }: TextContext): string | null {
  const link = childOf(properties, 'hlinkClick');
  const id = link?.attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value;
  const relation = id === undefined ? undefined : links.get(id);
  if (!relation?.external || relation.target.length > 4096) return null;
  return relation.target === '' || isActiveLink(relation.target) ? null : relation.target;
}
