import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';

/** A part of a line that is covered by the same findings. */
export interface Segment {
  /** Its first character in the text of the page. */
  start: number;
  text: string;
  /** The finding to show: the current one, or the shortest. */
  finding: FindingRecord | undefined;
  isChosen: boolean;
}

/** A line or one of its cells, with its position in the text of the page. */
export interface Stretch {
  start: number;
  text: string;
}

/** Splits a text at a separator, which is not part of the results. */
export function partsOf({ start, text }: Stretch, separator: string): Stretch[] {
  let from = start;
  return text.split(separator).map((part) => {
    const own = { start: from, text: part };
    from += part.length + separator.length;
    return own;
  });
}

/**
 * Splits a line where findings and the selection start and end.
 * @param findings those that may overlap the line
 */
export function segmentsOf(
  { start, text }: Stretch,
  findings: readonly FindingRecord[],
  {
    current,
    chosen,
  }: { current: string | undefined; chosen: { start: number; end: number } | undefined },
): Segment[] {
  const end = start + text.length;
  const here = findings.filter(({ range }) => range && range.start < end && range.end > start);
  const ranges = [...here.map(({ range }) => range!), ...(chosen ? [chosen] : [])];
  const cuts = new Set([start, end]);
  for (const range of ranges) {
    if (range.start > start && range.start < end) cuts.add(range.start);
    if (range.end > start && range.end < end) cuts.add(range.end);
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, at) => {
    const to = places[at + 1]!;
    const over = here.filter(({ range }) => range!.start <= from && range!.end >= to);
    const length = ({ range }: FindingRecord): number => range!.end - range!.start;
    return {
      start: from,
      text: text.slice(from - start, to - start),
      finding:
        over.find(({ id }) => id === current) ?? over.sort((a, b) => length(a) - length(b))[0],
      isChosen: chosen !== undefined && chosen.start <= from && chosen.end >= to,
    };
  });
}

/** Returns the findings that overlap a range, from those of a page in order of their start. */
export function touching(
  findings: readonly FindingRecord[],
  start: number,
  end: number,
): readonly FindingRecord[] {
  return findings.filter(({ range }) => range && range.start < end && range.end > start);
}
