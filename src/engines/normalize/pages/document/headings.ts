import { bullet } from '../paragraphs.ts';
import { type Draft, isText } from './draft.ts';

/** Size of most letters of a document, and whether they are bold. */
export type Body = { size: number; bold: boolean };

const longestHeading = 220;
const mostLines = 4;
const numbered =
  /^(?:(?:chapter|section|part|appendix|annex|kapitel|teil|anhang|chapitre|article|§)\s*)?((?:\d{1,2}|[A-Z])(?:\.\d{1,3}){0,5})[.:)]?\s+(?=\S)/i;
const chapter =
  /^(?:chapter|part|appendix|annex|kapitel|teil|anhang|chapitre)\s+(?:\d{1,3}|[IVXLC]+|[A-Z])\b/i;
const roman = /^[IVX]{1,5}\.\s+\S/;
/** What papers and reports call their parts that have no number. */
const known =
  /^(?:abstract|introduction|conclusions?|references|bibliography|acknowledge?ments?|contents|table of contents|summary|executive summary|preface|foreword|glossary|index|appendix|discussion|results|methods|related work|zusammenfassung|einleitung|inhaltsverzeichnis|literaturverzeichnis|résumé|resumen|введение|المقدمة)$/i;

/** The body of the text: what most letters are set in. */
export function bodyOf(drafts: readonly Draft[]): Body {
  const letters = new Map<number, number>();
  const bold = new Map<number, number>();
  for (const draft of drafts) {
    if (!isText(draft) || draft.role.startsWith('page_')) continue;
    for (const { size, bold: isBold, spans } of draft.block.lines) {
      const key = Math.round(size * 2) / 2;
      const count = spans.reduce((sum, { text }) => sum + text.length, 0);
      letters.set(key, (letters.get(key) ?? 0) + count);
      if (isBold) bold.set(key, (bold.get(key) ?? 0) + count);
    }
  }
  let [size, most] = [10, 0];
  for (const [key, count] of letters) if (count > most) [size, most] = [key, count];
  return { size, bold: (bold.get(size) ?? 0) > 0.5 * most };
}

const isCaps = (text: string): boolean => {
  const letters = text.replace(/[^\p{L}]/gu, '');
  return (
    letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  );
};

/** Whether a block looks like a heading over what follows it. */
function looksLike(
  draft: Draft,
  next: Draft | undefined,
  body: Body,
  recognised: boolean,
): boolean {
  if (!isText(draft)) return false;
  const { text, size, block } = draft;
  const { lines, tag } = block;
  if (text.length > longestHeading || lines.length > mostLines || !/\p{L}{2}/u.test(text))
    return false;
  if (tag && /^H[1-6]?$|^Title$/.test(tag)) return true;
  if (bullet.test(text) || /[,;]$/.test(text) || /\.{4,}/.test(text)) return false;
  // Sizes of recognised text are measured and differ a little.
  const larger = size >= body.size * (recognised ? 1.3 : 1.09) + 0.4;
  const bold = draft.bold && !body.bold;
  const number = numbered.test(text) || roman.test(text) || chapter.test(text);
  const caps = isCaps(text);
  const sentence = /[.!?:]$/.test(text) && !/\b(?:No|vs|Inc|Ltd|Co)\.$/.test(text);
  const small = size < body.size * 0.95;
  const short = text.length <= 120 && lines.length <= 3;
  if (known.test(text.replace(/^[\dIVX.]+\s+/, '').replace(/[:.]$/, '')) && lines.length === 1) {
    if (larger || bold || caps || number) return true;
  }
  if (larger && text.length > 2) return !(sentence && text.length > 100 && size < body.size * 1.3);
  if (small && !(bold && number)) return false;
  if (bold && number && short) return !/[.;]$/.test(text) || text.length < 80;
  if (bold && short) return !sentence || (/[?:]$/.test(text) && text.length < 60);
  if (caps && short && !sentence && lines.length <= 2) return number || text.split(' ').length >= 2;
  const italic = lines.every((line) => line.italic);
  const follows = next !== undefined && isText(next) && next.text.length > 2 * text.length;
  if (italic && short && !sentence && lines.length === 1 && text.length < 80) {
    if (number || (follows && /^\p{Lu}/u.test(text) && !next.block.lines[0]?.italic)) return true;
  }
  // A numbered line of body size, by itself, in title case, over a paragraph.
  return (
    number &&
    follows &&
    /^\d+(?:\.\d+)+\.?\s+\p{Lu}/u.test(text) &&
    lines.length === 1 &&
    !sentence &&
    text.length < 80
  );
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Depth that a number before a heading tells, from 1; undefined without one. */
function depthOf(text: string): number | undefined {
  if (chapter.test(text)) return 1;
  const found = numbered.exec(text)?.[1];
  if (found !== undefined && (found.includes('.') || /^\d/.test(found))) {
    return found.replace(/\.$/, '').split('.').length;
  }
  return roman.test(text) ? 1 : undefined;
}

const leaders = /(?:\.\s?){4}\s*[\divxlc]*$/;

/** Pages with several lines that lead to a page's number. */
function pagesOfContents(drafts: readonly Draft[]): Set<number> {
  const counts = new Map<number, number>();
  for (const draft of drafts) {
    if (!isText(draft) || !leaders.test(draft.text)) continue;
    counts.set(draft.page.page, (counts.get(draft.page.page) ?? 0) + draft.block.lines.length);
  }
  return new Set([...counts].flatMap(([page, count]) => (count >= 3 ? [page] : [])));
}

/** Finds the headings of a document and gives each its level, 1 for its title. */
export function markHeadings(drafts: readonly Draft[], body: Body): void {
  const flow = drafts.filter(({ role }) => !role.startsWith('page_'));
  const outline = new Map<number, Map<string, number>>();
  const headings: (Draft & { outlined?: number })[] = [];
  const outlined = new Map<Draft, number>();
  const contents = pagesOfContents(flow);
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft)) continue;
    const { page } = draft.page;
    // An entry of a table of contents is no heading, however bold.
    if (contents.has(page) && /\s[\divxlc]+$/.test(draft.text)) continue;
    let entries = outline.get(page);
    if (!entries) {
      entries = new Map(draft.page.outline.map(({ title, level }) => [plain(title), level]));
      outline.set(page, entries);
    }
    const text = plain(draft.text);
    const level =
      entries.get(text) ?? entries.get(plain(draft.text.replace(numbered, ''))) ?? undefined;
    const isEntry = level !== undefined && draft.block.lines.length <= mostLines && text !== '';
    if (!isEntry && !looksLike(draft, flow[at + 1], body, draft.block.confidence < 1)) continue;
    draft.role = 'heading';
    headings.push(draft);
    if (isEntry) outlined.set(draft, level);
  }
  level(headings, outlined, body);
}

