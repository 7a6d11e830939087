import { safeHref } from '../../../files/links.ts';
import { deepNestingKind } from '../../../files/unread/index.ts';
import {
  attributeValue,
  childOf,
  isXmlElement,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import type { Mark, Span } from '../../document.ts';
import { addSpan } from '../build-blocks.ts';
import type { OdfContext } from './context.ts';

/** The text of a paragraph, and the frames in it. */
export type Inline = { spans: Span[]; frames: XmlElement[] };

const maxDepth = 60;
const maxSpaces = 200;
/** Elements that contain no document text: positions, changes, ruby text and application data. */
const skippedElement =
  /^(bookmark|bookmark-start|bookmark-end|reference-mark|reference-mark-start|reference-mark-end|change|change-start|change-end|soft-page-break|ruby-text|annotation-end|tracked-changes|forms|sequence-decls|variable-decls|user-field-decls|hidden-text|hidden-paragraph)$/;

/** Shapes and controls anchored in a paragraph: `shapes` without links, which contain text here. */
const frameElement =
  /^(frame|g|text-box|custom-shape|rect|ellipse|circle|line|polyline|polygon|regular-polygon|path|connector|caption|measure|control)$/;

/** Reads the content of a paragraph (ODF 1.3 part 3, 6). */
export function readInline(paragraph: XmlElement, context: OdfContext): Inline {
  const out: Inline = { spans: [], frames: [] };
  const visit = (
    element: XmlElement,
    marks: readonly Mark[],
    href: string | null,
    depth: number,
  ): void => {
    if (depth > maxDepth) {
      context.unread.add(deepNestingKind);
      return;
    }
    for (const child of element.children) {
      if (!isXmlElement(child)) {
        addSpan(out.spans, child.text.replace(/[\t\r\n ]+/g, ' '), marks, href);
        continue;
      }
      readElement(child, marks, href, depth);
    }
  };
  const readElement = (
    child: XmlElement,
    marks: readonly Mark[],
    href: string | null,
    depth: number,
  ): void => {
    const { local } = child;
    if (skippedElement.test(local)) return;
    if (local === 's') {
      const count = Number(attributeValue(child, 'c') ?? '1') || 1;
      addSpan(out.spans, ' '.repeat(Math.min(Math.max(1, count), maxSpaces)), marks, href);
    } else if (local === 'tab') addSpan(out.spans, '\t', marks, href);
    else if (local === 'line-break') addSpan(out.spans, '\n', marks, href);
    else if (local === 'note' || local === 'annotation') addNote(child, out.spans, context);
    else if (local === 'a')
      visit(child, marks, safeHref(attributeValue(child, 'href') ?? '') ?? href, depth + 1);
    else if (frameElement.test(local)) out.frames.push(child);
    else {
      const name = attributeValue(child, 'style-name');
      if (local === 'span' && context.styles.isHidden(name)) {
        if (xmlText(child).trim() !== '') context.unread.add('hidden text');
        return;
      }
      const spanMarks = local === 'span' ? context.styles.marksOf(name) : [];
      visit(child, [...new Set([...marks, ...spanMarks])], href, depth + 1);
    }
  };
  visit(paragraph, [], null, 0);
  return out;
}

/**
 * Adds the label of a footnote, endnote or comment to the text. Its content follows the document.
 */
function addNote(element: XmlElement, spans: Span[], context: OdfContext): void {
  const { notes } = context;
  const isComment = element.local === 'annotation';
  const body = isComment ? element : childOf(element, 'note-body');
  if (!body) return;
  if (isComment) context.comments += 1;
  const citation = childOf(element, 'note-citation');
  const label = isComment
    ? `c${context.comments}`
    : (citation && xmlText(citation).trim()) || `n${notes.length + 1}`;
  const creator = isComment ? childOf(element, 'creator') : undefined;
  notes.push({ label, author: creator ? xmlText(creator).trim() || null : null, body });
  addSpan(spans, label, ['footnote'], null);
}
