import type { BlockContent, DefinitionContent, List, ListItem, RootContent, Table } from 'mdast';
import { parseFragment } from 'parse5';
import type { Definitions, MarkdownTree } from '../../../files/markdown/tree.ts';
import type { Cell, DocBlock, Span } from '../../document.ts';
import {
  addSpan,
  cellOf,
  type createBudget,
  origin,
  plainSpan,
  toTextFields,
} from '../build-blocks.ts';
import { blocksOfTree } from '../html/index.ts';
import { readInline } from './inline.ts';

export interface Context {
  /** The Markdown text that the positions of blocks refer to. */
  text: string;
  definitions: Definitions;
  budget: ReturnType<typeof createBudget>;
  /** The number of enclosing lists. */
  level: number;
}

/** Reads the blocks of a tree in document order. */
export function readTree(
  { text, blocks }: MarkdownTree,
  definitions: Definitions,
  budget: Context['budget'],
): DocBlock[] {
  return readNodes(blocks, { text, definitions, budget, level: 0 });
}

function readNodes(nodes: readonly RootContent[], context: Context): DocBlock[] {
  const out: DocBlock[] = [];
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]!;
    context.budget.countBlock();
    const end = node.type === 'html' ? endOfTable(nodes, at) : at;
    const blocks =
      end > at ? blocksOfHtml(sourceOf(node, nodes[end]!, context)) : readNode(node, context);
    for (const block of blocks) out.push(block);
    at = end;
  }
  return out;
}

function readNode(node: RootContent, context: Context): DocBlock[] {
  switch (node.type) {
    case 'paragraph':
      return withPictures('paragraph', readInline(node.children, context.definitions));
    case 'heading':
      return withPictures(node.depth, readInline(node.children, context.definitions));
    case 'blockquote':
      return readNodes(node.children, context).map((block) =>
        block.role === 'paragraph' ? { ...block, role: 'quote' } : block,
      );
    case 'list':
      return readList(node, context);
    case 'code':
      return node.value.trim() === '' ? [] : [codeBlock(node.value, node.lang ?? null)];
    case 'math':
      return formula(node.value.replace(/\$\$\s*$/, '').trim());
    case 'table':
      return [readTable(node, context)];
    case 'html':
      return blocksOfHtml(node.value);
    case 'footnoteDefinition':
      return readFootnote(node.label ?? node.identifier, node.children, context);
    default:
      // Thematic breaks and definitions have no visible text.
      return [];
  }
}

type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

function withPictures(
  kind: 'paragraph' | HeadingLevel,
  { before, spans, behind }: ReturnType<typeof readInline>,
): DocBlock[] {
  return [...before, ...blockOf(kind, toTextFields(spans)), ...behind];
}

function blockOf(
  kind: 'paragraph' | HeadingLevel,
  text: ReturnType<typeof toTextFields>,
): DocBlock[] {
  if (text.text === '') return [];
  return kind === 'paragraph'
    ? [{ role: 'paragraph', ...text }]
    : [{ role: 'heading', level: kind, ...text }];
}

const codeBlock = (text: string, language: string | null): DocBlock => ({
  role: 'code',
  language,
  ...origin(),
  text,
  spans: [plainSpan(text)],
});

const formula = (text: string): DocBlock[] =>
  text === '' ? [] : [{ role: 'formula', ...origin(), text, spans: [plainSpan(text)] }];

function readList({ ordered, start, children }: List, context: Context): DocBlock[] {
  let counter = start ?? 1;
  const out: DocBlock[] = [];
  for (const item of children) {
    const marker = ordered ? `${counter}${delimiterOf(item, context)}` : '-';
    counter += 1;
    for (const block of readItem(item, marker, ordered ?? false, context)) out.push(block);
  }
  return out;
}

/** Returns the delimiter after an item's number, which the syntax tree does not contain. */
function delimiterOf({ position }: ListItem, { text }: Context): string {
  const start = position?.start.offset ?? 0;
  return /^\d{1,9}([.)])/.exec(text.slice(start, start + 10))?.[1] ?? '.';
}

/**
 * Reads a list item. Its first paragraph is the text of the item, and further paragraphs are lines
 * of it. Other blocks follow the item.
 */
function readItem(item: ListItem, marker: string, ordered: boolean, context: Context): DocBlock[] {
  const childBlocks = readNodes(item.children, { ...context, level: context.level + 1 });
  const { spans, rest } = leadingText(childBlocks);
  const itemBlock: DocBlock = {
    role: 'list_item',
    level: context.level,
    marker,
    ordered,
    checked: item.checked ?? null,
    ...toTextFields(spans),
  };
  return itemBlock.text === '' && rest.length === 0 ? [] : [itemBlock, ...rest];
}

function readFootnote(
  label: string,
  children: readonly (BlockContent | DefinitionContent)[],
  context: Context,
): DocBlock[] {
  const { spans, rest } = leadingText(readNodes(children, context));
  return [{ role: 'footnote', label, ...toTextFields(spans) }, ...rest];
}

/**
 * Returns the leading paragraphs of some blocks as lines of one text. Pictures among them follow
 * the text.
 */
function leadingText(blocks: readonly DocBlock[]): { spans: Span[]; rest: DocBlock[] } {
  const spans: Span[] = [];
  const pictures: DocBlock[] = [];
  let leadingCount = 0;
  for (const block of blocks) {
    if (block.role === 'picture') pictures.push(block);
    else if (block.role === 'paragraph') {
      addSpan(spans, spans.length > 0 ? '\n' : '', [], null);
      for (const { text, marks, href } of block.spans) addSpan(spans, text, marks, href);
    } else break;
    leadingCount += 1;
  }
  return { spans, rest: [...pictures, ...blocks.slice(leadingCount)] };
}

function readTable({ children: rows }: Table, { definitions, budget }: Context): DocBlock {
  const columns = rows[0]?.children.length ?? 0;
  const cells: Cell[] = rows.flatMap(({ children }, row) =>
    Array.from({ length: columns }, (_, column) => {
      budget.countCell();
      const position = { row, column, rowSpan: 1, columnSpan: 1, header: row === 0 };
      return cellOf(position, readInline(children[column]?.children ?? [], definitions).spans);
    }),
  );
  return { role: 'table', rows: rows.length, columns, cells, caption: null, ...origin() };
}

const blocksOfHtml = (source: string): DocBlock[] =>
  blocksOfTree(parseFragment(source, { scriptingEnabled: false }));

/**
 * Returns the index of the last node of an HTML table that begins at `at`. Markdown ends an HTML
 * block at an empty line, but a part of a table cannot be read without the other parts.
 */
function endOfTable(nodes: readonly RootContent[], at: number): number {
  const first = nodes[at];
  if (first?.type !== 'html' || !isOpenTable(first.value)) return at;
  const end = nodes.findIndex(
    (node, index) => index > at && node.type === 'html' && /<\/table/i.test(node.value),
  );
  return end < 0 ? at : end;
}

const isOpenTable = (html: string): boolean =>
  /<table\b/i.test(html) &&
  html.toLowerCase().lastIndexOf('<table') > html.toLowerCase().lastIndexOf('</table');

const sourceOf = (first: RootContent, last: RootContent, { text }: Context): string =>
  text.slice(first.position?.start.offset, last.position?.end.offset);
