/*
 * Text that can be written back. A kind reads a file into streams of pieces, finding and replacing
 * work on streams only, and then the kind writes the file again from its pieces.
 */
import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { TextLayout, TextPart } from '@scriptorium/contracts/documents/shown-text';
import type { Piece } from '../../files/piece.ts';

export type { Piece };

/**
 * A piece, or something between two: a string (a line end, a tab) is part of the visible text; a
 * context is seen by the detector only (a column heading before each of its cells); `shown` is seen
 * by reviewers only (tabs in place of empty cells).
 */
export type StreamPart = Piece | string | { readonly context: string } | { readonly shown: string };

/** Pieces that are read together, so that values spanning several of them are found. */
export interface Stream {
  /** 1-based page of the text; null if it is not visible: attributes, link targets. */
  page: number | null;
  /** False for generated names and ids, where only values found elsewhere are searched for. */
  detect: boolean;
  /**
   * Whether runs of white space inside pieces read as one space, as in HTML; then only `lineEnd`
   * ends a line.
   */
  collapse: boolean;
  /** The part of the file that its text belongs to. */
  part: TextPart;
  parts: StreamPart[];
}

/** A file as read by its kind. */
export interface FileReading {
  pages: number;
  streams: Stream[];
  /** The number of pictures. None is kept, since pictures are not recognised here. */
  pictures: number;
  /** The kinds of parts with text that are dropped unread; none by default. */
  dropped?: readonly string[];
  /** How a page is shown; `lines` by default. */
  layoutOf?(page: number): TextLayout;
  /** The names of pages, in order; none by default. */
  names?: readonly string[];
  /**
   * Returns further pieces to remove because of those removed, each with one that it depends on.
   * For example, the result of a formula reveals something about the cells it refers to.
   */
  follow?(touched: ReadonlySet<Piece>): Map<Piece, Piece>;
  /** Writes the file with the current content of its pieces. Called once. */
  write(): Uint8Array;
}

/** A range of a stream's joined text to remove. Spans of a list are in order and do not overlap. */
export interface StreamSpan {
  type: FoundType;
  start: number;
  end: number;
}

export const piece = (text: string, whole: string | null = null): Piece => ({
  text: text.includes('\u202e') ? asShown(text) : text,
  whole,
  redacted: null,
});

/**
 * Returns text whose letters a control character displays from right to left, in the order that
 * people see.
 */
const asShown = (text: string): string =>
  text.replace(/\u202e([^\u202a-\u202e\u2066-\u2069\r\n]*)\u202c?/g, (_, run: string) =>
    [...run].reverse().join(''),
  );

export const newStream = (
  page: number | null,
  {
    detect = true,
    collapse = false,
    part = page === null ? 'hidden' : 'body',
  }: Partial<Pick<Stream, 'detect' | 'collapse' | 'part'>> = {},
): Stream => ({ page, detect, collapse, part, parts: [] });

export const isPiece = (part: StreamPart): part is Piece =>
  typeof part === 'object' && 'text' in part;

/** Ends a line in a stream whose pieces contain line ends that do not. */
export const lineEnd = '\u2029';

const textOf = (part: StreamPart): string => {
  if (typeof part === 'string') return part;
  if ('text' in part) return part.text;
  return 'context' in part ? part.context : '';
};

/** Ends a cell in a stream whose pieces contain tabs that do not: it reads as a tab. */
export const cellEnd = '\u2028';

/** Returns the text of a stream including contexts: spans refer to it. */
export const joined = (of: Stream): string => of.parts.map(textOf).join('');

/** Calls `visit` for each part with its range in the text. */
export function visitParts(
  of: Stream,
  visit: (part: StreamPart, start: number, end: number) => void,
): void {
  let start = 0;
  for (const part of of.parts) {
    const end = start + textOf(part).length;
    visit(part, start, end);
    start = end;
  }
}

