import type { TextView } from './view.ts';

/** A range of a view that may be personal data. */
export interface PiiCandidate {
  start: number;
  end: number;
  /** The score without a supporting word nearby, 0 to 1. */
  alone: number;
  /** The score next to a supporting word. */
  inContext: number;
  /**
   * Whether the finding has all optional parts of its kind, such as a telephone number with its
   * prefix. A short number after it is then separate.
   */
  whole?: boolean;
  /**
   * Whether few other values have the same form. The candidate counts if the text names its kind
   * anywhere.
   */
  specific?: boolean;
}

/** Finds one type of personal data. */
export interface PiiRecogniser {
  /** Returns all ranges that have the form and pass its checks, in order. */
  candidates(view: TextView): Iterable<PiiCandidate>;
  /** Words that support a candidate, in all languages; see `contextWords`. */
  context: RegExp | null;
  /** Words that contradict a candidate. They halve the score of an adjacent candidate. */
  against: RegExp | null;
  /**
   * Words directly before a candidate that identify it as another kind of number. If set, no other
   * words contradict a complete candidate.
   */
  otherNames?: RegExp;
}

/**
 * Returns a regular expression for words and phrases in `TextView.lower`, which is in lower case
 * without accents. `*` stands for the rest of a word. Compounds are only found by their beginning,
 * so `*nummer` is not supported.
 */
export function contextWords(words: readonly string[]): RegExp {
  const alternatives = words.map((word) => {
    const escaped = word.replace(/[.+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, '[\\s_-]{1,2}');
    return escaped.endsWith('*') ? `${escaped.slice(0, -1)}[a-z]*` : `${escaped}(?![a-z])`;
  });
  return new RegExp(`(?<![a-z])(?:${alternatives.join('|')})`, 'g');
}

/**
 * Yields all matches of a global pattern that a validator accepts. After a rejected match, the
 * search continues one character after its start.
 */
export function* matches<T>(
  text: string,
  pattern: RegExp,
  validate: (match: RegExpExecArray) => T | null,
): Generator<T> {
  const search = new RegExp(pattern);
  for (let match = search.exec(text); match; match = search.exec(text)) {
    const result = validate(match);
    if (result === null) search.lastIndex = match.index + 1;
    else yield result;
  }
}
