/*
 * A value that was found once is removed everywhere: whatever the checks would match, and the parts
 * of names by themselves.
 */
import type { FoundType } from '../../../contracts/documents/entities.ts';
import { squeeze } from '../check/matching/canonical.ts';
import { createMatcher, isSoughtEverywhere } from '../check/matching/matcher.ts';
import type { StreamSpan } from './stream.ts';

export interface RemovedValue {
  type: FoundType;
  value: string;
}

const leastPart = 3;

const isCapital = (word: string): boolean => word[0]?.toLowerCase() !== word[0];
const hasNoCase = (word: string): boolean => word.toLowerCase() === word.toUpperCase();

/**
 * The parts of names, `Smith` of `John Smith`: words of three or more letters with a capital, or in
 * a script without capitals. Lower-case words (`von`, `de la`) occur in too many other places.
 */
function partsOf(
  values: readonly RemovedValue[],
  allowList: readonly string[],
): Map<string, RemovedValue> {
  const allowed = new Set(allowList.map(squeeze));
  const parts = new Map<string, RemovedValue>();
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

/**
 * Creates a search for values in visible text, linear in the text whatever the number of values.
 */
export function createSpread(
  values: readonly RemovedValue[],
  allowList: readonly string[] = [],
): (raw: string) => StreamSpan[] {
  const parts = partsOf(values, allowList);
  const sought = [...values, ...parts.values()];
  const matcher = createMatcher(sought);
  // The matcher skips parts that are too short to prove anything; they are removed as whole words.
  const short = new Map([...parts].filter(([, { value }]) => !isSoughtEverywhere(value)));
  return (raw) => {
    const spans = matcher.find(raw).map(({ start, end, value }): StreamSpan => {
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

/** Merges two lists of spans: overlapping spans are joined, with the type of the longer one. */
export function unite(a: readonly StreamSpan[], b: readonly StreamSpan[]): StreamSpan[] {
  const all = [...a, ...b].sort((x, y) => x.start - y.start || y.end - x.end);
  const united: StreamSpan[] = [];
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
