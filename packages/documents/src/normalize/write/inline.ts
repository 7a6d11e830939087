import type { Mark, Span } from '../document.ts';

/**
 * Characters that Markdown reads as markup anywhere in a line. Each pattern matches only positions
 * where the character would be markup.
 */
const inlineMarks: readonly [RegExp, string][] = [
  [/\\(?=[!-/:-@[-`{-~])/g, '\\\\'],
  [/`/g, '\\`'],
  // An asterisk between spaces is literal, and so is an underscore inside a word.
  [/(?<=\S)\*|\*(?=\S)/g, '\\*'],
  [/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_'],
  [/~(?=~)|(?<=~)~/g, '\\~'],
  [/<(?=[a-z/!?])/gi, '\\<'],
  [/&(?=#?\w{1,32};)/g, '\\&'],
];

/** Escapes only the characters of running text that Markdown would read as markup. */
function escapeText(text: string): string {
  if (!/[\\`*_~[\]<&!]/.test(text)) return text;
  const out = inlineMarks.reduce(
    (before, [pattern, replacement]) => before.replace(pattern, replacement),
    text,
  );
  // Brackets form a link only if a target follows them.
  return /\][([:]|\[\^/.test(out) ? out.replace(/[[\]]/g, '\\$&') : out;
}

/**
 * Escapes the start of a line that would turn a paragraph into a heading, list, quote, rule, fence
 * or table.
 */
export function escapeLine(line: string): string {
  return line.replace(
    /^(\s*)(?:(#{1,6})(?=\s|$)|([-+*])(?=\s|$)|(>)|(\d{1,9})([.)])(?=\s|$)|([=|])|(-)(?=-+\s*$)|(~{3}))/,
    (all, space: string, ...groups: (string | undefined)[]) => {
      const [, , , digits, mark] = groups;
      return digits === undefined
        ? `${space}\\${all.slice(space.length)}`
        : `${space}${digits}\\${mark}`;
    },
  );
}

/**
 * Returns a code span. Its fence is longer than any run of backticks in the text (CommonMark 6.1).
 */
function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(maxLength(runs) + 1);
  const inner = /^`|`$|^ .* $/.test(text) ? ` ${text} ` : text;
  return `${fence}${inner}${fence}`;
}

/** Returns the length of the longest string; 0 for an empty list. */
export const maxLength = (runs: readonly string[]): number =>
  runs.reduce((max, run) => Math.max(max, run.length), 0);

const delimiters: Partial<Record<Mark, readonly [string, string]>> = {
  strike: ['~~', '~~'],
  italic: ['*', '*'],
  bold: ['**', '**'],
  superscript: ['<sup>', '</sup>'],
  subscript: ['<sub>', '</sub>'],
};

function escapeHref(href: string): string {
  const encoded = href.trim().replace(/[\s<>\\]/g, (unit) => encodeURIComponent(unit));
  // Balanced parentheses need no escape.
  const isBalanced = /^[^()]*(?:\([^()]*\)[^()]*)*$/.test(encoded);
  return isBalanced ? encoded : encoded.replaceAll('(', '%28').replaceAll(')', '%29');
}

/**
 * Returns a span as Markdown. Marks exclude outer white space, because `** bold**` shows the
 * asterisks.
 */
function spanOf({ text, marks, href }: Span): string {
  const inner = text.trim();
  if (inner === '') return text;
  const from = text.length - text.trimStart().length;
  const before = text.slice(0, from);
  const after = text.slice(from + inner.length);
  if (marks.includes('footnote')) return `${before}[^${labelOf(inner)}]${after}`;
  if (marks.includes('formula')) return `${before}$${inner.replace(/\s+/g, ' ')}$${after}`;
  let out = marks.includes('code') ? codeSpan(inner.replaceAll('\n', ' ')) : escapeText(inner);
  for (const mark of Object.keys(delimiters) as Mark[]) {
    const [open, close] = (marks.includes(mark) && delimiters[mark]) || ['', ''];
    // A superscript with a link is a reference, and its brackets suffice.
    if (href !== null && (mark === 'superscript' || mark === 'subscript')) continue;
    // Code is distinct without emphasis, and its asterisks would merge with those of adjacent
    // spans.
    if (marks.includes('code') && (mark === 'bold' || mark === 'italic')) continue;
    // Emphasis must not cross a line break.
    out = open === '' ? out : out.replace(/[^\n]+/g, (line) => wrapLine(line, open, close));
  }
  return `${before}${href === null ? out : `[${out.replaceAll('\n', ' ')}](${escapeHref(href)})`}${after}`;
}

function wrapLine(line: string, open: string, close: string): string {
  const trimmed = line.trim();
  return trimmed === '' ? line : line.replace(trimmed, () => `${open}${trimmed}${close}`);
}

/** Returns the label of a footnote in Markdown, without white space and brackets. */
export const labelOf = (label: string): string => label.replace(/[\s[\]]+/g, '') || '?';

const hasSameFormatting = (a: Span, b: Span): boolean =>
  a.href === b.href &&
  a.marks.length === b.marks.length &&
  a.marks.every((mark) => b.marks.includes(mark));

/** Joins adjacent spans with the same formatting, because `**a****b**` shows the asterisks. */
function joinSpans(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last && hasSameFormatting(last, span) && !span.marks.includes('footnote')) {
      out[out.length - 1] = { ...last, text: last.text + span.text };
    } else if (span.text !== '') out.push(span);
  }
  return out;
}

/** Returns text as Markdown, with its line ends. */
export const toInlineMarkdown = (spans: readonly Span[]): string =>
  joinSpans(spans).map(spanOf).join('');

/** Creates a function that returns the text between two positions, with its formatting. */
export function createSlicer(spans: readonly Span[]): (start: number, end: number) => Span[] {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of spans) {
    starts.push(length);
    length += text.length;
  }
  return (start, end) => {
    // Finds the last span that begins at or before the start.
    let [low, high] = [0, spans.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= start) low = middle;
      else high = middle;
    }
    const out: Span[] = [];
    for (let index = low; index < spans.length && starts[index]! < end; index += 1) {
      const span = spans[index]!;
      const at = starts[index]!;
      const text = span.text.slice(Math.max(0, start - at), end - at);
      if (text !== '') out.push(text === span.text ? span : { ...span, text });
    }
    return out;
  };
}
