import type { DocBlock, Span } from '../../document.ts';
import { type LayoutLine, textOf } from '../layout.ts';
import { bullet, enumerator } from '../paragraphs.ts';
import { type BlockDraft, mergeSpans, type TextBlock } from './block-draft.ts';
import { withoutLeaders } from './contents.ts';
import { earlyLineEnds } from './line-ends.ts';
import { joinSpans, type Lexicon, spansOfLines } from './words.ts';

/** Returns spans without spaces at the start and the end. */
function trimSpans(spans: readonly Span[]): Span[] {
  const out = [...spans];
  while (out[0]?.text.trimStart() === '') out.shift();
  while (out.at(-1)?.text.trimEnd() === '') out.pop();
  const [first] = out;
  if (first) out[0] = { ...first, text: first.text.trimStart() };
  const last = out.at(-1);
  if (last) out[out.length - 1] = { ...last, text: last.text.trimEnd() };
  return mergeSpans(out);
}

const textOfSpans = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/**
 * Returns a URL as readers see it: without its scheme, spaces and the full stop of its sentence.
 */
const comparableUrl = (address: string): string =>
  address
    .replace(/\s+/g, '')
    .replace(/^(?:mailto:|https?:\/\/)/i, '')
    .replace(/[.,;:)\]/]+$/, '')
    .toLowerCase();

/** Removes a link whose text is its URL, because it adds nothing. */
function withoutRedundantLink(span: Span): Span {
  const isRedundant = span.href !== null && comparableUrl(span.href) === comparableUrl(span.text);
  return isRedundant ? { ...span, href: null } : span;
}

/** Removes a number of characters from the start of some spans. */
function dropStart(spans: readonly Span[], length: number): Span[] {
  let remaining = length;
  const out: Span[] = [];
  for (const span of spans) {
    const cut = Math.min(remaining, span.text.length);
    remaining -= cut;
    out.push({ ...span, text: span.text.slice(cut) });
  }
  return trimSpans(out);
}

const withoutMark = (spans: readonly Span[], removed: 'bold' | 'italic'): Span[] =>
  mergeSpans(
    spans.map((span) => ({ ...span, marks: span.marks.filter((mark) => mark !== removed) })),
  );

const checkedBox = /^[☑☒✓✔✗✘]/u;
const checkbox = /^[☐☑☒□]/u;

/** A paragraph that continues elsewhere: its parts, in order. */
export type JoinedParagraph = {
  draft: BlockDraft & { block: TextBlock };
  continuations: (BlockDraft & { block: TextBlock })[];
};

function confidenceOf({ draft, continuations }: JoinedParagraph): number {
  let [letters, sum] = [0, 0];
  for (const { text, block } of [draft, ...continuations]) {
    letters += text.length;
    sum += text.length * block.confidence;
  }
  return letters === 0 ? draft.block.confidence : sum / letters;
}

/** Returns lines of code, with an empty line for each larger gap on the page. */
function codeLines(lines: readonly LayoutLine[]): string[] {
  const steps = lines.slice(1).map((line, at) => line.base - (lines[at]?.base ?? 0));
  const minStep = Math.min(...steps.filter((step) => step > 0), Number.POSITIVE_INFINITY);
  return lines.flatMap((line, at) => {
    const step = steps[at - 1] ?? 0;
    return step > 1.6 * minStep ? ['', textOf(line)] : [textOf(line)];
  });
}

/** Returns a block of text for the document; undefined if no text is left. */
export function textBlock(joined: JoinedParagraph, lexicon: Lexicon): DocBlock | undefined {
  const { draft, continuations } = joined;
  const { page, block, role, level } = draft;
  const origin = { page: page.page, box: block.box, confidence: confidenceOf(joined) };
  if (role === 'code') {
    const lines = codeLines([draft, ...continuations].flatMap((one) => one.block.lines));
    const nonEmptyLines = lines.filter((line) => line.trim() !== '');
    const indent = Math.min(...nonEmptyLines.map((line) => line.length - line.trimStart().length));
    const text = lines.map((line) => line.slice(indent).trimEnd()).join('\n');
    return { ...origin, role, language: null, text, spans: [{ text, marks: [], href: null }] };
  }
  const linesOf = (part: TextBlock): Span[] =>
    spansOfLines(part.lines, lexicon, role === 'paragraph' ? earlyLineEnds(part) : []);
  let spans = linesOf(block);
  for (const one of continuations) spans = joinSpans(spans, linesOf(one.block), lexicon);
  if (draft.isEntry) spans = spans.map((span) => ({ ...span, text: withoutLeaders(span.text) }));
  spans = trimSpans(spans.map(withoutRedundantLink));
  const text = textOfSpans(spans);
  if (text === '') return undefined;
  if (role === 'heading') {
    spans = withoutMark(withoutMark(spans, 'bold'), 'italic');
    return { ...origin, role, level, text, spans };
  }
  if (role === 'formula') return { ...origin, role, text, spans };
  if (role === 'list_item') {
    // An entry of a table of contents keeps its number, because the number does not count list
    // items.
    const markerMatch = draft.isEntry ? null : (bullet.exec(text) ?? enumerator.exec(text));
    const marker = markerMatch?.[0] ?? '-';
    const itemSpans = dropStart(spans, markerMatch?.[0].length ?? 0);
    return {
      ...origin,
      role,
      level,
      marker,
      ordered: markerMatch !== null && enumerator.test(text) && !bullet.test(text),
      checked: checkbox.test(marker) ? checkedBox.test(marker) : null,
      text: textOfSpans(itemSpans),
      spans: itemSpans,
    };
  }
  if (role === 'footnote') {
    const label = /^(?:\d{1,3}|[*∗†‡§¶‖]{1,3}|[a-z](?![a-z]))/u.exec(text)?.[0] ?? '';
    const afterLabel = dropStart(spans, label.length);
    const start = /^[.)]\s+/.exec(textOfSpans(afterLabel))?.[0].length ?? 0;
    const noteSpans = dropStart(afterLabel, start);
    return { ...origin, role, label, text: textOfSpans(noteSpans), spans: noteSpans };
  }
  return { ...origin, role, text, spans };
}
