import { type LayoutLine, textOf } from '../layout.ts';
import type { Joined } from './blocks.ts';
import { type Draft, isText, type TextBlock } from './draft.ts';

/** The maximum number of other blocks between two parts of a paragraph. */
const maxBetween = 14;

/** Roles of blocks that always end a paragraph. */
const breaks: ReadonlySet<Draft['role']> = new Set(['heading', 'list_item', 'code', 'formula']);

type Text = Draft & { block: TextBlock };

const ending = (line: LayoutLine | undefined): string => (line ? textOf(line).trimEnd() : '');

/** Whether the text of a block stops in the middle of a sentence, at the end of a full line. */
function stopsMidway({ block }: Text): boolean {
  const line = block.lines.at(-1);
  const end = ending(line);
  if (!line || end === '') return false;
  if (/[.!?:;。؟][”"’')\]]*$/u.test(end)) return false;
  if (/[-\u00ad,]$/.test(end)) return true;
  const width = Math.max(...block.lines.map(({ box }) => box[2] - box[0]));
  const [left, right] = block.column;
  return line.box[2] - line.box[0] > 0.8 * Math.min(width, right - left);
}

/** Whether `next` may continue `draft`. */
function goesOn(draft: Text, next: Text): boolean {
  if (Math.abs(draft.size - next.size) > 0.06 * draft.size) return false;
  if (next.page.page - draft.page.page > 1) return false;
  const start = next.text;
  if (/^\p{Ll}/u.test(start)) return true;
  const end = ending(draft.block.lines.at(-1));
  if (/[-\u00ad]$/.test(end)) return /^\p{L}/u.test(start);
  // In the middle of a sentence, the next word may be a name or a number.
  return /^[\p{L}\p{N}(“"‘'[]/u.test(start) && draft.block.lines.length > 1;
}

/**
 * Joins the parts of paragraphs that a column break, a page break or a figure interrupted. The
 * blocks between the parts follow the joined paragraph.
 */
export function joinParagraphs(drafts: readonly Draft[], bodySize: number): (Joined | Draft)[] {
  const out: (Joined | Draft)[] = [];
  const used = new Set<Draft>();
  for (const [at, draft] of drafts.entries()) {
    if (used.has(draft)) continue;
    if (!isText(draft)) {
      out.push(draft);
      continue;
    }
    const joined: Joined = { draft, more: [] };
    out.push(joined);
    if (draft.role === 'code') {
      takeCode(joined, at);
      continue;
    }
    if (draft.entry) continue;
    if (draft.role !== 'paragraph' && draft.role !== 'list_item' && draft.role !== 'footnote')
      continue;
    let last: Text = draft;
    let from = at;
    for (;;) {
      const found = stopsMidway(last) ? nextOf(from, draft) : undefined;
      if (found === undefined) break;
      const next = drafts[found];
      if (!next || !isText(next) || !goesOn(last, next)) break;
      used.add(next);
      joined.more.push(next);
      [last, from] = [next, found];
    }
  }
  return out;

  /** Returns the position of the next running text, after possible interruptions. */
  function nextOf(from: number, { role, size }: Draft): number | undefined {
    for (let to = from + 1; to <= from + maxBetween; to += 1) {
      const next = drafts[to];
      if (!next) return undefined;
      if (used.has(next)) continue;
      if (breaks.has(next.role)) {
        return undefined;
      }
      // A note in small type is never part of a paragraph. Text larger than the body does not
      // continue across running text. In recognised text, measured sizes do not distinguish notes
      // from running text.
      if (isText(next) && next.size < 0.94 * size) {
        const runs = next.role === 'paragraph';
        if (runs && (size > 1.06 * bodySize || next.block.confidence < 1)) return undefined;
        continue;
      }
      if (isText(next) && next.role === (role === 'footnote' ? 'footnote' : 'paragraph')) return to;
    }
    return undefined;
  }

  /** Joins blocks of code that empty lines separated. */
  function takeCode(joined: Joined, at: number): void {
    for (let to = at + 1; to < drafts.length; to += 1) {
      const next = drafts[to];
      const before = joined.more.at(-1) ?? joined.draft;
      if (!next || !isText(next) || next.role !== 'code') break;
      if (next.page.page !== before.page.page) break;
      used.add(next);
      joined.more.push(next);
    }
  }
}
