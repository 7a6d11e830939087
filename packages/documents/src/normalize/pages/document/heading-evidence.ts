import { median } from '../../../geometry.ts';
import { bullet, enumerator } from '../paragraphs.ts';
import { type BlockDraft, isText, type TextBlock } from './block-draft.ts';
import type { BodyStyle } from './headings.ts';
import { follows, numberOf } from './numbering.ts';
import { isUpper } from './split.ts';

type TextDraft = BlockDraft & { block: TextBlock };

/** Evidence about a short line, from the whole document. */
export type HeadingEvidence = {
  /**
   * Whether several lines have its style, most of them lead text, and almost no other text has the
   * style.
   */
  isHeadingStyle: (draft: TextDraft) => boolean;
  /** Whether it leads text, a list, a table or a lower heading. */
  leadsText: (draft: TextDraft) => boolean;
  /** Whether the space above it is larger than between the lines of a paragraph. */
  hasSpaceAbove: (draft: TextDraft) => boolean;
  /**
   * Whether its style is larger than the body text and used only for single lines with space above
   * and smaller text below.
   */
  isDistinct: (draft: TextDraft) => boolean;
};

const maxLength = 160;
/** The maximum length of text that leads other text. */
const maxLeadingLength = 220;
const maxLines = 3;
/** The minimum number of characters of running text. */
const minTextLength = 80;
/**
 * The minimum share of a style's lines that lead text, and the minimum space above a heading, in
 * line pitches.
 */
const minLeadingShare = 0.6;
const minSpace = 1.2;

export const isItalic = ({ block }: TextDraft): boolean =>
  block.lines.every(({ italic }) => italic);

const stylesByDraft = new WeakMap<BlockDraft, string>();

/** Returns the style of a block's letters. */
export function styleOf(draft: TextDraft): string {
  const cached = stylesByDraft.get(draft);
  if (cached !== undefined) return cached;
  const style = readStyle(draft);
  stylesByDraft.set(draft, style);
  return style;
}

function readStyle(draft: TextDraft): string {
  const { size, bold, text } = draft;
  return [size, bold, isItalic(draft), isUpper(text), draft.block.lines[0]?.mono].join('|');
}

const isShort = ({ text, block }: TextDraft): boolean =>
  text.length <= maxLength &&
  block.lines.length <= maxLines &&
  !bullet.test(text) &&
  !/[.,;]$/.test(text) &&
  !/^\p{Ll}/u.test(text);

/** Whether the blocks after `at` are text that the block at `at` may lead. */
function leadsAt(flow: readonly BlockDraft[], at: number, body: BodyStyle, depth = 0): boolean {
  const [draft, next] = [flow[at], flow[at + 1]];
  if (!draft || !next || !isText(draft)) return false;
  if (!isText(next)) return true;
  const { text } = next;
  const [number, nextNumber] = [numberOf(draft.text), numberOf(text)];
  // The next block is the next item of the same list.
  if (
    number &&
    nextNumber &&
    number.path.length === nextNumber.path.length &&
    follows(number, nextNumber)
  ) {
    return false;
  }
  if (bullet.test(text) || enumerator.test(text)) return true;
  // Recognised text has no font weight, so headings may have the same style as text.
  const sameStyle = styleOf(next) === styleOf(draft);
  if (sameStyle && (draft.block.confidence === 1 || next.block.lines.length < 2)) return false;
  if (text.length > Math.max(minTextLength, draft.text.length)) return true;
  const isBody = Math.abs(next.size - body.size) < 0.05 * body.size && next.bold === body.bold;
  if (isBody && /\s.*\s.*[.!?:]$/.test(text)) return true;
  // The next block is a lower heading, or code.
  if (next.block.lines.every(({ mono }) => mono)) return true;
  const isLowerHeading = next.size <= draft.size && isShort(next) && next.block.lines.length === 1;
  return isLowerHeading && depth < 2 && leadsAt(flow, at + 1, body, depth + 1);
}

