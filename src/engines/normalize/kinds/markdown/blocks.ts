import { parseFragment } from 'parse5';
import type { Cell, DocBlock, Span } from '../../document.ts';
import { addSpan, cellOf, createBudget, origin, plainSpan, textOf } from '../build.ts';
import { blocksOfTree } from '../html/index.ts';
import { type Definitions, nameOf, readInline } from './inline.ts';

type Context = {
  definitions: Definitions;
  budget: ReturnType<typeof createBudget>;
  depth: number;
  /** Lists around. */
  level: number;
};

const maxDepth = 40;

const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const fence = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/;
const item = /^( {0,3})([-+*]|\d{1,9}[.)])(?:([ \t]+)(?=\S)|[ \t]*$)/;
const quote = /^ {0,3}> ?/;
const definition =
  /^ {0,3}\[([^\][^][^\][]{0,998})\]:[ \t]*(?:<([^<>]*)>|(\S+))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;
const footnote = /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*/;
const tableRule = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const htmlStart =
  /^ {0,3}<(?:!--|\/?(?:address|article|aside|blockquote|body|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|optgroup|option|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul|video|picture|source)\b)/i;
const indented = /^(?: {4}| {0,3}\t)/;

const isBlank = (line: string): boolean => line.trim() === '';

/** Whether a line ends a paragraph before it. */
const interrupts = (line: string): boolean =>
  isBlank(line) ||
  heading.test(line) ||
  rule.test(line) ||
  fence.test(line) ||
  quote.test(line) ||
  htmlStart.test(line) ||
  /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/.test(line) ||
  /^ {0,3}\$\$/.test(line);

/** The blocks of lines of Markdown. */
export function readBlocks(lines: readonly string[]): DocBlock[] {
  const definitions = new Map<string, string>();
  for (const line of lines) {
    const [, label = '', angled, bare] = definition.exec(line) ?? [];
    if (label !== '' && !definitions.has(nameOf(label))) {
      definitions.set(nameOf(label), angled ?? bare ?? '');
    }
  }
  return read(lines, { definitions, budget: createBudget(), depth: 0, level: 0 });
}

type Taken = { next: number; blocks: DocBlock[] };
type Reader = (lines: readonly string[], at: number, context: Context) => Taken | null;

const readers: readonly Reader[] = [
  fencedCode,
  indentedCode,
  atxHeading,
  (lines, at) => (rule.test(lines[at]!) ? { next: at + 1, blocks: [] } : null),
  quoted,
  note,
  (lines, at) => (definition.test(lines[at]!) ? { next: at + 1, blocks: [] } : null),
  list,
  formulaBlock,
  table,
  html,
  paragraph,
];

function read(lines: readonly string[], context: Context): DocBlock[] {
  const out: DocBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at]!)) {
      at += 1;
      continue;
    }
    context.budget.block();
    for (const reader of context.depth > maxDepth ? [paragraph] : readers) {
      const taken = reader(lines, at, context);
      if (!taken) continue;
      for (const block of taken.blocks) out.push(block);
      at = taken.next;
      break;
    }
  }
  return out;
}

const codeBlock = (text: string, language: string | null): DocBlock => ({
  role: 'code',
  language,
  ...origin(),
  text,
  spans: [plainSpan(text)],
});

