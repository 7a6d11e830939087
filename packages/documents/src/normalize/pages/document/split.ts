import { textOf } from '../layout.ts';
import { type BlockDraft, blockOf, draftOf, isText } from './block-draft.ts';
import { follows, isFirstPart, numberOf } from './numbering.ts';

/** The maximum number of lines in a heading. */
const maxLines = 3;
/** The minimum ratio of the letter size of a title to that of the text. */
const minTitleRatio = 1.5;

/** Returns only the letters and digits of a text, to compare a page with an outline. */
export const comparableText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Returns the forms in which an outline may contain a heading: with its number and without. */
export function namesOf(text: string): string[] {
  const remainder = numberOf(text)?.remainder;
  return [comparableText(text), ...(remainder ? [comparableText(remainder)] : [])].filter(
    (name) => name !== '',
  );
}

function splitAt(draft: BlockDraft, at: number): BlockDraft[] {
  if (!isText(draft)) return [draft];
  const { lines } = draft.block;
  return [lines.slice(0, at), lines.slice(at)].map((part) =>
    draftOf(draft.page, blockOf(part, draft.block)),
  );
}

/** Returns the line at which a heading from the outline ends and other text begins. */
function endOfOutlined(draft: BlockDraft, entries: ReadonlySet<string>): number | undefined {
  if (!isText(draft) || entries.size === 0) return undefined;
  const { lines } = draft.block;
  for (let count = 1; count <= maxLines && count < lines.length; count += 1) {
    const text = lines.slice(0, count).map(textOf).join(' ').trim();
    if (namesOf(text).some((name) => entries.has(name) && name.length > 2)) return count;
  }
  return undefined;
}

/** Returns the line at which a second heading begins, with the next number or a deeper one. */
function secondHeading(draft: BlockDraft): number | undefined {
  if (!isText(draft) || draft.block.lines.length > 2 * maxLines) return undefined;
  const { lines } = draft.block;
  const first = numberOf(lines.map(textOf)[0] ?? '');
  if (!first || first.form === 'lower') return undefined;
  const at = lines.findIndex((line, index) => {
    const number = index > 0 ? numberOf(textOf(line)) : undefined;
    if (!number) return false;
    return isFirstPart(first, number) || (number.path.length > 1 && follows(first, number));
  });
  return at > 0 ? at : undefined;
}

/** Splits blocks that contain a heading and the text below it. */
export function splitHeadings(drafts: readonly BlockDraft[]): BlockDraft[] {
  const outline = new Map<BlockDraft['page'], Set<string>>();
  return drafts.flatMap((draft) => {
    if (!isText(draft) || draft.role !== 'paragraph' || draft.block.lines.length < 2)
      return [draft];
    let entries = outline.get(draft.page);
    if (!entries) {
      entries = new Set(draft.page.outline.flatMap(({ title }) => namesOf(title)));
      outline.set(draft.page, entries);
    }
    const at = endOfOutlined(draft, entries) ?? secondHeading(draft);
    return at === undefined ? [draft] : splitAt(draft, at);
  });
}

/** Joins headings of two lines that became separate blocks. */
export function joinHeadings(drafts: readonly BlockDraft[], bodySize: number): BlockDraft[] {
  const out: BlockDraft[] = [];
  for (const draft of drafts) {
    const last = out.at(-1);
    if (!last || !isText(last) || !isText(draft) || !continuesHeading(last, draft, bodySize)) {
      out.push(draft);
      continue;
    }
    const block = blockOf([...last.block.lines, ...draft.block.lines], last.block);
    out[out.length - 1] = {
      ...draftOf(last.page, block),
      role: 'heading',
      outlineLevel: last.outlineLevel,
      tagLevel: last.tagLevel,
    };
  }
  return out;
}

function continuesHeading(last: BlockDraft, next: BlockDraft, bodySize: number): boolean {
  if (!isText(last) || !isText(next) || last.role !== 'heading' || next.role !== 'heading')
    return false;
  if (last.page !== next.page || Math.abs(last.size - next.size) > 0.5 || last.bold !== next.bold)
    return false;
  const [end] = last.block.lines.slice(-1);
  const [start] = next.block.lines;
  if (!end || !start || last.block.lines.length + next.block.lines.length > 4) return false;
  const step = start.base - end.base;
  const isLarge = last.size > minTitleRatio * bodySize;
  if (step < 0.8 * last.size || step > (isLarge ? 1.65 : 1.45) * last.size) return false;
  if (numberOf(next.text) || isUpper(last.text) !== isUpper(next.text)) return false;
  if (/[.:!?]$/.test(last.text)) return false;
  const isHanging =
    start.box[0] > end.box[0] + 0.7 * last.size && numberOf(last.text) !== undefined;
  const [left, right] = last.block.column;
  const isFull = end.box[2] - left > 0.6 * (right - left);
  // A line of a title may end anywhere.
  return isFull || isHanging || isLarge;
}

/** Whether a text is in capitals, in a script that has them. */
export const isUpper = (text: string): boolean => {
  const letters = text.replace(/[^\p{L}]/gu, '');
  return (
    letters.length >= 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  );
};
