import type { PhrasingContent } from 'mdast';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { isActive } from '../../../files/links.ts';
import type { Definitions } from '../../../files/markdown/tree.ts';
import type { DocBlock, Mark, Span } from '../../document.ts';
import { addSpan, origin } from '../build.ts';
import { attributeOf, isElement, markOf } from '../html/elements.ts';

/** Text that is being read, with its open HTML tags. */
interface Line {
  definitions: Definitions;
  spans: Span[];
  /**
   * Pictures are blocks. They precede the text if no text is before them; otherwise they follow it.
   */
  before: DocBlock[];
  behind: DocBlock[];
  opened: { tag: string; mark: Mark | null; href: string | null }[];
}

type Setting = { marks: readonly Mark[]; href: string | null };

/** Returns text with its marks and links as spans, and the pictures before and after it. */
export function readInline(
  nodes: readonly PhrasingContent[],
  definitions: Definitions,
): Pick<Line, 'before' | 'spans' | 'behind'> {
  const line: Line = { definitions, before: [], spans: [], behind: [], opened: [] };
  readAll(nodes, { marks: [], href: null }, line);
  return line;
}

function readAll(nodes: readonly PhrasingContent[], setting: Setting, line: Line): void {
  for (const node of nodes) read(node, setting, line);
}

function read(node: PhrasingContent, setting: Setting, line: Line): void {
  switch (node.type) {
    case 'text':
      add(line, node.value.replace(/[ \t]*\n[ \t]*/g, ' '), setting);
      break;
    case 'break':
      add(line, '\n', setting);
      break;
    case 'inlineCode':
      add(line, node.value, marked(setting, 'code'));
      break;
    case 'inlineMath':
      add(line, node.value, marked(setting, 'formula'));
      break;
    case 'footnoteReference':
      add(line, node.label ?? node.identifier, marked(setting, 'footnote'));
      break;
    case 'emphasis':
      readAll(node.children, marked(setting, 'italic'), line);
      break;
    case 'strong':
      readAll(node.children, marked(setting, 'bold'), line);
      break;
    case 'delete':
      readAll(node.children, marked(setting, 'strike'), line);
      break;
    case 'link':
      readAll(node.children, linked(setting, node.url), line);
      break;
    case 'linkReference': {
      const url = line.definitions.get(node.identifier)?.url ?? '';
      readAll(node.children, linked(setting, url), line);
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

const marked = ({ marks, href }: Setting, mark: Mark): Setting => ({
  marks: [...marks, mark],
  href,
});

const hrefOf = (url: string): string | null => (url === '' || isActive(url) ? null : url);

const linked = ({ marks, href }: Setting, url: string): Setting => ({
  marks,
  href: hrefOf(url) ?? href,
});

function add({ spans, opened }: Line, text: string, { marks, href }: Setting): void {
  const tagMarks = opened.flatMap(({ mark }) => mark ?? []);
  const link = opened.findLast((tag) => tag.href !== null)?.href ?? null;
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
  const closed = /^<\/([a-z][a-z0-9-]*)/i.exec(source)?.[1]?.toLowerCase();
  if (closed !== undefined) {
    const at = line.opened.findLastIndex(({ tag }) => tag === closed);
    if (at >= 0) line.opened.splice(at, 1);
    return;
  }
  const [element] = parseFragment(source).childNodes;
  if (element && isElement(element)) openTag(element, line);
}

function openTag(element: DefaultTreeAdapterTypes.Element, line: Line): void {
  const { tagName: tag } = element;
  const mark = markOf.get(tag) ?? null;
  if (tag === 'br') add(line, '\n', { marks: [], href: null });
  else if (tag === 'img') addPicture(line, attributeOf(element, 'alt') ?? '');
  else if (tag === 'a') {
    line.opened.push({ tag, mark, href: hrefOf(attributeOf(element, 'href') ?? '') });
  } else if (mark) line.opened.push({ tag, mark, href: null });
}
