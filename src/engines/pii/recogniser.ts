import type { View } from './view.ts';

/** A place in a view that may be personal data. */
export interface Candidate {
  start: number;
  end: number;
  /** How sure it is without a word near that says what it is, 0 to 1. */
  alone: number;
  /** How sure it is beside such a word. */
  inContext: number;
}

/** Finds one type of personal data. */
export interface Recogniser {
  /** All places that have the form and pass what can be checked of it, in order. */
  candidates(view: View): Iterable<Candidate>;
  /** Words that say what a candidate is, in any language; see `wordsOf`. */
  context: RegExp | null;
  /** Words that say it is something else: what such a word stands beside is half as sure. */
  against: RegExp | null;
}

/**
 * A regular expression for words and phrases, for `View.lower`: lower case, no accents, a `*` for the
 * rest of a word. Compounds are found by their beginning only, so `*nummer` is not possible.
 */
export function wordsOf(words: readonly string[]): RegExp {
  const alternatives = words.map((word) => {
    const escaped = word.replace(/[.+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, '[\\s_-]{1,2}');
    return escaped.endsWith('*') ? `${escaped.slice(0, -1)}[a-z]*` : `${escaped}(?![a-z])`;
  });
  return new RegExp(`(?<![a-z])(?:${alternatives.join('|')})`, 'g');
}

/** All matches of a global pattern that a validator takes; what it refuses is read again from inside. */
export function* matches<T>(
  text: string,
  pattern: RegExp,
  take: (match: RegExpExecArray) => T | null,
): Generator<T> {
  const search = new RegExp(pattern);
  for (let match = search.exec(text); match; match = search.exec(text)) {
    const taken = take(match);
    if (taken === null) search.lastIndex = match.index + 1;
    else yield taken;
  }
}