/** Returns the line pitch of text in the size of the body. */
function pitchOf(flow: readonly BlockDraft[], body: BodyStyle): number {
  const steps: number[] = [];
  for (const draft of flow) {
    if (!isText(draft) || Math.abs(draft.size - body.size) > 0.5) continue;
    const { lines } = draft.block;
    for (const [at, line] of lines.entries()) {
      const step = line.base - (lines[at - 1]?.base ?? line.base);
      if (step > 0 && steps.length < 20_000) steps.push(step);
    }
  }
  return steps.length > 0 ? median(steps) : 1.2 * body.size;
}

/**
 * The minimum number of lines in a distinct style, and their minimum share with space above and
 * text below.
 */
const minDistinctLines = 3;
const minDistinctShare = 0.8;
const minDistinctSizeRatio = 1.05;

/** Returns the styles that occur only on lines above smaller text. */
function distinctStyles(
  flow: readonly BlockDraft[],
  body: BodyStyle,
  hasSpaceAbove: (draft: TextDraft) => boolean,
): Set<string> {
  const styles = new Map<string, { lines: number; aboveText: number }>();
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.isEntry || draft.size < minDistinctSizeRatio * body.size) continue;
    const style = styles.get(styleOf(draft)) ?? { lines: 0, aboveText: 0 };
    styles.set(styleOf(draft), style);
    style.lines += 1;
    const next = flow[at + 1];
    const isAboveText = next !== undefined && next.size < 0.97 * draft.size;
    if (isAboveText && isShort(draft) && draft.block.lines.length === 1 && hasSpaceAbove(draft))
      style.aboveText += 1;
  }
  return new Set(
    [...styles].flatMap(([style, { lines, aboveText }]) =>
      lines >= minDistinctLines && aboveText >= minDistinctShare * lines ? [style] : [],
    ),
  );
}

/** Collects the evidence of a document. `flow` excludes running headers and footers. */
export function collectHeadingEvidence(
  flow: readonly BlockDraft[],
  body: BodyStyle,
): HeadingEvidence {
  const indexByDraft = new Map(flow.map((draft, at) => [draft, at]));
  const styles = new Map<
    string,
    { short: number; leading: number; letters: number; text: number }
  >();
  const pitch = pitchOf(flow, body);
  const leadingDrafts = new Set<BlockDraft>();
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.isEntry) continue;
    const style = styleOf(draft);
    const counts = styles.get(style) ?? { short: 0, leading: 0, letters: 0, text: 0 };
    styles.set(style, counts);
    if (draft.text.length <= maxLeadingLength && leadsAt(flow, at, body)) leadingDrafts.add(draft);
    if (isShort(draft)) {
      counts.short += 1;
      counts.letters += draft.text.length;
      if (leadingDrafts.has(draft)) counts.leading += 1;
    } else counts.text += draft.text.length;
  }
  const hasSpaceAbove = (draft: TextDraft): boolean => {
    const previous = flow[(indexByDraft.get(draft) ?? 0) - 1];
    const [line] = draft.block.lines;
    if (!previous || !line || !isText(previous) || previous.page !== draft.page) return true;
    const last = previous.block.lines.at(-1);
    const step = last ? line.base - last.base : 0;
    const minStep = minSpace * Math.max(pitch, 1.1 * draft.size);
    return step < 0 || step >= minStep || previous.size > 1.1 * draft.size;
  };
  const distinct = distinctStyles(flow, body, hasSpaceAbove);
  return {
    isHeadingStyle: (draft) => {
      const counts = styles.get(styleOf(draft));
      if (!counts || counts.short < 2 || !isShort(draft)) return false;
      return counts.leading >= minLeadingShare * counts.short && counts.text < 2 * counts.letters;
    },
    leadsText: (draft) => leadingDrafts.has(draft),
    hasSpaceAbove,
    isDistinct: (draft) => distinct.has(styleOf(draft)),
  };
}
