import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';

/** A part of a line that is covered by the same findings. */
export interface Segment {
  /** Its first character in the text of the page. */
  start: number;
  text: string;
  /** The finding to show: the current one, or the shortest. */
  finding: FindingRecord | undefined;
  isSelected: boolean;
}

/** A line or one of its cells, with its position in the text of the page. */
export interface TextSpan {
  start: number;
  text: string;
}

/** Splits a text at a separator, which the results do not include. */
export function splitSpan({ start, text }: TextSpan, separator: string): TextSpan[] {
  let from = start;
  return text.split(separator).map((part) => {
    const span = { start: from, text: part };
    from += part.length + separator.length;
    return span;
  });
}

/**
 * Splits a line where findings and the selection start and end.
 * @param findings those that may overlap the line
 */
export function segmentsOf(
  { start, text }: TextSpan,
  findings: readonly FindingRecord[],
  {
    current,
    selectedWords,
  }: { current: string | undefined; selectedWords: { start: number; end: number } | undefined },
): Segment[] {
  const end = start + text.length;
  const overlapping = findings.filter(
    ({ range }) => range && range.start < end && range.end > start,
  );
  const ranges = [
    ...overlapping.map(({ range }) => range!),
    ...(selectedWords ? [selectedWords] : []),
  ];
  const cuts = new Set([start, end]);
  for (const range of ranges) {
    if (range.start > start && range.start < end) cuts.add(range.start);
    if (range.end > start && range.end < end) cuts.add(range.end);
  }
  const boundaries = [...cuts].sort((a, b) => a - b);
  return boundaries.slice(0, -1).map((from, at) => {
    const to = boundaries[at + 1]!;
    const covering = overlapping.filter(({ range }) => range!.start <= from && range!.end >= to);
    const length = ({ range }: FindingRecord): number => range!.end - range!.start;
    return {
      start: from,
      text: text.slice(from - start, to - start),
      finding:
        covering.find(({ id }) => id === current) ??
        covering.sort((a, b) => length(a) - length(b))[0],
      isSelected:
        selectedWords !== undefined && selectedWords.start <= from && selectedWords.end >= to,
    };
  });
}

/** Returns the findings that overlap a range. */
export function overlappingFindings(
  findings: readonly FindingRecord[],
  start: number,
  end: number,
): readonly FindingRecord[] {
  return findings.filter(({ range }) => range && range.start < end && range.end > start);
}
