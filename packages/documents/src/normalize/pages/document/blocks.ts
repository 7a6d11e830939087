import type { DocBlock, Span } from '../../document.ts';
import { type LayoutLine, textOf } from '../layout.ts';
import { bullet, enumerator } from '../paragraphs.ts';
import { withoutLeaders } from './contents.ts';
import { type Draft, type TextBlock, tidy } from './draft.ts';
import { endsOf } from './line-ends.ts';
import { joinSpans, type Lexicon, spansOfLines } from './words.ts';

/** Returns spans without spaces at the start and the end. */
function trimmed(spans: readonly Span[]): Span[] {
  const out = [...spans];
  while (out[0]?.text.trimStart() === '') out.shift();
  while (out.at(-1)?.text.trimEnd() === '') out.pop();
  const [first] = out;
  if (first) out[0] = { ...first, text: first.text.trimStart() };
  const last = out.at(-1);
  if (last) out[out.length - 1] = { ...last, text: last.text.trimEnd() };
  return tidy(out);
}

const textOfSpans = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/**
 * Returns a URL as readers see it: without its scheme, spaces and the full stop of its sentence.
 */
const bareAddress = (address: string): string =>
  address
    .replace(/\s+/g, '')
    .replace(/^(?:mailto:|https?:\/\/)/i, '')
    .replace(/[.,;:)\]/]+$/, '')
    .toLowerCase();

/** Removes a link whose text is its URL, because it adds nothing. */
function withoutEcho(span: Span): Span {
  const echoes = span.href !== null && bareAddress(span.href) === bareAddress(span.text);
  return echoes ? { ...span, href: null } : span;
}

/** Removes a number of characters from the start of some spans. */
function without(spans: readonly Span[], length: number): Span[] {
  let left = length;
  const out: Span[] = [];
  for (const span of spans) {
    const cut = Math.min(left, span.text.length);
    left -= cut;
    out.push({ ...span, text: span.text.slice(cut) });
  }
  return trimmed(out);
}

const plainly = (spans: readonly Span[], drop: 'bold' | 'italic'): Span[] =>
  tidy(spans.map((span) => ({ ...span, marks: span.marks.filter((mark) => mark !== drop) })));

const ticked = /^[☑☒✓✔✗✘]/u;
const box = /^[☐☑☒□]/u;

/** A paragraph that continues elsewhere: its parts, in order. */
export type Joined = {
  draft: Draft & { block: TextBlock };
  more: (Draft & { block: TextBlock })[];
};

function confidenceOf({ draft, more }: Joined): number {
  let [letters, sum] = [0, 0];
  for (const { text, block } of [draft, ...more]) {
    letters += text.length;
    sum += text.length * block.confidence;
  }
  return letters === 0 ? draft.block.confidence : sum / letters;
}

/** Returns lines of code, with an empty line for each larger gap on the page. */
function codeLines(lines: readonly LayoutLine[]): string[] {
  const steps = lines.slice(1).map((line, at) => line.base - (lines[at]?.base ?? 0));
  const usual = Math.min(...steps.filter((step) => step > 0), Number.POSITIVE_INFINITY);
  return lines.flatMap((line, at) => {
    const step = steps[at - 1] ?? 0;
    return step > 1.6 * usual ? ['', textOf(line)] : [textOf(line)];
  });
}

/** Returns a block of text for the document; undefined if no text is left. */
export function textBlock(joined: Joined, lexicon: Lexicon): DocBlock | undefined {
  const { draft, more } = joined;
  const { page, block, role, level } = draft;
  const origin = { page: page.page, box: block.box, confidence: confidenceOf(joined) };
  if (role === 'code') {
    const lines = codeLines([draft, ...more].flatMap((one) => one.block.lines));
    const filled = lines.filter((line) => line.trim() !== '');
    const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length));
    const text = lines.map((line) => line.slice(indent).trimEnd()).join('\n');
    return { ...origin, role, language: null, text, spans: [{ text, marks: [], href: null }] };
  }
  const linesOf = (part: TextBlock): Span[] =>
    spansOfLines(part.lines, lexicon, role === 'paragraph' ? endsOf(part) : []);
  let spans = linesOf(block);
  for (const one of more) spans = joinSpans(spans, linesOf(one.block), lexicon);
  if (draft.entry) spans = spans.map((span) => ({ ...span, text: withoutLeaders(span.text) }));
  spans = trimmed(spans.map(withoutEcho));
  const text = textOfSpans(spans);
  if (text === '') return undefined;
  if (role === 'heading') {
    spans = plainly(plainly(spans, 'bold'), 'italic');
    return { ...origin, role, level, text, spans };
  }
  if (role === 'formula') return { ...origin, role, text, spans };
  if (role === 'list_item') {
    // An entry of a table of contents keeps its number, because the number does not count list
    // items.
    const found = draft.entry ? null : (bullet.exec(text) ?? enumerator.exec(text));
    const marker = found?.[0] ?? '-';
    const rest = without(spans, found?.[0].length ?? 0);
    return {
      ...origin,
      role,
      level,
      marker,
      ordered: found !== null && enumerator.test(text) && !bullet.test(text),
      checked: box.test(marker) ? ticked.test(marker) : null,
      text: textOfSpans(rest),
      spans: rest,
    };
  }
  if (role === 'footnote') {
    const label = /^(?:\d{1,3}|[*∗†‡§¶‖]{1,3}|[a-z](?![a-z]))/u.exec(text)?.[0] ?? '';
    const rest = without(spans, label.length);
    const start = /^[.)]\s+/.exec(textOfSpans(rest))?.[0].length ?? 0;
    const own = without(rest, start);
    return { ...origin, role, label, text: textOfSpans(own), spans: own };
  }
  return { ...origin, role, text, spans };
}
