/** The patterns of values, which match whole values regardless of case. */
export interface ValuePatterns {
  /** All values, in the syntax of Postgres. */
  all: string;
  /** The longest word of each value, in the syntax of Postgres: a text without it has no match. */
  hint: string;
  /** Each value, in the syntax of Postgres. */
  each: string[];
  /** Each value, for texts that only this process can open. */
  expressions: RegExp[];
}

/** Between the words of a value: white space or punctuation, as in a filename or across lines. */
const maxSeparators = 3;

/** The words of a value. They contain only letters and digits, so patterns need no escapes. */
function wordsOf(value: string): string[] {
  return value.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Makes the patterns of values. */
export function makePatterns(values: readonly string[]): ValuePatterns {
  const wordLists = values.map(wordsOf);
  const inPostgres = (alternatives: string[]): string =>
    `(?<![[:alnum:]])(?:${alternatives.join('|')})(?![[:alnum:]])`;
  const bodies = wordLists.map((words) => words.join(`[^[:alnum:]]{1,${maxSeparators}}`));
  return {
    all: inPostgres(bodies),
    hint: wordLists
      .map((words) =>
        words.reduce((longest, word) => (word.length > longest.length ? word : longest)),
      )
      .join('|'),
    each: bodies.map((body) => inPostgres([body])),
    expressions: wordLists.map(
      (words) =>
        new RegExp(
          `(?<![\\p{L}\\p{N}])${words.join(`[^\\p{L}\\p{N}]{1,${maxSeparators}}`)}(?![\\p{L}\\p{N}])`,
          'iu',
        ),
    ),
  };
}

/** The positions of the values that a text contains. */
export function valuesIn({ expressions }: ValuePatterns, text: string): number[] {
  const normalized = text.normalize('NFC');
  return expressions.flatMap((expression, at) => (expression.test(normalized) ? [at] : []));
}

/** Whether a value is a single word of letters, which may occur in other meanings. */
export function isOrdinaryWord(value: string): boolean {
  return /^\p{L}+$/u.test(value.normalize('NFC').trim());
}
