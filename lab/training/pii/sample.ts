import {
  beginOf,
  insideOf,
  LABELS,
  OUTSIDE,
  type TaggedType,
  taggedTypes,
} from '@scriptorium/pii/tagger/labels';
import { PAD, type TaggerSegment } from '@scriptorium/pii/tagger/segment';
import type { Text } from './text.ts';

/**
 * A range of a text. With one type it is an entity. With several, or with `none`, the source leaves
 * open which of them it is, and any of their labels is right.
 */
export interface Mark {
  start: number;
  end: number;
  types: readonly (TaggedType | 'none')[];
}

/** A text to learn from. Marks are in order and do not overlap. */
export interface Sample {
  value: string;
  marks: Mark[];
}

export function sampleOf({ value, spans }: Text): Sample {
  return { value, marks: spans.map(({ start, end, type }) => ({ start, end, types: [type] })) };
}

const bit = (label: number): number => 1 << label;
export const ANY = (1 << LABELS) - 1;

/** Returns the labels that are right for each token of a segment, as bits. */
export function allowedLabels(segment: TaggerSegment, { marks }: Sample): number[] {
  const allowed: number[] = [];
  let next = 0;
  let inside = -1;
  for (let token = 0; token < segment.count; token++) {
    const start = segment.start[PAD + token]!;
    const end = segment.end[PAD + token]!;
    while (next < marks.length && marks[next]!.end <= start) next++;
    const mark = marks[next];
    if (!mark || end <= mark.start) {
      allowed.push(bit(OUTSIDE));
      inside = -1;
      continue;
    }
    const isEntity = mark.types.length === 1 && mark.types[0] !== 'none';
    let labels = 0;
    for (const type of mark.types) {
      if (type === 'none') labels |= bit(OUTSIDE);
      else {
        const at = taggedTypes.indexOf(type);
        if (inside !== next || !isEntity) labels |= bit(beginOf(at));
        if (inside === next || !isEntity) labels |= bit(insideOf(at));
      }
    }
    allowed.push(labels);
    inside = next;
  }
  return allowed;
}
