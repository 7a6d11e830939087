import { RE2JS, RE2JSException } from 're2js';
import type { CustomPattern, PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const maxPatternLength = 500;
/**
 * Maximum number of steps of a pattern per character of text. `[a-z]{1,100}` takes 200 steps.
 */
const maxProgramSize = 500;
/**
 * Size of the windows in which text is searched. They overlap by half, so the length of matches is
 * limited.
 */
export const windowLength = 2000;
/** Maximum length of a match. Longer matches may be missed. */
export const maxMatchLength = windowLength / 2;

/**
 * Checks a client's pattern. Returns an error message; null if the pattern is valid. Patterns use
 * RE2 syntax without look-around and backreferences, so that matching takes linear time.
 */
export function checkPattern(pattern: string): string | null {
  if (pattern.length > maxPatternLength) {
    return `The pattern is longer than ${maxPatternLength} characters.`;
  }
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > maxProgramSize) {
      return `The pattern is too large: it takes ${compiled.programSize()} steps per character; the maximum is ${maxProgramSize}. Use smaller repeats.`;
    }
    if (compiled.matches('')) return 'The pattern must not match the empty text.';
    return null;
  } catch (error) {
    if (error instanceof RE2JSException)
      return `The pattern is not valid RE2 syntax: ${error.message}.`;
    throw error;
  }
}

/**
 * Returns a function that finds all matches of a client's pattern. In recognised text, stray spaces
 * are ignored.
 */
export function customFinder(
  custom: CustomPattern,
): (text: string, view: TextView) => PiiFinding[] {
  const flags = RE2JS.MULTILINE | (custom.case_sensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  const find = finderOf(RE2JS.compile(custom.pattern, flags), `CUSTOM_${custom.name}`);
  return (text, { recognised }) => {
    const findings = find(text);
    const withoutSpaces = recognised ? withoutStraySpaces(text) : undefined;
    for (const { start, end, ...rest } of withoutSpaces ? find(withoutSpaces.text) : []) {
      const finding = {
        start: withoutSpaces?.at[start] ?? 0,
        end: (withoutSpaces?.at[end - 1] ?? 0) + 1,
        ...rest,
      };
      if (finding.end - finding.start > end - start) findings.push(finding);
    }
    return findings;
  };
}

/** Spaces that recognisers insert: between digits, next to an @, and next to signs in numbers. */
const straySpace = /(?<=\d) (?=[\d./:-])|(?<=[./:-]) (?=\d)| (?=@)|(?<=@) /g;

/**
 * Returns a text without stray spaces, and the original position of each character; undefined if it
 * has no stray spaces.
 */
function withoutStraySpaces(text: string): { text: string; at: Uint32Array } | undefined {
  const at = new Uint32Array(text.length);
  let out = '';
  let from = 0;
  const copy = (to: number): void => {
    for (let index = from; index < to; index += 1) at[out.length + index - from] = index;
    out += text.slice(from, to);
    from = to + 1;
  };
  for (const { index } of text.matchAll(straySpace)) copy(index);
  if (from === 0) return undefined;
  copy(text.length);
  return { text: out, at };
}

function finderOf(compiled: RE2JS, type: PiiFinding['type']): (text: string) => PiiFinding[] {
  return (text) => {
    const findings: PiiFinding[] = [];
    let from = 0;
    for (const { start, end } of windows(text)) {
      const matcher = compiled.matcher(text.slice(start, end));
      let at = Math.max(0, from - start);
      while (at <= end - start && matcher.find(at)) {
        const match = { start: start + matcher.start(), end: start + matcher.end() };
        at = Math.max(matcher.end(), matcher.start() + 1);
        // A match that touches the end of a window may continue. The next window contains the
        // complete match.
        const isCut = match.end === end && end < text.length && matcher.start() >= maxMatchLength;
        if (isCut || match.end === match.start) continue;
        findings.push({ type, ...match, score: 1 });
        from = match.end;
      }
    }
    return findings;
  };
}

/**
 * Yields ranges of limited length that overlap by half. They are divided between words if possible.
 */
function* windows(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  for (;;) {
    const end = Math.min(text.length, start + windowLength);
    yield { start, end };
    if (end === text.length) return;
    const half = start + maxMatchLength;
    const space = text.lastIndexOf(' ', half);
    start = space > half - 100 ? space : half;
  }
}
