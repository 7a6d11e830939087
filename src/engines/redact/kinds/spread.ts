/*
 * What was found once goes from everywhere: whatever counts as the value to the checks, and the parts
 * of names by themselves.
 */
import type { FoundType } from '../../../contracts/entities.ts';
import { squeeze } from '../check/canonical.ts';
import { createMatcher, isSoughtEverywhere } from '../check/matcher.ts';
import type { Span } from './stream.ts';

export interface Value {
  type: FoundType;
  value: string;
}

const leastPart = 3;

const isCapital = (word: string): boolean => word[0]?.toLowerCase() !== word[0];
const hasNoCase = (word: string): boolean => word.toLowerCase() === word.toUpperCase();

/**
 * The parts of names, `Smith` of `John Smith`: words of three letters and more with a capital, or of
 * a script that has none. Small ones (`von`, `de la`) stand in too many other places.
 */
function partsOf(values: readonly Value[], allowList: readonly string[]): Map<string, Value> {
  const allowed = new Set(allowList.map(squeeze));
  const parts = new Map<string, Value>();
  const add = (type: FoundType, word: string): void => {
    const key = word.toLowerCase();
    const good = word.length >= leastPart && (isCapital(word) || hasNoCase(word));
    if (good && !parts.has(key) && !allowed.has(squeeze(word)))
      parts.set(key, { type, value: word });
  };
  for (const { type, value } of values) {
    if (/^\p{L}[\p{L}\p{M}]*$/u.test(value)) add(type, value);
    else if (type === 'PERSON') {
      for (const [word] of value.matchAll(/\p{L}[\p{L}\p{M}]*/gu)) add(type, word);
    }
  }
  return parts;
}

/** Looks for values in texts people read. Linear in the text, whatever the number of values. */
export function createSpread(
  values: readonly Value[],
  allowList: readonly string[] = [],
): (raw: string) => Span[] {
  const parts = partsOf(values, allowList);
  const sought = [...values, ...parts.values()];
  const matcher = createMatcher(sought);
  // The matcher leaves out what is too short to prove anything by; as whole words such parts go.
  const short = new Map([...parts].filter(([, { value }]) => !isSoughtEverywhere(value)));
  return (raw) => {
    const spans = matcher.find(raw).map(({ start, end, value }): Span => {
      return { type: sought[value]?.type ?? 'PERSON', start, end };
    });
    if (short.size > 0) {
      for (const { 0: word, index } of raw.matchAll(/\p{L}[\p{L}\p{M}]*/gu)) {
        const type = short.get(word.toLowerCase())?.type;
        if (type && (isCapital(word) || hasNoCase(word))) {
          spans.push({ type, start: index, end: index + word.length });
        }
      }
    }
    return unite(spans, []);
  };
}

/** Two lists of spans as one: where they overlap, the whole, of the type of the longer. */
export function unite(a: readonly Span[], b: readonly Span[]): Span[] {
  const all = [...a, ...b].sort((x, y) => x.start - y.start || y.end - x.end);
  const united: Span[] = [];
  let longest = 0;
  for (const span of all) {
    const last = united.at(-1);
    if (!last || span.start >= last.end) {
      united.push({ ...span });
      longest = span.end - span.start;
      continue;
    }
    if (span.end - span.start > longest) {
      longest = span.end - span.start;
      last.type = span.type;
    }
    last.end = Math.max(last.end, span.end);
  }
  return united;
}