function fencedCode(lines: readonly string[], at: number): Taken | null {
  const [, indent = '', mark = '', info = ''] = fence.exec(lines[at]!) ?? [];
  if (mark === '') return null;
  const close = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}[ \\t]*$`);
  const strip = new RegExp(`^ {0,${indent.length}}`);
  let end = at + 1;
  while (end < lines.length && !close.test(lines[end]!)) end += 1;
  const text = lines
    .slice(at + 1, end)
    .map((line) => line.replace(strip, ''))
    .join('\n');
  return { next: end + 1, blocks: text.trim() === '' ? [] : [codeBlock(text, info || null)] };
}

function indentedCode(lines: readonly string[], at: number): Taken | null {
  if (!indented.test(lines[at]!)) return null;
  let end = at;
  while (end < lines.length && (indented.test(lines[end]!) || isBlank(lines[end]!))) end += 1;
  const text = lines
    .slice(at, end)
    .map((line) => line.replace(indented, ''))
    .join('\n')
    .trimEnd();
  return { next: end, blocks: [codeBlock(text, null)] };
}

function headingOf(level: number, source: string, { definitions }: Context): DocBlock[] {
  const { spans, pictures } = readInline(source, definitions);
  const text = textOf(spans);
  return [...(text.text === '' ? [] : [{ role: 'heading' as const, level, ...text }]), ...pictures];
}

function atxHeading(lines: readonly string[], at: number, context: Context): Taken | null {
  const [, hashes, text = ''] = heading.exec(lines[at]!) ?? [];
  if (hashes === undefined) return null;
  return { next: at + 1, blocks: headingOf(hashes.length, text, context) };
}

function quoted(lines: readonly string[], at: number, context: Context): Taken | null {
  if (!quote.test(lines[at]!)) return null;
  let end = at;
  // Lines without a sign go on with the quote's paragraph.
  while (
    end < lines.length &&
    (quote.test(lines[end]!) || (end > at && !interrupts(lines[end]!)))
  ) {
    end += 1;
  }
  const inner = lines.slice(at, end).map((line) => line.replace(quote, ''));
  const blocks = read(inner, { ...context, depth: context.depth + 1 });
  return {
    next: end,
    blocks: blocks.map((block) =>
      block.role === 'paragraph' ? { ...block, role: 'quote' } : block,
    ),
  };
}

/** A footnote's text, with what of it is indented below. */
function note(lines: readonly string[], at: number, context: Context): Taken | null {
  const [lead, label = ''] = footnote.exec(lines[at]!) ?? [];
  if (lead === undefined) return null;
  let end = at + 1;
  while (end < lines.length && (indented.test(lines[end]!) || !interrupts(lines[end]!))) end += 1;
  const text = lines
    .slice(at, end)
    .map((line, index) => (index === 0 ? line.slice(lead.length) : line.trim()))
    .join('\n');
  const { spans } = readInline(text, context.definitions);
  return { next: end, blocks: [{ role: 'footnote', label, ...textOf(spans) }] };
}

const widthOf = (blanks: string): number =>
  [...blanks].reduce((width, sign) => width + (sign === '\t' ? 4 - (width % 4) : 1), 0);

/** Without so many columns of blanks; null where it has fewer. */
function dedented(line: string, columns: number): string | null {
  let width = 0;
  let at = 0;
  while (at < line.length && width < columns) {
    if (line[at] === ' ') width += 1;
    else if (line[at] === '\t') width += 4 - (width % 4);
    else break;
    at += 1;
  }
  return width < columns ? null : ' '.repeat(width - columns) + line.slice(at);
}

/** Items of one list: what is indented as far as an item's text is part of it. */
function list(lines: readonly string[], at: number, context: Context): Taken | null {
  if (!item.test(lines[at]!)) return null;
  const blocks: DocBlock[] = [];
  const kind = item.exec(lines[at]!)![2]!.at(-1);
  let counter: number | null = null;
  let next = at;
  while (next < lines.length) {
    const match = item.exec(lines[next]!);
    if (!match || match[2]!.at(-1) !== kind || rule.test(lines[next]!)) break;
    const [lead, before = '', marker = '-', after = ' '] = match;
    const gap = widthOf(after) > 4 ? 1 : Math.max(1, widthOf(after));
    const content = before.length + marker.length + gap;
    const own = [dedentedFirst(lines[next]!, lead, after)];
    let end = next + 1;
    for (; end < lines.length; end += 1) {
      const line = lines[end]!;
      const inner = isBlank(line) ? '' : dedented(line, content);
      const isLazy =
        inner === null && !isBlank(lines[end - 1]!) && !interrupts(line) && !item.test(line);
      if (inner === null && !isLazy) break;
      own.push(inner ?? line.trimStart());
    }
    const ordered = marker.length > 1;
    if (ordered) counter = counter === null ? Number.parseInt(marker, 10) : counter + 1;
    const shown = ordered ? `${counter}${marker.at(-1)}` : '-';
    for (const block of itemBlocks(own, shown, ordered, context)) blocks.push(block);
    next = end;
    while (next < lines.length && isBlank(lines[next]!)) next += 1;
  }
  return { next, blocks };
}

const dedentedFirst = (line: string, lead: string, after: string): string =>
  widthOf(after) > 4 ? after.slice(1) + line.slice(lead.length) : line.slice(lead.length);

/** An item's first paragraph is the item, further ones are lines of it, the rest stands below. */
function itemBlocks(
  lines: readonly string[],
  marker: string,
  ordered: boolean,
  context: Context,
): DocBlock[] {
  const task = /^\[([ xX])\][ \t]+/.exec(lines[0] ?? '');
  const rest = task ? [lines[0]!.slice(task[0].length), ...lines.slice(1)] : lines;
  const inner = read(rest, { ...context, depth: context.depth + 1, level: context.level + 1 });
  const spans: Span[] = [];
  let taken = 0;
  for (const block of inner) {
    if (block.role !== 'paragraph') break;
    addSpan(spans, taken > 0 ? '\n' : '', [], null);
    for (const { text, marks, href } of block.spans) addSpan(spans, text, marks, href);
    taken += 1;
  }
  const own: DocBlock = {
    role: 'list_item',
    level: context.level,
    marker,
    ordered,
    checked: task ? task[1] !== ' ' : null,
    ...textOf(spans),
  };
  return own.text === '' && taken === inner.length ? [] : [own, ...inner.slice(taken)];
}

function formulaBlock(lines: readonly string[], at: number): Taken | null {
  if (!/^ {0,3}\$\$/.test(lines[at]!)) return null;
  const first = lines[at]!.trim().slice(2);
  let end = at;
  if (!first.endsWith('$$') || first === '') {
    end += 1;
    while (end < lines.length && !lines[end]!.trimEnd().endsWith('$$')) {
      if (isBlank(lines[end]!)) return null;
      end += 1;
    }
    if (end >= lines.length) return null;
  }
  const text = lines
    .slice(at, end + 1)
    .join('\n')
    .trim()
    .replace(/^\$\$|\$\$$/g, '')
    .trim();
  if (text === '') return { next: end + 1, blocks: [] };
  return {
    next: end + 1,
    blocks: [{ role: 'formula', ...origin(), text, spans: [plainSpan(text)] }],
  };
}

/** Cells of a row: bars that are escaped or in code are text. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  const cells = inner.match(/(?:[^|\\`]|\\.|`[^`]*`|`|\\$)*(?:\||$)/g) ?? [];
  // The last match is the empty one at the end.
  return cells
    .slice(0, Math.max(1, cells.length - 1))
    .map((cell) => cell.replace(/\|$/, '').trim().replaceAll('\\|', '|'));
}

