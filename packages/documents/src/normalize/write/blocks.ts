import type { DocBlock, Span } from '../document.ts';
import { escapeLine, labelOf, maxLength, toInlineMarkdown } from './inline.ts';
import { delimiterLine, rowLine, textRows } from './table.ts';

/** Whether a block is a running header or footer. These are written only to JSON. */
export const isFurniture = ({ role }: DocBlock): boolean =>
  role === 'page_header' || role === 'page_footer';

export type TextBlock = Extract<DocBlock, { spans: readonly Span[] }>;
export const isText = (block: DocBlock): block is TextBlock => 'spans' in block;

/** The prefix of a block's first line, and of each further line. */
export type LinePrefix = { first: string; following: string };

type ListItem = Extract<DocBlock, { role: 'list_item' }>;

/** The minimum indentation inside a list, in spaces. */
const minIndent = 4;

/** Returns the marker of an item if it is a counter that Markdown supports; else null. */
function counterOf({ ordered, marker }: ListItem): string | null {
  const [, number, mark = '.'] = /^\(?(\d{1,9})([.)])?$/.exec(marker.trim()) ?? [];
  return ordered && number !== undefined ? number + (mark || '.') : null;
}

/** Returns the start of a list item. Other counters (`a)`, `1.2.`) become text after a bullet. */
function itemPrefix(item: ListItem, indent: number): LinePrefix {
  const counter = counterOf(item);
  const bullet = `${' '.repeat(indent)}${counter ?? '-'} `;
  const task = item.checked === null ? '' : `[${item.checked ? 'x' : ' '}] `;
  const marker = item.marker.trim();
  const counterText =
    item.ordered && counter === null && !/^[-•]?$/.test(marker) ? `${marker} ` : '';
  return { first: bullet + task + counterText, following: ' '.repeat(bullet.length) };
}

/** Creates a function that returns the lead of each block in turn. It tracks the depth of lists. */
export function createPrefixer(): (block: TextBlock) => LinePrefix {
  let indents: number[] = [];
  return (block) => {
    if (block.role !== 'list_item') indents = [];
    switch (block.role) {
      case 'heading': {
        const hashes = `${'#'.repeat(Math.min(6, Math.max(1, block.level)))} `;
        return { first: hashes, following: '' };
      }
      case 'quote':
        return { first: '> ', following: '> ' };
      case 'footnote':
        return { first: `[^${labelOf(block.label)}]: `, following: ' '.repeat(minIndent) };
      case 'list_item': {
        const depth = Math.min(block.level, indents.length);
        const indent = indents[depth - 1] ?? 0;
        const width = Math.max(minIndent, (counterOf(block) ?? '-').length + 1);
        indents = [...indents.slice(0, depth), indent + width];
        return itemPrefix(block, indent);
      }
      default:
        return { first: '', following: '' };
    }
  };
}

/** Returns running text with a lead. Line ends become line breaks, except in headings. */
export function textLines(
  role: DocBlock['role'],
  spans: readonly Span[],
  { first, following }: LinePrefix,
): string {
  const text = toInlineMarkdown(spans);
  if (role === 'heading') {
    const line = text.trimStart().replace(/\s+/g, ' ');
    // Trailing hashes would be read as heading syntax.
    return first + (line.endsWith('#') ? `${line.slice(0, -1)}\\#` : line);
  }
  const lines = text
    .split('\n')
    .map((line, index, all) => (index < all.length - 1 ? line.trimEnd() : line))
    .filter((line) => line.trim() !== '');
  return lines
    .map((line, index) => (index === 0 ? first : following) + escapeLine(line))
    .join('  \n');
}

/** Returns a fence longer than any run of backticks in the code (CommonMark 4.5). */
export function fenceOf(text: string): string {
  return '`'.repeat(Math.max(3, maxLength(text.match(/`+/g) ?? []) + 1));
}

export const languageOf = (language: string | null): string =>
  language !== null && /^[\w+#.-]{1,40}$/.test(language) ? language : '';

/** Returns the Markdown of a picture: a comment with its description, if any. */
export function pictureText(alt: string | null): string {
  const description = (alt ?? '')
    .replace(/\s+/g, ' ')
    .replace(/-{2,}|>/g, '-')
    .trim();
  return description === '' ? '<!-- image -->' : `<!-- image: ${description} -->`;
}

/** Returns a display formula without empty lines, which would end it. */
export const formulaText = (text: string): string => `$$${text.trim().replace(/\n\s*\n/g, '\n')}$$`;

/** Returns a block as Markdown without a line end; empty if the block shows nothing. */
export function blockText(block: DocBlock, prefixOf: (block: TextBlock) => LinePrefix): string {
  if (block.role === 'table') {
    const rows = textRows(block);
    const [header, ...others] = rows.map(rowLine);
    const caption =
      block.caption === null
        ? []
        : [escapeLine(toInlineMarkdown([{ text: block.caption, marks: [], href: null }])), ''];
    if (header === undefined) return caption.slice(0, 1).join('');
    const width = rows[0]?.length ?? 1;
    return [...caption, header, delimiterLine(width), ...others].join('\n');
  }
  if (block.role === 'picture') return pictureText(block.alt);
  const prefix = prefixOf(block);
  if (block.text.trim() === '' && block.role !== 'list_item') return '';
  if (block.role === 'code') {
    const fence = fenceOf(block.text);
    return `${fence}${languageOf(block.language)}\n${block.text.trimEnd()}\n${fence}`;
  }
  if (block.role === 'formula') return formulaText(block.text);
  return textLines(block.role, block.spans, prefix).trimEnd();
}

/** Returns the separator between two blocks. Items of one list have no empty line between them. */
export function separatorBetween(before: DocBlock, after: DocBlock): string {
  const isTight =
    before.role === 'list_item' &&
    after.role === 'list_item' &&
    (before.ordered === after.ordered || before.level > 0 || after.level > 0);
  return isTight ? '\n' : '\n\n';
}
