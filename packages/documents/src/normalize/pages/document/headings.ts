import { bullet } from '../paragraphs.ts';
import { isHeadingTag } from '../tags.ts';
import { type BlockDraft, isText, type TextBlock } from './block-draft.ts';
import { contentsTitle } from './contents.ts';
import { collectHeadingEvidence, type HeadingEvidence } from './heading-evidence.ts';
import { letterHeads } from './letter-heads.ts';
import { numberOf } from './numbering.ts';
import { anyOf } from './phrases.ts';
import { isFormula } from './roles.ts';
import { comparableText, isUpper, namesOf } from './split.ts';
import { type Styles, stylesOf } from './styles.ts';
import { levelOfTag, taggedPages } from './tagged-pages.ts';

/** The size of most letters of a document, and whether they are bold. */
export type BodyStyle = { size: number; bold: boolean };

/**
 * The minimum ratio of the size of a heading to the body text, if both sizes come from recognition.
 */
const minRecognisedRatio = 1.15;
const maxHeadingLength = 220;
const maxLines = 4;
/**
 * The length above which a numbered line in the style of the text is a sentence if it ends with the
 * punctuation of one.
 */
const minSentenceLength = 60;
/** Usual titles of unnumbered sections of papers and reports. */
const knownTitle = new RegExp(`^${anyOf('heading')}$`, 'iu');
/** Statements and notes that are numbered or named but are not sections. */
const statement = new RegExp(`^${anyOf('statement')}(?:\\s+[\\dA-Z.]+)?\\s*[.:]?$`, 'iu');