function table(lines: readonly string[], at: number, context: Context): Taken | null {
  const under = lines[at + 1];
  if (under === undefined || !tableRule.test(under) || !lines[at]!.includes('|')) return null;
  const columns = cellsOf(under).length;
  if (cellsOf(lines[at]!).length !== columns) return null;
  const rows = [lines[at]!];
  let end = at + 2;
  while (end < lines.length && !interrupts(lines[end]!)) {
    rows.push(lines[end]!);
    end += 1;
  }
  const cells: Cell[] = rows.flatMap((line, row) => {
    const texts = cellsOf(line);
    return Array.from({ length: columns }, (_, column) => {
      context.budget.cell();
      const place = { row, column, rowSpan: 1, columnSpan: 1, header: row === 0 };
      return cellOf(place, readInline(texts[column] ?? '', context.definitions).spans);
    });
  });
  const found: DocBlock = {
    role: 'table',
    rows: rows.length,
    columns,
    cells,
    caption: null,
    ...origin(),
  };
  return { next: end, blocks: [found] };
}

/** HTML up to a blank line; a table, code or comment of it up to its end. */
function html(lines: readonly string[], at: number): Taken | null {
  if (!htmlStart.test(lines[at]!)) return null;
  const [, name = ''] = /^ {0,3}<(!--|table|pre|script|style|details)/i.exec(lines[at]!) ?? [];
  const close = name === '' ? null : name === '!--' ? '-->' : `</${name.toLowerCase()}`;
  let end = at;
  if (close === null) while (end + 1 < lines.length && !isBlank(lines[end + 1]!)) end += 1;
  else {
    while (end < lines.length && !lines[end]!.toLowerCase().includes(close)) end += 1;
    while (end + 1 < lines.length && !isBlank(lines[end + 1]!)) end += 1;
  }
  const source = lines.slice(at, end + 1).join('\n');
  return {
    next: end + 1,
    blocks: blocksOfTree(parseFragment(source, { scriptingEnabled: false })),
  };
}

function paragraph(lines: readonly string[], at: number, context: Context): Taken {
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end]!;
    const under = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1];
    if (under !== undefined) {
      const source = lines.slice(at, end).join('\n').trim();
      const blocks = headingOf(under.startsWith('=') ? 1 : 2, source, context);
      return { next: end + 1, blocks };
    }
    if (interrupts(line)) break;
  }
  const source = lines
    .slice(at, end)
    .map((line) => line.trimStart())
    .join('\n');
  const { spans, pictures } = readInline(source, context.definitions);
  const text = textOf(spans);
  return {
    next: end,
    blocks: [...(text.text === '' ? [] : [{ role: 'paragraph' as const, ...text }]), ...pictures],
  };
}
