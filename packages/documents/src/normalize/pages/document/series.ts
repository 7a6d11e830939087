import { median } from '../../../geometry.ts';
import { bullet, enumerator } from '../paragraphs.ts';
import { type Draft, isText, type TextBlock } from './draft.ts';
import type { Body } from './headings.ts';
import { follows, numberOf } from './numbering.ts';
import { isUpper } from './split.ts';

type TextDraft = Draft & { block: TextBlock };

/** Evidence about a short line, from the whole document. */
export type Series = {
  /**
   * Whether several lines have its style, most of them lead text, and hardly any text has the
   * style.
   */
  isOfHeadings: (draft: TextDraft) => boolean;
  /** Whether it leads text, a list, a table or a lower heading. */
  leads: (draft: TextDraft) => boolean;
  /** Whether the space above it is larger than between the lines of a paragraph. */
  isApart: (draft: TextDraft) => boolean;
  /**
   * Whether its style is larger than the body text and used only for single lines with space above
   * and smaller text below.
   */
  isDistinct: (draft: TextDraft) => boolean;
};

const longest = 160;
/** The maximum length of text that leads other text. */
const maxLeading = 220;
const maxLines = 3;
/** The minimum number of characters of running text. */
const textLength = 80;
/**
 * The minimum share of a style's lines that lead text, and the minimum space above a heading, in
 * line pitches.
 */
const minLeading = 0.6;
const minSpace = 1.2;

export const isItalic = ({ block }: TextDraft): boolean =>
  block.lines.every(({ italic }) => italic);

const known = new WeakMap<Draft, string>();

/** Returns the style of a block's letters. */
export function styleOf(draft: TextDraft): string {
  const before = known.get(draft);
  if (before !== undefined) return before;
  const style = readStyle(draft);
  known.set(draft, style);
  return style;
}

function readStyle(draft: TextDraft): string {
  const { size, bold, text } = draft;
  return [size, bold, isItalic(draft), isUpper(text), draft.block.lines[0]?.mono].join('|');
}

const isShort = ({ text, block }: TextDraft): boolean =>
  text.length <= longest &&
  block.lines.length <= maxLines &&
  !bullet.test(text) &&
  !/[.,;]$/.test(text) &&
  !/^\p{Ll}/u.test(text);

/** Whether the blocks after `at` are text that the block at `at` may lead. */
function leadsAt(flow: readonly Draft[], at: number, body: Body, depth = 0): boolean {
  const [draft, next] = [flow[at], flow[at + 1]];
  if (!draft || !next || !isText(draft)) return false;
  if (!isText(next)) return true;
  const { text } = next;
  const [own, following] = [numberOf(draft.text), numberOf(text)];
  // The next block is the next item of the same list.
  if (own && following && own.path.length === following.path.length && follows(own, following)) {
    return false;
  }
  if (bullet.test(text) || enumerator.test(text)) return true;
  // Recognised text has no font weight, so headings may have the same style as text.
  const sameStyle = styleOf(next) === styleOf(draft);
  if (sameStyle && (draft.block.confidence === 1 || next.block.lines.length < 2)) return false;
  if (text.length > Math.max(textLength, draft.text.length)) return true;
  const isBody = Math.abs(next.size - body.size) < 0.05 * body.size && next.bold === body.bold;
  if (isBody && /\s.*\s.*[.!?:]$/.test(text)) return true;
  // The next block is a lower heading, or code.
  if (next.block.lines.every(({ mono }) => mono)) return true;
  const lower = next.size <= draft.size && isShort(next) && next.block.lines.length === 1;
  return lower && depth < 2 && leadsAt(flow, at + 1, body, depth + 1);
}

/** Returns the line pitch of text in the size of the body. */
function pitchOf(flow: readonly Draft[], body: Body): number {
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
const minDistinct = 3;
const distinctShare = 0.8;
const distinctSize = 1.05;

/** Returns the styles that occur only on lines above smaller text. */
function distinctStyles(
  flow: readonly Draft[],
  body: Body,
  isApart: (draft: TextDraft) => boolean,
): Set<string> {
  const styles = new Map<string, { all: number; over: number }>();
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.entry || draft.size < distinctSize * body.size) continue;
    const style = styles.get(styleOf(draft)) ?? { all: 0, over: 0 };
    styles.set(styleOf(draft), style);
    style.all += 1;
    const next = flow[at + 1];
    const isOver = next !== undefined && next.size < 0.97 * draft.size;
    if (isOver && isShort(draft) && draft.block.lines.length === 1 && isApart(draft))
      style.over += 1;
  }
  return new Set(
    [...styles].flatMap(([style, { all, over }]) =>
      all >= minDistinct && over >= distinctShare * all ? [style] : [],
    ),
  );
}

/** Collects the evidence of a document. `flow` excludes running headers and footers. */
export function seriesOf(flow: readonly Draft[], body: Body): Series {
  const places = new Map(flow.map((draft, at) => [draft, at]));
  const styles = new Map<
    string,
    { short: number; leading: number; letters: number; text: number }
  >();
  const pitch = pitchOf(flow, body);
  const leading = new Set<Draft>();
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.entry) continue;
    const style = styleOf(draft);
    const known = styles.get(style) ?? { short: 0, leading: 0, letters: 0, text: 0 };
    styles.set(style, known);
    if (draft.text.length <= maxLeading && leadsAt(flow, at, body)) leading.add(draft);
    if (isShort(draft)) {
      known.short += 1;
      known.letters += draft.text.length;
      if (leading.has(draft)) known.leading += 1;
    } else known.text += draft.text.length;
  }
  const isApart = (draft: TextDraft): boolean => {
    const before = flow[(places.get(draft) ?? 0) - 1];
    const [line] = draft.block.lines;
    if (!before || !line || !isText(before) || before.page !== draft.page) return true;
    const last = before.block.lines.at(-1);
    const step = last ? line.base - last.base : 0;
    const above = minSpace * Math.max(pitch, 1.1 * draft.size);
    return step < 0 || step >= above || before.size > 1.1 * draft.size;
  };
  const distinct = distinctStyles(flow, body, isApart);
  return {
    isOfHeadings: (draft) => {
      const known = styles.get(styleOf(draft));
      if (!known || known.short < 2 || !isShort(draft)) return false;
      return known.leading >= minLeading * known.short && known.text < 2 * known.letters;
    },
    leads: (draft) => leading.has(draft),
    isApart,
    isDistinct: (draft) => distinct.has(styleOf(draft)),
  };
}
