import type { FoundType } from '@scriptorium/contracts/documents/entities';
import {
  cellIn,
  hiddenPage,
  type TextLocation,
  type TextPiece,
} from '@scriptorium/contracts/documents/shown-text';
import { limits } from '@scriptorium/contracts/limits';
import { type Fault, validationFailed } from '@scriptorium/contracts/problems';
import { capitaliseWords } from '@scriptorium/documents/redact/kinds';
import { createMatcher } from '@scriptorium/documents/redact/matcher';
import type { InTransaction } from '../../../db/transaction.ts';
import type { Review } from '../../../entities/reviews/review.ts';
import type { PageSeal } from '../../sealing/page-content.ts';
import type { TextRange } from '../findings.ts';
import type { Place } from '../locate.ts';
import { openPiece, readPieces, readRange } from './stored.ts';

type Unseal = Pick<PageSeal, 'unseal'>;

const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

/** Maximum number of characters in a range, since people select ranges. */
const maxRangeLength = 10_000;
/** The length of the text read before a range, in which its line may start. */
const precedingLength = 8_300;

/**
 * The place of a range that a person selected.
 * @throws Problem 422 if the range is empty, too long or outside the text
 */
export async function placeOfRange(
  inProject: InTransaction,
  seal: Unseal,
  review: Review,
  page: number,
  { start, end }: TextRange,
): Promise<Place> {
  if (end <= start) {
    throw validationFailed([
      fault('/range', 'empty_range', 'Its `end` must be greater than its `start`.'),
    ]);
  }
  if (end - start > maxRangeLength) {
    const detail = `It must have at most ${maxRangeLength} characters. Select less at a time.`;
    throw validationFailed([fault('/range', 'too_long', detail)]);
  }
  const rangeToRead = { page, start: Math.max(0, start - precedingLength), end: end + 100 };
  const pieces = (await inProject((tx) => readRange(tx, review, rangeToRead))).map((row) =>
    openPiece(seal, review, row),
  );
  const [first] = pieces;
  const text = pieces.map((piece) => piece.text).join('');
  const from = first?.start ?? 0;
  if (!first || end > from + text.length) throw await outsideTextProblem(inProject, review, page);
  const range = wholeCharacters(text, { start: start - from, end: end - from });
  const selected = text.slice(range.start, range.end);
  if (!/\S/u.test(withoutRowNumbers(first, text, range))) {
    throw validationFailed([fault('/range', 'empty_range', 'It must contain more than blanks.')]);
  }
  return {
    page,
    range: { start: range.start + from, end: range.end + from },
    content: {
      text: selected.replaceAll('\u2028', '\n').trim(),
      boxes: [],
      here: true,
      location: locationIn(pieces, range.start + from),
    },
  };
}

