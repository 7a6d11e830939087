import { type LayoutLine, textOf } from '../layout.ts';
import { blockOf, type Draft, draftOf, isText } from './draft.ts';
import { numberOf } from './numbering.ts';

/** Leader dots and the page number after them. */
const leaders = /\s*(?:[.·…‧]\s?){3,}\s*(\d{1,4}|[ivxlc]{1,7}|[A-Z]?-?\d{1,3})?$/;
const pageNumber = /\s(\d{1,4}|[ivxlc]{1,7})$/;
/** A page number without other text. */
const lonely = /^(?:\d{1,4}|[ivxlc]{1,7})$/;
/** Headings of tables of contents. */
export const contentsTitle =
  /^(?:(?:table of )?contents|list of (?:figures|tables|listings|algorithms)|inhalt(?:sverzeichnis)?|(?:abbildungs|tabellen)verzeichnis|table des matières|sommaire|liste des (?:figures|tableaux)|índice(?: general)?|tabla de contenidos|contenido|indice(?: generale)?|elenco delle (?:figure|tabelle)|sommario|sumário|lista de (?:figuras|tabelas)|inhoud(?:sopgave)?|содержание|оглавление|目录|目次|المحتويات|الفهرس)$/iu;

/** The minimum number of entries in a table of contents, and the maximum length of an entry. */
const minEntries = 3;
const longestEntry = 300;

type Entry = { page: number; led: boolean; numbered: boolean };

function entryOf(text: string): Entry | undefined {
  if (text.length > longestEntry || !/\p{L}/u.test(text)) return undefined;
  const led = leaders.exec(text);
  const found = led ? led[1] : pageNumber.exec(text)?.[1];
  if (!led && found === undefined) return undefined;
  return { page: Number(found ?? 0), led: led !== null, numbered: numberOf(text) !== undefined };
}

/** Lines that may be entries. A line without a number at its end continues on the next line. */
type Run = { drafts: Draft[]; entries: { draft: Draft; entry: Entry }[]; titled: boolean };

/** Reads the entries in the lines of a block; undefined if it is not a block of entries. */
function read(run: Run, draft: Draft, open: readonly LayoutLine[]): LayoutLine[] | undefined {
  if (!isText(draft)) return undefined;
  const entries: Run['entries'] = [];
  let lines = [...open];
  for (const line of draft.block.lines) {
    lines.push(line);
    if (lines.length > 3) return undefined;
    const entry = entryOf(lines.map(textOf).join(' ').trim());
    if (!entry) continue;
    const made = draftOf(draft.page, blockOf(lines, draft.block));
    entries.push({ draft: { ...made, role: 'list_item', entry: true }, entry });
    lines = [];
  }
  // A line without a number is an entry only after another entry.
  if (entries.length === 0 && (run.entries.length === 0 || draft.block.lines.length > 1))
    return undefined;
  run.entries.push(...entries);
  return lines;
}

function isContents({ entries, titled }: Run): boolean {
  if (entries.length < minEntries) return false;
  const led = entries.filter(({ entry }) => entry.led).length;
  const numbered = entries.filter(({ entry }) => entry.numbered).length;
  if (led < minEntries && !titled && numbered < 0.7 * entries.length) return false;
  // Page numbers increase, except where another list begins.
  const falls = entries.filter(({ draft, entry }, at) => {
    const before = entries[at - 1];
    return before && before.draft.page === draft.page && entry.page < before.entry.page;
  }).length;
  return falls <= 0.1 * entries.length;
}

/**
 * Finds tables of contents: consecutive lines that end with page numbers and have leader dots, have
 * numbers at the start, or are under a heading such as "Contents". Each entry becomes a list item.
 */
export function withContents(drafts: readonly Draft[]): Draft[] {
  const out: Draft[] = [];
  let run: Run = { drafts: [], entries: [], titled: false };
  let open: LayoutLine[] = [];
  const close = (titled: boolean): void => {
    if (isContents(run)) {
      out.push(...run.entries.map(({ draft }) => draft));
      const rest = run.drafts.filter(
        ({ role, text }) => role.startsWith('page_') || lonely.test(text),
      );
      const last = run.drafts.at(-1);
      if (open.length > 0 && last && !rest.includes(last)) rest.unshift(last);
      out.push(...rest);
    } else out.push(...run.drafts);
    run = { drafts: [], entries: [], titled };
    open = [];
  };
  for (const draft of drafts) {
    if (draft.role.startsWith('page_') || (run.drafts.length > 0 && lonely.test(draft.text))) {
      run.drafts.push(draft);
      continue;
    }
    const isTitle = contentsTitle.test(draft.text);
    const left = isTitle ? undefined : read(run, draft, open);
    if (left) {
      run.drafts.push(draft);
      open = left;
      continue;
    }
    close(isTitle);
    out.push(draft);
  }
  close(false);
  return out;
}

/** Returns the text of an entry without the leader dots. */
export function withoutLeaders(text: string): string {
  return text.replace(/\s*(?:[.·…‧]\s?){4,}\s*/g, ' ');
}
