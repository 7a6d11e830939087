import type { DocBlock, Mark, Span } from '../../document.ts';
import { addSpan, type createBudget, flatten, textOf, withoutEmphasis } from '../build.ts';
import { createRows } from './rows.ts';
import type { Look } from './state.ts';

/** The blocks of a document that is being read. */
export type Page = {
  author: string;
  text(text: string, look: Look, href: string | null): void;
  marker(text: string): void;
  newMarker(): void;
  style(name: string): void;
  block(block: DocBlock): void;
  /** Handles a control word that structures text. Returns false for other control words. */
  control(name: string, value: number | null): boolean;
  openNote(isComment: boolean): void;
  closeNote(): void;
  /** Begins the text of a box, header or footer, which has separate paragraphs and tables. */
  openBox(): void;
  /** Ends a box. Its blocks precede the paragraph in which it is anchored. */
  closeBox(): void;
  closeFurniture(kind: 'header' | 'footer'): void;
  end(): DocBlock[];
};

type Paragraph = {
  spans: Span[];
  style: string;
  outline: number | null;
  marker: string | null;
  level: number;
  inTable: boolean;
};
const maxNotes = 20_000;
const bulletSigns = /^[\s•·▪◦‣o§\-–*\uf000-\uf0ff]*$/u;

const newParagraph = (): Paragraph => ({
  spans: [],
  style: '',
  outline: null,
  marker: null,
  level: 0,
  inTable: false,
});

const marksOf = (look: Look): Mark[] => [
  ...(look.bold ? (['bold'] as const) : []),
  ...(look.italic ? (['italic'] as const) : []),
  ...(look.strike ? (['strike'] as const) : []),
  ...(look.script ? [look.script] : []),
];

export function createPage(budget: ReturnType<typeof createBudget>): Page {
  let paragraph = newParagraph();
  let out: DocBlock[] = [];
  let rows = createRows(budget);
  const apart = createApart();
  const counts = { note: 0, comment: 0 };
  /** The text that notes, boxes, headers and footers interrupted. They may be nested. */
  const saved: { paragraph: Paragraph; out: DocBlock[]; rows: typeof rows }[] = [];
  const openNotes: Note[] = [];
  const begin = (): void => {
    saved.push({ paragraph, out, rows });
    paragraph = newParagraph();
    out = [];
    rows = createRows(budget);
  };
  /** Resumes the interrupted text. Returns the blocks since the interruption. */
  const finish = (): DocBlock[] => {
    closeParagraph();
    rows.endRow();
    closeTable();
    const blocks = out;
    const before = saved.pop();
    if (before) ({ paragraph, out, rows } = before);
    return blocks;
  };

  const put = (block: DocBlock): void => {
    budget.block();
    if (paragraph.inTable) rows.add(block);
    else {
      closeTable();
      out.push(block);
    }
  };
  const closeParagraph = (): void => {
    const block = blockOf(paragraph);
    if (block) put(block);
    else if (!paragraph.inTable) closeTable();
    paragraph = { ...paragraph, spans: [], marker: null };
  };
  const closeTable = (): void => {
    out.push(...rows.end());
  };
  const page: Page = {
    author: '',
    text(text, look, href) {
      addSpan(paragraph.spans, text, marksOf(look), href);
    },
    newMarker() {
      paragraph.marker = '';
    },
    marker(text) {
      if ((paragraph.marker ?? '').length < 40) paragraph.marker = (paragraph.marker ?? '') + text;
    },
    style(name) {
      paragraph.style = name;
    },
    block: put,
    control(name, value) {
      switch (name) {
        case 'par':
        case 'sect':
        case 'page':
          closeParagraph();
          return true;
        case 'pard':
          paragraph = { ...newParagraph(), spans: paragraph.spans, marker: paragraph.marker };
          return true;
        case 'intbl':
          paragraph.inTable = true;
          return true;
        case 'outlinelevel':
          paragraph.outline = value;
          return true;
        case 'ilvl':
          paragraph.level = Math.min(8, Math.max(0, value ?? 0));
          return true;
        case 'cell':
        case 'nestcell':
          paragraph.inTable = true;
          closeParagraph();
          rows.endCell();
          return true;
        case 'row':
        case 'nestrow':
          rows.endRow();
          paragraph.inTable = false;
          return true;
        default:
          return rows.control(name, value);
      }
    },
    openNote(isComment) {
      if (isComment) counts.comment += 1;
      else counts.note += 1;
      const label = isComment ? `c${counts.comment}` : String(counts.note);
      // A comment follows its anchor. The label of a footnote replaces the mark.
      if (!isComment) dropMark(paragraph.spans);
      addSpan(paragraph.spans, label, ['footnote'], null);
      openNotes.push({ label, author: isComment ? page.author.trim() : '' });
      begin();
    },
    closeNote() {
      const note = openNotes.pop();
      if (note) apart.addNote(note, finish());
    },
    openBox: begin,
    closeBox() {
      for (const block of finish()) put(block);
    },
    closeFurniture: (kind) => apart.addFurniture(kind, finish()),
    end() {
      // In a truncated file, notes may still be open.
      while (openNotes.length > 0) page.closeNote();
      while (saved.length > 0) page.closeBox();
      closeParagraph();
      rows.endRow();
      closeTable();
      return apart.around(out);
    },
  };
  return page;
}

