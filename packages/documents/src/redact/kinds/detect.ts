import type { Detector } from '@scriptorium/pii/finding';
import {
  detectorText,
  isPiece,
  lineEnd,
  replacedTexts,
  type Stream,
  type StreamPart,
  type StreamSpan,
  streamText,
  visitParts,
} from './stream.ts';

/**
 * Maximum length of a form, in characters. A longer table has headings instead of labels beside its
 * values.
 */
const maxFormLength = 200_000;

/** Runs the detector on a text. The returned positions are offsets in the source. */
function detectIn(raw: string, collapse: boolean, detector: Detector): Finding[] {
  const { text, at } = detectorText(raw, collapse);
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
function detectInRows(stream: Stream, detector: Detector): Finding[] {
  const isContext = (part: StreamPart): boolean => typeof part === 'object' && 'context' in part;
  if (!stream.parts.some(isContext)) return [];
  const offsets: number[] = [];
  let rows = '';
  visitParts(stream, (part, start, end) => {
    if (isContext(part) || rows.length > maxFormLength) return;
    const text = typeof part === 'string' ? part : 'text' in part ? part.text : '';
    rows += text;
    for (let at = start; at < end; at += 1) offsets.push(at);
  });
  if (rows.length > maxFormLength) return [];
  return detectIn(rows, stream.collapse, detector).map((found) =>
    toStreamRange(found, { text: rows, offsets }),
  );
}

const wideGapInNumber = /\d {2,4}\d/;

/** A reading of a stream, with the offset of each of its units in the text of the stream. */
interface Reading {
  text: string;
  offsets: readonly number[];
}

/** Converts a range of a reading to a range of the stream. */
export const toStreamRange = <Range extends { start: number; end: number }>(
  range: Range,
  { offsets }: Reading,
): Range => ({
  ...range,
  start: offsets[range.start] ?? 0,
  end: (offsets[range.end - 1] ?? 0) + 1,
});

/**
 * Reads a stream with a space between adjacent pieces of which the first ends with a small letter or
 * digit and the second begins with a capital, because only a style may keep them apart: a label and
 * its value, or two runs of which one is hidden. Returns null without such pieces.
 */
export function readApart(stream: Stream): Reading | null {
  const offsets: number[] = [];
  let text = '';
  let previous: StreamPart | undefined;
  let isApart = false;
  visitParts(stream, (part, start, end) => {
    if (start === end) return;
    const partText = partTextOf(part);
    if (previous && isPiece(previous) && isPiece(part)) {
      if (/[\p{Ll}\p{N}]$/u.test(previous.text) && /^\p{Lu}/u.test(partText)) {
        text += ' ';
        offsets.push(start);
        isApart = true;
      }
    }
    previous = part;
    text += partText;
    for (let at = start; at < end; at += 1) offsets.push(at);
  });
  return isApart ? { text, offsets } : null;
}

const partTextOf = (part: StreamPart): string => {
  if (typeof part === 'string') return part;
  if ('text' in part) return part.text;
  return 'context' in part ? part.context : '';
};

/**
 * Runs the detector on a stream with a blank line after each piece, if adjacent pieces are unrelated,
 * because a name may be missed behind a line of another kind, such as a link.
 */
function detectUnrelated(stream: Stream, detector: Detector): Finding[] {
  if (stream.related) return [];
  const offsets: number[] = [];
  let text = '';
  visitParts(stream, (part, start, end) => {
    text += partTextOf(part);
    for (let at = start; at < end; at += 1) offsets.push(at);
    if (isPiece(part)) {
      text += blankLine;
      offsets.push(...Array.from(blankLine, () => end - 1));
    }
  });
  // Ids and names of ranges have underscores between words.
  const words = text.replace(/(?<=\p{L})_(?=\p{Lu})/gu, ' ');
  return detectIn(words, stream.collapse, detector).map((found) =>
    toStreamRange(found, { text, offsets }),
  );
}

const blankLine = `${lineEnd}${lineEnd}`;

/** Finds values in pieces that only a style keeps apart. */
function detectApart(stream: Stream, detector: Detector): Finding[] {
  const reading = readApart(stream);
  if (!reading) return [];
  return detectIn(reading.text, stream.collapse, detector).map((found) =>
    toStreamRange(found, reading),
  );
}

/** Finds numbers with wide gaps, as in justified text, by treating the gaps as single spaces. */
function detectOverGaps(raw: string, collapse: boolean, detector: Detector): Finding[] {
  if (collapse || !wideGapInNumber.test(raw)) return [];
  const offsets: number[] = [];
  let narrow = '';
  for (let at = 0; at < raw.length; at += 1) {
    const unit = raw.charAt(at);
    if (unit === ' ' && narrow.endsWith(' ')) continue;
    narrow += unit;
    offsets.push(at);
  }
  return detectIn(narrow, collapse, detector)
    .map((found) => toStreamRange(found, { text: narrow, offsets }))
    .filter(({ start, end }) => wideGapInNumber.test(raw.slice(start, end)));
}

/** Merges the findings of several readings. Of overlapping findings, the longest is kept. */
function keepLongest(findings: readonly Finding[], length: number): Finding[] {
  const covered = new Uint8Array(length);
  const kept: Finding[] = [];
  for (const found of findings.toSorted((a, b) => b.end - b.start - (a.end - a.start))) {
    if (covered.subarray(found.start, found.end).includes(1)) continue;
    covered.fill(1, found.start, found.end);
    kept.push(found);
  }
  return kept.sort((a, b) => a.start - b.start);
}

interface Finding extends StreamSpan {
  score: number;
}

/** Returns the findings of the detector in a stream that touch a piece. */
export function detectInStream(stream: Stream, detector: Detector): FoundSpan[] {
  const text = streamText(stream);
  const inAll = detectIn(text, stream.collapse, detector);
  const inRows = detectInRows(stream, detector);
  const additional = [
    ...inRows,
    ...detectOverGaps(text, stream.collapse, detector),
    ...detectApart(stream, detector),
    ...detectUnrelated(stream, detector),
  ];
  const findings =
    additional.length === 0 ? inAll : keepLongest([...inAll, ...additional], text.length);
  const spans = stream.related ? findings : detectWithinPieces(stream, findings, detector);
  const values = replacedTexts(stream, spans);
  return spans.flatMap((span, index) => {
    const value = values[index];
    return value ? [{ ...span, value }] : [];
  });
}

/**
 * Cuts findings that cover several pieces at the end of the first piece, because adjacent pieces,
 * such as attributes, are unrelated. The other pieces are searched again, each alone.
 */
function detectWithinPieces(
  stream: Stream,
  findings: readonly Finding[],
  detector: Detector,
): Finding[] {
  const found: Finding[] = [];
  let [first, context, covered] = [0, '', 0];
  visitParts(stream, (part, start, end) => {
    if (!isPiece(part)) {
      context = typeof part === 'object' && 'context' in part ? part.context : '';
      return;
    }
    const offset = start - context.length;
    while (first < findings.length && findings[first]!.end <= start) first += 1;
    const isContinued = covered > start;
    for (let at = first; at < findings.length && findings[at]!.start < end; at += 1) {
      const one = findings[at]!;
      covered = Math.max(covered, one.end);
      if (one.start < start && isContinued) continue;
      found.push({ ...one, start: Math.max(one.start, offset), end: Math.min(one.end, end) });
    }
    if (isContinued) {
      for (const one of detectIn(context + part.text, stream.collapse, detector))
        found.push({ ...one, start: one.start + offset, end: one.end + offset });
    }
    context = '';
  });
  return keepLongest(found, streamText(stream).length);
}

export interface FoundSpan extends Finding {
  value: string;
}

/** Returns the findings of the detector in each stream of a file. */
export const detectInStreams = (streams: readonly Stream[], detector: Detector): FoundSpan[][] =>
  streams.map((stream) => (stream.detect ? detectInStream(stream, detector) : []));
