import { type Draft, isText } from './draft.ts';
import { type Body, isKnown } from './headings.ts';
import { type Form, numberOf } from './numbering.ts';
import { isUpper, namesOf, plain } from './split.ts';

/**
 * Returns the rank of a block's style: larger styles rank higher and, at the same size, bold ones
 * do.
 */
function weight({ size, bold, text }: Draft): number {
  return size * 10 + (bold ? 2 : 0) + (isUpper(text) ? 1 : 0);
}

/** The minimum number of headings in one style for them to be section headings. */
const minParts = 3;
/** The minimum number of letters below a heading for them to be text, not an author's address. */
const textLength = 150;

/**
 * Returns the title of a document: from its metadata, or else the largest text near the beginning.
 */
function titleOf(
  headings: readonly Draft[],
  body: Body,
  front: ReadonlySet<number>,
): Draft | undefined {
  const [first] = headings;
  if (!first) return undefined;
  const start = headings.filter(({ page }) => page.page === first.page.page);
  // The only heading of the highest level, if it is near the beginning.
  const highest = [
    headings.filter(({ tagged }) => tagged === 1),
    first.outlined === 1 ? headings.filter(({ outlined }) => outlined === 1) : [],
  ];
  for (const [top, second] of highest) {
    if (top && !second && start.indexOf(top) >= 0 && start.indexOf(top) < 4) return top;
  }
  const called = first.page.title ? plain(first.page.title) : '';
  const largest = start.reduce((max, draft) => (draft.size > max.size ? draft : max), first);
  const told = start
    .slice(0, 4)
    .find(({ text }) => called !== '' && namesOf(text).includes(called));
  if (front.has(first.page.page) && !isKnown(largest.text)) return largest;
  if (told && told.size >= largest.size * 0.9 && !numberOf(told.text)) return told;
  const rivals = headings.filter((draft) => draft !== largest && draft.size >= largest.size * 0.99);
  const isLarge = largest.size >= body.size * 1.15 && start.indexOf(largest) <= 3;
  if (!isLarge || isPart(largest)) return undefined;
  return rivals.length <= 1 ? largest : undefined;
}

const isPart = ({ text, outlined, tagged }: Draft): boolean =>
  outlined !== undefined || tagged !== undefined || isNumbered(text) || isKnown(text);

/**
 * Whether a text has a number. A letter without a full stop may be a word, and a letter after the
 * first may be an initial.
 */
function isNumbered(text: string): boolean {
  const number = numberOf(text);
  if (!number || /^[A-Z]\s/.test(text)) return false;
  const isInitial = /^\p{Lu}\.\s*\p{Lu}/u.test(text) && number.path[0] !== 1;
  return !isInitial;
}

/**
 * Removes names, places and dates between the title and the first section of a paper from the
 * headings.
 */
function withoutAuthors(
  drafts: readonly Draft[],
  headings: readonly Draft[],
  title: Draft,
  body: Body,
): Draft[] {
  const place = new Map(drafts.map((draft, at) => [draft, at]));
  const styles = new Map<number, number>();
  for (const heading of headings) {
    styles.set(weight(heading), (styles.get(weight(heading)) ?? 0) + 1);
  }
  const isOver = (heading: Draft): boolean => {
    const { bold, size, text } = heading;
    if (!bold && size < 1.05 * body.size && !isUpper(text)) return false;
    const next = drafts[(place.get(heading) ?? 0) + 1];
    // Section headings share their style with each other, and authors do not share it.
    const recurs = (styles.get(weight(heading)) ?? 0) >= minParts && size > 1.05 * body.size;
    if (recurs && next && next.role !== 'heading') return true;
    if (next?.block.kind === 'table') return true;
    if (next === undefined || !isText(next) || next.role === 'heading') return false;
    return next.text.length > textLength || /^.{60}.*[.!?]$/u.test(next.text);
  };
  const start = headings.indexOf(title);
  const end = headings.findIndex((draft, at) => at > start && (isPart(draft) || isOver(draft)));
  const until = headings[end];
  if (!until || end - start < 2 || until.page.page - title.page.page > 1) return [...headings];
  return headings.filter((draft, at) => {
    if (at <= start || at >= end) return true;
    draft.role = 'paragraph';
    return false;
  });
}

