import type { DecidedPlace } from '../contract/requests.ts';
import { squeeze } from '../matching/canonical.ts';
import { deepMatchers, isSoughtEverywhere } from '../matching/matcher.ts';
import { timesIn } from './checks.ts';
import { barrier } from './kind.ts';
import {
  addEncoded,
  addFollowing,
  type Removals,
  type ScoredSpan,
  type Stays,
  seekerFor,
} from './redact.ts';
import { rawRanges, type ShownPage } from './shown/pages.ts';
import type { Range } from './shown/stream-text.ts';
import { type RemovedValue, unite } from './spans.ts';
import {
  type FileReading,
  joined,
  renderStream,
  replacedTexts,
  type Stream,
  type StreamSpan,
} from './stream.ts';

/**
 * Converts decisions about places in the text to removals. Removes exactly the decided places, and
 * any content that would reveal them (encoded, or computed from them) unless it was explicitly
 * kept. If a value was kept elsewhere, its removal is claimed only for the places where it was
 * removed.
 */
export function decidedRemovals(
  { streams, follow }: FileReading,
  shown: readonly ShownPage[],
  decisions: readonly DecidedPlace[],
): Removals {
  const going: ScoredSpan[][] = streams.map(() => []);
  const staying: Range[][] = streams.map(() => []);
  const pages = new Map(shown.map((page) => [page.page, page]));
  for (const { page, start, end, type, score, goes } of decisions) {
    const of = pages.get(page);
    for (const { stream, ...range } of of ? rawRanges(of, start, end) : []) {
      if (goes) going[stream]!.push({ ...range, type, score });
      else staying[stream]!.push(range);
    }
  }
  const spans: StreamSpan[][] = going.map((here) => unite(here, []));
  const stays: Stays = (stream, start, end) =>
    staying[stream]!.some((range) => range.start < end && range.end > start);
  const removed = valuesOf(streams, spans);
  const here = timesIn(
    removed,
    streams.flatMap((of, at) => (of.page === null ? [] : [left(of, spans[at]!)])),
  );
  addEncoded(
    streams,
    spans,
    removed.filter((_, at) => here[at] === 0),
    stays,
  );
  if (follow) addFollowing(streams, spans, follow, stays);
  const rest = streams.map((of, at) => left(of, spans[at]!));
  const times = timesIn(removed, rest);
  const told = toldBy(
    removed.filter((_, at) => times[at] === 0),
    keptPieces(streams, staying),
  );
  const isGone = (value: RemovedValue, at: number): boolean => times[at] === 0 && !told.has(value);
  return {
    spans: spans.map((of, at) => {
      const scores = new Map(going[at]!.map(({ start, score }) => [start, score]));
      return of.map((span) => ({ ...span, score: scores.get(span.start) ?? 1 }));
    }),
    values: removed.filter(isGone),
    kept: removed.flatMap((value, at) => (times[at]! > 0 ? [{ ...value, times: times[at]! }] : [])),
  };
}

/** Returns the values that spans cover, with the parts of names and without duplicates. */
function valuesOf(streams: readonly Stream[], spans: readonly StreamSpan[][]): RemovedValue[] {
  const found = streams.flatMap((of, at) => {
    const texts = replacedTexts(of, spans[at]!);
    return spans[at]!.flatMap(({ type }, index) => {
      const value = texts[index];
      return value ? [{ type, score: 1, value }] : [];
    });
  });
  const claims = seekerFor(streams, found, []).claims;
  const all = [...found, ...claims].filter(({ value }) => isSoughtEverywhere(value));
  const unique = new Map(all.map(({ type, value }) => [squeeze(value), { type, value }]));
  return [...unique.values()];
}

/** Returns the text of a stream without the given spans. */
const left = (of: Stream, spans: readonly StreamSpan[]): string =>
  renderStream({ ...of, collapse: false }, spans, () => barrier).text;

/** Returns the hidden pieces that people kept. They may contain a value in an encoding. */
function keptPieces(streams: readonly Stream[], staying: readonly Range[][]): string[] {
  return streams.flatMap((of, at) => {
    if (of.page !== null) return [];
    const text = joined(of);
    return staying[at]!.map(({ start, end }) => text.slice(start, end));
  });
}

/** Returns the values that hidden texts contain in any encoding. */
function toldBy(values: readonly RemovedValue[], texts: readonly string[]): Set<RemovedValue> {
  const told = new Set<RemovedValue>();
  if (texts.length === 0) return told;
  const text = texts.join(barrier);
  for (let open = [...values]; open.length > 0; open = open.filter((one) => !told.has(one))) {
    const before = told.size;
    for (const matcher of deepMatchers(open)) {
      const hit = matcher.inHiddenText(text);
      const value = hit && open.find((one) => one.value === hit.value);
      if (value) told.add(value);
    }
    if (told.size === before) break;
  }
  return told;
}
