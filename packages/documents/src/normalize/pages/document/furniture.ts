import { type LayoutLine, textOf } from '../layout.ts';
import { type BlockDraft, blockOf, draftOf, isText, type TextBlock } from './block-draft.ts';

/**
 * The maximum share of the page height, at the top and at the bottom, for running headers and
 * footers.
 */
const marginShare = 0.13;
/** The same limit for rows that show page numbers, because books have wide margins. */
const wideMarginShare = 0.18;
/** The maximum distance of the page number of a single page from the edge. */
const edgeShare = 0.09;
/** The minimum number and share of pages for text to count as repeated. */
const minPages = 3;
const minShare = 0.25;

const pageNumber =
  /^(?:[-–—|·•[(]?\s*)?(?:(?:page|seite|pagina|página|p\.|s\.|стр\.?|صفحة)\s*)?(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]?\d{0,2}[-–.]\d{1,4})(?:\s*(?:of|\/|von|de|sur|di)\s*\d{1,4})?\s*[-–—|·•\])]?$/i;

/** Dates, as in letters. They begin or end with a number, which is not a page number. */
const date =
  /^\p{L}*,?\s*\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:de\s+)?\p{L}{3,12}\.?,?\s+(?:de\s+)?\d{4}$|^\p{L}{3,10}\s+\d{1,2},\s+\d{4}$/u;

type TextDraft = BlockDraft & { block: TextBlock };
/**
 * The maximum length of a running line, and the maximum number of rows in the margins of a page.
 */
const maxLineLength = 200;
const maxRows = 60;

type Zone = 'page_header' | 'page_footer';

/** Returns the margin that contains a block; undefined for a block in the body of the page. */
function zoneOf({ page, block }: BlockDraft, share = marginShare): Zone | undefined {
  const [, top, , bottom] = block.box;
  if (bottom < page.heightPt * share) return 'page_header';
  if (top > page.heightPt * (1 - share)) return 'page_footer';
  return undefined;
}

/** Blocks side by side in a margin. */
type Row = { zone: Zone; drafts: TextDraft[]; text: string; top: number; bottom: number };

/** Returns the rows of text in the margins of a page. A row may contain several blocks. */
function marginRows(drafts: readonly BlockDraft[]): Row[] {
  const rows: Row[] = [];
  for (const draft of drafts) {
    const zone =
      isText(draft) && draft.text.length < maxLineLength
        ? zoneOf(draft, wideMarginShare)
        : undefined;
    if (!zone || !isText(draft)) continue;
    const [, top, , bottom] = draft.block.box;
    const row = rows.find((one) => one.zone === zone && Math.abs(one.bottom - bottom) < 4);
    if (row) {
      row.drafts.push(draft);
      row.top = Math.min(row.top, top);
    } else if (rows.length < maxRows) rows.push({ zone, drafts: [draft], text: '', top, bottom });
  }
  for (const row of rows) {
    row.drafts.sort((a, b) => a.block.box[0] - b.block.box[0]);
    row.text = row.drafts.map(({ text }) => text).join(' ');
  }
  return rows;
}

/**
 * Returns a key that is the same for a running line on each of its pages: page numbers increase by
 * one per page, and the position stays the same.
 */
function keyOf({ zone, text, bottom }: Row, step: number): string {
  const words = text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/\b[ivxlc]+\b/g, '#')
    // Recognition may misread a page number as a symbol.
    .replace(/^[^\p{L}]+(?=\p{L})|(?<=\p{L}) [^\p{L}]+$/gu, '');
  return `${zone}:${Math.round(bottom / 8) + step}:${words.slice(0, 120)}`;
}

/** Whether only other rows of the margin are closer to the page's edge. */
function isOutermost({ zone, top, bottom, drafts }: Row, rows: readonly Row[]): boolean {
  const size = drafts[0]?.size ?? 10;
  return !rows.some(
    (other) =>
      other.zone === zone &&
      (zone === 'page_header' ? other.bottom < top + 0.2 * size : other.top > bottom - 0.2 * size),
  );
}

/** The number of times that a text, ignoring digits, occurs at a height in the margins of pages. */
type Repeats = Map<string, number>;

const lineKey = (line: LayoutLine, zone: Zone): string =>
  `${zone}:${Math.round(line.box[3] / 4)}:${textOf(line).toLowerCase().replace(/\d+/g, '#')}`;

function outerLinesOf(draft: BlockDraft): { zone: Zone; line: LayoutLine }[] {
  if (!isText(draft) || draft.block.artifact) return [];
  const { lines } = draft.block;
  const ends: [Zone, LayoutLine | undefined][] = [
    ['page_header', lines[0]],
    ['page_footer', lines.at(-1)],
  ];
  return ends.flatMap(([zone, line]) => {
    if (!line || textOf(line).length >= maxLineLength) return [];
    const height = draft.page.heightPt;
    const isInside =
      zone === 'page_header'
        ? line.box[3] < height * marginShare
        : line.box[1] > height * (1 - marginShare);
    return isInside ? [{ zone, line }] : [];
  });
}

