import { isRightToLeftLine } from '../../../model/direction.ts';
import { bullet, enumerator } from '../paragraphs.ts';
import { type BlockDraft, isText } from './block-draft.ts';
import type { BodyStyle } from './headings.ts';
import { anyOf } from './phrases.ts';

/** The words that captions of figures and tables begin with. */
const captionStart = new RegExp(
  `^${anyOf('caption')}\\.?\\s*(?:[A-Z]?\\d{1,3}(?:[.\\-–]\\d{1,3})*[a-z]?|[IVXLC]{1,6})\\s*([.:|–—-]|$|(?=\\s))`,
  'iu',
);
const footnoteMark = /^(?:\d{1,3}|[*∗†‡§¶‖]{1,3}|[a-z])(?=[\s.)]|\p{L})/u;

function isCaption(draft: BlockDraft, body: BodyStyle, isBesideFixed: boolean): boolean {
  const found = captionStart.exec(draft.text);
  if (!found || !isText(draft)) return false;
  const hasSeparator = (found[1] ?? '') !== '';
  const startsBold = draft.block.lines[0]?.spans[0]?.marks.includes('bold') ?? false;
  const remainder = draft.text.slice(found[0].length).trim();
  if (hasSeparator && draft.block.lines.length <= 12) return true;
  if (draft.block.lines.length > 6) return false;
  return (
    startsBold || draft.size < body.size * 0.95 || (isBesideFixed && /^\p{Lu}|^$/u.test(remainder))
  );
}

/** Whether a block is a footnote: small type at the foot of a page, with a reference mark. */
function isFootnote(draft: BlockDraft, body: BodyStyle): boolean {
  if (!isText(draft) || draft.size >= body.size * 0.95) return false;
  const first = draft.block.lines[0]?.spans[0];
  const isRaised = first?.marks.includes('superscript') === true;
  if (!isRaised && !footnoteMark.test(draft.text)) return false;
  if (!isRaised && /^[a-z]\b/.test(draft.text)) return false;
  return draft.block.box[1] > draft.page.heightPt * 0.45;
}

/** Whether a block consists of mathematical symbols and letters, with almost no words. */
export function isFormula(draft: BlockDraft): boolean {
  if (!isText(draft) || draft.block.lines.length > 8) return false;
  let [math, letterCount] = [0, 0];
  for (const line of draft.block.lines) {
    const count = line.spans.reduce((sum, { text }) => sum + text.length, 0);
    math += line.math * count;
    letterCount += count;
  }
  const words = draft.text.match(/\p{L}{4,}/gu)?.length ?? 0;
  if (letterCount === 0 || words > 4) return false;
  if (math / letterCount > 0.3) return true;
  return words <= 1 && /[=≤≥≈∑∫∏√∂±]/u.test(draft.text) && /\(\d+(?:\.\d+)?\)$/.test(draft.text);
}

/** Assigns a role to each block that is not a heading, header or footer. */
export function markRoles(drafts: readonly BlockDraft[], body: BodyStyle): void {
  for (const [at, draft] of drafts.entries()) {
    if (!isText(draft) || draft.isEntry || draft.role.startsWith('page_')) continue;
    const { lines } = draft.block;
    const isBesideFixed = [drafts[at - 1], drafts[at + 1]].some(
      (other) => other !== undefined && other.block.kind !== 'text',
    );
    const isCode = lines.every((line) => line.mono) && /\S/.test(draft.text);
    if (isCaption(draft, body, isBesideFixed)) draft.role = 'caption';
    else if (draft.role === 'heading') continue;
    else if (isCode && (lines.length > 1 || /[{}();=<>\\|]|^[$%#~] /.test(draft.text)))
      draft.role = 'code';
    else if (isFormula(draft)) draft.role = 'formula';
    else if (isFootnote(draft, body)) draft.role = 'footnote';
    else if (isItem(draft, drafts, at)) draft.role = 'list_item';
  }
  markItemLevels(drafts);
}

/**
 * Whether a block is a list item. Most bullets and numbers suffice. A dash, `*` or `o` needs
 * another bullet nearby. Other counters need another counter nearby, or further lines that are
 * indented.
 */
function isItem(draft: BlockDraft, drafts: readonly BlockDraft[], at: number): boolean {
  if (draft.block.kind !== 'text') return false;
  const { text } = draft;
  if (bullet.test(text)) {
    if (!/^[-–—*o]\s/.test(text)) return true;
    return hasNeighbour(drafts, at, (other) => bullet.test(other));
  }
  if (!enumerator.test(text)) return false;
  const [first, second] = draft.block.lines;
  const hasHangingIndent =
    first !== undefined && second !== undefined && second.box[0] - first.box[0] > 0.7 * first.size;
  if (hasHangingIndent || /^(?:\[?\d{1,3}[.)\]]|\(\d{1,3}\))\s/.test(text)) return true;
  return hasNeighbour(drafts, at, (other) => enumerator.test(other));
}

function hasNeighbour(
  drafts: readonly BlockDraft[],
  at: number,
  matches: (text: string) => boolean,
): boolean {
  for (const step of [-1, 1]) {
    for (let to = at + step; Math.abs(to - at) <= 3; to += step) {
      const other = drafts[to];
      if (!other) break;
      if (other.role === 'heading') break;
      if (other.block.kind === 'text' && matches(other.text)) return true;
    }
  }
  return false;
}

/** Sets the levels of list items. Items that are indented further belong to the item above. */
function markItemLevels(drafts: readonly BlockDraft[]): void {
  let stack: number[] = [];
  let previous: BlockDraft | undefined;
  for (const draft of drafts) {
    if (draft.role.startsWith('page_')) continue;
    if (!isText(draft) || draft.role !== 'list_item') {
      if (draft.role === 'heading') stack = [];
      previous = undefined;
      continue;
    }
    const box = draft.block.lines[0]?.box ?? draft.block.box;
    const start = isRightToLeftLine([draft]) ? -box[2] : box[0];
    const [left] = draft.block.column;
    const isOtherColumn =
      previous && isText(previous) && Math.abs(previous.block.column[0] - left) > 1;
    if (!previous || isOtherColumn) stack = [];
    const tolerance = 0.6 * draft.size;
    while (stack.length > 0 && start < (stack.at(-1) ?? 0) - tolerance) stack.pop();
    if (stack.length === 0 || start > (stack.at(-1) ?? 0) + tolerance) stack.push(start);
    draft.level = Math.min(8, stack.length - 1);
    previous = draft;
  }
}
