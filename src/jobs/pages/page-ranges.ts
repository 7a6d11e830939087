/** A range of pages, both ends included; pages count from 1. */
export interface PageRange {
  from: number;
  to: number;
}

/** The syntax of a selection of pages, such as "1-3,7". */
export const pageSelectionPattern =
  '^[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(,[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*$';

/**
 * Reads a selection of pages ("1-3,7") as ascending ranges that neither overlap nor touch.
 * @returns null when a range is descending
 */
export function parsePages(selection: string): PageRange[] | null {
  const ranges: PageRange[] = [];
  for (const part of selection.split(',')) {
    const [from, to = from] = part.split('-').map(Number) as [number, number?];
    if (!(from >= 1 && from <= to)) return null;
    ranges.push({ from, to });
  }
  ranges.sort((a, b) => a.from - b.from);
  const merged: PageRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else merged.push({ ...range });
  }
  return merged;
}

/**
 * The selected pages of a document, or all pages without a selection. The selection must be within
 * the document (`outOfRangeMessage`).
 */
export function selectPages(total: number, selection: string | null): number[] {
  const ranges = selection === null ? [{ from: 1, to: total }] : (parsePages(selection) ?? []);
  return ranges.flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, at) => from + at),
  );
}

/** The message for a selection with pages past the end of the document, or null. */
export function outOfRangeMessage(selection: string, total: number): string | null {
  const outside = (parsePages(selection) ?? []).filter(({ to }) => to > total);
  if (outside.length === 0) return null;
  const ranges = outside.map(({ from, to }) => {
    const first = Math.max(from, total + 1);
    return first === to ? `${to}` : `${first}-${to}`;
  });
  const noun = ranges.length === 1 && !ranges[0]!.includes('-') ? 'page' : 'pages';
  const pages = total === 1 ? '1 page' : `${total} pages`;
  return `'${selection}' names ${noun} ${ranges.join(', ')}; the document has ${pages}.`;
}

/** Groups consecutive pages into ranges of at most `max` pages. */
export function chunkPages(pages: readonly number[], max: number): PageRange[] {
  const chunks: PageRange[] = [];
  for (const page of pages) {
    const last = chunks.at(-1);
    if (last && page === last.to + 1 && page - last.from < max) last.to = page;
    else chunks.push({ from: page, to: page });
  }
  return chunks;
}
