import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { createMatcher } from '@scriptorium/documents/redact/matcher';

type Value = { type: FoundType; value: string };

/** Capitalises every word: names in file names are often lower case. */
const capitalise = (text: string): string =>
  text.replace(/(?<!\p{L})\p{Ll}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });

/** A file name in which values removed from the file are replaced by their types. */
export function redactedName(filename: string, values: readonly Value[]): string {
  const matcher = createMatcher(values);
  const hits = [filename, capitalise(filename)]
    .flatMap((reading) => matcher.find(reading))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let name = '';
  let from = 0;
  for (const { start, end, value } of hits) {
    if (start >= from) name += `${filename.slice(from, start)}${values[value]?.type ?? ''}`;
    from = Math.max(from, end);
  }
  return name + filename.slice(from);
}
