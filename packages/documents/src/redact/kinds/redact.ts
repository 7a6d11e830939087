import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { Detector } from '@scriptorium/pii/finding';
import type { PlaceInKind } from '../contract/requests.ts';
import { deepMatchers } from '../matching/matcher.ts';
import type { FoundValue } from '../values/doubt.ts';
import { createSeeker, type Seeker } from '../values/seek.ts';
import { createUsage } from '../values/usage.ts';
import { type KeptValue, type RemovedValue, unite } from './spans.ts';
import {
  type FileReading,
  isPiece,
  joined,
  type Piece,
  readable,
  renderStream,
  replacedTexts,
  type Stream,
  type StreamPart,
  type StreamSpan,
  visitParts,
} from './stream.ts';

/** Five blocks, regardless of the length of the hidden text. */
export const blackBox = '█████';
export const label = (type: FoundType): string => `[${type}]`;

/** The removals from a file. */
export interface Removed {
  /** The removed places, one entry per place. */
  places: PlaceInKind[];
  /** The found values, with the parts of names. None of them may occur anywhere in the output. */
  values: RemovedValue[];
  /** The text of each page with `[TYPE]` in place of each removal. */
  pages: string[];
}

/**
 * Maximum length of a form, in characters. A longer table has headings instead of labels beside its
 * values.
 */
const longestForm = 200_000;

/** Runs the detector on a text. The returned positions are offsets in the source. */
function detectIn(raw: string, collapse: boolean, detector: Detector): Finding[] {
  const { text, at } = readable(raw, collapse);
  return detector(text).map(({ type, start, end, score }) => {
    if (at === null) return { type, start, end, score };
    const from = at[start] ?? 0;
    // A finding must not start within a surrogate pair.
    const isSecond = /[\udc00-\udfff]/.test(raw[from] ?? '');
    return { type, start: isSecond ? from - 1 : from, end: (at[end - 1] ?? 0) + 1, score };
  });
}

/**
 * Runs the detector on the rows of a table without its headings. In a form, the first row does not
 * contain headings, and labels are beside their values.
 */
function detectInRows(of: Stream, detector: Detector): Finding[] {
  const isContext = (part: StreamPart): boolean => typeof part === 'object' && 'context' in part;
  if (!of.parts.some(isContext)) return [];
  const places: number[] = [];
  let rows = '';
  visitParts(of, (part, start, end) => {
    if (isContext(part) || rows.length > longestForm) return;
    const text = typeof part === 'string' ? part : 'text' in part ? part.text : '';
    rows += text;
    for (let at = start; at < end; at += 1) places.push(at);
  });
  if (rows.length > longestForm) return [];
  return detectIn(rows, of.collapse, detector).map((found) => ({
    ...found,
    start: places[found.start] ?? 0,
    end: (places[found.end - 1] ?? 0) + 1,
  }));
}

const gapInNumber = /\d {2,4}\d/;

/** Finds numbers with wide gaps, as in justified text, by treating the gaps as single spaces. */
function detectOverGaps(raw: string, collapse: boolean, detector: Detector): Finding[] {
  if (collapse || !gapInNumber.test(raw)) return [];
  const places: number[] = [];
  let narrow = '';
  for (let at = 0; at < raw.length; at += 1) {
    const unit = raw.charAt(at);
    if (unit === ' ' && narrow.endsWith(' ')) continue;
    narrow += unit;
    places.push(at);
  }
  return detectIn(narrow, collapse, detector)
    .map((found) => ({
      ...found,
      start: places[found.start] ?? 0,
      end: (places[found.end - 1] ?? 0) + 1,
    }))
    .filter(({ start, end }) => gapInNumber.test(raw.slice(start, end)));
}

/** Merges the findings of several readings. Of overlapping findings, the longest is kept. */
function longest(findings: readonly Finding[], length: number): Finding[] {
  const taken = new Uint8Array(length);
  const kept: Finding[] = [];
  for (const found of findings.toSorted((a, b) => b.end - b.start - (a.end - a.start))) {
    if (taken.subarray(found.start, found.end).includes(1)) continue;
    taken.fill(1, found.start, found.end);
    kept.push(found);
  }
  return kept.sort((a, b) => a.start - b.start);
}

interface Finding extends StreamSpan {
  score: number;
}

/** Returns the findings of the detector in a stream that touch a piece. */
export function detectInStream(of: Stream, detector: Detector): Found[] {
  const text = joined(of);
  const inAll = detectIn(text, of.collapse, detector);
  const inRows = detectInRows(of, detector);
  const more = [...inRows, ...detectOverGaps(text, of.collapse, detector)];
  const findings = more.length === 0 ? inAll : longest([...inAll, ...more], text.length);
  const spans = of.page === null ? withinTexts(of, findings) : findings;
  const values = replacedTexts(of, spans);
  return spans.flatMap((span, index) => {
    const value = values[index];
    return value ? [{ ...span, value }] : [];
  });
}

/**
 * Cuts spans that cover several pieces at the end of the first piece, because adjacent pieces of
 * invisible text are unrelated.
 */
function withinTexts<T extends StreamSpan>(of: Stream, spans: readonly T[]): T[] {
  const cut = spans.map((span) => ({ ...span }));
  let first = 0;
  visitParts(of, (part, start, end) => {
    if (isPiece(part)) return;
    while (first < cut.length && cut[first]!.end <= start) first += 1;
    const span = cut[first];
    if (!span || span.start >= end) return;
    if (span.start >= start) span.start = Math.min(end, span.end);
    else span.end = start;
  });
  return cut.filter(({ start, end }) => start < end);
}

interface Found extends Finding {
  value: string;
}