async function outsideTextProblem(inProject: InTransaction, review: Review, page: number) {
  const start = { page, after: [page, -1] as const, limit: 1 };
  const [piece] = await inProject((tx) => readPieces(tx, review, start));
  return piece
    ? validationFailed([
        fault('/range', 'outside_text', 'It must end within the text of the page.'),
      ])
    : validationFailed([fault('/page', 'page_not_found', 'It is not a page of this review.')]);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The range, extended at both ends to whole characters including combining marks. */
function wholeCharacters(text: string, { start, end }: TextRange): TextRange {
  const characterAt = (at: number): { start: number; end: number } => {
    // Every position has a character boundary nearby, except in text crafted to have none.
    const from = Math.max(0, at - 50);
    const segment = graphemes.segment(text.slice(from, at + 50)).containing(at - from);
    if (!segment) return { start: at, end: at };
    return { start: from + segment.index, end: from + segment.index + segment.segment.length };
  };
  const last = characterAt(end);
  return { start: characterAt(start).start, end: last.start === end ? end : last.end };
}

/** The text of a range without a sheet's row numbers. */
function withoutRowNumbers({ layout }: TextPiece, text: string, { start, end }: TextRange): string {
  if (layout !== 'sheet') return text.slice(start, end);
  let visible = '';
  for (let from = text.lastIndexOf('\n', start - 1) + 1; from < end; ) {
    const next = text.indexOf('\n', from);
    const lineEnd = next < 0 ? text.length : next + 1;
    const number = /^\d+\t/.exec(text.slice(from, lineEnd))?.[0].length ?? 0;
    visible += text.slice(Math.max(start, from + number), Math.max(from, Math.min(end, lineEnd)));
    from = lineEnd;
  }
  return visible;
}

/** The position of a character within some pieces. */
function locationIn(pieces: readonly TextPiece[], at: number): TextLocation {
  const index = pieces.findLastIndex(({ start }) => start <= at);
  const piece = pieces[index]!;
  const part = piece.parts.findLast(({ start }) => start <= at)?.part ?? 'body';
  const before = piece.text.slice(0, at - piece.start);
  const line = piece.line + before.split('\n').length - 1;
  const lineStart = before.lastIndexOf('\n') + 1;
  // If a line spans several pieces, its cells are not counted.
  const isLineComplete =
    lineStart > 0 || piece.piece === 0 || pieces[index - 1]?.text.endsWith('\n');
  const isCell = part === 'body' && isLineComplete;
  return { part, line, cell: isCell ? cellIn(piece.layout, before.slice(lineStart), line) : null };
}

const piecesPerRead = 40;
/**
 * The length of text that is searched again together with the following text, in which a match may
 * end.
 */
const overlap = 2_000;
/** A match that ends closer to the end of a piece within a line may be part of a longer word. */
const uncertainLength = 100;

/**
 * Every occurrence of a text, found by the matcher of the checks.
 * @throws Problem 422 if there are too many
 */
export async function placesOfText(
  inProject: InTransaction,
  seal: Unseal,
  review: Review,
  type: FoundType,
  text: string,
): Promise<Place[]> {
  const matcher = createMatcher([{ type, value: text }]);
  const places: Place[] = [];
  let page = -1;
  let window: TextPiece[] = [];
  /** The end of the matches already found on the page. */
  let foundUpTo = 0;
  const search = (isLast: boolean): void => {
    const from = window[0]?.start ?? 0;
    const windowText = window.map((piece) => piece.text).join('');
    const isTextComplete = isLast || windowText.endsWith('\n');
    const limit = from + windowText.length - (isTextComplete ? 0 : uncertainLength);
    const hits = matcher.find(page === hiddenPage ? capitaliseWords(windowText) : windowText);
    for (const hit of hits.sort((a, b) => a.start - b.start || b.end - a.end)) {
      const range = { start: from + hit.start, end: from + hit.end };
      if (range.start < foundUpTo || range.end > limit) continue;
      foundUpTo = range.end;
      const value = windowText.slice(hit.start, hit.end).replaceAll('\u2028', '\n');
      const location = locationIn(window, range.start);
      places.push({ page, range, content: { text: value, boxes: [], location } });
    }
  };
  for (let after: readonly [number, number] = [-1, -1]; ; ) {
    const rows = await inProject((tx) => readPieces(tx, review, { after, limit: piecesPerRead }));
    for (const row of rows) {
      const piece = openPiece(seal, review, row);
      if (piece.page !== page) {
        search(true);
        ({ page } = piece);
        window = [];
        foundUpTo = 0;
      }
      const start = piece.start - overlap;
      window = [...window.filter((earlier) => earlier.start + earlier.text.length > start), piece];
      search(false);
      after = [piece.page, piece.piece];
    }
    if (places.length > limits.review_places) {
      const detail = `It occurs in more than ${limits.review_places} places. Make it longer.`;
      throw validationFailed([fault('/text', 'too_many_places', detail)]);
    }
    if (rows.length < piecesPerRead) break;
  }
  search(true);
  return places;
}
