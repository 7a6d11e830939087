import { readJsonLines } from '../../files/json-lines.ts';
import { isDecidedPlace } from '../contract/guards.ts';
import type { DecidedInKind, DecidedPlace } from '../contract/requests.ts';
import { foldText } from '../matching/canonical.ts';
import { deepMatchers, isSoughtEverywhere } from '../matching/matcher.ts';
import { countOccurrences } from './checks.ts';
import { textSeparator } from './kind.ts';
import {
  addDependents,
  addEncoded,
  createSearch,
  type IsKept,
  type Removals,
  type ScoredSpan,
} from './redact.ts';
import { digestOf, rawRanges, type ShownPage, shownPages } from './shown/pages.ts';
import type { Range } from './shown/stream-text.ts';
import { mergeSpans, type RemovedValue } from './spans.ts';
import {
  type FileReading,
  renderStream,
  replacedTexts,
  type Stream,
  type StreamSpan,
  streamText,
} from './stream.ts';

/**
 * Converts decisions about places in the text to removals. Removes exactly the decided places, and
 * any content that would reveal them (encoded, or computed from them) unless it was explicitly
 * kept. If a value was kept elsewhere, its removal is claimed only for the places where it was
 * removed.
 */
function decidedRemovals(
  { streams, follow }: FileReading,
  shown: readonly ShownPage[],
  decisions: readonly DecidedPlace[],
): Removals {
  const removedSpans: ScoredSpan[][] = streams.map(() => []);
  const keptRanges: Range[][] = streams.map(() => []);
  const pages = new Map(shown.map((page) => [page.page, page]));
  for (const { page, start, end, type, score, goes } of decisions) {
    const shownPage = pages.get(page);
    for (const { stream, ...range } of shownPage ? rawRanges(shownPage, start, end) : []) {
      if (goes) removedSpans[stream]!.push({ ...range, type, score });
      else keptRanges[stream]!.push(range);
    }
  }
  const spans: StreamSpan[][] = removedSpans.map((ranges) => mergeSpans(ranges, []));
  const isKept: IsKept = (stream, start, end) =>
    keptRanges[stream]!.some((range) => range.start < end && range.end > start);
  const removed = valuesOf(streams, spans);
  const occurrences = countOccurrences(
    removed,
    streams.flatMap((stream, at) =>
      stream.page === null ? [] : [remainingText(stream, spans[at]!)],
    ),
  );
  addEncoded(
    streams,
    spans,
    removed.filter((_, at) => occurrences[at] === 0),
    isKept,
  );
  if (follow) addDependents(streams, spans, follow, isKept);
  const remainingTexts = streams.map((stream, at) => remainingText(stream, spans[at]!));
  const counts = countOccurrences(removed, remainingTexts);
  const foundInKept = valuesInHidden(
    removed.filter((_, at) => counts[at] === 0),
    keptPieces(streams, keptRanges),
  );
  const isRemovedEverywhere = (value: RemovedValue, at: number): boolean =>
    counts[at] === 0 && !foundInKept.has(value);
  return {
    spans: spans.map((streamSpans, at) => {
      const scores = new Map(removedSpans[at]!.map(({ start, score }) => [start, score]));
      return streamSpans.map((span) => ({ ...span, score: scores.get(span.start) ?? 1 }));
    }),
    values: removed.filter(isRemovedEverywhere),
    kept: removed.flatMap((value, at) =>
      counts[at]! > 0 ? [{ ...value, count: counts[at]! }] : [],
    ),
  };
}

/** Returns the values that spans cover, with the parts of names and without duplicates. */
function valuesOf(streams: readonly Stream[], spans: readonly StreamSpan[][]): RemovedValue[] {
  const removedTexts = streams.flatMap((stream, at) => {
    const texts = replacedTexts(stream, spans[at]!);
    return spans[at]!.flatMap(({ type }, index) => {
      const value = texts[index];
      return value ? [{ type, score: 1, value }] : [];
    });
  });
  const claims = createSearch(streams, removedTexts, []).claims;
  const all = [...removedTexts, ...claims].filter(({ value }) => isSoughtEverywhere(value));
  const unique = new Map(all.map(({ type, value }) => [foldText(value), { type, value }]));
  return [...unique.values()];
}

/** Returns the text of a stream without the given spans. */
const remainingText = (stream: Stream, spans: readonly StreamSpan[]): string =>
  renderStream({ ...stream, collapse: false }, spans, () => textSeparator).text;

/** Returns the hidden pieces that people kept. They may contain a value in an encoding. */
function keptPieces(streams: readonly Stream[], keptRanges: readonly Range[][]): string[] {
  return streams.flatMap((stream, at) => {
    if (stream.page !== null) return [];
    const text = streamText(stream);
    return keptRanges[at]!.map(({ start, end }) => text.slice(start, end));
  });
}

/** Returns the values that hidden texts contain in any encoding. */
function valuesInHidden(
  values: readonly RemovedValue[],
  texts: readonly string[],
): Set<RemovedValue> {
  const found = new Set<RemovedValue>();
  if (texts.length === 0) return found;
  const text = texts.join(textSeparator);
  for (
    let unresolved = [...values];
    unresolved.length > 0;
    unresolved = unresolved.filter((one) => !found.has(one))
  ) {
    const before = found.size;
    for (const matcher of deepMatchers(unresolved)) {
      const hit = matcher.inHiddenText(text);
      const value = hit && unresolved.find((one) => one.value === hit.value);
      if (value) found.add(value);
    }
    if (found.size === before) break;
  }
  return found;
}

/**
 * Returns the removals that people decided. Null if the text that they reviewed differs from the
 * text of the file.
 */
export async function readDecidedRemovals(
  reading: FileReading,
  { decisionsFile, digest }: DecidedInKind,
): Promise<Removals | null> {
  const shown = shownPages(reading);
  if (digestOf(shown) !== digest) return null;
  const decisions: DecidedPlace[] = [];
  for await (const place of readJsonLines(decisionsFile, isDecidedPlace)) decisions.push(place);
  return decidedRemovals(reading, shown, decisions);
}
