import type { DocBlock, Mark, Span } from '../../document.ts';
import {
  addSpan,
  type createBudget,
  flatten,
  toTextFields,
  withoutEmphasis,
} from '../build-blocks.ts';
import type { CharacterFormat } from './state.ts';
import { createTableReader } from './table-reader.ts';

/** The blocks of a document that is being read. */
export type DocumentBuilder = {
  author: string;
  addText(text: string, format: CharacterFormat, href: string | null): void;
  addToMarker(text: string): void;
  startMarker(): void;
  setStyle(name: string): void;
  addBlock(block: DocBlock): void;
  /** Handles a control word that structures text. Returns false for other control words. */
  handleControl(name: string, value: number | null): boolean;
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

const marksOf = (format: CharacterFormat): Mark[] => [
  ...(format.bold ? (['bold'] as const) : []),
  ...(format.italic ? (['italic'] as const) : []),
  ...(format.strike ? (['strike'] as const) : []),
  ...(format.script ? [format.script] : []),
];

export function createDocumentBuilder(budget: ReturnType<typeof createBudget>): DocumentBuilder {
  let paragraph = newParagraph();
  let out: DocBlock[] = [];
  let rows = createTableReader(budget);
  const outerBlocks = createOuterBlocks();
  const counts = { note: 0, comment: 0 };
  /** The text that notes, boxes, headers and footers interrupted. They may be nested. */
  const interrupted: { paragraph: Paragraph; out: DocBlock[]; rows: typeof rows }[] = [];
  const openNotes: Note[] = [];
  const beginNested = (): void => {
    interrupted.push({ paragraph, out, rows });
    paragraph = newParagraph();
    out = [];
    rows = createTableReader(budget);
  };
  /** Resumes the interrupted text. Returns the blocks since the interruption. */
  const endNested = (): DocBlock[] => {
    closeParagraph();
    rows.endRow();
    closeTable();
    const blocks = out;
    const before = interrupted.pop();
    if (before) ({ paragraph, out, rows } = before);
    return blocks;
  };

  const appendBlock = (block: DocBlock): void => {
    budget.countBlock();
    if (paragraph.inTable) rows.add(block);
    else {
      closeTable();
      out.push(block);
    }
  };
  const closeParagraph = (): void => {
    const block = blockOf(paragraph);
    if (block) appendBlock(block);
    else if (!paragraph.inTable) closeTable();
    paragraph = { ...paragraph, spans: [], marker: null };
  };
  const closeTable = (): void => {
    out.push(...rows.end());
  };
  const builder: DocumentBuilder = {
    author: '',
    addText(text, format, href) {
      addSpan(paragraph.spans, text, marksOf(format), href);
    },
    startMarker() {
      paragraph.marker = '';
    },
    addToMarker(text) {
      if ((paragraph.marker ?? '').length < 40) paragraph.marker = (paragraph.marker ?? '') + text;
    },
    setStyle(name) {
      paragraph.style = name;
    },
    addBlock: appendBlock,
    handleControl(name, value) {
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
          return rows.handleControl(name, value);
      }
    },
    openNote(isComment) {
      if (isComment) counts.comment += 1;
      else counts.note += 1;
      const label = isComment ? `c${counts.comment}` : String(counts.note);
      // A comment follows its anchor. The label of a footnote replaces the mark.
      if (!isComment) removeFootnoteMark(paragraph.spans);
      addSpan(paragraph.spans, label, ['footnote'], null);
      openNotes.push({ label, author: isComment ? builder.author.trim() : '' });
      beginNested();
    },
    closeNote() {
      const note = openNotes.pop();
      if (note) outerBlocks.addNote(note, endNested());
    },
    openBox: beginNested,
    closeBox() {
      for (const block of endNested()) appendBlock(block);
    },
    closeFurniture: (kind) => outerBlocks.addFurniture(kind, endNested()),
    end() {
      // In a truncated file, notes may still be open.
      while (openNotes.length > 0) builder.closeNote();
      while (interrupted.length > 0) builder.closeBox();
      closeParagraph();
      rows.endRow();
      closeTable();
      return outerBlocks.surround(out);
    },
  };
  return builder;
}

type Note = { label: string; author: string };

/** Creates a collector of the blocks before and after the text: headers, notes and footers. */
function createOuterBlocks(): {
  addNote(note: Note, blocks: readonly DocBlock[]): void;
  addFurniture(kind: 'header' | 'footer', blocks: readonly DocBlock[]): void;
  surround(blocks: readonly DocBlock[]): DocBlock[];
} {
  const notes: DocBlock[] = [];
  const furniture = {
    header: new Map<string, DocBlock>(),
    footer: new Map<string, DocBlock>(),
  };
  return {
    addNote({ label, author }, blocks) {
      const noteSpans = flatten(blocks);
      const prefix: Span[] = author === '' ? [] : [{ text: `${author}: `, marks: [], href: null }];
      const text = toTextFields(noteSpans.length > 0 ? [...prefix, ...noteSpans] : []);
      if (text.text !== '' && notes.length < maxNotes) {
        notes.push({ role: 'footnote', label, ...text });
      }
    },
    addFurniture(kind, blocks) {
      const role = kind === 'header' ? 'page_header' : 'page_footer';
      for (const block of blocks) {
        const text = toTextFields(flatten([block]));
        // Each section repeats the headers and footers of its pages.
        const blocksByText = furniture[kind];
        if (text.text !== '' && blocksByText.size < maxNotes)
          blocksByText.set(text.text, { role, ...text });
      }
    },
    surround: (blocks) => [
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
function removeFootnoteMark(spans: Span[]): void {
  const last = spans.at(-1);
  if (last?.marks.includes('superscript') && /^\s*[\d*†]{1,4}\s*$/.test(last.text)) spans.pop();
}

function blockOf({ spans, style, outline, marker, level }: Paragraph): DocBlock | null {
  const text = toTextFields(spans);
  if (text.text === '') return null;
  const [, headingLevel] =
    /^(?:heading|überschrift|titre|título|titolo|kop|rubrik) ?(\d)/.exec(style) ?? [];
  const heading = headingLevel
    ? Number(headingLevel) + 1
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
    return { role: 'heading', level: heading, ...toTextFields(plain) };
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
