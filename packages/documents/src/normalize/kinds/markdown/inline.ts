import type { PhrasingContent } from 'mdast';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { isActiveLink } from '../../../files/links.ts';
import type { Definitions } from '../../../files/markdown/tree.ts';
import type { DocBlock, Mark, Span } from '../../document.ts';
import { addSpan, origin } from '../build-blocks.ts';
import { attributeOf, isElement, markByTag } from '../html/elements.ts';

/** Text that is being read, with its open HTML tags. */
interface Line {
  definitions: Definitions;
  spans: Span[];
  /**
   * Pictures are blocks. They precede the text if no text is before them; otherwise they follow it.
   */
  before: DocBlock[];
  behind: DocBlock[];
  openTags: { tag: string; mark: Mark | null; href: string | null }[];
}

type InlineStyle = { marks: readonly Mark[]; href: string | null };

/** Returns text with its marks and links as spans, and the pictures before and after it. */
export function readInline(
  nodes: readonly PhrasingContent[],
  definitions: Definitions,
): Pick<Line, 'before' | 'spans' | 'behind'> {
  const line: Line = { definitions, before: [], spans: [], behind: [], openTags: [] };
  readNodes(nodes, { marks: [], href: null }, line);
  return line;
}

function readNodes(nodes: readonly PhrasingContent[], style: InlineStyle, line: Line): void {
  for (const node of nodes) readNode(node, style, line);
}

function readNode(node: PhrasingContent, style: InlineStyle, line: Line): void {
  switch (node.type) {
    case 'text':
      addText(line, node.value.replace(/[ \t]*\n[ \t]*/g, ' '), style);
      break;
    case 'break':
      addText(line, '\n', style);
      break;
    case 'inlineCode':
      addText(line, node.value, withMark(style, 'code'));
      break;
    case 'inlineMath':
      addText(line, node.value, withMark(style, 'formula'));
      break;
    case 'footnoteReference':
      addText(line, node.label ?? node.identifier, withMark(style, 'footnote'));
      break;
    case 'emphasis':
      readNodes(node.children, withMark(style, 'italic'), line);
      break;
    case 'strong':
      readNodes(node.children, withMark(style, 'bold'), line);
      break;
    case 'delete':
      readNodes(node.children, withMark(style, 'strike'), line);
      break;
    case 'link':
      readNodes(node.children, withLink(style, node.url), line);
      break;
    case 'linkReference': {
      const url = line.definitions.get(node.identifier)?.url ?? '';
      readNodes(node.children, withLink(style, url), line);
      break;
    }
    case 'image':
    case 'imageReference':
      addPicture(line, node.alt ?? '');
      break;
    case 'html':
      readTag(node.value, line);
      break;
  }
}

const withMark = ({ marks, href }: InlineStyle, mark: Mark): InlineStyle => ({
  marks: [...marks, mark],
  href,
});

const hrefOf = (url: string): string | null => (url === '' || isActiveLink(url) ? null : url);

const withLink = ({ marks, href }: InlineStyle, url: string): InlineStyle => ({
  marks,
  href: hrefOf(url) ?? href,
});

function addText({ spans, openTags }: Line, text: string, { marks, href }: InlineStyle): void {
  const tagMarks = openTags.flatMap(({ mark }) => mark ?? []);
  const link = openTags.findLast((tag) => tag.href !== null)?.href ?? null;
  addSpan(spans, text, [...new Set([...tagMarks, ...marks])], href ?? link);
}

function addPicture({ before, spans, behind }: Line, alt: string): void {
  const text = alt.replace(/\s+/g, ' ').trim();
  const isFirst = spans.every((span) => span.text.trim() === '');
  (isFirst ? before : behind).push({
    role: 'picture',
    alt: text === '' ? null : text,
    ...origin(),
  });
}

/** Reads a tag, comment or declaration of HTML within a line of text. */
function readTag(source: string, line: Line): void {
  const closedTag = /^<\/([a-z][a-z0-9-]*)/i.exec(source)?.[1]?.toLowerCase();
  if (closedTag !== undefined) {
    const at = line.openTags.findLastIndex(({ tag }) => tag === closedTag);
    if (at >= 0) line.openTags.splice(at, 1);
    return;
  }
  const [element] = parseFragment(source).childNodes;
  if (element && isElement(element)) openTag(element, line);
}

function openTag(element: DefaultTreeAdapterTypes.Element, line: Line): void {
  const { tagName: tag } = element;
  const mark = markByTag.get(tag) ?? null;
  if (tag === 'br') addText(line, '\n', { marks: [], href: null });
  else if (tag === 'img') addPicture(line, attributeOf(element, 'alt') ?? '');
  else if (tag === 'a') {
    line.openTags.push({ tag, mark, href: hrefOf(attributeOf(element, 'href') ?? '') });
  } else if (mark) line.openTags.push({ tag, mark, href: null });
}
