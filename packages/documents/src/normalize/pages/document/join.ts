import { type LayoutLine, textOf } from '../layout.ts';
import { type BlockDraft, isText, type TextBlock } from './block-draft.ts';
import type { JoinedParagraph } from './blocks.ts';

/** The maximum number of other blocks between two parts of a paragraph. */
const maxBetween = 14;

/** Roles of blocks that always end a paragraph. */
const breakingRoles: ReadonlySet<BlockDraft['role']> = new Set([
  'heading',
  'list_item',
  'code',
  'formula',
]);

type TextDraft = BlockDraft & { block: TextBlock };

const endOf = (line: LayoutLine | undefined): string => (line ? textOf(line).trimEnd() : '');

/** Whether the text of a block ends in the middle of a sentence, at the end of a full line. */
function stopsMidway({ block }: TextDraft): boolean {
  const line = block.lines.at(-1);
  const end = endOf(line);
  if (!line || end === '') return false;
  if (/[.!?:;。؟][”"’')\]]*$/u.test(end)) return false;
  if (/[-\u00ad,]$/.test(end)) return true;
  const width = Math.max(...block.lines.map(({ box }) => box[2] - box[0]));
  const [left, right] = block.column;
  return line.box[2] - line.box[0] > 0.8 * Math.min(width, right - left);
}

/** Whether `next` may continue `draft`. */
function continues(draft: TextDraft, next: TextDraft): boolean {
  if (Math.abs(draft.size - next.size) > 0.06 * draft.size) return false;
  if (next.page.page - draft.page.page > 1) return false;
  const start = next.text;
  if (/^\p{Ll}/u.test(start)) return true;
  const end = endOf(draft.block.lines.at(-1));
  if (/[-\u00ad]$/.test(end)) return /^\p{L}/u.test(start);
  // In the middle of a sentence, the next word may be a name or a number.
  return /^[\p{L}\p{N}(“"‘'[]/u.test(start) && draft.block.lines.length > 1;
}

/**
 * Joins the parts of paragraphs that a column break, a page break or a figure interrupted. The
 * blocks between the parts follow the joined paragraph.
 */
export function joinParagraphs(
  drafts: readonly BlockDraft[],
  bodySize: number,
): (JoinedParagraph | BlockDraft)[] {
  const out: (JoinedParagraph | BlockDraft)[] = [];
  const joinedDrafts = new Set<BlockDraft>();
  for (const [at, draft] of drafts.entries()) {
    if (joinedDrafts.has(draft)) continue;
    if (!isText(draft)) {
      out.push(draft);
      continue;
    }
    const joined: JoinedParagraph = { draft, continuations: [] };
    out.push(joined);
    if (draft.role === 'code') {
      joinCode(joined, at);
      continue;
    }
    if (draft.isEntry) continue;
    if (draft.role !== 'paragraph' && draft.role !== 'list_item' && draft.role !== 'footnote')
      continue;
    let last: TextDraft = draft;
    let from = at;
    for (;;) {
      const found = stopsMidway(last) ? nextTextIndex(from, draft) : undefined;
      if (found === undefined) break;
      const next = drafts[found];
      if (!next || !isText(next) || !continues(last, next)) break;
      joinedDrafts.add(next);
      joined.continuations.push(next);
      [last, from] = [next, found];
    }
  }
  return out;

  /** Returns the position of the next running text, after possible interruptions. */
  function nextTextIndex(from: number, { role, size }: BlockDraft): number | undefined {
    for (let to = from + 1; to <= from + maxBetween; to += 1) {
      const next = drafts[to];
      if (!next) return undefined;
      if (joinedDrafts.has(next)) continue;
      if (breakingRoles.has(next.role)) {
        return undefined;
      }
      // A note in small type is never part of a paragraph. Text larger than the body does not
      // continue across running text. In recognised text, measured sizes do not distinguish notes
      // from running text.
      if (isText(next) && next.size < 0.94 * size) {
        const isParagraph = next.role === 'paragraph';
        if (isParagraph && (size > 1.06 * bodySize || next.block.confidence < 1)) return undefined;
        continue;
      }
      if (isText(next) && next.role === (role === 'footnote' ? 'footnote' : 'paragraph')) return to;
    }
    return undefined;
  }

  /** Joins blocks of code that empty lines separated. */
  function joinCode(joined: JoinedParagraph, at: number): void {
    for (let to = at + 1; to < drafts.length; to += 1) {
      const next = drafts[to];
      const before = joined.continuations.at(-1) ?? joined.draft;
      if (!next || !isText(next) || next.role !== 'code') break;
      if (next.page.page !== before.page.page) break;
      joinedDrafts.add(next);
      joined.continuations.push(next);
    }
  }
}
