/*
 * Text that can be written back. Each kind of file is read into streams of pieces. Finding and
 * replacing operate only on streams. Finally, the kind writes the file from its pieces.
 */
import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { TextLayout, TextPart } from '@scriptorium/contracts/documents/shown-text';
import { EngineError } from '@scriptorium/sandbox/errors';
import type { Piece } from '../../files/piece.ts';

export type { Piece };

/**
 * A piece, or a part between two pieces. A string (a line break, a tab) is part of the visible
 * text. A `context` is passed only to the detector (a column heading before each of its cells). A
 * `shown` text is visible only to reviewers (tabs in place of empty cells).
 */
export type StreamPart = Piece | string | { readonly context: string } | { readonly shown: string };

/** Pieces that are read together, so that values that span several of them are found. */
export interface Stream {
  /** 1-based page of the text; null for invisible text, such as attributes and link targets. */
  page: number | null;
  /**
   * Whether the detector runs on the stream. False for generated names and ids, which are searched
   * only for values found elsewhere.
   */
  detect: boolean;
  /**
   * Whether white space inside pieces collapses to a single space, as in HTML. If so, only
   * `lineEnd` ends a line.
   */
  collapse: boolean;
  /**
   * Whether adjacent pieces belong together, as the lines of an address do. Otherwise a finding ends
   * with the first piece that it touches.
   */
  related: boolean;
  /** The part of the file to which the text belongs. */
  part: TextPart;
  parts: StreamPart[];
}

/** A file that its kind has read into streams. */
export interface FileReading {
  pages: number;
  streams: Stream[];
  /** Number of pictures that are replaced or left out, because no redaction of them was proved. */
  pictures: number;
  /** The kinds of parts with text that are dropped unread. Default: none. */
  dropped?: readonly string[];
  /** The names and addresses of the recipients of a message. Default: none. */
  recipients?: readonly string[];
  /** Returns the layout in which a page is shown. Default: `lines`. */
  layoutOf?(page: number): TextLayout;
  /** The names of the pages, in order. Default: none. */
  names?: readonly string[];
  /**
   * Returns further pieces that must be removed because of removed ones, each with a piece on which
   * it depends. For example, the result of a formula reveals information about the cells to which
   * it refers.
   */
  follow?(touched: ReadonlySet<Piece>): Map<Piece, Piece>;
  /** Writes the file with the current content of its pieces. Must be called only once. */
  write(): Uint8Array;
}

/**
 * A range to remove from the joined text of a stream. The spans of a list are in order and do not
 * overlap.
 */
export interface StreamSpan {
  type: FoundType;
  start: number;
  end: number;
}

export const piece = (text: string, whole: string | null = null): Piece => ({
  text: text.includes('\u202e') ? inDisplayOrder(text) : text,
  wholeReplacement: whole,
  redacted: null,
});

/** Returns text in display order if a control character displays its letters from right to left. */
const inDisplayOrder = (text: string): string =>
  text.replace(/\u202e([^\u202a-\u202e\u2066-\u2069\r\n]*)\u202c?/g, (_, run: string) =>
    [...run].reverse().join(''),
  );

export const newStream = (
  page: number | null,
  {
    detect = true,
    collapse = false,
    related = page !== null,
    part = page === null ? 'hidden' : 'body',
  }: Partial<Omit<Stream, 'page' | 'parts'>> = {},
): Stream => ({ page, detect, collapse, related, part, parts: [] });

export const isPiece = (part: StreamPart): part is Piece =>
  typeof part === 'object' && 'text' in part;

/** Maximum number of characters in a file. A detector processes them in one or two minutes. */
const maxCharacters = 24e6;

/**
 * Returns the number of characters in the pieces of a stream, plus a number.
 * @throws EngineError `too_large` if the sum is more than a file may have
 */
export function addCharacters(sum: number, { parts }: Stream): number {
  let total = sum;
  for (const part of parts) if (isPiece(part)) total += part.text.length;
  if (total > maxCharacters) {
    throw new EngineError('too_large', 'The file has more than 24 million characters of text.');
  }
  return total;
}

/** Ends a line in streams with pieces in which other line breaks do not end a line. */
export const lineEnd = '\u2029';

const textOf = (part: StreamPart): string => {
  if (typeof part === 'string') return part;
  if ('text' in part) return part.text;
  return 'context' in part ? part.context : '';
};

/** Ends a cell in streams with pieces in which tabs do not end a cell. It is read as a tab. */
export const cellEnd = '\u2028';

/** Returns the text of a stream, including contexts. Spans refer to this text. */
export const streamText = (stream: Stream): string => stream.parts.map(textOf).join('');

