import { type BlockDraft, isText } from './block-draft.ts';
import { type BodyStyle, isKnownTitle } from './headings.ts';
import { type NumberForm, numberOf } from './numbering.ts';
import { comparableText, isUpper, namesOf } from './split.ts';

/**
 * Returns the rank of a block's style: larger styles rank higher and, at the same size, bold ones
 * do.
 */
function styleRank({ size, bold, text }: BlockDraft): number {
  return size * 10 + (bold ? 2 : 0) + (isUpper(text) ? 1 : 0);
}

/** The minimum number of headings in one style for them to be section headings. */
const minStyleHeadings = 3;
/** The minimum number of letters below a heading for them to be text, not an author's address. */
const minTextLength = 150;

/**
 * Returns the title of a document: from its metadata, or else the largest text near the beginning.
 */
function titleOf(
  headings: readonly BlockDraft[],
  body: BodyStyle,
  frontPages: ReadonlySet<number>,
): BlockDraft | undefined {
  const [first] = headings;
  if (!first) return undefined;
  const start = headings.filter(({ page }) => page.page === first.page.page);
  // The only heading of the highest level, if it is near the beginning.
  const highest = [
    headings.filter(({ tagLevel }) => tagLevel === 1),
    first.outlineLevel === 1 ? headings.filter(({ outlineLevel }) => outlineLevel === 1) : [],
  ];
  for (const [top, second] of highest) {
    if (top && !second && start.indexOf(top) >= 0 && start.indexOf(top) < 4) return top;
  }
  const metadataTitle = first.page.title ? comparableText(first.page.title) : '';
  const largest = start.reduce((max, draft) => (draft.size > max.size ? draft : max), first);
  const titleMatch = start
    .slice(0, 4)
    .find(({ text }) => metadataTitle !== '' && namesOf(text).includes(metadataTitle));
  if (frontPages.has(first.page.page) && !isKnownTitle(largest.text)) return largest;
  if (titleMatch && titleMatch.size >= largest.size * 0.9 && !numberOf(titleMatch.text))
    return titleMatch;
  const rivals = headings.filter((draft) => draft !== largest && draft.size >= largest.size * 0.99);
  const isLarge = largest.size >= body.size * 1.15 && start.indexOf(largest) <= 3;
  if (!isLarge || isSection(largest)) return undefined;
  return rivals.length <= 1 ? largest : undefined;
}

const isSection = ({ text, outlineLevel, tagLevel }: BlockDraft): boolean =>
  outlineLevel !== undefined || tagLevel !== undefined || isNumbered(text) || isKnownTitle(text);

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
  drafts: readonly BlockDraft[],
  headings: readonly BlockDraft[],
  title: BlockDraft,
  body: BodyStyle,
): BlockDraft[] {
  const indexByDraft = new Map(drafts.map((draft, at) => [draft, at]));
  const styles = new Map<number, number>();
  for (const heading of headings) {
    styles.set(styleRank(heading), (styles.get(styleRank(heading)) ?? 0) + 1);
  }
  const startsSection = (heading: BlockDraft): boolean => {
    const { bold, size, text } = heading;
    if (!bold && size < 1.05 * body.size && !isUpper(text)) return false;
    const next = drafts[(indexByDraft.get(heading) ?? 0) + 1];
    // Section headings share their style with each other, and authors do not share it.
    const isRecurring =
      (styles.get(styleRank(heading)) ?? 0) >= minStyleHeadings && size > 1.05 * body.size;
    if (isRecurring && next && next.role !== 'heading') return true;
    if (next?.block.kind === 'table') return true;
    if (next === undefined || !isText(next) || next.role === 'heading') return false;
    return next.text.length > minTextLength || /^.{60}.*[.!?]$/u.test(next.text);
  };
  const start = headings.indexOf(title);
  const end = headings.findIndex(
    (draft, at) => at > start && (isSection(draft) || startsSection(draft)),
  );
  const firstSection = headings[end];
  if (!firstSection || end - start < 2 || firstSection.page.page - title.page.page > 1)
    return [...headings];
  return headings.filter((draft, at) => {
    if (at <= start || at >= end) return true;
    draft.role = 'paragraph';
    return false;
  });
}