type Note = { label: string; author: string };

/** Creates a collector of the blocks before and after the text: headers, notes and footers. */
function createApart(): {
  addNote(note: Note, blocks: readonly DocBlock[]): void;
  addFurniture(kind: 'header' | 'footer', blocks: readonly DocBlock[]): void;
  around(blocks: readonly DocBlock[]): DocBlock[];
} {
  const notes: DocBlock[] = [];
  const furniture = {
    header: new Map<string, DocBlock>(),
    footer: new Map<string, DocBlock>(),
  };
  return {
    addNote({ label, author }, blocks) {
      const own = flatten(blocks);
      const lead: Span[] = author === '' ? [] : [{ text: `${author}: `, marks: [], href: null }];
      const text = textOf(own.length > 0 ? [...lead, ...own] : []);
      if (text.text !== '' && notes.length < maxNotes) {
        notes.push({ role: 'footnote', label, ...text });
      }
    },
    addFurniture(kind, blocks) {
      const role = kind === 'header' ? 'page_header' : 'page_footer';
      for (const block of blocks) {
        const text = textOf(flatten([block]));
        // Each section repeats the headers and footers of its pages.
        const all = furniture[kind];
        if (text.text !== '' && all.size < maxNotes) all.set(text.text, { role, ...text });
      }
    },
    around: (blocks) => [
      ...furniture.header.values(),
      ...blocks,
      ...notes,
      ...furniture.footer.values(),
    ],
  };
}

/**
 * Removes the mark of a footnote (a number in superscript) from the text, because the label
 * replaces it.
 */
function dropMark(spans: Span[]): void {
  const last = spans.at(-1);
  if (last?.marks.includes('superscript') && /^\s*[\d*†]{1,4}\s*$/.test(last.text)) spans.pop();
}

function blockOf({ spans, style, outline, marker, level }: Paragraph): DocBlock | null {
  const text = textOf(spans);
  if (text.text === '') return null;
  const [, named] =
    /^(?:heading|überschrift|titre|título|titolo|kop|rubrik) ?(\d)/.exec(style) ?? [];
  const heading = named
    ? Number(named) + 1
    : style === 'title'
      ? 1
      : outline !== null && outline < 9
        ? outline + 2
        : null;
  if (heading !== null) {
    const plain = withoutEmphasis(text.spans).map((span) => ({
      ...span,
      text: span.text.replace(/\n/g, ' '),
    }));
    return { role: 'heading', level: heading, ...textOf(plain) };
  }
  if (marker !== null && marker.trim() !== '') {
    const ordered = !bulletSigns.test(marker);
    return {
      role: 'list_item',
      level,
      marker: ordered ? marker.trim() : '-',
      ordered,
      checked: null,
      ...text,
    };
  }
  if (/^quot/.test(style)) return { role: 'quote', ...text };
  if (/^(preformatted|source code|html preformatted|plain text code)/.test(style)) {
    return { role: 'code', language: null, ...text };
  }
  return { role: 'paragraph', ...text };
}