/** Calls `visit` for each part with its range in the text. */
export function visitParts(
  stream: Stream,
  visit: (part: StreamPart, start: number, end: number) => void,
): void {
  let start = 0;
  for (const part of stream.parts) {
    const end = start + textOf(part).length;
    visit(part, start, end);
    start = end;
  }
}

/**
 * Returns the text that each span covers, without contexts; null if a span does not touch a piece.
 */
export function replacedTexts(stream: Stream, spans: readonly StreamSpan[]): (string | null)[] {
  const values: string[] = spans.map(() => '');
  const touchesPiece = spans.map(() => false);
  let first = 0;
  visitParts(stream, (part, start, end) => {
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    for (let index = first; index < spans.length && spans[index]!.start < end; index += 1) {
      if (typeof part === 'object' && 'context' in part) continue;
      const span = spans[index]!;
      const text = textOf(part);
      values[index] += text.slice(Math.max(0, span.start - start), span.end - start);
      if (isPiece(part)) touchesPiece[index] = true;
    }
  });
  return values.map((value, index) => (touchesPiece[index] ? value.trim() : null));
}

/**
 * Replaces each span with `mark(type)`. The mark is written into the first piece that the span
 * touches, and the covered text of the other pieces is removed. Returns the changed pieces with
 * their new text, and the text of the stream without contexts.
 */
export function renderStream(
  stream: Stream,
  spans: readonly StreamSpan[],
  mark: (type: FoundType) => string,
): { changed: Map<Piece, string>; text: string } {
  const changed = new Map<Piece, string>();
  const markedSpans = new Set<StreamSpan>();
  let text = '';
  let first = 0;
  visitParts(stream, (part, start, end) => {
    if (!isPiece(part)) {
      if (typeof part === 'string') text += part;
      return;
    }
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    let out = '';
    let at = start;
    let isTouched = false;
    for (let index = first; index < spans.length && spans[index]!.start < end; index += 1) {
      const span = spans[index]!;
      if (span.end <= start || start === end) continue;
      isTouched = true;
      out += part.text.slice(at - start, Math.max(span.start, start) - start);
      if (!markedSpans.has(span)) out += mark(span.type);
      markedSpans.add(span);
      at = Math.min(span.end, end);
    }
    out += part.text.slice(at - start);
    if (isTouched) changed.set(part, part.wholeReplacement ?? out);
    text += out;
  });
  return { changed, text: stream.collapse ? collapseWhiteSpace(text) : text };
}

const collapseWhiteSpace = (text: string): string =>
  text
    .replace(/[ \t\r\n\f]+/g, ' ')
    .replace(/ ?\u2028 ?/g, '\t')
    .replace(/[ \t]?\u2029[ \t\u2029]*/g, '\n')
    .trim();

/** Invisible characters that may occur inside a word or number. */
const invisibleCharacter =
  /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const wideSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const fullWidthCharacter = /[\uff01-\uff5e]/;
/** The first unit of mathematical letters and digits. */
const mathematicalSurrogate = '\ud835';
const unusualCharacter = new RegExp(
  `${lineEnd}|${cellEnd}|${invisibleCharacter.source}|${wideSpace.source}|${fullWidthCharacter.source}|${mathematicalSurrogate}`,
);

/**
 * Returns the text that is passed to the detector: without invisible characters, and with plain
 * spaces, digits and letters in place of wide forms. `at` contains the position of each of its
 * units in `raw`.
 */
export function detectorText(
  raw: string,
  collapse: boolean,
): { text: string; at: Uint32Array | null } {
  if (!collapse && !unusualCharacter.test(raw)) return { text: raw, at: null };
  const at = new Uint32Array(raw.length);
  const units: string[] = [];
  let isBlank = false;
  for (let index = 0; index < raw.length; index += 1) {
    let unit = raw[index]!;
    if (unit > '\u007f') {
      if (invisibleCharacter.test(unit)) continue;
      if (unit === mathematicalSurrogate) {
        // The position of such a character is that of its second unit.
        const plain = raw.slice(index, index + 2).normalize('NFKC');
        if (plain.length === 1) {
          index += 1;
          unit = plain;
        }
      }
      if (wideSpace.test(unit)) unit = ' ';
      else if (fullWidthCharacter.test(unit))
        unit = String.fromCharCode(unit.charCodeAt(0) - 0xfee0);
    }
    if (collapse && /[ \t\r\n\f]/.test(unit)) {
      if (isBlank) continue;
      unit = ' ';
    }
    if (unit === lineEnd) unit = '\n';
    if (unit === cellEnd) unit = '\t';
    isBlank = unit === ' ';
    at[units.length] = index;
    units.push(unit);
  }
  return { text: units.join(''), at };
}
