import type { Span } from '../../document.ts';
import { brokenHere, type LayoutLine, textOf } from '../layout.ts';
import { type Draft, isText, tidy } from './draft.ts';
import { anyOf } from './phrases.ts';

export type Lexicon = {
  /** The words that the document contains with and without a hyphen. */
  whole: Set<string>;
  hyphenated: Set<string>;
  /** Whether the document hyphenates words at line ends, as far as its lines show. */
  breaks: boolean;
};

/** The maximum number of collected words. Further words add little. */
const maxWords = 400_000;
const hyphenEnd = /([\p{L}\p{M}’']+)[-\u00ad\u2010]$/u;
const wordStart = /^[\p{L}\p{M}]+/u;
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Likely first parts of a compound, for documents that contain no example. */
const compounds = new RegExp(`^${anyOf('compound')}$`, 'i');

/** The minimum number of lines to determine whether a document hyphenates words. */
const fewestLines = 15;
/** One in this many lines may end with the hyphen of a compound. */
const perCompound = 50;
/** The maximum distance between the ends of justified lines, in font sizes. */
const sameEnd = 0.2;

/** Counts the lines of running text that another line follows, and those that end with a hyphen. */
function lineEndsOf(drafts: readonly Draft[]): { lines: number; hyphens: number; even: number } {
  let [lines, hyphens, even] = [0, 0, 0];
  for (const { block } of drafts) {
    if (block.kind === 'table') {
      for (const { text } of block.cells) hyphens += text.split(brokenHere).length - 1;
    }
    if (block.kind !== 'text') continue;
    for (const [at, line] of block.lines.slice(0, -1).entries()) {
      lines += 1;
      const next = block.lines[at + 1];
      if (next && hyphenEnd.test(textOf(line)) && /^\p{Ll}/u.test(textOf(next))) hyphens += 1;
      const before = block.lines[at - 1];
      if (before && Math.abs(before.box[2] - line.box[2]) < sameEnd * line.size) even += 1;
    }
  }
  return { lines, hyphens, even };
}

/**
 * Whether a document hyphenates words at line ends. Browsers and word processors break words only
 * at existing hyphens, and their lines end at different positions.
 */
function breaksWords(drafts: readonly Draft[]): boolean {
  const { lines, hyphens, even } = lineEndsOf(drafts);
  if (lines < fewestLines || even > 0.3 * lines) return true;
  return hyphens > Math.max(1, lines / perCompound);
}

/** Collects the words of a document that are not broken at a line end. */
export function lexiconOf(drafts: readonly Draft[]): Lexicon {
  const breaks = breaksWords(drafts);
  const lexicon: Lexicon = { whole: new Set(), hyphenated: new Set(), breaks };
  for (const draft of drafts) {
    if (!isText(draft)) continue;
    for (const line of draft.block.lines) {
      if (lexicon.whole.size > maxWords) return lexicon;
      const text = textOf(line).toLowerCase();
      for (const word of text.match(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*(?!-$)/gu) ?? []) {
        (word.includes('-') ? lexicon.hyphenated : lexicon.whole).add(word);
      }
    }
  }
  return lexicon;
}

/** Returns the text of a cell, with hyphenated words joined. */
export function joinBroken(text: string, lexicon: Lexicon): string {
  if (!text.includes(`-${brokenHere}`)) return text;
  return text.split(`-${brokenHere}`).reduce((before, after) => {
    const head = /[\p{L}\p{M}’']+$/u.exec(before)?.[0] ?? '';
    const tail = wordStart.exec(after)?.[0] ?? '';
    return isSoft(head, tail, lexicon) ? before + after : `${before}-${after}`;
  });
}

/** Whether a hyphen at the end of a line exists only because the line ended. */
function isSoft(before: string, after: string, lexicon: Lexicon): boolean {
  const { whole, hyphenated, breaks } = lexicon;
  const [head, tail] = [before.toLowerCase(), after.toLowerCase()];
  if (whole.has(head + tail)) return true;
  if (hyphenated.has(`${head}-${tail}`)) return false;
  return breaks && !compounds.test(head);
}

/** Returns the last letters of some spans: more than a word has. */
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
  const rest = after.slice(1);
  const end = endOf(before);
  const head = /[-\u00ad\u2010]$/.test(end) ? hyphenEnd.exec(end) : null;
  const start = first.text.trimStart();
  const tail = wordStart.exec(start)?.[0];
  if (head && tail && /^\p{Ll}/u.test(tail)) {
    const text = isSoft(head[1] ?? '', tail, lexicon) ? last.text.slice(0, -1) : last.text;
    return tidy([...before.slice(0, -1), { ...last, text }, { ...first, text: start }, ...rest]);
  }
  const sign = last.text.slice(-3);
  const glued =
    /\s$/.test(sign) ||
    (ideographic.test(sign.slice(-1)) && ideographic.test(start.slice(0, 1))) ||
    // Ranges, compounds and URLs that were broken after a sign such as a hyphen or slash.
    (/(?:[\p{L}\d]-|\d–|[@/_])$/u.test(sign) &&
      /^[\p{L}\d]/u.test(start) &&
      !/\s[-–/]$/.test(sign));
  const blank: Span = { text: glued ? '' : ' ', marks: sameMarks(last, first), href: null };
  return tidy([...before, blank, { ...first, text: start }, ...rest]);
}

function sameMarks(a: Span, b: Span): Span['marks'] {
  return a.marks.filter((mark) => b.marks.includes(mark) && !mark.endsWith('script'));
}

/** Joins the text of several lines. `ends` are the lines that keep their line ends. */
export function spansOfLines(
  lines: readonly LayoutLine[],
  lexicon: Lexicon,
  ends: readonly boolean[] = [],
): Span[] {
  let spans: Span[] = [];
  for (const [at, line] of lines.entries()) {
    const last = spans.at(-1);
    if (last && ends[at - 1]) {
      spans.push({ text: '\n', marks: sameMarks(last, line.spans[0] ?? last), href: null });
      spans.push(...line.spans);
    } else spans = joinSpans(spans, line.spans, lexicon);
  }
  return tidy(spans);
}
