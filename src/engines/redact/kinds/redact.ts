import type { FoundType } from '../../../contracts/entities.ts';
import type { Detector } from '../../pii/finding.ts';
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
  /** Each with the page it was found on; null where it did not show. */
  values: (Value & { page: number | null })[];
  /** Places that were replaced, by type. */
  places: Map<FoundType, number>;
  /** The text of each page, `[TYPE]` in place of what went. */
  pages: string[];
}

/** What the detector finds in a stream, where it touches a piece. */
export function detect(of: Stream, detector: Detector): { span: Span; value: string }[] {
  const { text, at } = readable(joined(of), of.collapse);
  const spans = detector(text).map(({ type, start, end }): Span => {
    if (at === null) return { type, start, end };
    return { type, start: at[start] ?? 0, end: (at[end - 1] ?? 0) + 1 };
  });
  const values = valuesOf(of, spans);
  return spans.flatMap((span, index) => {
    const value = values[index];
    return value ? [{ span, value }] : [];
  });
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
  const removed: Removed = {
    values: [],
    places: new Map(),
    pages: Array.from({ length: pages }, () => ''),
  };
  const found = streams.map((of) => (of.detect ? detect(of, detector) : []));
  found.forEach((list, index) => {
    const page = streams[index]?.page ?? null;
    for (const { span, value } of list) removed.values.push({ type: span.type, value, page });
  });
  const spread = createSpread(removed.values, allowList);
  const spans = streams.map((of, index) => {
    const here = (found[index] ?? []).map(({ span }) => span);
    return unite(here, spread(joined(of)));
  });
  if (follow) addFollowing(streams, spans, follow);
  streams.forEach((of, index) => {
    const here = spans[index] ?? [];
    const { changed } = render(of, here, mark);
    for (const [piece, text] of changed) piece.redacted = text;
    if (of.page !== null) removed.pages[of.page - 1] += render(of, here, label).text;
    const values = valuesOf(of, here);
    here.forEach(({ type }, at) => {
      if (values[at]) removed.places.set(type, (removed.places.get(type) ?? 0) + 1);
    });
  });
  return removed;
}

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
