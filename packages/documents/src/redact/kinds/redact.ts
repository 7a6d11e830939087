import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { PagePlan } from '../contract/plan.ts';
import type { PlaceInKind } from '../contract/requests.ts';
import { recordReadings } from '../find/spread.ts';
import { deepMatchers } from '../matching/matcher.ts';
import type { FoundValue } from '../values/doubtful-values.ts';
import { createValueSearch, type ValueSearch } from '../values/seek.ts';
import { createUsage } from '../values/usage.ts';
import { type FoundSpan, readApart, toStreamRange } from './detect.ts';
import { type KeptValue, mergeSpans, type RemovedValue } from './spans.ts';
import {
  type FileReading,
  isPiece,
  type Piece,
  renderStream,
  replacedTexts,
  type Stream,
  type StreamSpan,
  streamText,
  visitParts,
} from './stream.ts';

/** Five blocks, regardless of the length of the hidden text. */
export const blackBox = '█████';
export const label = (type: FoundType): string => `[${type}]`;

/** The removals from a file. */
export interface RemovalResult {
  /** The removed places, one entry per place. */
  places: PlaceInKind[];
  /** The found values, with the parts of names. None of them may occur anywhere in the output. */
  values: RemovedValue[];
  /** The text of each page with `[TYPE]` in place of each removal. */
  pages: string[];
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
 * Finds the content that must be removed from a file: the findings, and all other occurrences of the
 * found values.
 * @param findings by stream
 * @param elsewhere the pages of files inside it, whose values are searched for too
 */
export function findRemovals(
  { streams, follow }: FileReading,
  findings: readonly (readonly FoundSpan[])[],
  allowList: readonly string[],
  elsewhere: readonly PagePlan[] = [],
): Removals {
  const allFindings = [...findings.flat(), ...elsewhere.flatMap(({ removals }) => removals)];
  const search = createSearch(streams, allFindings, allowList, elsewhere);
  const values = [...allFindings.filter((one) => !search.isDoubtful(one)), ...search.claims];
  const spans = streams.map((stream, index) =>
    mergeSpans<StreamSpan>(findings[index] ?? [], searchIn(stream, search)),
  );
  addEncoded(streams, spans, values);
  if (follow) addDependents(streams, spans, follow);
  const highestScores = new Map<FoundType, number>();
  for (const { type, score } of allFindings)
    highestScores.set(type, Math.max(score, highestScores.get(type) ?? 0));
  return {
    spans: spans.map((streamSpans, index) => {
      const scores = new Map((findings[index] ?? []).map(({ start, score }) => [start, score]));
      return streamSpans.map((span) => ({
        ...span,
        // A repeated value gets the highest score of its type.
        score: scores.get(span.start) ?? highestScores.get(span.type) ?? 1,
      }));
    }),
    values: values.map(({ type, value }) => ({ type, value })),
  };
}

/**
 * Finds values in a stream. Words of invisible text are capitalised, because names and link targets
 * are often in lower case.
 */
function searchIn(stream: Stream, search: ValueSearch): StreamSpan[] {
  const searched = (text: string): string => (stream.page === null ? capitaliseWords(text) : text);
  const hits = search.find(searched(streamText(stream)));
  const apart = readApart(stream);
  if (!apart) return hits;
  const others = search.find(searched(apart.text)).map((hit) => toStreamRange(hit, apart));
  return mergeSpans<StreamSpan>(hits, others);
}

/** Writes placeholders into the pieces of a file. */
export function applyRemovals(
  { streams, pages }: FileReading,
  { spans, values }: Removals,
  mark: (type: FoundType) => string,
): RemovalResult {
  const removed: RemovalResult = {
    places: [],
    values,
    pages: Array.from({ length: pages }, () => ''),
  };
  streams.forEach((stream, index) => {
    const { page } = stream;
    const streamSpans = spans[index] ?? [];
    const { changed } = renderStream(stream, streamSpans, mark);
    for (const [piece, text] of changed) piece.redacted = text;
    if (page !== null) {
      const before = removed.pages[page - 1] ?? '';
      const { text } = renderStream(stream, streamSpans, label);
      const separator = before === '' || before.endsWith('\n') || text === '' ? '' : '\n';
      removed.pages[page - 1] = before + separator + text;
    }
    const removedTexts = replacedTexts(stream, streamSpans);
    streamSpans.forEach(({ type, score }, at) => {
      const value = removedTexts[at];
      if (value) removed.places.push({ type, score, value, page });
    });
  });
  return removed;
}

/** Returns the texts that people see. */
export const shownTexts = (streams: readonly Stream[]): string[] =>
  streams.flatMap((stream) => (stream.page === null ? [] : [streamText(stream)]));

/** Creates the search for all values that were found in a file. */
export function createSearch(
  streams: readonly Stream[],
  found: readonly FoundValue[],
  allowList: readonly string[],
  elsewhere: readonly PagePlan[] = [],
): ValueSearch {
  const usage = createUsage(found);
  for (const plan of elsewhere) recordReadings(plan, usage);
  for (const text of shownTexts(streams)) usage.record(text);
  return createValueSearch(found, usage, allowList);
}

/** Returns whether a person kept content in a range of a stream. */
export type IsKept = (stream: number, start: number, end: number) => boolean;

const escapes = /\\u[0-9a-f]{4}|%[0-9a-f]{2}|&#/i;

/**
 * Adds pieces of invisible text that contain an encoded value: escaped, in base64, or reversed. The
 * whole piece is removed.
 */
export function addEncoded(
  streams: readonly Stream[],
  spans: StreamSpan[][],
  values: readonly RemovedValue[],
  isKept: IsKept = () => false,
): void {
  const hidden = streams.flatMap((stream, index) =>
    stream.page === null ? [{ of: stream, index }] : [],
  );
  if (values.length === 0 || hidden.every(({ of }) => of.parts.length === 0)) return;
  for (const matcher of deepMatchers(values)) {
    for (const { of: stream, index } of hidden) {
      if (matcher.inHiddenText(streamText(stream)) === undefined) continue;
      const touchedPieces = typesOfTouched(stream, spans[index] ?? []);
      const added: StreamSpan[] = [];
      visitParts(stream, (part, start, end) => {
        if (!isPiece(part) || (touchedPieces.has(part) && !escapes.test(part.text))) return;
        const type = matcher.inHiddenText(part.text)?.type;
        if (type && !isKept(index, start, end)) added.push({ type, start, end });
      });
      spans[index] = mergeSpans(spans[index] ?? [], added);
    }
  }
}

/** Capitalises each word without moving any characters. */
export const capitaliseWords = (text: string): string =>
  text.replace(/(?<![\p{L}\p{M}])\p{Ll}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });

