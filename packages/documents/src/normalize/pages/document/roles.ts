import { isTurned } from '../../../model/direction.ts';
import { bullet, enumerator } from '../paragraphs.ts';
import { type Draft, isText } from './draft.ts';
import type { Body } from './headings.ts';
import { anyOf } from './phrases.ts';

/** The words that captions of figures and tables begin with. */
const captioned = new RegExp(
  `^${anyOf('caption')}\\.?\\s*(?:[A-Z]?\\d{1,3}(?:[.\\-–]\\d{1,3})*[a-z]?|[IVXLC]{1,6})\\s*([.:|–—-]|$|(?=\\s))`,
  'iu',
);
const footnoteMark = /^(?:\d{1,3}|[*∗†‡§¶‖]{1,3}|[a-z])(?=[\s.)]|\p{L})/u;

function isCaption(draft: Draft, body: Body, besideFixed: boolean): boolean {
  const found = captioned.exec(draft.text);
  if (!found || !isText(draft)) return false;
  const pointed = (found[1] ?? '') !== '';
  const boldStart = draft.block.lines[0]?.spans[0]?.marks.includes('bold') ?? false;
  const rest = draft.text.slice(found[0].length).trim();
  if (pointed && draft.block.lines.length <= 12) return true;
  if (draft.block.lines.length > 6) return false;
  return boldStart || draft.size < body.size * 0.95 || (besideFixed && /^\p{Lu}|^$/u.test(rest));
}

/** Whether a block is a footnote: small type at the foot of a page, with a reference mark. */
function isFootnote(draft: Draft, body: Body): boolean {
  if (!isText(draft) || draft.size >= body.size * 0.95) return false;
  const first = draft.block.lines[0]?.spans[0];
  const raised = first?.marks.includes('superscript') === true;
  if (!raised && !footnoteMark.test(draft.text)) return false;
  if (!raised && /^[a-z]\b/.test(draft.text)) return false;
  return draft.block.box[1] > draft.page.heightPt * 0.45;
}

/** Whether a block consists of mathematical symbols and letters, with hardly any words. */
export function isFormula(draft: Draft): boolean {
  if (!isText(draft) || draft.block.lines.length > 8) return false;
  let [math, all] = [0, 0];
  for (const line of draft.block.lines) {
    const count = line.spans.reduce((sum, { text }) => sum + text.length, 0);
    math += line.math * count;
    all += count;
  }
  const words = draft.text.match(/\p{L}{4,}/gu)?.length ?? 0;
  if (all === 0 || words > 4) return false;
  if (math / all > 0.3) return true;
  return words <= 1 && /[=≤≥≈∑∫∏√∂±]/u.test(draft.text) && /\(\d+(?:\.\d+)?\)$/.test(draft.text);
}

/** Assigns a role to each block that is not a heading, header or footer. */
export function markRoles(drafts: readonly Draft[], body: Body): void {
  for (const [at, draft] of drafts.entries()) {
    if (!isText(draft) || draft.entry || draft.role.startsWith('page_')) continue;
    const { lines } = draft.block;
    const beside = [drafts[at - 1], drafts[at + 1]].some(
      (other) => other !== undefined && other.block.kind !== 'text',
    );
    const code = lines.every((line) => line.mono) && /\S/.test(draft.text);
    if (isCaption(draft, body, beside)) draft.role = 'caption';
    else if (draft.role === 'heading') continue;
    else if (code && (lines.length > 1 || /[{}();=<>\\|]|^[$%#~] /.test(draft.text)))
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
function isItem(draft: Draft, drafts: readonly Draft[], at: number): boolean {
  if (draft.block.kind !== 'text') return false;
  const { text } = draft;
  if (bullet.test(text)) {
    if (!/^[-–—*o]\s/.test(text)) return true;
    return hasNeighbour(drafts, at, (other) => bullet.test(other));
  }
  if (!enumerator.test(text)) return false;
  const [first, second] = draft.block.lines;
  const hangs =
    first !== undefined && second !== undefined && second.box[0] - first.box[0] > 0.7 * first.size;
  if (hangs || /^(?:\[?\d{1,3}[.)\]]|\(\d{1,3}\))\s/.test(text)) return true;
  return hasNeighbour(drafts, at, (other) => enumerator.test(other));
}

function hasNeighbour(
  drafts: readonly Draft[],
  at: number,
  is: (text: string) => boolean,
): boolean {
  for (const step of [-1, 1]) {
    for (let to = at + step; Math.abs(to - at) <= 3; to += step) {
      const other = drafts[to];
      if (!other) break;
      if (other.role === 'heading') break;
      if (other.block.kind === 'text' && is(other.text)) return true;
    }
  }
  return false;
}

/** Sets the levels of list items. Items that are indented further belong to the item above. */
function markItemLevels(drafts: readonly Draft[]): void {
  let stack: number[] = [];
  let before: Draft | undefined;
  for (const draft of drafts) {
    if (draft.role.startsWith('page_')) continue;
    if (!isText(draft) || draft.role !== 'list_item') {
      if (draft.role === 'heading') stack = [];
      before = undefined;
      continue;
    }
    const box = draft.block.lines[0]?.box ?? draft.block.box;
    const start = isTurned([draft]) ? -box[2] : box[0];
    const [left] = draft.block.column;
    const further = before && isText(before) && Math.abs(before.block.column[0] - left) > 1;
    if (!before || further) stack = [];
    const slack = 0.6 * draft.size;
    while (stack.length > 0 && start < (stack.at(-1) ?? 0) - slack) stack.pop();
    if (stack.length === 0 || start > (stack.at(-1) ?? 0) + slack) stack.push(start);
    draft.level = Math.min(8, stack.length - 1);
    before = draft;
  }
}
