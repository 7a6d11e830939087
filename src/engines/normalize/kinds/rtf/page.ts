import type { DocBlock, Mark, Span } from '../../document.ts';
import { addSpan, type createBudget, flatten, textOf } from '../build.ts';
import { createRows } from './rows.ts';
import type { Look } from './state.ts';

/** The blocks of a document as they are read. */
export type Page = {
  author: string;
  text(text: string, look: Look, href: string | null): void;
  marker(text: string): void;
  newMarker(): void;
  style(name: string): void;
  block(block: DocBlock): void;
  /** A control word that structures text; false if it is none. */
  control(name: string, value: number | null): boolean;
  openNote(isComment: boolean): void;
  closeNote(): void;
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
  const rows = createRows(budget);
  const notes: DocBlock[] = [];
  const counts = { note: 0, comment: 0 };
  const saved: { paragraph: Paragraph; out: DocBlock[]; label: string; author: string }[] = [];

  const put = (block: DocBlock): void => {
    budget.block();
    if (paragraph.inTable && saved.length === 0) rows.add(block);
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
    if (saved.length === 0) out.push(...rows.end());
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
      // Comments follow their anchor, as the label of a footnote does.
      paragraph.spans = withoutMark(paragraph.spans, isComment);
      addSpan(paragraph.spans, label, ['footnote'], null);
      saved.push({ paragraph, out, label, author: isComment ? page.author.trim() : '' });
      paragraph = newParagraph();
      out = [];
    },
    closeNote() {
      const note = saved.at(-1);
      if (!note) return;
      const block = blockOf(paragraph);
      const blocks = block ? [...out, block] : out;
      saved.pop();
      ({ paragraph, out } = note);
      const own = flatten(blocks);
      const lead: Span[] =
        note.author === '' ? [] : [{ text: `${note.author}: `, marks: [], href: null }];
      const text = textOf(own.length > 0 ? [...lead, ...own] : []);
      if (text.text !== '' && notes.length < maxNotes) {
        notes.push({ role: 'footnote', label: note.label, ...text });
      }
    },
    end() {
      while (saved.length > 0) page.closeNote();
      closeParagraph();
      rows.endRow();
      closeTable();
      return [...out, ...notes];
    },
  };
  return page;
}

/** The mark of a footnote in the text, which the label replaces: a number in superscript. */
function withoutMark(spans: readonly Span[], isComment: boolean): Span[] {
  const last = spans.at(-1);
  const isMark =
    !isComment && last?.marks.includes('superscript') && /^\s*[\d*†]{1,4}\s*$/.test(last.text);
  return isMark ? spans.slice(0, -1) : [...spans];
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
    const plain = text.spans.map((span) => ({
      ...span,
      text: span.text.replace(/\n/g, ' '),
      marks: span.marks.filter((mark) => mark !== 'bold' && mark !== 'italic'),
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