/** Styles by what they weigh: the larger, and of one size the bolder, the higher. */
function weight({ size, bold, text }: Draft): number {
  return size * 10 + (bold ? 2 : 0) + (isCaps(text) ? 1 : 0);
}

/** Names, places and dates between a title and the first part of a paper are no headings. */
function withoutAuthors(headings: readonly Draft[], title: Draft): Draft[] {
  const start = headings.indexOf(title);
  const end = headings.findIndex((draft, at) => at > start && isPart(draft.text));
  const until = headings[end];
  if (!until || end - start < 2 || until.page.page - title.page.page > 1) return [...headings];
  return headings.filter((draft, at) => {
    if (at <= start || at >= end) return true;
    draft.role = 'paragraph';
    return false;
  });
}

const isPart = (text: string): boolean =>
  depthOf(text) !== undefined || known.test(text.replace(/[:.]$/, ''));

function level(found: readonly Draft[], outlined: ReadonlyMap<Draft, number>, body: Body): void {
  const title = titleOf(found, body);
  const headings = title ? withoutAuthors(found, title) : found;
  const others = headings.filter((draft) => draft !== title);
  if (title) title.level = 1;
  // What a number tells of depth, told to the other headings of its style.
  const depths = new Map<number, number[]>();
  for (const draft of others) {
    const depth = outlined.get(draft) ?? depthOf(draft.text);
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
    const depth = outlined.get(draft) ?? depthOf(draft.text) ?? byStyle.get(weight(draft)) ?? 1;
    draft.level = Math.min(6, Math.max(2, depth + 1));
  }
}

/** The title of a document: larger than all other headings, once, near its beginning. */
function titleOf(headings: readonly Draft[], body: Body): Draft | undefined {
  const [first] = headings;
  if (!first) return undefined;
  const start = headings.filter(({ page }) => page.page === first.page.page);
  const largest = start.reduce((most, draft) => (draft.size > most.size ? draft : most), first);
  const rivals = headings.filter((draft) => draft !== largest && draft.size >= largest.size * 0.99);
  const isLarge = largest.size >= body.size * 1.15 && start.indexOf(largest) <= 3;
  if (!isLarge || depthOf(largest.text) !== undefined) return undefined;
  return rivals.length <= 1 ? largest : undefined;
}
