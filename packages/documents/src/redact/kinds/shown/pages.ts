import { createHash } from 'node:crypto';
import {
  cellIn,
  hiddenPage,
  type TextLayout,
  type TextLocation,
  type TextPart,
  type TextPiece,
} from '@scriptorium/contracts/documents/shown-text';
import { firstWhere } from '@scriptorium/pii/first-where';
import type { FileReading } from '../stream.ts';
import { type Range, StreamText } from './stream-text.ts';

/** The text of a page as shown to reviewers: the texts of its streams, one after the other. */
export interface ShownPage {
  page: number;
  layout: TextLayout;
  name: string | null;
  text: string;
  sections: Section[];
}

interface Section {
  stream: number;
  part: TextPart;
  /** Offset of the section's text in the text of the page. */
  start: number;
  streamText: StreamText;
}

/** Returns the pages of a file that have text. Content that is on no page comes first. */
export function shownPages({ streams, pages, names, layoutOf }: FileReading): ShownPage[] {
  const shownList: ShownPage[] = [];
  for (let page = hiddenPage; page <= pages; page += 1) {
    const layout = page === hiddenPage ? 'lines' : (layoutOf?.(page) ?? 'lines');
    const sections: Section[] = [];
    let text = '';
    streams.forEach((stream, index) => {
      if ((stream.page ?? hiddenPage) !== page) return;
      const streamText = new StreamText(stream, layout !== 'lines');
      if (streamText.text === '') return;
      if (text !== '' && !text.endsWith('\n')) text += '\n';
      sections.push({
        stream: index,
        part: stream.part,
        start: text.length,
        streamText,
      });
      text += streamText.text;
    });
    if (text === '' && page === hiddenPage) continue;
    shownList.push({ page, layout, name: names?.[page - 1] ?? null, text, sections });
  }
  return shownList;
}

/**
 * Returns a digest of all text and its positions. Offsets are valid only for a text with the same
 * digest.
 */
export function digestOf(pages: readonly ShownPage[]): string {
  const hash = createHash('sha256');
  for (const { page, layout, text, sections } of pages) {
    hash.update(JSON.stringify([page, layout, sections.map(({ start, part }) => [start, part])]));
    hash.update(text);
  }
  return hash.digest('hex');
}

/** Maximum number of characters in a piece: several screens of text. */
const maxPieceLength = 8_192;

/** Yields the text of a page in pieces. */
export function* piecesOf({ page, layout, name, text, sections }: ShownPage): Generator<TextPiece> {
  let line = 1;
  for (let start = 0, piece = 0; start < text.length || piece === 0; piece += 1) {
    const end = endOfPiece(text, start);
    const own = text.slice(start, end);
    const lines = own.split('\n').length - 1;
    const parts = sections
      .filter((section, at) => {
        const next = sections[at + 1]?.start ?? text.length;
        return section.start < end && next > start;
      })
      .map((section) => ({ start: section.start, part: section.part }));
    yield { page, piece, layout, name, start, line, lines, text: own, parts };
    line += lines;
    start = end;
  }
}

function endOfPiece(text: string, start: number): number {
  const max = start + maxPieceLength;
  if (max >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', max - 1);
  if (lineEnd >= start) return lineEnd + 1;
  // In a very long line, a piece must not end between a character and its combining marks.
  let end = max;
  while (end > max - 100 && /\p{M}|\u200d|[\udc00-\udfff]/u.test(text[end]!)) end -= 1;
  return end;
}

/**
 * Maximum length of a line in which cells are counted. A longer line may have a hundred thousand
 * findings.
 */
const maxRowLength = 20_000;

/**
 * Creates a function that returns the location of an offset in the text of a page. Offsets must be
 * passed in ascending order.
 */
export function createLocationFinder({
  layout,
  text,
  sections,
}: ShownPage): (at: number) => TextLocation {
  let line = 1;
  let lineStart = 0;
  return (at) => {
    for (let next = text.indexOf('\n', lineStart); next >= 0 && next < at; ) {
      line += 1;
      lineStart = next + 1;
      next = text.indexOf('\n', lineStart);
    }
    const section = sections[firstWhere(sections.length, (one) => sections[one]!.start > at) - 1];
    const part = section?.part ?? 'body';
    const hasCell = part === 'body' && at - lineStart <= maxRowLength;
    return { part, line, cell: hasCell ? cellIn(layout, text.slice(lineStart, at), line) : null };
  };
}

/** Returns the ranges of streams that are shown in a range of a page. */
export function rawRanges({ sections }: ShownPage, start: number, end: number) {
  return sections.flatMap((section): ({ stream: number } & Range)[] => {
    const own = section.streamText.rawRange(start - section.start, end - section.start);
    return own ? [{ stream: section.stream, ...own }] : [];
  });
}

/** Returns the range of a page in which a range of a stream is shown; null if it is not shown. */
export function shownRange({ sections }: ShownPage, stream: number, range: Range): Range | null {
  const section = sections.find((one) => one.stream === stream);
  const own = section?.streamText.shownRange(range.start, range.end);
  return section && own ? { start: section.start + own.start, end: section.start + own.end } : null;
}
