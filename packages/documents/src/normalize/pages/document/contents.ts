import { type LayoutLine, textOf } from '../layout.ts';
import { type BlockDraft, blockOf, draftOf, isText } from './block-draft.ts';
import { numberOf } from './numbering.ts';

/** Leader dots and the page number after them. */
const leaderDots = /\s*(?:[.·…‧]\s?){3,}\s*(\d{1,4}|[ivxlc]{1,7}|[A-Z]?-?\d{1,3})?$/;
const pageNumber = /\s(\d{1,4}|[ivxlc]{1,7})$/;
/** A page number without other text. */
const pageNumberOnly = /^(?:\d{1,4}|[ivxlc]{1,7})$/;
/** Headings of tables of contents. */
export const contentsTitle =
  /^(?:(?:table of )?contents|list of (?:figures|tables|listings|algorithms)|inhalt(?:sverzeichnis)?|(?:abbildungs|tabellen)verzeichnis|table des matières|sommaire|liste des (?:figures|tableaux)|índice(?: general)?|tabla de contenidos|contenido|indice(?: generale)?|elenco delle (?:figure|tabelle)|sommario|sumário|lista de (?:figuras|tabelas)|inhoud(?:sopgave)?|содержание|оглавление|目录|目次|المحتويات|الفهرس)$/iu;

/** The minimum number of entries in a table of contents, and the maximum length of an entry. */
const minEntries = 3;
const maxEntryLength = 300;

type Entry = { page: number; hasLeaders: boolean; isNumbered: boolean };

function entryOf(text: string): Entry | undefined {
  if (text.length > maxEntryLength || !/\p{L}/u.test(text)) return undefined;
  const leaderMatch = leaderDots.exec(text);
  const found = leaderMatch ? leaderMatch[1] : pageNumber.exec(text)?.[1];
  if (!leaderMatch && found === undefined) return undefined;
  return {
    page: Number(found ?? 0),
    hasLeaders: leaderMatch !== null,
    isNumbered: numberOf(text) !== undefined,
  };
}

/** Lines that may be entries. A line without a number at its end continues on the next line. */
type Run = {
  drafts: BlockDraft[];
  entries: { draft: BlockDraft; entry: Entry }[];
  isTitled: boolean;
};

/** Reads the entries in the lines of a block; undefined if it is not a block of entries. */
function readEntries(
  run: Run,
  draft: BlockDraft,
  pendingLines: readonly LayoutLine[],
): LayoutLine[] | undefined {
  if (!isText(draft)) return undefined;
  const entries: Run['entries'] = [];
  let lines = [...pendingLines];
  for (const line of draft.block.lines) {
    lines.push(line);
    if (lines.length > 3) return undefined;
    const entry = entryOf(lines.map(textOf).join(' ').trim());
    if (!entry) continue;
    const entryDraft = draftOf(draft.page, blockOf(lines, draft.block));
    entries.push({ draft: { ...entryDraft, role: 'list_item', isEntry: true }, entry });
    lines = [];
  }
  // A line without a number is an entry only after another entry.
  if (entries.length === 0 && (run.entries.length === 0 || draft.block.lines.length > 1))
    return undefined;
  run.entries.push(...entries);
  return lines;
}

function isContents({ entries, isTitled }: Run): boolean {
  if (entries.length < minEntries) return false;
  const withLeaders = entries.filter(({ entry }) => entry.hasLeaders).length;
  const withNumbers = entries.filter(({ entry }) => entry.isNumbered).length;
  if (withLeaders < minEntries && !isTitled && withNumbers < 0.7 * entries.length) return false;
  // Page numbers increase, except where another list begins.
  const decreasing = entries.filter(({ draft, entry }, at) => {
    const before = entries[at - 1];
    return before && before.draft.page === draft.page && entry.page < before.entry.page;
  }).length;
  return decreasing <= 0.1 * entries.length;
}

/**
 * Finds tables of contents: consecutive lines that end with page numbers and have leader dots, have
 * numbers at the start, or are under a heading such as "Contents". Each entry becomes a list item.
 */
export function withContents(drafts: readonly BlockDraft[]): BlockDraft[] {
  const out: BlockDraft[] = [];
  let run: Run = { drafts: [], entries: [], isTitled: false };
  let pendingLines: LayoutLine[] = [];
  const closeRun = (isTitled: boolean): void => {
    if (isContents(run)) {
      out.push(...run.entries.map(({ draft }) => draft));
      const otherDrafts = run.drafts.filter(
        ({ role, text }) => role.startsWith('page_') || pageNumberOnly.test(text),
      );
      const last = run.drafts.at(-1);
      if (pendingLines.length > 0 && last && !otherDrafts.includes(last)) otherDrafts.unshift(last);
      out.push(...otherDrafts);
    } else out.push(...run.drafts);
    run = { drafts: [], entries: [], isTitled };
    pendingLines = [];
  };
  for (const draft of drafts) {
    if (
      draft.role.startsWith('page_') ||
      (run.drafts.length > 0 && pageNumberOnly.test(draft.text))
    ) {
      run.drafts.push(draft);
      continue;
    }
    const isTitle = contentsTitle.test(draft.text);
    const remainingLines = isTitle ? undefined : readEntries(run, draft, pendingLines);
    if (remainingLines) {
      run.drafts.push(draft);
      pendingLines = remainingLines;
      continue;
    }
    closeRun(isTitle);
    out.push(draft);
  }
  closeRun(false);
  return out;
}

/** Returns the text of an entry without the leader dots. */
export function withoutLeaders(text: string): string {
  return text.replace(/\s*(?:[.·…‧]\s?){4,}\s*/g, ' ');
}