/** The values to remove from a file. */
export interface Removals {
  /** For each stream, the ranges to remove, in order and without overlap. */
  spans: ScoredSpan[][];
  /** The found values, with the parts of names. None of them may occur anywhere in the output. */
  values: RemovedValue[];
  /** Removed values that may occur elsewhere because people kept them there. */
  kept?: KeptValue[];
}

export interface ScoredSpan extends StreamSpan {
  score: number;
}

/**
 * Finds the content that must be removed from a file: the findings of the detector, and all other
 * occurrences of the found values.
 */
export function findRemovals(
  { streams, follow }: FileReading,
  detector: Detector,
  allowList: readonly string[],
): Removals {
  const found = streams.map((of) => (of.detect ? detectInStream(of, detector) : []));
  const all = found.flat();
  const seeker = seekerFor(streams, all, allowList);
  const values = [...all.filter((one) => !seeker.isDoubtful(one)), ...seeker.claims];
  const spans = streams.map((of, index) =>
    unite<StreamSpan>(found[index] ?? [], seeker.find(soughtText(of))),
  );
  addEncoded(streams, spans, values);
  if (follow) addFollowing(streams, spans, follow);
  const best = new Map<FoundType, number>();
  for (const { type, score } of all) best.set(type, Math.max(score, best.get(type) ?? 0));
  return {
    spans: spans.map((here, index) => {
      const scores = new Map((found[index] ?? []).map(({ start, score }) => [start, score]));
      return here.map((span) => ({
        ...span,
        // A repeated value gets the highest score of its type.
        score: scores.get(span.start) ?? best.get(span.type) ?? 1,
      }));
    }),
    values: values.map(({ type, value }) => ({ type, value })),
  };
}

/**
 * Returns the text of a stream in the form in which values are searched for. Words of invisible
 * text are capitalised, because names and link targets are often in lower case.
 */
const soughtText = (of: Stream): string => (of.page === null ? titled(joined(of)) : joined(of));

/** Writes placeholders into the pieces of a file. */
export function remove(
  { streams, pages }: FileReading,
  { spans, values }: Removals,
  mark: (type: FoundType) => string,
): Removed {
  const removed: Removed = { places: [], values, pages: Array.from({ length: pages }, () => '') };
  streams.forEach((of, index) => {
    const { page } = of;
    const here = spans[index] ?? [];
    const { changed } = renderStream(of, here, mark);
    for (const [piece, text] of changed) piece.redacted = text;
    if (page !== null) removed.pages[page - 1] += renderStream(of, here, label).text;
    const stood = replacedTexts(of, here);
    here.forEach(({ type, score }, at) => {
      const value = stood[at];
      if (value) removed.places.push({ type, score, value, page });
    });
  });
  return removed;
}

/** Creates the search for all values that were found in a file. */
export function seekerFor(
  streams: readonly Stream[],
  found: readonly FoundValue[],
  allowList: readonly string[],
): Seeker {
  const usage = createUsage(found);
  for (const of of streams) if (of.page !== null) usage.note(joined(of));
  return createSeeker(found, usage, allowList);
}

/** Returns whether a person kept content in a range of a stream. */
export type Stays = (stream: number, start: number, end: number) => boolean;

const escapes = /\\u[0-9a-f]{4}|%[0-9a-f]{2}|&#/i;

/**
 * Adds pieces of invisible text that contain an encoded value: escaped, in base64, or reversed. The
 * whole piece is removed.
 */
export function addEncoded(
  streams: readonly Stream[],
  spans: StreamSpan[][],
  values: readonly RemovedValue[],
  stays: Stays = () => false,
): void {
  const hidden = streams.flatMap((of, index) => (of.page === null ? [{ of, index }] : []));
  if (values.length === 0 || hidden.every(({ of }) => of.parts.length === 0)) return;
  for (const matcher of deepMatchers(values)) {
    for (const { of, index } of hidden) {
      if (matcher.inHiddenText(joined(of)) === undefined) continue;
      const touched = touchedBy(of, spans[index] ?? []);
      const more: StreamSpan[] = [];
      visitParts(of, (part, start, end) => {
        if (!isPiece(part) || (touched.has(part) && !escapes.test(part.text))) return;
        const type = matcher.inHiddenText(part.text)?.type;
        if (type && !stays(index, start, end)) more.push({ type, start, end });
      });
      spans[index] = unite(spans[index] ?? [], more);
    }
  }
}

/** Capitalises each word without moving any characters. */
export const titled = (text: string): string =>
  text.replace(/(?<![\p{L}\p{M}])\p{Ll}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });

/**
 * Adds pieces that depend on removed pieces. They are removed whole, with the type of the piece on
 * which they depend.
 */
export function addFollowing(
  streams: readonly Stream[],
  spans: StreamSpan[][],
  follow: NonNullable<FileReading['follow']>,
  stays: Stays = () => false,
): void {
  const types = new Map<Piece, FoundType>();
  streams.forEach((of, index) => {
    for (const [piece, type] of touchedBy(of, spans[index] ?? [])) types.set(piece, type);
  });
  const following = follow(new Set(types.keys()));
  if (following.size === 0) return;
  streams.forEach((of, index) => {
    const more: StreamSpan[] = [];
    visitParts(of, (part, start, end) => {
      const origin = isPiece(part) ? following.get(part) : undefined;
      const type = origin && types.get(origin);
      if (type && end > start && !stays(index, start, end)) more.push({ type, start, end });
    });
    spans[index] = unite(spans[index] ?? [], more);
  });
}

function touchedBy(of: Stream, spans: readonly StreamSpan[]): Map<Piece, FoundType> {
  const types = new Map<Piece, FoundType>();
  let first = 0;
  visitParts(of, (part, start, end) => {
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    const span = spans[first];
    if (isPiece(part) && span && span.start < end && start < end) types.set(part, span.type);
  });
  return types;
}
