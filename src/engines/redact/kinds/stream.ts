/*
 * Text with the way back: what a file of some kind says, in pieces that can be written anew. A kind
 * reads a file into streams of pieces; finding and replacing know streams only; then the kind writes
 * the file again with what its pieces hold.
 */
import type { FoundType } from '../../../contracts/entities.ts';
import type { Piece } from '../../files/piece.ts';

export type { Piece };

/**
 * A piece, or what stands between two: a string (a line's end, a tab) is part of the text that people
 * read, a context only of what the detector reads (a column's heading before each of its cells).
 */
export type Part = Piece | string | { readonly context: string };

/** Pieces that are read in one go, so that what runs over several of them is found. */
export interface Stream {
  /** 1-based page of which this is the text; null for what does not show: attributes, targets. */
  page: number | null;
  /** False where only what was found elsewhere is looked for: names and ids made by machines. */
  detect: boolean;
  /**
   * White space inside pieces reads as one blank, as in HTML; lines end where a part is `lineEnd`.
   */
  collapse: boolean;
  parts: Part[];
}

/** A file as its kind reads it. */
export interface Reading {
  pages: number;
  streams: Stream[];
  /** Pictures inside, none of which is kept: nothing here can read them. */
  pictures: number;
  /**
   * Which further pieces have to go because of those that go: of each, one that it was made from. The
   * result of a formula says something of the cell it refers to.
   */
  follow?(touched: ReadonlySet<Piece>): Map<Piece, Piece>;
  /** The file again, with what the pieces now hold. Called once. */
  write(): Uint8Array;
}

/** A place in a stream's joined text that has to go. Spans of a list are in order, without overlap. */
export interface Span {
  type: FoundType;
  start: number;
  end: number;
}

export const piece = (text: string, whole: string | null = null): Piece => ({
  text,
  whole,
  redacted: null,
});

export const stream = (
  page: number | null,
  { detect = true, collapse = false }: { detect?: boolean; collapse?: boolean } = {},
): Stream => ({ page, detect, collapse, parts: [] });

export const isPiece = (part: Part): part is Piece => typeof part === 'object' && 'text' in part;

/** Ends a line in a stream whose pieces hold line ends that are none. */
export const lineEnd = '\u2029';

const textOf = (part: Part): string => {
  if (typeof part === 'string') return part;
  return 'text' in part ? part.text : part.context;
};

/** The text of a stream, contexts and all: what spans count in. */
export const joined = (of: Stream): string => of.parts.map(textOf).join('');

/** Calls `visit` for each part, with where in the text it begins and ends. */
export function visitParts(
  of: Stream,
  visit: (part: Part, start: number, end: number) => void,
): void {
  let start = 0;
  for (const part of of.parts) {
    const end = start + textOf(part).length;
    visit(part, start, end);
    start = end;
  }
}

/** What a span covers of pieces, and of what stands between them, without contexts. */
export function valuesOf(of: Stream, spans: readonly Span[]): (string | null)[] {
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
 * Puts `mark(type)` in the place of each span: whole in the first piece it touches, while its other
 * pieces lose what they have of it. Gives each piece that changes with its new text, and the text of
 * the stream, contexts left out.
 */
export function render(
  of: Stream,
  spans: readonly Span[],
  mark: (type: FoundType) => string,
): { changed: Map<Piece, string>; text: string } {
  const changed = new Map<Piece, string>();
  const marked = new Set<Span>();
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
    .replace(/ ?\u2029[ \u2029]*/g, '\n')
    .trim();

/** Characters that do not show and may stand inside a word or number. */
const invisible = /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const fullWidth = /[\uff01-\uff5e]/;
const unusual = new RegExp(`${lineEnd}|${invisible.source}|${blanks.source}|${fullWidth.source}`);

/**
 * The text as the detector reads it, and for each of its units where it stands in `raw`: without
 * invisible characters, with plain blanks, digits and letters in place of their wide forms.
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
      if (blanks.test(unit)) unit = ' ';
      else if (fullWidth.test(unit)) unit = String.fromCharCode(unit.charCodeAt(0) - 0xfee0);
    }
    if (collapse && /[ \t\r\n\f]/.test(unit)) {
      if (blank) continue;
      unit = ' ';
    }
    if (unit === lineEnd) unit = '\n';
    blank = unit === ' ';
    at[units.length] = index;
    units.push(unit);
  }
  return { text: units.join(''), at };
}
