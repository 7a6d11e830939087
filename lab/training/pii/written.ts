import { readFileSync } from 'node:fs';
import type { TaggedType } from '@scriptorium/pii/tagger/labels';
import type { Mark, Sample } from './sample.ts';

/** The marks that the tagger finds; those of other types are text without names to it. */
const typeOf: Readonly<Record<string, TaggedType>> = {
  PERSON: 'PERSON',
  TITLE: 'TITLE',
  ORGANIZATION: 'ORGANIZATION',
  LOCATION: 'LOCATION',
  ADDRESS: 'ADDRESS',
  NRP: 'NRP',
};

export interface Written extends Sample {
  language: string;
  kind: string;
  /** All marks, with the types of `written/README.md`. */
  all: { type: string; start: number; end: number }[];
}

/** The document that is for judging only. */
export const sealedWriter = 'w10';
export const writers = Array.from({ length: 20 }, (_, at) => `w${String(at + 1).padStart(2, '0')}`);

/** Reads the documents of a writer, without the notation of marks. */
export function writtenBy(writer: string): Written[] {
  const file = readFileSync(new URL(`written/${writer}.txt`, import.meta.url), 'utf8');
  return file
    .split(/^@@@ /m)
    .slice(1)
    .map((document) => {
      const [head = '', ...lines] = document.split('\n');
      const [language = '', kind = ''] = head.split(' ');
      return { language, kind, ...parseMarks(lines.join('\n').trimEnd()) };
    });
}

/** @throws Error if a mark has no type. */
export function parseMarks(marked: string): Pick<Written, 'value' | 'marks' | 'all'> {
  let value = '';
  const marks: Mark[] = [];
  const all: Written['all'] = [];
  for (const [at, part] of marked.split(/\[\[([A-Z_]+\|[^[\]]*)\]\]/).entries()) {
    if (at % 2 === 0) {
      value += part;
      continue;
    }
    const bar = part.indexOf('|');
    const type = part.slice(0, bar);
    const start = value.length;
    value += part.slice(bar + 1);
    all.push({ type, start, end: value.length });
    const tagged = typeOf[type];
    if (tagged) marks.push({ start, end: value.length, types: [tagged] });
  }
  return { value, marks, all };
}
