import { bullet } from '../paragraphs.ts';
import { isHeadingTag } from '../tags.ts';
import { contentsTitle } from './contents.ts';
import { type Draft, isText, type TextBlock } from './draft.ts';
import { letterHeads } from './letters.ts';
import { numberOf } from './numbering.ts';
import { anyOf } from './phrases.ts';
import { isFormula } from './roles.ts';
import { type Series, seriesOf } from './series.ts';
import { isUpper, namesOf, plain } from './split.ts';
import { type Styles, stylesOf } from './styles.ts';
import { levelOfTag, taggedPages } from './tagged.ts';

/** The size of most letters of a document, and whether they are bold. */
export type Body = { size: number; bold: boolean };

/**
 * The minimum ratio of the size of a heading to the body text, if both sizes come from recognition.
 */
const readRatio = 1.15;
const longestHeading = 220;
const maxLines = 4;
/**
 * The length above which a numbered line in the style of the text is a sentence if it ends like
 * one.
 */
const longestSentence = 60;
/** Usual titles of unnumbered sections of papers and reports. */
const known = new RegExp(`^${anyOf('heading')}$`, 'iu');
/** Statements and notes that are numbered or named but are not sections. */
const statement = new RegExp(`^${anyOf('statement')}(?:\\s+[\\dA-Z.]+)?\\s*[.:]?$`, 'iu');

/** Returns the style of the body text: that of most letters. */
export function bodyOf(drafts: readonly Draft[]): Body {
  const letters = new Map<number, number>();
  const bold = new Map<number, number>();
  for (const draft of drafts) {
    if (!isText(draft) || draft.entry || draft.role.startsWith('page_')) continue;
    for (const { size, bold: isBold, spans } of draft.block.lines) {
      const key = Math.round(size * 2) / 2;
      const count = spans.reduce((sum, { text }) => sum + text.length, 0);
      letters.set(key, (letters.get(key) ?? 0) + count);
      if (isBold) bold.set(key, (bold.get(key) ?? 0) + count);
    }
  }
  let [size, max] = [10, 0];
  for (const [key, count] of letters) if (count > max) [size, max] = [key, count];
  return { size, bold: (bold.get(size) ?? 0) > 0.5 * max };
}

/** Whether a text is a usual title of an unnumbered section. */
export function isKnown(text: string): boolean {
  const name = (numberOf(text)?.rest ?? text).replace(/\s*[:.]$/, '');
  return known.test(name) || contentsTitle.test(name);
}

/** Whether a block contains a word. Headings do; mathematical letters and symbols are not words. */
function hasWord({ block }: { block: TextBlock }): boolean {
  const words = block.lines
    .filter(({ math }) => math < 0.5)
    .flatMap(({ spans }) => spans.map(({ text }) => text))
    .join('')
    .replace(/[\u{1d400}-\u{1d7ff}]/gu, ' ');
  return (
    /\p{L}{3}/u.test(words) || /[\p{Script=Han}\p{Script=Hangul}\p{Script=Kana}]{2}/u.test(words)
  );
}

/** Evidence about lines, from the whole document. */
type Evidence = { styles: Styles; series: Series; letterHead: ReadonlySet<Draft> };

/** A statement or an assignment in a programming language. */
const statementOfCode = /;$|[=!<>]=|\w=\S|^[$%>] /;

