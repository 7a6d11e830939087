/** A span of a text with its type, in UTF-16 units. */
export interface Mark {
  type: string;
  start: number;
  end: number;
}

export interface Sample {
  text: string;
  marks: Mark[];
}

/** Words that do not separate spans or count at their ends, as in presidio-evaluator. */
const skipWords = new Set(
  `'s street st. st de rue via and a the or do as of day address country state city zip po apt unit corner p.o. box
  suite mr. mrs. miss year years y/o month months old morning noon afternoon night evening this first last week weeks
  weekend days age ago inc inc. ltd in on at to for from by with is was are be it its i me my we our you your he she his
  her they them their not no so if then than that these those there here but about into over after before up down out
  mr mrs`.split(/\s+/),
);

export interface Token {
  start: number;
  end: number;
}

/** Splits a text into words, numbers and single symbols. Abbreviations keep their full stop. */
export function tokensOf(text: string): Token[] {
  return [
    ...text.matchAll(
      /\b(?:Mrs?|Ms|Dr|St|Inc|Apt|P\.O)\.|'s\b|[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu,
    ),
  ].map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

function isSkipped(word: string): boolean {
  return skipWords.has(word.toLowerCase()) || /^[!-/:-@[-`{-~]+$/.test(word);
}

/** The mark without skip words at its ends; undefined if it consists of skip words only. */
export function trimMark(text: string, mark: Mark): Mark | undefined {
  const tokens = tokensOf(text.slice(mark.start, mark.end)).filter(
    ({ start, end }) => !isSkipped(text.slice(mark.start + start, mark.start + end)),
  );
  if (tokens.length === 0) return undefined;
  return { ...mark, start: mark.start + tokens[0]!.start, end: mark.start + tokens.at(-1)!.end };
}

/** Joins marks with only skip words between them; marks of different types too, unless `typed`. */
export function mergeMarks(text: string, marks: readonly Mark[], keepsTypes: boolean): Mark[] {
  const mergedMarks: Mark[] = [];
  for (const mark of marks.flatMap((each) => trimMark(text, each) ?? [])) {
    const last = mergedMarks.at(-1);
    const between = last && text.slice(last.end, mark.start);
    const joins =
      last &&
      between !== undefined &&
      (!keepsTypes || last.type === mark.type) &&
      tokensOf(between).every(({ start, end }) => isSkipped(between.slice(start, end)));
    if (joins) last.end = Math.max(last.end, mark.end);
    else mergedMarks.push({ ...mark });
  }
  return mergedMarks;
}
