import type { FoundType } from '../../../contracts/entities.ts';
import type { Detector } from '../../pii/finding.ts';
import type { PlaceInKind } from '../calls.ts';
import { deepMatchers } from '../check/matcher.ts';
import { createSpread, unite, type Value } from './spread.ts';
import {
  isPiece,
  joined,
  type Piece,
  type Reading,
  readable,
  render,
  type Span,
  type Stream,
  valuesOf,
  visitParts,
} from './stream.ts';

/** Five blocks, however long what they hide. */
export const blackBox = '█████';
export const label = (type: FoundType): string => `[${type}]`;

/** What was removed from a reading's pieces. */
export interface Removed {
  /** An entry a place. */
  places: PlaceInKind[];
  /** What was found, by the detector: what must not be in the output anywhere. */
  values: Value[];
  /** The text of each page, `[TYPE]` in place of what went. */
  pages: string[];
}

/** What the detector finds in a stream, where it touches a piece. */
export function detect(of: Stream, detector: Detector): Found[] {
  const { text, at } = readable(joined(of), of.collapse);
  const findings = detector(text).map(({ type, start, end, score }) => {
    if (at === null) return { type, start, end, score };
    return { type, start: at[start] ?? 0, end: (at[end - 1] ?? 0) + 1, score };
  });
  const spans = of.page === null ? withinTexts(of, findings) : findings;
  const values = valuesOf(of, spans);
  return spans.flatMap((span, index) => {
    const value = values[index];
    return value ? [{ ...span, value }] : [];
  });
}

/** Of text that does not show, one has nothing to do with the next: what runs over both ends with the first. */
function withinTexts<T extends Span>(of: Stream, spans: readonly T[]): T[] {
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

interface Found extends Span {
  score: number;
  value: string;
}

/**
 * Finds what has to go from a reading and writes marks into its pieces: what the detector finds, and
 * every further place where a value found anywhere stands.
 */
export function redact(
  { streams, pages, follow }: Reading,
  detector: Detector,
  allowList: readonly string[],
  mark: (type: FoundType) => string,
): Removed {
  const found = streams.map((of) => (of.detect ? detect(of, detector) : []));
  const values = found.flat();
  const spread = createSpread(values, allowList);
  const spans = streams.map((of, index) => {
    // Names and targets are written small, whatever they name.
    const text = of.page === null ? titled(joined(of)) : joined(of);
    return unite(found[index] ?? [], spread(text));
  });
  addEncoded(streams, spans, values);
  if (follow) addFollowing(streams, spans, follow);
  const best = new Map<FoundType, number>();
  for (const { type, score } of values) best.set(type, Math.max(score, best.get(type) ?? 0));

  const removed: Removed = {
    places: [],
    values: values.map(({ type, value }) => ({ type, value })),
    pages: Array.from({ length: pages }, () => ''),
  };
  streams.forEach((of, index) => {
    const { page } = of;
    const here = spans[index] ?? [];
    const { changed } = render(of, here, mark);
    for (const [piece, text] of changed) piece.redacted = text;
    if (page !== null) removed.pages[page - 1] += render(of, here, label).text;
    const scores = new Map((found[index] ?? []).map(({ start, score }) => [start, score]));
    const stood = valuesOf(of, here);
    here.forEach(({ type, start }, at) => {
      const value = stood[at];
      // Where a value was only met again it is as sure as its kind ever was.
      const score = scores.get(start) ?? best.get(type) ?? 1;
      if (value) removed.places.push({ type, score, value, page });
    });
  });
  return removed;
}

const escapes = /\\u[0-9a-f]{4}|%[0-9a-f]{2}|&#/i;

/**
 * Adds the pieces of text that does not show in which a value stands in some encoding: as escapes, in
 * base64, backwards. They go whole.
 */
function addEncoded(streams: readonly Stream[], spans: Span[][], values: readonly Value[]): void {
  const hidden = streams.flatMap((of, index) => (of.page === null ? [{ of, index }] : []));
  if (values.length === 0 || hidden.every(({ of }) => of.parts.length === 0)) return;
  for (const matcher of deepMatchers(values)) {
    for (const { of, index } of hidden) {
      if (matcher.inHiddenText(joined(of)) === undefined) continue;
      const touched = touchedBy(of, spans[index] ?? []);
      const more: Span[] = [];
      visitParts(of, (part, start, end) => {
        if (!isPiece(part) || (touched.has(part) && !escapes.test(part.text))) return;
        const type = matcher.inHiddenText(part.text)?.type;
        if (type) more.push({ type, start, end });
      });
      spans[index] = unite(spans[index] ?? [], more);
    }
  }
}

/** Each word with a capital, and every character where it was. */
const titled = (text: string): string =>
  text.replace(/(?<![\p{L}\p{M}])\p{Ll}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });

/** Adds the pieces that have to go because of others, whole, with the type of the other. */
function addFollowing(
  streams: readonly Stream[],
  spans: Span[][],
  follow: NonNullable<Reading['follow']>,
): void {
  const types = new Map<Piece, FoundType>();
  streams.forEach((of, index) => {
    for (const [piece, type] of touchedBy(of, spans[index] ?? [])) types.set(piece, type);
  });
  const following = follow(new Set(types.keys()));
  if (following.size === 0) return;
  streams.forEach((of, index) => {
    const more: Span[] = [];
    visitParts(of, (part, start, end) => {
      const origin = isPiece(part) ? following.get(part) : undefined;
      const type = origin && types.get(origin);
      if (type && end > start) more.push({ type, start, end });
    });
    spans[index] = unite(spans[index] ?? [], more);
  });
}

function touchedBy(of: Stream, spans: readonly Span[]): Map<Piece, FoundType> {
  const types = new Map<Piece, FoundType>();
  let first = 0;
  visitParts(of, (part, start, end) => {
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    const span = spans[first];
    if (isPiece(part) && span && span.start < end && start < end) types.set(part, span.type);
  });
  return types;
}
