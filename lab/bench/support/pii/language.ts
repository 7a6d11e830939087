import type { PiiFinding } from '@scriptorium/pii/finding';
import { type TaggedType, taggedTypes } from '@scriptorium/pii/tagger/labels';

export type Detect = (text: string) => readonly PiiFinding[];

const tagged: ReadonlySet<string> = new Set(taggedTypes);
const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** False positives. */
export interface FalseSpans {
  words: number;
  spans: string[];
  byType: Map<string, number>;
}

/** Returns what the tagger finds in texts without names, each read separately. */
export function findFalseSpans(detect: Detect, texts: readonly string[]): FalseSpans {
  const result: FalseSpans = { words: 0, spans: [], byType: new Map() };
  for (const text of texts) {
    result.words += wordsIn(text);
    for (const { type, start, end } of detect(text)) {
      if (!tagged.has(type)) continue;
      result.spans.push(`${type} ${text.slice(start, end)}`);
      result.byType.set(type, (result.byType.get(type) ?? 0) + 1);
    }
  }
  return result;
}

const typeOf: Readonly<Record<string, TaggedType>> = {
  P: 'PERSON',
  T: 'TITLE',
  O: 'ORGANIZATION',
  L: 'LOCATION',
  A: 'ADDRESS',
  N: 'NRP',
};

export interface MarkedText {
  text: string;
  marks: { type: TaggedType; start: number; end: number }[];
}

/** Parses the notation of `personal.ts`. */
export function parseMarked(line: string): MarkedText {
  let text = '';
  const marks: MarkedText['marks'] = [];
  for (const [at, part] of line
    .replaceAll('⏎', '\n')
    .split(/<([PTOLAN] [^>]*)>/)
    .entries()) {
    if (at % 2 === 0) {
      text += part;
      continue;
    }
    const type = typeOf[part[0] ?? ''];
    if (!type) throw new Error(`no type is marked ${part}`);
    marks.push({ type, start: text.length, end: text.length + part.length - 2 });
    text += part.slice(2);
  }
  return { text, marks };
}

export interface Recall {
  marks: number;
  /** All letters and digits are covered, by any type. */
  covered: number;
  /** At least a part was found under its own type. */
  typed: number;
  missed: string[];
}

export function recallOf(detect: Detect, cases: readonly MarkedText[]): Recall {
  const result: Recall = { marks: 0, covered: 0, typed: 0, missed: [] };
  for (const { text, marks } of cases) {
    const findings = detect(text);
    for (const { type, start, end } of marks) {
      const overlapping = findings.filter((finding) => finding.start < end && finding.end > start);
      const isCovered = [...text.slice(start, end).matchAll(/[\p{L}\p{N}]/gu)].every(({ index }) =>
        overlapping.some(
          (finding) => finding.start <= start + index && start + index < finding.end,
        ),
      );
      result.marks += 1;
      if (isCovered) result.covered += 1;
      else result.missed.push(`${type} ${text.slice(start, end)} in ${JSON.stringify(text)}`);
      if (overlapping.some((finding) => finding.type === type)) result.typed += 1;
    }
  }
  return result;
}

/** F2 of people by the overlap of spans (IoU): a finding counts for one mark. */
export function personF2(detect: Detect, cases: readonly MarkedText[], min: number): number {
  let [matched, found, marked] = [0, 0, 0];
  for (const { text, marks } of cases) {
    const findings = detect(text).filter(({ type }) => type === 'PERSON');
    const people = marks.filter(({ type }) => type === 'PERSON');
    found += findings.length;
    marked += people.length;
    matched += people.filter((mark) =>
      findings.some(({ start, end }) => {
        const intersection = Math.min(mark.end, end) - Math.max(mark.start, start);
        return intersection / (Math.max(mark.end, end) - Math.min(mark.start, start)) >= min;
      }),
    ).length;
  }
  const [precision, recall] = [matched / Math.max(1, found), matched / Math.max(1, marked)];
  return (5 * precision * recall) / Math.max(1e-9, 4 * precision + recall);
}