/** Returns the text under each span without contexts; null if it touches no piece. */
export function replacedTexts(of: Stream, spans: readonly StreamSpan[]): (string | null)[] {
  const values: string[] = spans.map(() => '');
  const touched = spans.map(() => false);
  let first = 0;
  visitParts(of, (part, start, end) => {
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    for (let index = first; index < spans.length && spans[index]!.start < end; index += 1) {
      if (typeof part === 'object' && 'context' in part) continue;
      const span = spans[index]!;
      const text = textOf(part);
      values[index] += text.slice(Math.max(0, span.start - start), span.end - start);
      if (isPiece(part)) touched[index] = true;
    }
  });
  return values.map((value, index) => (touched[index] ? value.trim() : null));
}

/**
 * Replaces each span by `mark(type)`, written into the first piece it touches; its other pieces
 * lose their share. Returns the changed pieces with their new text, and the text of the stream
 * without contexts.
 */
export function renderStream(
  of: Stream,
  spans: readonly StreamSpan[],
  mark: (type: FoundType) => string,
): { changed: Map<Piece, string>; text: string } {
  const changed = new Map<Piece, string>();
  const marked = new Set<StreamSpan>();
  let text = '';
  let first = 0;
  visitParts(of, (part, start, end) => {
    if (!isPiece(part)) {
      if (typeof part === 'string') text += part;
      return;
    }
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    let out = '';
    let at = start;
    let touched = false;
    for (let index = first; index < spans.length && spans[index]!.start < end; index += 1) {
      const span = spans[index]!;
      if (span.end <= start || start === end) continue;
      touched = true;
      out += part.text.slice(at - start, Math.max(span.start, start) - start);
      if (!marked.has(span)) out += mark(span.type);
      marked.add(span);
      at = Math.min(span.end, end);
    }
    out += part.text.slice(at - start);
    if (touched) changed.set(part, part.whole ?? out);
    text += out;
  });
  return { changed, text: of.collapse ? collapsed(text) : text };
}

const collapsed = (text: string): string =>
  text
    .replace(/[ \t\r\n\f]+/g, ' ')
    .replace(/ ?\u2028 ?/g, '\t')
    .replace(/[ \t]?\u2029[ \t\u2029]*/g, '\n')
    .trim();

/** Invisible characters that may occur inside a word or number. */
const invisible = /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const fullWidth = /[\uff01-\uff5e]/;
/** Letters and digits of mathematics begin with this unit. */
const mathematical = '\ud835';
const unusual = new RegExp(
  `${lineEnd}|${cellEnd}|${invisible.source}|${blanks.source}|${fullWidth.source}|${mathematical}`,
);

/**
 * Returns the text as the detector reads it, with the position in `raw` of each of its units:
 * without invisible characters, and with plain spaces, digits and letters instead of wide forms.
 */
export function readable(raw: string, collapse: boolean): { text: string; at: Uint32Array | null } {
  if (!collapse && !unusual.test(raw)) return { text: raw, at: null };
  const at = new Uint32Array(raw.length);
  const units: string[] = [];
  let blank = false;
  for (let index = 0; index < raw.length; index += 1) {
    let unit = raw[index]!;
    if (unit > '\u007f') {
      if (invisible.test(unit)) continue;
      if (unit === mathematical) {
        // Its position is that of its second unit.
        const plain = raw.slice(index, index + 2).normalize('NFKC');
        if (plain.length === 1) {
          index += 1;
          unit = plain;
        }
      }
      if (blanks.test(unit)) unit = ' ';
      else if (fullWidth.test(unit)) unit = String.fromCharCode(unit.charCodeAt(0) - 0xfee0);
    }
    if (collapse && /[ \t\r\n\f]/.test(unit)) {
      if (blank) continue;
      unit = ' ';
    }
    if (unit === lineEnd) unit = '\n';
    if (unit === cellEnd) unit = '\t';
    blank = unit === ' ';
    at[units.length] = index;
    units.push(unit);
  }
  return { text: units.join(''), at };
}