/** Returns the style of the body text: that of most letters. */
export function bodyOf(drafts: readonly BlockDraft[]): BodyStyle {
  const letters = new Map<number, number>();
  const bold = new Map<number, number>();
  for (const draft of drafts) {
    if (!isText(draft) || draft.isEntry || draft.role.startsWith('page_')) continue;
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
export function isKnownTitle(text: string): boolean {
  const name = (numberOf(text)?.remainder ?? text).replace(/\s*[:.]$/, '');
  return knownTitle.test(name) || contentsTitle.test(name);
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
type Evidence = {
  styles: Styles;
  headingEvidence: HeadingEvidence;
  letterHead: ReadonlySet<BlockDraft>;
};

/** A statement or an assignment in a programming language. */
const codeStatement = /;$|[=!<>]=|\w=\S|^[$%>] /;

/** Whether a block looks like a heading of the text after it. */
function looksLikeHeading(
  draft: BlockDraft & { block: TextBlock },
  next: BlockDraft | undefined,
  body: BodyStyle,
  { styles, headingEvidence, letterHead }: Evidence,
): boolean {
  const { text, size, block } = draft;
  const { lines } = block;
  if (text.length > maxHeadingLength || lines.length > maxLines || !hasWord(draft)) return false;
  if (bullet.test(text) || /[,;]$/.test(text) || /\.{4,}/.test(text)) return false;
  if (isFormula(draft) || /^[{\\<]|^\[\d|[{}]/.test(text)) return false;
  if (letterHead.has(draft) || codeStatement.test(text)) return false;
  // Sizes of recognised text are measured and vary a little.
  const isRecognised = block.confidence < 1;
  const ratio = size / body.size;
  const isLarger = size >= body.size * (isRecognised ? 1.3 : 1.09) + (isRecognised ? 0 : 0.4);
  const isBold = draft.bold && !body.bold;
  const isCapitals = isUpper(text);
  const number = numberOf(text);
  const isTitled =
    number !== undefined && /^[\p{Lu}\p{Lo}\p{Lt}\p{N}"“«‘\\]/u.test(number.remainder);
  const endsLikeSentence = /[.!?:]$/.test(text) && !/\b(?:No|vs|Inc|Ltd|Co|etc)\.$/.test(text);
  const isShort = text.length <= 120 && lines.length <= 3;
  if (isKnownTitle(text) && lines.length === 1) {
    if (isLarger || isBold || isCapitals || isTitled || styles.isSetApart(draft)) return true;
  }
  if (statement.test(text) && !isLarger) return false;
  if (
    isRecognised &&
    isShort &&
    !(endsLikeSentence && !/\?$/.test(text)) &&
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(text)
  ) {
    const leads = headingEvidence.leadsText(draft) && headingEvidence.hasSpaceAbove(draft);
    if (leads && (ratio >= minRecognisedRatio || isTitled || isKnownTitle(text))) return true;
  }
  // Several consecutive blocks in one style are text, even if the style is unusual.
  const runLength = styles.runOf(draft);
  if (runLength >= 3 && !isTitled && ratio < 1.8) return false;
  const commas = text.split(/[,;]/).length - 1;
  if (isLarger && text.length > 2) {
    const isEnumeration = commas >= 3 && (!isTitled || number.form === 'letter');
    if (isEnumeration && !draft.bold && ratio < 1.5) return false;
    if (lines.every(({ mono }) => mono) && ratio < 1.3) return false;
    if (endsLikeSentence && !/[?:]$/.test(text) && text.length > 60 && ratio < 1.6) return false;
    return !(endsLikeSentence && text.length > 100 && ratio < 1.3);
  }
  // Uses the other lines in the same style or, if the style is unique, the position.
  const isSupported =
    headingEvidence.isHeadingStyle(draft) ||
    (headingEvidence.leadsText(draft) && headingEvidence.hasSpaceAbove(draft));
  const isSlightlyLarger = !isRecognised && ratio >= 1.03 && !lines.some(({ mono }) => mono);
  const hasHeadingStyle =
    headingEvidence.isHeadingStyle(draft) || headingEvidence.isDistinct(draft);
  if (isSlightlyLarger && hasHeadingStyle && isShort && !endsLikeSentence) return true;
  // Footnotes are also numbered, but they are whole sentences.
  const isSentence = endsLikeSentence && !/[?:]$/.test(text) && text.length > minSentenceLength;
  if (isTitled && isShort && !isSentence && !/[,;:]$/.test(text) && styles.isNumberedPart(draft)) {
    return true;
  }
  if (ratio < 0.95 && !(isBold && isTitled && ratio > 0.85)) return false;
  if (lines.every(({ mono }) => mono)) return false;
  if (isBold && isTitled && isShort) return !/[.;]$/.test(text) || text.length < 80;
  const startsLowercase = /^\p{Ll}/u.test(text);
  if (isBold && isShort && !startsLowercase) {
    if (lines.length > 2 || runLength > 2) return false;
    if (/:$/.test(text) && !/\s/.test(text)) return false;
    if (!isSupported && !(isTitled && headingEvidence.leadsText(draft))) return false;
    return !endsLikeSentence || (/[?:]$/.test(text) && text.length < 60);
  }
  const digits = text.replace(/\D/g, '').length;
  // Text that is mostly digits, such as an amount with its label, is not a heading.
  if (digits > 0.4 * text.replace(/[^\p{L}\p{N}]/gu, '').length) return false;
  if (isCapitals && isShort && !endsLikeSentence && lines.length <= 2 && isSupported) {
    const isCode = /\p{L}\d|\d\p{L}/u.test(text);
    return isTitled || (/\s/.test(text) && !isCode) || headingEvidence.isHeadingStyle(draft);
  }
  const isItalic = lines.every((line) => line.italic);
  const precedesText = next !== undefined && isText(next) && next.text.length > 2 * text.length;
  if (isItalic && isShort && !endsLikeSentence && lines.length === 1 && text.length < 80) {
    const leads = precedesText && /^\p{Lu}/u.test(text) && !next.block.lines[0]?.italic;
    if (isTitled || (leads && (headingEvidence.hasSpaceAbove(draft) || !bullet.test(next.text))))
      return true;
  }
  // A single numbered line of body size, in title case, above a paragraph.
  const isSubsection = isTitled && number.path.length > 1 && number.form === 'digit';
  return (
    isSubsection && precedesText && lines.length === 1 && !endsLikeSentence && text.length < 80
  );
}

/**
 * Returns the first pages if they have a title and no running text, and later pages have running
 * text.
 */
function titlePages(flow: readonly BlockDraft[], body: BodyStyle): Set<number> {
  const running = new Map<number, number>();
  for (const draft of flow) {
    const { page } = draft.page;
    const letterCount = running.get(page) ?? 0;
    const isRunning =
      isText(draft) &&
      (draft.isEntry ||
        (draft.block.lines.length >= 3 && draft.text.length > 40 * draft.block.lines.length) ||
        (draft.text.length > 40 && /[.!?]$/.test(draft.text)));
    const hasBodySize = draft.size > 0.85 * body.size && draft.size < 1.15 * body.size;
    running.set(page, letterCount + (isRunning && hasBodySize ? draft.text.length : 0));
  }
  const pages = [...running];
  const first = pages.findIndex(([, letters]) => letters > 150);
  return new Set(first > 0 && first <= 4 ? pages.slice(0, first).map(([page]) => page) : []);
}

/** Finds the headings of a document. Returns the title pages, which have no running text. */
export function markHeadings(drafts: readonly BlockDraft[], body: BodyStyle): Set<number> {
  const flow = drafts.filter(({ role }) => !role.startsWith('page_'));
  const outline = new Map<number, Map<string, number>>();
  const evidence: Evidence = {
    styles: stylesOf(flow, body),
    headingEvidence: collectHeadingEvidence(flow, body),
    letterHead: letterHeads(flow),
  };
  const frontPages = titlePages(flow, body);
  const tagged = taggedPages(flow, body);
  const largest = flow
    .filter((draft) => isText(draft) && frontPages.has(draft.page.page) && hasWord(draft))
    .reduce((max, { size }) => Math.max(max, size), 0);
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.isEntry) continue;
    const { page } = draft.page;
    let entries = outline.get(page);
    if (!entries) {
      entries = new Map(
        draft.page.outline.map(({ title, level }) => [comparableText(title), level]),
      );
      outline.set(page, entries);
    }
    const names = draft.block.lines.length <= maxLines ? namesOf(draft.text) : [];
    const level = names.map((name) => entries.get(name)).find((found) => found !== undefined);
    const isTagged = tagged.has(page) && isHeadingTag(draft.block.tag);
    if (level === undefined && !isTagged) {
      // Where the file tags its headings, an untagged line is a heading only if it is much larger,
      // as the title is.
      if (tagged.has(page) && draft.size < 1.3 * body.size) continue;
      if (!looksLikeHeading(draft, flow[at + 1], body, evidence)) continue;
      // On a title page, only the title and usual section titles are headings.
      if (frontPages.has(page) && draft.size < 0.98 * largest && !isKnownTitle(draft.text))
        continue;
    }
    draft.role = 'heading';
    draft.outlineLevel = level;
    draft.tagLevel = isTagged ? levelOfTag(draft) : undefined;
  }
  return frontPages;
}
