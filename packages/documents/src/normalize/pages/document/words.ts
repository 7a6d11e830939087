import type { Span } from '../../document.ts';
import { type LayoutLine, lineEndHyphen, textOf } from '../layout.ts';
import { type BlockDraft, isText, mergeSpans } from './block-draft.ts';
import { anyOf } from './phrases.ts';

export type Lexicon = {
  /** The words that the document contains with and without a hyphen. */
  unhyphenated: Set<string>;
  hyphenated: Set<string>;
  /** Whether the document appears to hyphenate words at line ends. */
  hyphenates: boolean;
};

/** The maximum number of collected words. Further words add little. */
const maxWords = 400_000;
const hyphenEnd = /([\p{L}\p{M}’']+)[-\u00ad\u2010]$/u;
const wordStart = /^[\p{L}\p{M}]+/u;
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Likely first parts of a compound, for documents that contain no example. */
const compounds = new RegExp(`^${anyOf('compound')}$`, 'i');

/** The minimum number of lines to determine whether a document hyphenates words. */
const minLines = 15;
/** One in this many lines may end with the hyphen of a compound. */
const linesPerCompound = 50;
/** The maximum distance between the ends of justified lines, in font sizes. */
const maxEndDistance = 0.2;

/** Counts the lines of running text that another line follows, and those that end with a hyphen. */
function lineEndsOf(drafts: readonly BlockDraft[]): {
  lines: number;
  hyphens: number;
  evenEnds: number;
} {
  let [lines, hyphens, evenEnds] = [0, 0, 0];
  for (const { block } of drafts) {
    if (block.kind === 'table') {
      for (const { text } of block.cells) hyphens += text.split(lineEndHyphen).length - 1;
    }
    if (block.kind !== 'text') continue;
    for (const [at, line] of block.lines.slice(0, -1).entries()) {
      lines += 1;
      const next = block.lines[at + 1];
      if (next && hyphenEnd.test(textOf(line)) && /^\p{Ll}/u.test(textOf(next))) hyphens += 1;
      const before = block.lines[at - 1];
      if (before && Math.abs(before.box[2] - line.box[2]) < maxEndDistance * line.size)
        evenEnds += 1;
    }
  }
  return { lines, hyphens, evenEnds };
}

/**
 * Whether a document hyphenates words at line ends. Browsers and word processors break words only
 * at existing hyphens, and their lines end at different positions.
 */
function breaksWords(drafts: readonly BlockDraft[]): boolean {
  const { lines, hyphens, evenEnds } = lineEndsOf(drafts);
  if (lines < minLines || evenEnds > 0.3 * lines) return true;
  return hyphens > Math.max(1, lines / linesPerCompound);
}

/** Collects the words of a document that are not broken at a line end. */
export function lexiconOf(drafts: readonly BlockDraft[]): Lexicon {
  const hyphenates = breaksWords(drafts);
  const lexicon: Lexicon = {
    unhyphenated: new Set(),
    hyphenated: new Set(),
    hyphenates,
  };
  for (const draft of drafts) {
    if (!isText(draft)) continue;
    for (const line of draft.block.lines) {
      if (lexicon.unhyphenated.size > maxWords) return lexicon;
      const text = textOf(line).toLowerCase();
      for (const word of text.match(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*(?!-$)/gu) ?? []) {
        (word.includes('-') ? lexicon.hyphenated : lexicon.unhyphenated).add(word);
      }
    }
  }
  return lexicon;
}

/** Returns the text of a cell, with hyphenated words joined. */
export function joinBroken(text: string, lexicon: Lexicon): string {
  if (!text.includes(`-${lineEndHyphen}`)) return text;
  return text.split(`-${lineEndHyphen}`).reduce((before, after) => {
    const head = /[\p{L}\p{M}’']+$/u.exec(before)?.[0] ?? '';
    const tail = wordStart.exec(after)?.[0] ?? '';
    return isSoft(head, tail, lexicon) ? before + after : `${before}-${after}`;
  });
}

/** Whether a hyphen at the end of a line exists only because the line ended. */
function isSoft(before: string, after: string, lexicon: Lexicon): boolean {
  const { unhyphenated, hyphenated, hyphenates } = lexicon;
  const [head, tail] = [before.toLowerCase(), after.toLowerCase()];
  if (unhyphenated.has(head + tail)) return true;
  if (hyphenated.has(`${head}-${tail}`)) return false;
  return hyphenates && !compounds.test(head);
}

/** Returns the last 80 characters of some spans, which is more than the length of a word. */
function endOf(spans: readonly Span[]): string {
  let end = '';
  for (let at = spans.length - 1; at >= 0 && end.length < 80; at -= 1) {
    end = (spans[at]?.text ?? '').slice(-80) + end;
  }
  return end.slice(-80);
}

/** Appends the spans of a line to others, and joins a word that was hyphenated at the line end. */
export function joinSpans(
  before: readonly Span[],
  after: readonly Span[],
  lexicon: Lexicon,
): Span[] {
  const last = before.at(-1);
  const first = after[0];
  if (!last || !first) return [...before, ...after];
  const following = after.slice(1);
  const end = endOf(before);
  const head = /[-\u00ad\u2010]$/.test(end) ? hyphenEnd.exec(end) : null;
  const start = first.text.trimStart();
  const tail = wordStart.exec(start)?.[0];
  if (head && tail && /^\p{Ll}/u.test(tail)) {
    const text = isSoft(head[1] ?? '', tail, lexicon) ? last.text.slice(0, -1) : last.text;
    return mergeSpans([
      ...before.slice(0, -1),
      { ...last, text },
      { ...first, text: start },
      ...following,
    ]);
  }
  const sign = last.text.slice(-3);
  const joinsWithoutSpace =
    /\s$/.test(sign) ||
    (ideographic.test(sign.slice(-1)) && ideographic.test(start.slice(0, 1))) ||
    // Ranges, compounds and URLs that were broken after a sign such as a hyphen or slash.
    (/(?:[\p{L}\d]-|\d–|[@/_])$/u.test(sign) &&
      /^[\p{L}\d]/u.test(start) &&
      !/\s[-–/]$/.test(sign));
  const separator: Span = {
    text: joinsWithoutSpace ? '' : ' ',
    marks: commonMarks(last, first),
    href: null,
  };
  return mergeSpans([...before, separator, { ...first, text: start }, ...following]);
}

function commonMarks(a: Span, b: Span): Span['marks'] {
  return a.marks.filter((mark) => b.marks.includes(mark) && !mark.endsWith('script'));
}

/** Joins the text of several lines. The lines in `ends` keep their line ends. */
export function spansOfLines(
  lines: readonly LayoutLine[],
  lexicon: Lexicon,
  ends: readonly boolean[] = [],
): Span[] {
  let spans: Span[] = [];
  for (const [at, line] of lines.entries()) {
    const last = spans.at(-1);
    if (last && ends[at - 1]) {
      spans.push({ text: '\n', marks: commonMarks(last, line.spans[0] ?? last), href: null });
      spans.push(...line.spans);
    } else spans = joinSpans(spans, line.spans, lexicon);
  }
  return mergeSpans(spans);
}