/** Returns the depth of each kind of numbering if several are nested, such as I., A., 1. */
function depthsOf(headings: readonly Draft[]): Map<Form, number> {
  const open: Form[] = [];
  const depths = new Map<Form, number>();
  const last = new Map<Form, number>();
  for (const { text } of headings) {
    const number = numberOf(text);
    if (!number || number.path.length > 1) continue;
    const [value = 0] = number.path;
    const { form } = number;
    if (form === 'chapter' || form === 'appendix') continue;
    // A kind that resumes after another kind contains it.
    if (open.includes(form) && value === (last.get(form) ?? 0) + 1)
      open.splice(open.indexOf(form) + 1);
    else if (!open.includes(form) && value === 1) {
      open.push(form);
      if (!depths.has(form)) depths.set(form, open.length);
    }
    last.set(form, value);
  }
  const isNested = depths.get('roman') === 1 || open[0] !== 'digit';
  // Appendices A and B after sections 1 to 3 have the same depth, because no number continues after
  // them.
  if (!isNested && !depths.has('chapter')) for (const form of depths.keys()) depths.set(form, 1);
  return depths;
}

/** Sets the level of each heading: 1 for the title, 2 for the top-level sections, and so on. */
export function markLevels(drafts: readonly Draft[], body: Body, front: ReadonlySet<number>): void {
  const flow = drafts.filter(({ role }) => !role.startsWith('page_'));
  const found = flow.filter(({ role }) => role === 'heading');
  const title = titleOf(found, body, front);
  const headings = title ? withoutAuthors(flow, found, title, body) : found;
  const others = headings.filter((draft) => draft !== title);
  if (title) title.level = 1;
  const forms = depthsOf(others);
  const min = Math.min(...others.flatMap(({ outlined }) => outlined ?? []));
  const chapters = others.some(({ text }) => numberOf(text)?.form === 'chapter');
  const minTag = Math.min(...others.flatMap(({ tagged }) => tagged ?? []));
  const told = ({ text, outlined, tagged }: Draft): number | undefined => {
    if (tagged !== undefined) return tagged - minTag + 1;
    if (outlined !== undefined) return outlined - min + 1;
    const number = numberOf(text);
    if (!number) return undefined;
    if (number.form === 'chapter' || number.form === 'appendix') return 1;
    const first = forms.get(number.form) ?? (number.form === 'digit' ? 1 : undefined);
    if (first === undefined) return undefined;
    const under = chapters && number.path.length === 1 && number.form !== 'letter' ? 1 : 0;
    return first + number.path.length - 1 + under;
  };
  // The depth implied by a number also applies to other headings of the same style.
  const depths = new Map<number, number[]>();
  for (const draft of others) {
    const depth = told(draft);
    if (depth === undefined) continue;
    const known = depths.get(weight(draft));
    if (known) known.push(depth);
    else depths.set(weight(draft), [depth]);
  }
  const styles = [...new Set(others.map(weight))].sort((a, b) => b - a);
  let above = 0;
  const byStyle = new Map<number, number>();
  for (const style of styles) {
    const known = depths.get(style)?.sort((a, b) => a - b);
    const depth = known ? (known[Math.floor(known.length / 2)] ?? 1) : above + 1;
    above = Math.max(1, known ? depth : Math.min(depth, 5));
    byStyle.set(style, above);
  }
  for (const draft of others) {
    const depth = told(draft) ?? byStyle.get(weight(draft)) ?? 1;
    draft.level = Math.min(6, Math.max(2, depth + 1));
  }
}
