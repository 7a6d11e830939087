import type { Mark, Span } from '../document.ts';

/**
 * Characters that Markdown would read as markup anywhere in a line, each only in such a position.
 */
const inlineMarks: readonly [RegExp, string][] = [
  [/\\(?=[!-/:-@[-`{-~])/g, '\\\\'],
  [/`/g, '\\`'],
  // A star between spaces is literal, and so is an underscore inside a word.
  [/(?<=\S)\*|\*(?=\S)/g, '\\*'],
  [/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_'],
  [/~(?=~)|(?<=~)~/g, '\\~'],
  [/<(?=[a-z/!?])/gi, '\\<'],
  [/&(?=#?\w{1,32};)/g, '\\&'],
];

/** Escapes what Markdown would misread in running text, and nothing else. */
function escaped(text: string): string {
  if (!/[\\`*_~[\]<&!]/.test(text)) return text;
  const out = inlineMarks.reduce((before, [pattern, by]) => before.replace(pattern, by), text);
  // Brackets are links only if a target follows them.
  return /\][([:]|\[\^/.test(out) ? out.replace(/[[\]]/g, '\\$&') : out;
}

/**
 * Starts of lines that would turn a paragraph into a heading, list, quote, rule, fence or table.
 */
export function escapedLine(line: string): string {
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

/** Returns a code span: its fence is longer than any run of backticks in it (CommonMark 6.1). */
function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(longest(runs) + 1);
  const inner = /^`|`$|^ .* $/.test(text) ? ` ${text} ` : text;
  return `${fence}${inner}${fence}`;
}

/** Returns the length of the longest string; 0 without any. */
export const longest = (runs: readonly string[]): number =>
  runs.reduce((max, run) => Math.max(max, run.length), 0);

const around: Partial<Record<Mark, readonly [string, string]>> = {
  strike: ['~~', '~~'],
  italic: ['*', '*'],
  bold: ['**', '**'],
  superscript: ['<sup>', '</sup>'],
  subscript: ['<sub>', '</sub>'],
};

function target(href: string): string {
  const bare = href.trim().replace(/[\s<>\\]/g, (unit) => encodeURIComponent(unit));
  // Paired brackets need no escape.
  const paired = /^[^()]*(?:\([^()]*\)[^()]*)*$/.test(bare);
  return paired ? bare : bare.replaceAll('(', '%28').replaceAll(')', '%29');
}

/** One stretch of text. Marks exclude the outer blanks: `** bold**` would be stars. */
function spanOf({ text, marks, href }: Span): string {
  const inner = text.trim();
  if (inner === '') return text;
  const from = text.length - text.trimStart().length;
  const before = text.slice(0, from);
  const after = text.slice(from + inner.length);
  if (marks.includes('footnote')) return `${before}[^${labelOf(inner)}]${after}`;
  if (marks.includes('formula')) return `${before}$${inner.replace(/\s+/g, ' ')}$${after}`;
  let out = marks.includes('code') ? codeSpan(inner.replaceAll('\n', ' ')) : escaped(inner);
  for (const mark of Object.keys(around) as Mark[]) {
    const [open, close] = (marks.includes(mark) && around[mark]) || ['', ''];
    // A superscript with a link is a reference: its brackets are enough.
    if (href !== null && (mark === 'superscript' || mark === 'subscript')) continue;
    // Code stands out on its own, and its stars would merge with those of its neighbours.
    if (marks.includes('code') && (mark === 'bold' || mark === 'italic')) continue;
    // Emphasis must not cross a line end that is a break.
    out = open === '' ? out : out.replace(/[^\n]+/g, (line) => wrapped(line, open, close));
  }
  return `${before}${href === null ? out : `[${out.replaceAll('\n', ' ')}](${target(href)})`}${after}`;
}

function wrapped(line: string, open: string, close: string): string {
  const trimmed = line.trim();
  return trimmed === '' ? line : line.replace(trimmed, () => `${open}${trimmed}${close}`);
}

/** Returns a footnote's label in Markdown: no spaces, no brackets. */
export const labelOf = (label: string): string => label.replace(/[\s[\]]+/g, '') || '?';

const alike = (a: Span, b: Span): boolean =>
  a.href === b.href &&
  a.marks.length === b.marks.length &&
  a.marks.every((mark) => b.marks.includes(mark));

/** Joins neighbours with the same formatting: `**a****b**` would be stars. */
function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last && alike(last, span) && !span.marks.includes('footnote')) {
      out[out.length - 1] = { ...last, text: last.text + span.text };
    } else if (span.text !== '') out.push(span);
  }
  return out;
}

/** Text as Markdown, with its line ends. */
export const inline = (spans: readonly Span[]): string => joined(spans).map(spanOf).join('');

/** Returns the part of a text between two positions, with its formatting. */
export function slicer(spans: readonly Span[]): (start: number, end: number) => Span[] {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of spans) {
    starts.push(length);
    length += text.length;
  }
  return (start, end) => {
    // The last span that begins at or before the start.
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
