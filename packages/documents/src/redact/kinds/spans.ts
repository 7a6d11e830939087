import type { FoundType } from '@scriptorium/contracts/documents/entities';
import type { StreamSpan } from './stream.ts';

export interface RemovedValue {
  type: FoundType;
  value: string;
}

/** A removed value that may remain elsewhere, with the number of its remaining occurrences. */
export interface KeptValue extends RemovedValue {
  count: number;
}

/** Merges two lists of spans. Overlapping spans are joined, with the type of the longer span. */
export function mergeSpans<Span extends StreamSpan>(
  a: readonly Span[],
  b: readonly Span[],
): Span[] {
  const all = [...a, ...b].sort((x, y) => x.start - y.start || y.end - x.end);
  const merged: Span[] = [];
  let longest = 0;
  for (const span of all) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) {
      merged.push({ ...span });
      longest = span.end - span.start;
      continue;
    }
    if (span.end - span.start > longest) {
      longest = span.end - span.start;
      last.type = span.type;
    }
    last.end = Math.max(last.end, span.end);
  }
  return merged;
}
