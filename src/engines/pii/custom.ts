import { RE2JS, RE2JSException } from 're2js';
import type { CustomPattern, Finding } from './finding.ts';
import type { View } from './view.ts';

const maxPatternLength = 500;
/** Steps that a pattern may take for one character of text; `[a-z]{1,100}` has two hundred. */
const maxProgramSize = 500;
/** Text is searched in windows, so that what is found is bounded; they overlap by half. */
export const windowLength = 2000;
/** Nothing longer is found for certain. */
export const longestMatch = windowLength / 2;

/**
 * What is wrong with a client's pattern, in words; null for a good one. Patterns have RE2's syntax:
 * no look-around and no references back, which is what makes them linear.
 */
export function checkPattern(pattern: string): string | null {
  if (pattern.length > maxPatternLength) {
    return `The pattern is longer than ${maxPatternLength} characters.`;
  }
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > maxProgramSize) {
      return `The pattern is too large: it takes ${compiled.programSize()} steps for a character, and ${maxProgramSize} are allowed. Smaller repeats make it smaller.`;
    }
    if (compiled.matches('')) return 'The pattern matches the empty text.';
    return null;
  } catch (error) {
    if (error instanceof RE2JSException) return `The pattern is not RE2 syntax: ${error.message}.`;
    throw error;
  }
}

/**
 * Finds what a client's pattern matches, anywhere in a text: in what was read from a picture also
 * where only a stray blank parts it.
 */
export function customFinder(custom: CustomPattern): (text: string, view: View) => Finding[] {
  const flags = RE2JS.MULTILINE | (custom.case_sensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  const find = finderOf(RE2JS.compile(custom.pattern, flags), `CUSTOM_${custom.name}`);
  return (text, { recognised }) => {
    const findings = find(text);
    const closed = recognised ? withoutStrays(text) : undefined;
    for (const { start, end, ...rest } of closed ? find(closed.text) : []) {
      const found = { start: closed?.at[start] ?? 0, end: (closed?.at[end - 1] ?? 0) + 1, ...rest };
      if (found.end - found.start > end - start) findings.push(found);
    }
    return findings;
  };
}

/** Blanks as recognisers see them where none are: between digits, beside an @, beside a number's signs. */
const stray = /(?<=\d) (?=[\d./:-])|(?<=[./:-]) (?=\d)| (?=@)|(?<=@) /g;

/** A text without such blanks, and where each of its characters stands; undefined where there are none. */
function withoutStrays(text: string): { text: string; at: Uint32Array } | undefined {
  const at = new Uint32Array(text.length);
  let out = '';
  let from = 0;
  const copy = (to: number): void => {
    for (let index = from; index < to; index += 1) at[out.length + index - from] = index;
    out += text.slice(from, to);
    from = to + 1;
  };
  for (const { index } of text.matchAll(stray)) copy(index);
  if (from === 0) return undefined;
  copy(text.length);
  return { text: out, at };
}

function finderOf(compiled: RE2JS, type: Finding['type']): (text: string) => Finding[] {
  return (text) => {
    const findings: Finding[] = [];
    let from = 0;
    for (const { start, end } of windows(text)) {
      const matcher = compiled.matcher(text.slice(start, end));
      let at = Math.max(0, from - start);
      while (at <= end - start && matcher.find(at)) {
        const found = { start: start + matcher.start(), end: start + matcher.end() };
        at = Math.max(matcher.end(), matcher.start() + 1);
        // What touches the end of a window may go on behind it: the next window has all of it.
        const cut = found.end === end && end < text.length && matcher.start() >= longestMatch;
        if (cut || found.end === found.start) continue;
        findings.push({ type, ...found, score: 1 });
        from = found.end;
      }
    }
    return findings;
  };
}

/** Stretches of text of bounded length that overlap by half, cut between words where there are any. */
function* windows(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  for (;;) {
    const end = Math.min(text.length, start + windowLength);
    yield { start, end };
    if (end === text.length) return;
    const half = start + longestMatch;
    const space = text.lastIndexOf(' ', half);
    start = space > half - 100 ? space : half;
  }
}