/** Separates running lines from adjacent text in the same style. */
export function splitRunning(pages: readonly (readonly BlockDraft[])[]): BlockDraft[][] {
  const repeats: Repeats = new Map();
  for (const { zone, line } of pages.flat().flatMap(outerLinesOf)) {
    const key = lineKey(line, zone);
    repeats.set(key, (repeats.get(key) ?? 0) + 1);
  }
  return pages.map((drafts) =>
    drafts.flatMap((draft) => {
      if (!isText(draft) || draft.block.lines.length < 2) return [draft];
      const runningEnds = outerLinesOf(draft).filter(
        ({ zone, line }) => (repeats.get(lineKey(line, zone)) ?? 0) >= minPages,
      );
      if (runningEnds.length === 0) return [draft];
      const { lines } = draft.block;
      const from = runningEnds.some(({ line }) => line === lines[0]) ? 1 : 0;
      const to = runningEnds.some(({ line }) => line === lines.at(-1))
        ? lines.length - 1
        : lines.length;
      return [lines.slice(0, from), lines.slice(from, to), lines.slice(to)].flatMap((part) =>
        part.length > 0 ? [draftOf(draft.page, blockOf(part, draft.block))] : [],
      );
    }),
  );
}

/** Assigns roles to running headers, footers and page numbers. `pages` are the drafts by page. */
export function markFurniture(pages: readonly (readonly BlockDraft[])[], bodySize: number): void {
  const counts = new Map<string, number>();
  const rowsByPage = pages.map(marginRows);
  for (const rows of rowsByPage) {
    for (const key of new Set(rows.map((row) => keyOf(row, 0)))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const min = Math.max(minPages, Math.min(8, minShare * pages.length));
  const found = pages.map((): TextDraft[] => []);
  const pagesByOffset = new Map<number | undefined, number>();
  for (const offset of rowsByPage.flatMap((rows) => [...new Set(rows.map(offsetOf))])) {
    if (offset !== undefined) pagesByOffset.set(offset, (pagesByOffset.get(offset) ?? 0) + 1);
  }
  const isPaged = (row: Row): boolean =>
    pages.length === 1 || isSpread(row) || (pagesByOffset.get(offsetOf(row)) ?? 2) > 1;
  for (const [at, rows] of rowsByPage.entries()) {
    for (const row of rows) {
      // Rounding may put equal positions on different sides of a step.
      const repeatCount = [0, -1, 1].reduce(
        (sum, by) => sum + (counts.get(keyOf(row, by)) ?? 0),
        0,
      );
      const isOuter = isOutermost(row, rows);
      const height = row.drafts[0]?.page.heightPt ?? 0;
      const isAtEdge =
        row.zone === 'page_header'
          ? row.bottom < height * edgeShare
          : row.top > height * (1 - edgeShare);
      const isSmall = row.drafts.every(({ size }) => size <= 1.05 * bodySize);
      const isRepeatedInShortFile = pages.length <= 8 && repeatCount >= 2 && isOuter && isSmall;
      const isSinglePageFolio =
        pages.length === 1 && isFolio(row) && isMostlyProse(pages[at] ?? []);
      const isCounted =
        isSmall && (pages.length > 1 || isSpread(row) || isSinglePageFolio) && isNumbered(row);
      const hasPageNumber =
        pageNumber.test(row.text) ||
        ((isAtEdge || isSinglePageFolio || repeatCount >= minPages) && isCounted && isPaged(row));
      const isCounter =
        isOuter &&
        isSmall &&
        isNumbered(row) &&
        (pagesByOffset.get(offsetOf(row)) ?? 0) >= minPages;
      const inMargin = row.drafts.every((draft) => zoneOf(draft) !== undefined);
      if (
        isCounter ||
        (inMargin && (repeatCount >= min || isRepeatedInShortFile || (isOuter && hasPageNumber)))
      ) {
        found[at]?.push(...row.drafts);
      }
    }
  }
  const isBeside = createBesideTest(pages, bodySize);
  const furnitureByPage = found.map((drafts, at) => {
    const marginDrafts = (pages[at] ?? []).filter((draft) => isArtifact(draft) || isBeside(draft));
    return new Set([...drafts, ...marginDrafts]);
  });
  if (!areBesideText(pages, furnitureByPage)) return;
  for (const draft of furnitureByPage.flatMap((drafts) => [...drafts])) {
    draft.role = zoneOf(draft, wideMarginShare) ?? 'page_header';
  }
}

/** Whether a block is in a margin and the file marks it as an artifact. */
const isArtifact = (draft: BlockDraft): boolean =>
  isText(draft) && draft.block.artifact && zoneOf(draft) !== undefined;

/** The minimum letter size of a stamp, relative to the body text. */
const stampSize = 1.25;

/**
 * Whether text in a side margin is outside the document's content: line numbers, a stamp in large
 * type, or text that also occurs on other pages. A note that occurs once may be content.
 */
function createBesideTest(
  pages: readonly (readonly BlockDraft[])[],
  bodySize: number,
): (draft: BlockDraft) => boolean {
  const keyOfText = (text: string): string => text.toLowerCase().replace(/\d+/g, '#');
  const counts = new Map<string, number>();
  for (const drafts of pages) {
    const texts = drafts.flatMap((draft) =>
      isText(draft) && draft.block.margin ? [keyOfText(draft.text)] : [],
    );
    for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return (draft) =>
    isText(draft) &&
    draft.block.margin &&
    (!/\p{L}/u.test(draft.text) ||
      draft.size > stampSize * bodySize ||
      (counts.get(keyOfText(draft.text)) ?? 0) > 1);
}

/** Whether most pages with running lines have more other text, or pictures or tables. */
function areBesideText(
  pages: readonly (readonly BlockDraft[])[],
  running: readonly ReadonlySet<BlockDraft>[],
): boolean {
  let [pagesWithText, pageCount] = [0, 0];
  for (const [at, drafts] of pages.entries()) {
    const runningDrafts = running[at];
    if (!runningDrafts || runningDrafts.size === 0) continue;
    pageCount += 1;
    let [letters, otherLetters, hasFixed] = [0, 0, false];
    for (const draft of drafts) {
      if (!isText(draft)) hasFixed = true;
      else if (runningDrafts.has(draft)) letters += draft.text.length;
      else otherLetters += draft.text.length;
    }
    if (hasFixed || otherLetters >= letters) pagesWithText += 1;
  }
  return pagesWithText > 0.5 * pageCount;
}

/**
 * Returns the difference between the number at one end of a row and the number of its page. For
 * page numbers, the difference is the same on all pages; for numbers of headings, it is not.
 */
function offsetOf({ text, drafts }: Row): number | undefined {
  // A number at the start may be the number of a section.
  const number = /^(\d{1,4})(?!\.?\d|\.)\b|\b(\d{1,4})$/.exec(text);
  const page = drafts[0]?.page.page;
  return number && page !== undefined ? Number(number[1] ?? number[2]) - page : undefined;
}

/** Whether a row spans two facing pages, with one page number at each end. */
function isSpread({ text }: Row): boolean {
  const [, left, right] = /^(\d{1,4}) .* (\d{1,4})$/.exec(text) ?? [];
  return left !== undefined && right !== undefined && Number(right) === Number(left) + 1;
}

/**
 * A title with a page number of three digits. Numbers of headings and lists are shorter, and years
 * have four digits.
 */
const folio = /^[1-9]\d{2} (.+)$|^(.+) [1-9]\d{2}$/;
/** Words before a number that identifies something other than a page. */
const reference = /(?:\b(?:nos?|nr|num|n[uú]mero|nummer|number|ref|id|p\.?o)\.?|[#№°º:])$/iu;
/** The minimum number of words in a running title. */
const minTitle = 3;

/**
 * Whether a row of a single page is the title of a book or journal with a page number. Documents of
 * several pages provide more evidence.
 */
function isFolio({ text }: Row): boolean {
  const [, after, before] = folio.exec(text) ?? [];
  const words = (after ?? before ?? '').match(/\p{L}{2,}/gu) ?? [];
  return words.length >= minTitle && !(before && reference.test(before));
}

/** Whether most text of a page is in paragraphs of several lines, as in books. */
function isMostlyProse(drafts: readonly BlockDraft[]): boolean {
  let [prose, all] = [0, 0];
  for (const draft of drafts) {
    if (!isText(draft)) continue;
    all += draft.text.length;
    if (draft.block.lines.length >= 3) prose += draft.text.length;
  }
  return prose > 0.5 * all;
}

/** Whether a row is a running title with the page number before, after or between its parts. */
function isNumbered({ drafts, text }: Row): boolean {
  const words = text.split(' ');
  const number = /^(?:\d{1,4}|[ivxlc]{1,6})$/;
  const hasSeparateNumber = drafts.some((draft) => number.test(draft.text));
  return (
    drafts.every(({ block }) => block.lines.length === 1) &&
    words.length > 1 &&
    words.length <= 16 &&
    !date.test(text) &&
    (hasSeparateNumber || number.test(words[0] ?? '') || number.test(words.at(-1) ?? '')) &&
    !/[.!?:;,]$/.test(words.at(-2) ?? '')
  );
}