/** Whether a block looks like a heading of the text after it. */
function looksLike(
  draft: Draft & { block: TextBlock },
  next: Draft | undefined,
  body: Body,
  { styles, series, letterHead }: Evidence,
): boolean {
  const { text, size, block } = draft;
  const { lines } = block;
  if (text.length > longestHeading || lines.length > maxLines || !hasWord(draft)) return false;
  if (bullet.test(text) || /[,;]$/.test(text) || /\.{4,}/.test(text)) return false;
  if (isFormula(draft) || /^[{\\<]|^\[\d|[{}]/.test(text)) return false;
  if (letterHead.has(draft) || statementOfCode.test(text)) return false;
  // Sizes of recognised text are measured and vary a little.
  const recognised = block.confidence < 1;
  const ratio = size / body.size;
  const larger = size >= body.size * (recognised ? 1.3 : 1.09) + (recognised ? 0 : 0.4);
  const bold = draft.bold && !body.bold;
  const caps = isUpper(text);
  const number = numberOf(text);
  const titled = number !== undefined && /^[\p{Lu}\p{Lo}\p{Lt}\p{N}"“«‘\\]/u.test(number.rest);
  const sentence = /[.!?:]$/.test(text) && !/\b(?:No|vs|Inc|Ltd|Co|etc)\.$/.test(text);
  const short = text.length <= 120 && lines.length <= 3;
  if (isKnown(text) && lines.length === 1) {
    if (larger || bold || caps || titled || styles.isSetApart(draft)) return true;
  }
  if (statement.test(text) && !larger) return false;
  if (
    recognised &&
    short &&
    !(sentence && !/\?$/.test(text)) &&
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(text)
  ) {
    const leads = series.leads(draft) && series.isApart(draft);
    if (leads && (ratio >= readRatio || titled || isKnown(text))) return true;
  }
  // Several consecutive blocks in one style are text, even if the style is unusual.
  const run = styles.runOf(draft);
  if (run >= 3 && !titled && ratio < 1.8) return false;
  const commas = text.split(/[,;]/).length - 1;
  if (larger && text.length > 2) {
    const listed = commas >= 3 && (!titled || number.form === 'letter');
    if (listed && !draft.bold && ratio < 1.5) return false;
    if (lines.every(({ mono }) => mono) && ratio < 1.3) return false;
    if (sentence && !/[?:]$/.test(text) && text.length > 60 && ratio < 1.6) return false;
    return !(sentence && text.length > 100 && ratio < 1.3);
  }
  // Uses the other lines in the same style or, if the style is unique, the position.
  const supported = series.isOfHeadings(draft) || (series.leads(draft) && series.isApart(draft));
  const slightly = !recognised && ratio >= 1.03 && !lines.some(({ mono }) => mono);
  const ownStyle = series.isOfHeadings(draft) || series.isDistinct(draft);
  if (slightly && ownStyle && short && !sentence) return true;
  // Footnotes are also numbered, but they are whole sentences.
  const isSentence = sentence && !/[?:]$/.test(text) && text.length > longestSentence;
  if (titled && short && !isSentence && !/[,;:]$/.test(text) && styles.isNumberedPart(draft)) {
    return true;
  }
  if (ratio < 0.95 && !(bold && titled && ratio > 0.85)) return false;
  if (lines.every(({ mono }) => mono)) return false;
  if (bold && titled && short) return !/[.;]$/.test(text) || text.length < 80;
  const lowercase = /^\p{Ll}/u.test(text);
  if (bold && short && !lowercase) {
    if (lines.length > 2 || run > 2) return false;
    if (/:$/.test(text) && !/\s/.test(text)) return false;
    if (!supported && !(titled && series.leads(draft))) return false;
    return !sentence || (/[?:]$/.test(text) && text.length < 60);
  }
  const digits = text.replace(/\D/g, '').length;
  // Text that is mostly digits, such as an amount with its label, is not a heading.
  if (digits > 0.4 * text.replace(/[^\p{L}\p{N}]/gu, '').length) return false;
  if (caps && short && !sentence && lines.length <= 2 && supported) {
    const isCode = /\p{L}\d|\d\p{L}/u.test(text);
    return titled || (/\s/.test(text) && !isCode) || series.isOfHeadings(draft);
  }
  const italic = lines.every((line) => line.italic);
  const follows = next !== undefined && isText(next) && next.text.length > 2 * text.length;
  if (italic && short && !sentence && lines.length === 1 && text.length < 80) {
    const leads = follows && /^\p{Lu}/u.test(text) && !next.block.lines[0]?.italic;
    if (titled || (leads && (series.isApart(draft) || !bullet.test(next.text)))) return true;
  }
  // A single numbered line of body size, in title case, above a paragraph.
  const deep = titled && number.path.length > 1 && number.form === 'digit';
  return deep && follows && lines.length === 1 && !sentence && text.length < 80;
}

/**
 * Returns the first pages if they have a title and no running text, and later pages have running
 * text.
 */
function titlePages(flow: readonly Draft[], body: Body): Set<number> {
  const running = new Map<number, number>();
  for (const draft of flow) {
    const { page } = draft.page;
    const known = running.get(page) ?? 0;
    const isRunning =
      isText(draft) &&
      (draft.entry ||
        (draft.block.lines.length >= 3 && draft.text.length > 40 * draft.block.lines.length) ||
        (draft.text.length > 40 && /[.!?]$/.test(draft.text)));
    const size = draft.size > 0.85 * body.size && draft.size < 1.15 * body.size;
    running.set(page, known + (isRunning && size ? draft.text.length : 0));
  }
  const pages = [...running];
  const first = pages.findIndex(([, letters]) => letters > 150);
  return new Set(first > 0 && first <= 4 ? pages.slice(0, first).map(([page]) => page) : []);
}

/** Finds the headings of a document. Returns the title pages, which have no running text. */
export function markHeadings(drafts: readonly Draft[], body: Body): Set<number> {
  const flow = drafts.filter(({ role }) => !role.startsWith('page_'));
  const outline = new Map<number, Map<string, number>>();
  const evidence: Evidence = {
    styles: stylesOf(flow, body),
    series: seriesOf(flow, body),
    letterHead: letterHeads(flow),
  };
  const front = titlePages(flow, body);
  const tagged = taggedPages(flow, body);
  const largest = flow
    .filter((draft) => isText(draft) && front.has(draft.page.page) && hasWord(draft))
    .reduce((max, { size }) => Math.max(max, size), 0);
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.entry) continue;
    const { page } = draft.page;
    let entries = outline.get(page);
    if (!entries) {
      entries = new Map(draft.page.outline.map(({ title, level }) => [plain(title), level]));
      outline.set(page, entries);
    }
    const names = draft.block.lines.length <= maxLines ? namesOf(draft.text) : [];
    const level = names.map((name) => entries.get(name)).find((found) => found !== undefined);
    const isTagged = tagged.has(page) && isHeadingTag(draft.block.tag);
    if (level === undefined && !isTagged) {
      // Where the file tags its headings, an untagged line is a heading only if it is much larger,
      // as the title is.
      if (tagged.has(page) && draft.size < 1.3 * body.size) continue;
      if (!looksLike(draft, flow[at + 1], body, evidence)) continue;
      // On a title page, only the title and usual section titles are headings.
      if (front.has(page) && draft.size < 0.98 * largest && !isKnown(draft.text)) continue;
    }
    draft.role = 'heading';
    draft.outlined = level;
    draft.tagged = isTagged ? levelOfTag(draft) : undefined;
  }
  return front;
}