/** Returns the depth of each kind of numbering if several are nested, such as I., A., 1. */
function depthsOf(headings: readonly BlockDraft[]): Map<NumberForm, number> {
  const openForms: NumberForm[] = [];
  const depths = new Map<NumberForm, number>();
  const last = new Map<NumberForm, number>();
  for (const { text } of headings) {
    const number = numberOf(text);
    if (!number || number.path.length > 1) continue;
    const [value = 0] = number.path;
    const { form } = number;
    if (form === 'chapter' || form === 'appendix') continue;
    // A kind that resumes after another kind contains it.
    if (openForms.includes(form) && value === (last.get(form) ?? 0) + 1)
      openForms.splice(openForms.indexOf(form) + 1);
    else if (!openForms.includes(form) && value === 1) {
      openForms.push(form);
      if (!depths.has(form)) depths.set(form, openForms.length);
    }
    last.set(form, value);
  }
  const isNested = depths.get('roman') === 1 || openForms[0] !== 'digit';
  // Appendices A and B after sections 1 to 3 have the same depth, because no number continues after
  // them.
  if (!isNested && !depths.has('chapter')) for (const form of depths.keys()) depths.set(form, 1);
  return depths;
}

/** Sets the level of each heading: 1 for the title, 2 for the top-level sections, and so on. */
export function markLevels(
  drafts: readonly BlockDraft[],
  body: BodyStyle,
  frontPages: ReadonlySet<number>,
): void {
  const flow = drafts.filter(({ role }) => !role.startsWith('page_'));
  const found = flow.filter(({ role }) => role === 'heading');
  const title = titleOf(found, body, frontPages);
  const headings = title ? withoutAuthors(flow, found, title, body) : found;
  const otherHeadings = headings.filter((draft) => draft !== title);
  if (title) title.level = 1;
  const forms = depthsOf(otherHeadings);
  const min = Math.min(...otherHeadings.flatMap(({ outlineLevel }) => outlineLevel ?? []));
  const chapters = otherHeadings.some(({ text }) => numberOf(text)?.form === 'chapter');
  const minTag = Math.min(...otherHeadings.flatMap(({ tagLevel }) => tagLevel ?? []));
  const declaredDepth = ({ text, outlineLevel, tagLevel }: BlockDraft): number | undefined => {
    if (tagLevel !== undefined) return tagLevel - minTag + 1;
    if (outlineLevel !== undefined) return outlineLevel - min + 1;
    const number = numberOf(text);
    if (!number) return undefined;
    if (number.form === 'chapter' || number.form === 'appendix') return 1;
    const first = forms.get(number.form) ?? (number.form === 'digit' ? 1 : undefined);
    if (first === undefined) return undefined;
    const chapterOffset = chapters && number.path.length === 1 && number.form !== 'letter' ? 1 : 0;
    return first + number.path.length - 1 + chapterOffset;
  };
  // The depth that a number implies also applies to other headings in the same style.
  const depths = new Map<number, number[]>();
  for (const draft of otherHeadings) {
    const depth = declaredDepth(draft);
    if (depth === undefined) continue;
    const styleDepths = depths.get(styleRank(draft));
    if (styleDepths) styleDepths.push(depth);
    else depths.set(styleRank(draft), [depth]);
  }
  const styles = [...new Set(otherHeadings.map(styleRank))].sort((a, b) => b - a);
  let depthAbove = 0;
  const depthByStyle = new Map<number, number>();
  for (const style of styles) {
    const styleDepths = depths.get(style)?.sort((a, b) => a - b);
    const depth = styleDepths
      ? (styleDepths[Math.floor(styleDepths.length / 2)] ?? 1)
      : depthAbove + 1;
    depthAbove = Math.max(1, styleDepths ? depth : Math.min(depth, 5));
    depthByStyle.set(style, depthAbove);
  }
  for (const draft of otherHeadings) {
    const depth = declaredDepth(draft) ?? depthByStyle.get(styleRank(draft)) ?? 1;
    draft.level = Math.min(6, Math.max(2, depth + 1));
  }
}
