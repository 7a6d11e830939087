import type { FoundType } from '../../../contracts/entities.ts';
import type { Detector } from '../../pii/finding.ts';
import { createSpread, unite, type Value } from './spread.ts';
import { joined, type Reading, readable, render, type Span, type Stream, valuesOf } from './stream.ts';

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
  { streams, pages }: Reading,
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
  streams.forEach((of, index) => {
    const here = (found[index] ?? []).map(({ span }) => span);
    const spans = unite(here, spread(joined(of)));
    const { changed } = render(of, spans, mark);
    for (const [piece, text] of changed) piece.redacted = text;
    if (of.page !== null) removed.pages[of.page - 1] += render(of, spans, label).text;
    const values = valuesOf(of, spans);
    spans.forEach(({ type }, at) => {
      if (values[at]) removed.places.set(type, (removed.places.get(type) ?? 0) + 1);
    });
  });
  return removed;
}
