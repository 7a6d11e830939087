import type { DocBlock, Span } from '../document.ts';
import { escapedLine, inline, labelOf, longest } from './inline.ts';
import { delimiterLine, rowLine, textRows } from './table.ts';

/** Whether a block is a running header or footer. These are written only to JSON. */
export const isFurniture = ({ role }: DocBlock): boolean =>
  role === 'page_header' || role === 'page_footer';

export type TextBlock = Extract<DocBlock, { spans: readonly Span[] }>;
export const isText = (block: DocBlock): block is TextBlock => 'spans' in block;

/** The prefix of a block's first line, and of each further line. */
export type Lead = { first: string; rest: string };

type Item = Extract<DocBlock, { role: 'list_item' }>;

/** The minimum indentation inside a list, in spaces. */
const step = 4;

/** Returns the marker of an item if it is a counter that Markdown supports; else null. */
function counterOf({ ordered, marker }: Item): string | null {
  const [, number, mark = '.'] = /^\(?(\d{1,9})([.)])?$/.exec(marker.trim()) ?? [];
  return ordered && number !== undefined ? number + (mark || '.') : null;
}

/** Returns the start of a list item. Other counters (`a)`, `1.2.`) become text after a bullet. */
function itemLead(item: Item, indent: number): Lead {
  const counter = counterOf(item);
  const bullet = `${' '.repeat(indent)}${counter ?? '-'} `;
  const task = item.checked === null ? '' : `[${item.checked ? 'x' : ' '}] `;
  const marker = item.marker.trim();
  const said = item.ordered && counter === null && !/^[-•]?$/.test(marker) ? `${marker} ` : '';
  return { first: bullet + task + said, rest: ' '.repeat(bullet.length) };
}

/** Creates a function that returns the lead of each block in turn. It tracks the depth of lists. */
export function createLeads(): (block: TextBlock) => Lead {
  let indents: number[] = [];
  return (block) => {
    if (block.role !== 'list_item') indents = [];
    switch (block.role) {
      case 'heading': {
        const hashes = `${'#'.repeat(Math.min(6, Math.max(1, block.level)))} `;
        return { first: hashes, rest: '' };
      }
      case 'quote':
        return { first: '> ', rest: '> ' };
      case 'footnote':
        return { first: `[^${labelOf(block.label)}]: `, rest: ' '.repeat(step) };
      case 'list_item': {
        const depth = Math.min(block.level, indents.length);
        const indent = indents[depth - 1] ?? 0;
        const width = Math.max(step, (counterOf(block) ?? '-').length + 1);
        indents = [...indents.slice(0, depth), indent + width];
        return itemLead(block, indent);
      }
      default:
        return { first: '', rest: '' };
    }
  };
}

/** Returns running text with a lead. Line ends become line breaks, except in headings. */
export function textLines(
  role: DocBlock['role'],
  spans: readonly Span[],
  { first, rest }: Lead,
): string {
  const text = inline(spans);
  if (role === 'heading') {
    const line = text.trimStart().replace(/\s+/g, ' ');
    // Trailing hashes would be read as heading syntax.
    return first + (line.endsWith('#') ? `${line.slice(0, -1)}\\#` : line);
  }
  const lines = text
    .split('\n')
    .map((line, index, all) => (index < all.length - 1 ? line.trimEnd() : line))
    .filter((line) => line.trim() !== '');
  return lines.map((line, index) => (index === 0 ? first : rest) + escapedLine(line)).join('  \n');
}

/** Returns a fence longer than any run of backticks in the code (CommonMark 4.5). */
export function fenceOf(text: string): string {
  return '`'.repeat(Math.max(3, longest(text.match(/`+/g) ?? []) + 1));
}

export const languageOf = (language: string | null): string =>
  language !== null && /^[\w+#.-]{1,40}$/.test(language) ? language : '';

/** Returns the Markdown of a picture: a comment with its description, if any. */
export function pictureText(alt: string | null): string {
  const says = (alt ?? '')
    .replace(/\s+/g, ' ')
    .replace(/-{2,}|>/g, '-')
    .trim();
  return says === '' ? '<!-- image -->' : `<!-- image: ${says} -->`;
}

/** Returns a display formula without empty lines, which would end it. */
export const formulaText = (text: string): string => `$$${text.trim().replace(/\n\s*\n/g, '\n')}$$`;

/** Returns a block as Markdown without a line end; empty if the block shows nothing. */
export function blockText(block: DocBlock, lead: (block: TextBlock) => Lead): string {
  if (block.role === 'table') {
    const rows = textRows(block);
    const [header, ...others] = rows.map(rowLine);
    const caption =
      block.caption === null
        ? []
        : [escapedLine(inline([{ text: block.caption, marks: [], href: null }])), ''];
    if (header === undefined) return caption.slice(0, 1).join('');
    const width = rows[0]?.length ?? 1;
    return [...caption, header, delimiterLine(width), ...others].join('\n');
  }
  if (block.role === 'picture') return pictureText(block.alt);
  const own = lead(block);
  if (block.text.trim() === '' && block.role !== 'list_item') return '';
  if (block.role === 'code') {
    const fence = fenceOf(block.text);
    return `${fence}${languageOf(block.language)}\n${block.text.trimEnd()}\n${fence}`;
  }
  if (block.role === 'formula') return formulaText(block.text);
  return textLines(block.role, block.spans, own).trimEnd();
}

/** Returns the separator between two blocks. Items of one list have no empty line between them. */
export function between(before: DocBlock, after: DocBlock): string {
  const together =
    before.role === 'list_item' &&
    after.role === 'list_item' &&
    (before.ordered === after.ordered || before.level > 0 || after.level > 0);
  return together ? '\n' : '\n\n';
}
