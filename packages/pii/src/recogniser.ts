import type { TextView } from './view.ts';

/** A range of a view that may be personal data. */
export interface PiiCandidate {
  start: number;
  end: number;
  /** The score without a supporting word nearby, 0 to 1. */
  alone: number;
  /** The score next to such a word. */
  inContext: number;
  /**
   * Whether the finding has every part that its kind can have, such as a telephone number with its
   * prefix: a short number behind it is separate.
   */
  whole?: boolean;
  /** Few other things have its form: it counts if the text names its kind anywhere. */
  specific?: boolean;
}

/** Finds one type of personal data. */
export interface PiiRecogniser {
  /** All ranges that have the form and pass its checks, in order. */
  candidates(view: TextView): Iterable<PiiCandidate>;
  /** Words that support a candidate, in any language; see `contextWords`. */
  context: RegExp | null;
  /** Words that contradict it: they halve the score of a candidate next to them. */
  against: RegExp | null;
  /**
   * Words that, right before a candidate, identify it as another kind of number. If given, nothing
   * else contradicts a whole candidate.
   */
  otherNames?: RegExp;
}

/**
 * Returns a regular expression for words and phrases in `TextView.lower`: lower case, no accents,
 * `*` for the rest of a word. Compounds are found only by their beginning, so `*nummer` is not
 * possible.
 */
export function contextWords(words: readonly string[]): RegExp {
  const alternatives = words.map((word) => {
    const escaped = word.replace(/[.+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, '[\\s_-]{1,2}');
    return escaped.endsWith('*') ? `${escaped.slice(0, -1)}[a-z]*` : `${escaped}(?![a-z])`;
  });
  return new RegExp(`(?<![a-z])(?:${alternatives.join('|')})`, 'g');
}

/**
 * Yields all matches of a global pattern that a validator accepts; where it rejects one, the search
 * continues one character further.
 */
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