/**
 * Adds pieces that depend on removed pieces. They are removed whole, with the type of the piece on
 * which they depend.
 */
export function addDependents(
  streams: readonly Stream[],
  spans: StreamSpan[][],
  follow: NonNullable<FileReading['follow']>,
  isKept: IsKept = () => false,
): void {
  const types = new Map<Piece, FoundType>();
  streams.forEach((stream, index) => {
    for (const [piece, type] of typesOfTouched(stream, spans[index] ?? [])) types.set(piece, type);
  });
  const dependents = follow(new Set(types.keys()));
  if (dependents.size === 0) return;
  streams.forEach((stream, index) => {
    const added: StreamSpan[] = [];
    visitParts(stream, (part, start, end) => {
      const origin = isPiece(part) ? dependents.get(part) : undefined;
      const type = origin && types.get(origin);
      if (type && end > start && !isKept(index, start, end)) added.push({ type, start, end });
    });
    spans[index] = mergeSpans(spans[index] ?? [], added);
  });
}

function typesOfTouched(stream: Stream, spans: readonly StreamSpan[]): Map<Piece, FoundType> {
  const types = new Map<Piece, FoundType>();
  let first = 0;
  visitParts(stream, (part, start, end) => {
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    const span = spans[first];
    if (isPiece(part) && span && span.start < end && start < end) types.set(part, span.type);
  });
  return types;
}
